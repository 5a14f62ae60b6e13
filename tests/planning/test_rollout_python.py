"""What a callback of plain Python is given."""

from typing import Any

import numpy as np

from footwork.planning.rollout_python import takes_only_numbers


def test_plain_callbacks_get_floats_only_where_they_take_single_numbers() -> None:
    def indexed(x: Any, u: Any) -> Any:
        return x[0] * u[1], x[2]

    def unpacked(x: Any, u: Any) -> Any:
        a, b = x
        return a + u[0], b

    def sliced(x: Any, u: Any) -> Any:
        return x[:2] * u[0]

    def added(x: Any, u: Any) -> Any:
        return x + u[0]

    def computed(x: Any, u: Any) -> Any:
        return x[int(u[0])]

    def handed_on(x: Any, u: Any) -> Any:
        return indexed(x, u)

    def captured(x: Any, u: Any) -> Any:
        return [x[i] for i in range(2)], u[0]

    assert takes_only_numbers(indexed, 2)
    assert takes_only_numbers(unpacked, 2)
    for function in (sliced, added, computed, handed_on, captured):
        assert not takes_only_numbers(function, 2)
    assert not takes_only_numbers(np.sin, 1)
