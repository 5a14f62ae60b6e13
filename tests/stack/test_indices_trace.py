"""Every recorded answer of OpenSoT's Indices."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from footwork.errors import InputError
from footwork.stack import Indices

TRACE = Path(__file__).parents[1] / "data/stack/indices_trace.jsonl.gz"
CASES = [json.loads(line) for line in gzip.decompress(TRACE.read_bytes()).splitlines()]


def check(indices: Indices, expected: dict[str, Any]) -> None:
    assert list(indices) == expected["list"] == expected["vector"]
    assert str(indices) == expected["string"]
    assert [list(chunk) for chunk in indices.chunks] == expected["chunks"]
    assert indices.is_contiguous == expected["contiguous"]
    assert len(indices) == expected["size"]


def test_indices_answer_as_opensot_does() -> None:
    for case in CASES:
        a, b = Indices(case["in"]), Indices(case["in2"])
        check(a, case["a"])
        check(a + b, case["plus"])
        check(a - b, case["minus"])
        check(a + case["x"], case["plus_x"])
        check(a - case["x"], case["minus_x"])
        assert (a == b) == case["equal"]
        check(a.shift(case["shift_by"]), case["shift"])
        if "filter" in case:
            check(a.filter(case["filter_by"]), case["filter"])
        check(Indices.range(*case["range"]), case["range_result"])


def test_indices_made_from_an_iterator_are_sorted_and_have_chunks() -> None:
    indices = Indices(iter([3, 1, 2, 2, 7]))
    assert list(indices) == [1, 2, 3, 7]
    assert indices.chunks == ((1, 2, 3), (7,))


@pytest.mark.parametrize("rows", [[-1], [1.5], [True]])
def test_indices_refuse_what_is_no_row_number(rows: list[Any]) -> None:
    with pytest.raises(InputError, match="whole numbers"):
        Indices(rows)


def test_filtering_a_position_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(InputError, match="position 2"):
        Indices([4, 9]).filter([0, 2])


def test_a_range_that_runs_backwards_is_an_error() -> None:
    with pytest.raises(InputError, match="below"):
        Indices.range(3, 2)
