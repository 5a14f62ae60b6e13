"""A goal, an objective or a projection that is plain Python, behind a C address.

Whatever the function raises, Ctrl-C before its first line too, is kept, and raised again by whoever
asked the kernel.
"""

from collections.abc import Callable
from threading import get_ident
from typing import Literal

import numpy as np

from footwork.typing import Vector


class PythonDoor:
    """A function that kernels call, and what it raised.

    Args:
        kind: What it is for: "goal" ``f(x)``, "project" ``f(x)``, or
            "cost" ``f(x0, states, u, h)``, the states after each step one behind the other.
        function: Takes read-only arrays, which it may keep, and returns a tuple of floats.
        sizes: How many numbers a state has, and a control or what is projected.

    Attributes:
        address: Where C code calls it.
        params: What it is called with.
    """

    def __init__(
        self,
        kind: Literal["goal", "project", "cost"],
        function: Callable[..., tuple[float, ...]],
        sizes: tuple[int, int],
    ) -> None:
        from footwork.planning._kernels.python_calls import PLAIN
        from footwork.planning._kernels.python_doors import door_address

        self._errors: dict[int, BaseException] = {}
        self._function = function
        known = id(function), id(np.frombuffer), PLAIN.ctypes.data, id(self._errors)
        self.address = door_address(kind)
        self.params: Vector = np.array([*known, *sizes], np.float64)

    def raise_error(self) -> None:
        """Raise what the function raised in this thread, if it did."""
        error = self._errors.pop(get_ident(), None)
        if error is not None:
            raise error
