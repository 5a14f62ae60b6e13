"""A goal, an objective or a projection that is plain Python, behind a C address.

Whatever the function raises, Ctrl-C before its first line too, is kept, and raised again by whoever
asked the kernel.
"""

from collections.abc import Callable
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
        from footwork.planning._kernels.python_doors import door_address

        self._errors: list[BaseException] = []
        self._function = function
        known = (function, np.frombuffer, tuple, self._errors)
        self.address = door_address(kind)
        self.params: Vector = np.array([*map(id, known), *sizes], np.float64)

    def raise_error(self) -> None:
        """Raise what the function raised, if it did."""
        try:
            error = self._errors.pop()
        except IndexError:  # nothing was kept, or another thread took it
            return
        raise error
