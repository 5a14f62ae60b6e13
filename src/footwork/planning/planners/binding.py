"""Turns a problem into the data that planner kernels read; keeps what the addresses point to."""

from dataclasses import dataclass

import numpy as np

from footwork.errors import BackendError
from footwork.planning._kernels.tree import COST_FAILED, GOAL_FAILED, System
from footwork.planning.compiled_rollout import CompiledRollout
from footwork.planning.goals import CompiledGoal
from footwork.planning.objective_door import CompiledObjective
from footwork.planning.planners.projection import Projection
from footwork.planning.problem import BoundProblem
from footwork.planning.python_door import PythonDoor
from footwork.typing import Vector


@dataclass(frozen=True, kw_only=True, eq=False)
class BoundSystem:
    """A problem as kernels read it.

    Attributes:
        system: The data.
        problem: The problem.
        rollout: Owner of the rollout.
        goal: Owner of the goal.
        objective: Owner of the objective.
        projection: Where cells are, None for planners without.
        projection_door: Owner of the projection's function, None without one.
    """

    system: System
    problem: BoundProblem
    rollout: CompiledRollout
    goal: CompiledGoal
    objective: CompiledObjective
    projection: Projection | None
    projection_door: PythonDoor | None

    @property
    def is_native(self) -> bool:
        """Whether a motion costs microseconds: no Python in the loop."""
        return (
            self.rollout.is_native
            and self.goal.address == 0
            and (self.objective.address == 0 or self.objective.is_native)
            and self.projection_door is None
        )

    def raise_error(self, trouble: int) -> None:
        """Raise what a callback raised.

        Args:
            trouble: The counter of that name.

        Raises:
            BackendError: If nothing was raised; else what was.
        """
        self.raise_projection_error()
        if trouble < 0:
            self.rollout.raise_error(trouble, self.system.rollout_parameters)
        elif trouble == GOAL_FAILED:
            self.goal.raise_error(self.system.goal_parameters)
        elif trouble == COST_FAILED:
            self.objective.raise_error(self.system.cost_parameters)
        raise BackendError(f"a callback failed with code {trouble} and kept no exception")

    def raise_projection_error(self) -> None:
        """Raise what the projection's function raised, if it did."""
        if self.projection_door is not None:
            self.projection_door.raise_error()


def bind_system(problem: BoundProblem, projection: Projection | None) -> BoundSystem:
    """Collect what a kernel reads.

    Args:
        problem: The checked problem.
        projection: Where cells are, None for planners without.

    Returns:
        Data with its owners.
    """
    rollout, goal = problem.si.compiled(), problem.compiled_goal
    objective = problem.objective.compiled(problem.si)
    door = None if projection is None else projection.door()
    n = rollout.dimension
    wrapped = [problem.si.state_space.wrap(state) for state in goal.states]
    system = System(
        rollout=rollout.address,
        rollout_parameters=_at_least_one(rollout.params),
        components=np.array(rollout.components, np.int64),
        weights=np.array(rollout.weights),
        low=np.array(rollout.low),
        high=np.array(rollout.high),
        control_low=np.array(rollout.control_low),
        control_high=np.array(rollout.control_high),
        control_discrete=np.array(rollout.is_discrete, np.int64),
        limits=np.array([rollout.min_control_steps, rollout.max_control_steps], np.int64),
        step=float(rollout.propagation_step_size),
        goal=goal.address,
        goal_parameters=_at_least_one(goal.params),
        goal_components=np.array(goal.components, np.int64),
        goal_weights=np.array(goal.weights),
        goal_states=np.array(wrapped).reshape(-1, n),
        goal_tolerances=np.array(goal.tolerances),
        cost=objective.address,
        cost_parameters=_at_least_one(objective.params),
        project=0 if door is None else door.address,
        project_parameters=np.zeros(1) if door is None else door.params,
        project_indices=np.zeros(1, np.int64) if projection is None else projection.indices.copy(),
        project_matrix=np.zeros((1, n)) if projection is None else projection.matrix.copy(),
        project_origin=np.zeros(1) if projection is None else projection.low.copy(),
        project_cells=np.ones(1) if projection is None else projection.cell_sizes.copy(),
    )
    return BoundSystem(
        system=system,
        problem=problem,
        rollout=rollout,
        goal=goal,
        objective=objective,
        projection=projection,
        projection_door=door,
    )


def axis_scale(system: System) -> Vector:
    """Spread the weights of the components over the axes of the state.

    Args:
        system: The problem.

    Returns:
        Weight of each axis, shape (n,).
    """
    scale = np.zeros(len(system.low))
    for (_, offset, size), weight in zip(system.components, system.weights, strict=True):
        scale[offset : offset + size] = weight
    return scale


def _at_least_one(values: Vector) -> Vector:
    """Copy: kernels write nothing here, but a rollout keeps the failed state in its numbers."""
    return np.array(values, np.float64) if len(values) else np.zeros(1)
