"""What a stack does once a tick, before it solves: plan, kinematics, rows, one packed problem."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from footwork.errors import NotFiniteError
from footwork.stack.common_leaf import CommonLeaf
from footwork.stack.constraint import Constraint
from footwork.stack.epoch import EPOCH, new_stamp
from footwork.stack.layout import Layout, Leaf
from footwork.stack.leaf import LeafConstraint
from footwork.stack.leaf_rows import NEVER, Clock
from footwork.stack.plan import Plan
from footwork.stack.segment import Model, State, stamp_of
from footwork.stack.task import Task


class Ticker:
    """Keeps the plan of a stack right, and brings its leaves to a tick.

    Every microsecond here is paid at every tick, so that what can be decided when the plan is made
    is decided there.
    """

    def __init__(
        self, levels: Callable[[], Sequence[Task]], bounds: Iterable[Constraint], x_size: int
    ) -> None:
        """Make a ticker without a plan.

        Args:
            levels: Gives the levels as they are now, with the regularisation as the last one.
            bounds: Constraints on all of them, a list that may change.
            x_size: Number of unknowns.
        """
        self._levels = levels
        self._bounds = bounds
        self._x_size = x_size
        self._clock = Clock(self)
        self._stamp = NEVER
        self._changes = -1
        self._seen = (-1, -1, -1, -1)
        self._plan: Plan | None = None

    # The plan

    def plan(self) -> Plan:
        """Make the plan right for what has changed since the last look.

        Returns:
            The plan.
        """
        plan = self._plan
        if plan is not None and self._changes == EPOCH.changes:
            return plan
        # Looked at before the numbers are read: what changes meanwhile is seen at the next look.
        changes, now = EPOCH.changes, EPOCH.look()
        structure, weights, costs, gains = self._seen
        if plan is None or structure != now[0]:
            plan = self._build()
        else:
            if weights != now[1]:
                plan.patch_weights()
            if costs != now[2]:
                plan.patch_costs()
            if gains != now[3]:
                plan.patch_gains()
        self._seen, self._changes = now, changes
        return plan

    def _build(self) -> Plan:
        from footwork.stack._kernels.assemble import assemble, evaluate_plan

        self._assemble, self._evaluate = assemble, evaluate_plan
        layout = Layout(self._levels(), self._bounds, self._x_size)
        before, self._plan = self._plan, Plan(layout, self._x_size)
        if before is not None:
            for leaf in set(before.layout.leaves).difference(layout.leaves):
                leaf.leave(self._clock)
        alone = [leaf.join(self._clock) for leaf in layout.leaves]
        python = [leaf for leaf in layout.leaves if not leaf.is_compiled]
        waits = any(leaf.dependencies() for leaf in python)
        # One by one where another stack may have ticked a leaf, or Python needs compiled rows.
        self._is_shared = not all(alone) or waits
        self._python = [leaf for leaf in python if not _is_constant(leaf)]
        self._is_plain = not (self._python or layout.ramping)
        needs: dict[Model, int] = {}
        for leaf in layout.leaves:
            if leaf.model is not None:
                needs[leaf.model] = needs.get(leaf.model, 0) | leaf.needs
        self._models = tuple(needs.items())
        new = any(leaf.last_stamp != self._clock.stamp for leaf in layout.leaves)
        self._is_stale = new and self._stamp != NEVER
        self._goes_together = not (self._is_shared or self._is_stale)
        return self._plan

    # A tick

    def assemble(self, state: State | None) -> Plan:
        """Bring all leaves to a state and assemble the problem.

        Args:
            state: Of the robot; without one the tasks are taken as they are.

        Returns:
            The plan, its problem rewritten.

        Raises:
            NotFiniteError: If a task or constraint holds NaN or infinity; it says which.
        """
        plan = self._plan
        if plan is None or self._changes != EPOCH.changes:
            plan = self.plan()
        is_finite = -1
        if state is None:
            is_finite = self._tick_again(plan)
        else:
            stamp = stamp_of(state)
            if not (self._is_plain and self._goes_together) or self._clock.is_touched:
                is_finite = self._tick(plan, stamp, state, assemble=True)
            elif stamp != self._stamp:
                is_finite = self._tick_plainly(plan, stamp, state)
        if is_finite < 0 or self._changes != EPOCH.changes:
            # As it was, or a ramp has ended in this very tick.
            is_finite = self._assemble(self.plan().vector, 0)
        plan = self._plan or plan
        if not is_finite:
            _raise_not_finite(plan)
        return plan

    def _tick_again(self, plan: Plan) -> int:
        """Take the tick as it was, with what has come since; without any, make the first one."""
        if self._stamp == NEVER:
            return self._tick(plan, new_stamp(), None, assemble=True)
        if self._is_stale:
            for leaf in plan.layout.leaves:
                if leaf.last_stamp == NEVER:
                    leaf.tick_rows(self._stamp, self._clock.state)
        return -1

    def update(self, state: State | None) -> None:
        """Bring all leaves to a tick.

        Args:
            state: Of the robot; without one a new tick starts.
        """
        self._tick(self.plan(), stamp_of(state), state, assemble=False)

    def _tick_plainly(self, plan: Plan, stamp: int, state: State) -> int:
        """Do what `_tick` does where there is nothing else to be done: every tick counts."""
        for model, needs in self._models:
            model.refresh(state, needs)
        is_finite: int = self._assemble(plan.vector, 1)
        self._clock.tick(stamp, state)
        self._stamp = stamp
        return is_finite

    def _tick(self, plan: Plan, stamp: int, state: State | None, *, assemble: bool) -> int:
        """Bring all leaves to a tick.

        Returns:
            −1 if nothing was assembled on the way; else whether the problem is finite.
        """
        clock = self._clock
        goes_together = self._goes_together and not clock.is_touched
        if goes_together and stamp == self._stamp:
            return -1
        if state is None:
            state = clock.state
            goes_together = goes_together and (state is not None or not self._models)
        if state is not None:
            for model, needs in self._models:
                model.refresh(state, needs)
        is_finite = -1
        if goes_together and self._python:
            plan, goes_together = self._compute(plan, stamp, state)
        if not goes_together:
            plan = self._tick_one_by_one(plan, stamp, state)
        else:
            if assemble:
                is_finite = self._assemble(plan.vector, 1)
            else:
                self._evaluate(plan.vector)
            clock.tick(stamp, state)
        clock.state = state
        self._stamp = stamp
        for settings in plan.layout.ramping:
            settings.advance(stamp)
        return is_finite

    def _compute(self, plan: Plan, stamp: int, state: State | None) -> tuple[Plan, bool]:
        """Compute the rows of Python.

        Returns:
            The plan, made anew if a user's task has changed something on the way (the old tables
            are of old arrays), and whether its leaves still go together: none is new or shared.
        """
        for leaf in self._python:
            leaf.compute(state)
            leaf.rows_data.map()
        if self._changes == EPOCH.changes and self._plan is plan:
            return plan, True
        done, plan = plan.layout.leaves, self.plan()
        if not self._is_shared and set(done).issuperset(plan.layout.leaves):
            return plan, True
        for leaf in done:
            if not leaf.is_compiled:
                leaf.mark(stamp, state)
        return plan, False

    def _tick_one_by_one(self, plan: Plan, stamp: int, state: State | None) -> Plan:
        ticked = None
        while ticked is not plan:
            for leaf in plan.layout.leaves:
                leaf.tick_rows(stamp, state)
            ticked, plan = plan, self.plan()
        if not self._is_shared:
            self._clock.tick(stamp, state)
        self._is_stale = False
        self._goes_together = not self._is_shared
        return plan


def _is_constant(leaf: Leaf) -> bool:
    """Tell whether a leaf's Python method is the one that does nothing."""
    return getattr(leaf.compute, "__func__", None) is CommonLeaf.compute


def _raise_not_finite(plan: Plan) -> None:
    for leaf in plan.layout.leaves:
        data = leaf.rows_data
        for name, array in (("rows", data.A), ("right side", data.terms)):
            is_limit = name == "right side" and isinstance(leaf, LeafConstraint)
            bad = np.isnan(array) if is_limit else ~np.isfinite(array)
            if bad.any():
                index = tuple(int(i) for i in np.argwhere(bad)[0])
                raise NotFiniteError(f"{name} of {leaf.id!r}", index, float(array[index]))
