"""What users' functions may return and raise, and how they are told when it is something else."""

import math
from typing import Any

import numpy as np
import pytest

from footwork.errors import CallbackTypeError, CallbackValueError, ShapeError
from tests.planning.systems import line_system, unicycle_system

DOORS = pytest.mark.parametrize("compile", [True, False], ids=["compiled", "plain"])


def returns_nothing(x: Any, u: Any) -> Any:
    return None


def returns_too_few(x: Any, u: Any) -> Any:
    return (x[0],)


def returns_a_hole(x: Any, u: Any) -> Any:
    return x[0], None, u[0]


def returns_nan(x: Any, u: Any) -> Any:
    return x[0], math.nan, u[0]


def raises(x: Any, u: Any) -> Any:
    if u[0] > 0.5:
        raise KeyError("my own")
    return x[0], x[1], u[0]


def writes(x: Any, u: Any) -> Any:
    x[0] = 3.0
    return x[0], x[1], u[0]


def returns_what_no_float_holds(x: Any, u: Any) -> Any:
    return 10**400, x[1], u[0]


def reads_beyond(x: Any, u: Any) -> Any:
    return x[0], x[7], u[0]


@DOORS
@pytest.mark.parametrize(
    ("dynamics", "error", "message"),
    [
        (returns_nothing, CallbackTypeError, "dynamics=returns_nothing must return 3 numbers"),
        (returns_a_hole, CallbackTypeError, "dynamics=returns_a_hole must return 3 numbers"),
        (returns_what_no_float_holds, CallbackTypeError, "must return 3 numbers"),
        (returns_too_few, ShapeError, "dynamics=returns_too_few returned"),
        (returns_nan, CallbackValueError, "dynamics=returns_nan led to NaN"),
        (raises, KeyError, "my own"),
        (writes, ValueError, "read-only"),
        (reads_beyond, IndexError, "index"),
    ],
)
def test_what_goes_wrong_in_a_callback_reaches_the_caller(
    dynamics: Any, error: type[Exception], message: str, compile: bool
) -> None:
    si = unicycle_system(dynamics=dynamics, compile=compile)
    for _ in range(2):
        with pytest.raises(error, match=message):
            si.propagate([0, 0, 0], [1.0, 0], 1.0)


def misspells(x: Any, u: Any) -> Any:
    return u[0] * coss(x[2]), x[1], u[0]  # type: ignore[name-defined]  # noqa: F821


def divides_by_zero(x: Any, u: Any) -> Any:
    return x[0], 1.0 // (0.0 * u[0]), u[0]


def misses_parameters(x: Any, u: Any, parameters: Any) -> Any:
    return parameters[0], x[1], u[0]


def adds_a_word(x: Any, u: Any) -> Any:
    return x[0] + "1", x[1], u[0]


@DOORS
@pytest.mark.parametrize(
    ("dynamics", "error", "hint"),
    [
        (misspells, NameError, ""),
        (divides_by_zero, ZeroDivisionError, ""),
        (reads_beyond, IndexError, ""),
        (adds_a_word, TypeError, ""),
        (raises, KeyError, ""),
        (
            misses_parameters,
            IndexError,
            ", parameters []; it takes parameters and there are none, give parameters=[…]",
        ),
    ],
)
def test_what_a_callback_raises_has_a_note_of_its_name_and_arguments(
    dynamics: Any, error: type[Exception], hint: str, compile: bool
) -> None:
    si = unicycle_system(dynamics=dynamics, compile=compile)
    for _ in range(2):
        with pytest.raises(error) as raised:
            si.propagate([0.5, 0, 0], [1.0, 0], 1.0)
        assert raised.value.__notes__ == [
            f"raised by dynamics={dynamics.__name__} at state [0.5, 0.0, 0.0], "
            f"control [1.0, 0.0]{hint}"
        ]


def late_validity(x: Any) -> bool:
    if x[0] > 0.45:
        raise KeyError("too far")
    return True


@DOORS
def test_what_a_validity_raises_has_a_note_of_its_name_and_state(compile: bool) -> None:
    si = line_system(is_valid=late_validity, compile=compile)
    with pytest.raises(KeyError) as raised:
        si.propagate_while_valid([0.0], [1.0], 1.0)
    (note,) = raised.value.__notes__
    assert note.startswith("raised by is_valid=late_validity at state [0.5")
    with pytest.raises(KeyError) as raised:
        si.is_state_valid([0.75])
    assert raised.value.__notes__ == ["raised by is_valid=late_validity at state [0.75]"]


def validity_of(answer: Any) -> Any:
    return lambda x: answer


@DOORS
@pytest.mark.parametrize("answer", [None, 0.5, math.nan, "yes"])
def test_a_validity_that_is_no_truth_value_is_refused(answer: Any, compile: bool) -> None:
    si = line_system(is_valid=validity_of(answer), compile=compile)
    with pytest.raises(CallbackTypeError, match=r"is_valid=.*True or False"):
        si.propagate_while_valid([0.0], [1.0], 1.0)
    with pytest.raises(CallbackTypeError):
        si.is_state_valid([0.0])


@pytest.mark.parametrize("answer", [np.bool_(True), np.int64(1), 1, np.array([True])])
def test_numpy_truth_values_are_fine(answer: Any) -> None:
    assert line_system(is_valid=validity_of(answer)).is_state_valid([0.0])
