"""What a planner needs of a world: numbers, and one compiled function that reads them."""

from collections.abc import Callable
from typing import Protocol, TypeAlias, runtime_checkable

from numpy.typing import ArrayLike

from footwork.typing import BoolVector, Vector

StateTest: TypeAlias = Callable[[Vector, Vector], bool]
"""f(x, parameters) → whether state x is free; compiled, reads nothing but its arguments."""
StateMeasure: TypeAlias = Callable[[Vector, Vector], float]
"""f(x, parameters) → a number of state x [m]; compiled, reads nothing but its arguments."""


@runtime_checkable
class World(Protocol):
    """Obstacles and the robot's shape, packed into one array.

    Attributes:
        parameters: Everything the kernels read, shape (k,), read-only; offsets in it count from
            its own start, so it may be copied into a longer array and passed as a slice.
        validity_kernel: Compiled ``f(x, parameters) -> bool``; True when nothing is touched.
        clearance_kernel: Compiled ``f(x, parameters) -> float``; signed distance [m].
    """

    @property
    def parameters(self) -> Vector:
        """Everything the kernels read, shape (k,), read-only."""

    @property
    def validity_kernel(self) -> StateTest:
        """Compiled ``f(x, parameters) -> bool``."""

    @property
    def clearance_kernel(self) -> StateMeasure:
        """Compiled ``f(x, parameters) -> float`` [m]."""

    def is_free(self, states: ArrayLike) -> BoolVector:
        """Say for each state whether the robot touches nothing.

        Args:
            states: One state, shape (n,), or several, shape (k, n).

        Returns:
            One truth value per state, shape (k,); shape () for one state.
        """

    def clearance(self, states: ArrayLike) -> Vector:
        """Signed distance from the robot to the nearest obstacle [m], negative on overlap.

        Args:
            states: One state, shape (n,), or several, shape (k, n).

        Returns:
            One distance per state, shape (k,); shape () for one state; inf without obstacles.
        """

    def signed_distance(self, points: ArrayLike) -> Vector:
        """Signed distance from points to the nearest obstacle [m], negative inside.

        Args:
            points: One point or several, shape (d,) or (k, d).

        Returns:
            One distance per point, shape (k,); shape () for one point; inf without obstacles.
        """
