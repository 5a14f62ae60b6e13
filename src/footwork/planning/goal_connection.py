"""A path that ends near the goal, pulled into it by shooting."""

import math
import time
from typing import Final

import numpy as np

from footwork.errors import InputError
from footwork.planning.path_control import PathControl
from footwork.planning.problem import BoundProblem, Problem, bind_problem
from footwork.planning.shooting import Guess, Shooting, finished
from footwork.planning.space_information import SpaceInformation
from footwork.typing import BoolVector, Matrix, Vector

PIECE_STEPS: Final = (5, 10)
"""Propagation steps of a piece, tried in turn."""

MOST_PIECES: Final = 120

STRETCHES_OF_A_PATH: Final = (1.0, 1.2, 0.85, 1.5, 2.5)
"""Durations that are tried for a path that is connected, as multiples of its own."""

CANDIDATES: Final = 20


def connect_to_goal(
    path: PathControl, problem: Problem, *, time_limit: float | None = None
) -> PathControl | None:
    """Pull a path that ends near the goal into it.

    Meant for `PlanningResult.approximate_path`: durations from 0.85 to 2.5 of its own are
    tried with the pieces of `PIECE_STEPS`. A stub far shorter than the goal needs is of no use.

    Args:
        path: The first guess, from a start of the problem.
        problem: Its goal must have a state to aim at.
        time_limit: Wall time [s], None for none.

    Returns:
        A path that passes `PathControl.check` within bounds and ends in the goal, or None if none
        was found; the path given is unchanged.

    Raises:
        InputError: If the path is empty, or no state of the goal is known.
    """
    si = path.space_information
    if path.control_count == 0:
        raise InputError("connect_to_goal needs a path with at least one control")
    bound = bind_problem(problem, si)
    target = Target(bound)
    shooting = Shooting(si)
    shooting.prepare(path.states[0], problem.objective)
    stop = math.inf if time_limit is None else time.monotonic() + time_limit
    aim = target.states[np.argmin(si.state_space.distances(target.states, path.states[-1]))]
    for steps in piece_steps(si):
        piece = steps * si.propagation_step_size
        count = min(max(2, round(path.length() / piece)), MOST_PIECES)
        times = np.linspace(0.0, path.length(), count + 1)
        states = path.state_at(times)
        ends = np.cumsum(path.control_durations)
        middle = np.searchsorted(ends, 0.5 * (times[1:] + times[:-1]))
        controls = path.controls[np.minimum(middle, path.control_count - 1)]
        states[-1] = np.where(target.is_fixed, aim, states[-1])
        guess = Guess(states=states, controls=controls, steps=steps)
        for stretch in STRETCHES_OF_A_PATH:
            work = shooting.pull(
                guess.stretched(si, max(2, round(stretch * count))),
                fixed_end=target.is_fixed,
                arrives=target.is_met,
            )
            found = finished(work, stop=lambda: time.monotonic() > stop)
            if found is not None and target.is_met(found.states[-1]):
                return found
    return None


class Target:
    """What shooting aims at.

    Args:
        bound: The problem, checked.

    Attributes:
        states: States of the goal, valid ones, shape (k, n).
        is_fixed: Which of their numbers count, shape (n,).

    Raises:
        InputError: If no valid state of the goal is known.
    """

    def __init__(self, bound: BoundProblem) -> None:
        self._goal, self._space = bound.goal, bound.si.state_space
        self.states = goal_states(bound)
        if not len(self.states):
            raise InputError(
                "shooting needs a state of the goal to aim at, and this goal names none: "
                "GoalFunction(…, samples=…)"
            )
        self.is_fixed: BoolVector = np.ones(self._space.dimension, dtype=np.bool_)
        if bound.compiled_goal.address == 0:
            self.is_fixed[:] = False
            for _, i, size in bound.compiled_goal.components.tolist():
                self.is_fixed[i : i + size] = True

    def excess(self, state: Vector) -> float:
        """Measure how far a state is outside of the goal.

        Args:
            state: Shape (n,).

        Returns:
            The distance that is missing; 0 or less inside.
        """
        return self._goal.excess(self._space, state)

    def is_met(self, state: Vector) -> bool:
        """Whether a state is in the goal.

        Args:
            state: Shape (n,).

        Returns:
            Whether it is.
        """
        return self.excess(state) <= 0.0


def goal_states(bound: BoundProblem) -> Matrix:
    """Give valid states of a goal, those it names and some that are drawn.

    Args:
        bound: The problem, checked.

    Returns:
        States, shape (k, n); none if none is known.
    """
    space = bound.si.state_space
    drawn = bound.goal.candidates(space, CANDIDATES)
    valid = [x for x in drawn if bound.si.is_state_valid(x)]
    return np.array(valid).reshape(-1, space.dimension)


def piece_steps(si: SpaceInformation) -> list[int]:
    """Say how many propagation steps a piece may have.

    Args:
        si: The system.

    Returns:
        The numbers of `PIECE_STEPS`, within the limits of controls, each once.
    """
    allowed = np.clip(PIECE_STEPS, si.min_control_steps, si.max_control_steps).tolist()
    return list(dict.fromkeys(allowed))
