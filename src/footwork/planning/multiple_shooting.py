"""Planning by optimisation: guesses past the obstacles, pulled into the dynamics by shooting.

Where the goal is tight in many dimensions, as for robots that fly, trees of random motions seldom
hit it; least squares over whole trajectories do, if their first guess is not too bad.
"""

from typing import TYPE_CHECKING

from footwork.planning.planners.planner import Planner
from footwork.planning.shooting_unknowns import require_real
from footwork.planning.space_information import SpaceInformation

if TYPE_CHECKING:
    from footwork.planning.planners.any_search import AnySearch
    from footwork.planning.planners.binding import BoundSystem


class MultipleShooting(Planner):
    """Plans by pulling guesses into the dynamics, quicker and quicker.

    A guess is a way past the obstacles that ignores the dynamics, straight or by a random pose, at
    a random duration; `Shooting` makes it obey. What was found is then done in less time, as long
    as that succeeds. An iteration is one step of the least squares, or one motion of a way. There
    is no tree: memory is that of one path, and of one step's equations.

    It needs real controls, and dynamics that are smooth; obstacles steer it only if the validity
    test is a world with a clearance. Otherwise it merely sees which guesses hold, and takes every
    other way with a margin to the obstacles. It finds local optima and proves nothing. In a maze
    a tree is three to some hundred times as quick; ways that the dynamics cannot follow, such as
    gaps narrower than a turn, mislead it. The goal must have states to aim at: solve raises an
    `InputError` if none is known.

    Args:
        si: The system.
        seed: Decides every random number.

    Raises:
        InputError: If states or controls are whole numbers.

    Source: bock1984multiple, kuffner2000rrtconnect
    """

    needs_goal_state = True

    def __init__(self, si: SpaceInformation, *, seed: int | None = None) -> None:
        super().__init__(si, seed=seed)
        require_real(si)

    def _make_search(self, bound: "BoundSystem", seed: int) -> "AnySearch":
        from footwork.planning.shooting_search import ShootingSearch

        return ShootingSearch(bound, seed)
