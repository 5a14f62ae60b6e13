"""Fingerprints of functions: what they tell apart, and what has none."""

from collections.abc import Callable
from math import cos, sin
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from footwork.planning.fingerprint import CapturedValueError, CaptureWatch, fingerprint


def made(value: Any) -> Callable[[], Any]:
    def function() -> Any:
        return value

    return function


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (1.0, 2.0),
        (1, 1.0),
        (0.0, -0.0),
        (np.array([1.0]), np.array([2.0])),
        (np.array([1.0]), np.array([1.0], dtype=np.float32)),
        ((1, 2), (1, 3)),
        ([1.0], [2.0]),
        (made(1), made(2)),
        (cos, sin),
        (np.sin, np.cos),
    ],
)
def test_fingerprints_tell_values_apart(a: Any, b: Any) -> None:
    assert fingerprint(made(a)) == fingerprint(made(a))
    assert fingerprint(made(a)) != fingerprint(made(b))


def test_code_that_differs_has_another_fingerprint() -> None:
    functions = [lambda x: x + 1, lambda x: x + 2, lambda x: x - 1, lambda y: y + 1]
    assert len({fingerprint(f) for f in functions}) == 4


def test_what_a_module_makes_when_it_is_asked_for_is_fingerprinted_too() -> None:
    module = ModuleType("lazy")
    prints = []
    for gain in (1.0, 2.0):
        vars(module)["__getattr__"] = lambda name, gain=gain: gain
        prints.append(fingerprint(lambda x: module.gain * x))
    assert prints[0] != prints[1]


class Thing:
    """An object."""


def test_objects_have_no_fingerprint() -> None:
    with pytest.raises(CapturedValueError, match="Thing"):
        fingerprint(made(Thing()))
    with pytest.raises(CapturedValueError, match="dict"):
        fingerprint(made({}))


def test_functions_that_call_each_other_are_fingerprinted_once() -> None:
    def even(n: int) -> bool:
        return n == 0 or odd(n - 1)

    def odd(n: int) -> bool:
        return n > 0 and even(n - 1)

    assert fingerprint(even) == fingerprint(even) != fingerprint(odd)
    assert not CaptureWatch(even, odd).has_changed()
