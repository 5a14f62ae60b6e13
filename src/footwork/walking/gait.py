"""The gait: a step sequence and what is measured in, targets of the whole-body controller out."""

from math import hypot
from typing import Final

import numpy as np

from footwork.contacts._kernels.schmitt import NO_EDGE
from footwork.errors import InputError, ShapeError
from footwork.robot import ZooEntry
from footwork.typing import BoolVector, Matrix, Vector
from footwork.walking._kernels.dcm import dcm_at, look_ahead
from footwork.walking._kernels.footholds import next_footholds, support_point
from footwork.walking._kernels.layout import (
    MAX_SEGMENTS,
    GaitPlan,
    GaitState,
    GaitTargets,
    Segments,
)
from footwork.walking._kernels.tick import gait_tick
from footwork.walking.config import WalkingConfig
from footwork.walking.footsteps import StepSequence
from footwork.walking.gait_parameters import parameters_of
from footwork.walking.phase import Phase

MOST_EXTRA_STEPS: Final = 20
"""How many steps may follow the last one until the robot is steady."""
LEAN_SMOOTHING: Final = 0.02
"""Time constant of the error of the DCM by which that is judged, which noise alone is not [s]."""
STANCE_PART: Final = 0.5
"""Part of the distance between two feet within which an error across them is held by standing."""
LEAST_HOLD: Final = 0.2
"""Time before the first transfer from when on its step is kept [s]."""
STILL: Final = 0.01
"""So near its last place the planned centre of pressure rests [m]."""


class Gait:
    """Follows a step sequence: phases, look-ahead, feedback, step adjustment, swinging feet.

    The plan is a function of the phase, the time in it and the footholds, worked out anew in every
    tick, so an early, late or moved landing is no special case.

    Attributes:
        parameters: Numbers of the gait.
        plan: The steps.
        state: What is remembered between ticks.
        targets: Written by `tick`.
        extra_steps: Taken at the end of this sequence because the robot was not steady.
    """

    def __init__(self, config: WalkingConfig, entry: ZooEntry, sequence: StepSequence) -> None:
        self.config = config
        self.parameters = parameters_of(config, entry)
        sides = [1.0 if "left" in foot.name else -1.0 for foot in entry.feet]
        self._sides = np.array(sides)
        count = len(entry.feet)
        self.state = GaitState(
            mode=np.zeros(4, dtype=np.int64),
            clock=np.zeros(8),
            feet=np.zeros((count, 4)),
            targets=np.zeros((count, 4)),
            shift=np.zeros(2),
            swing=np.zeros((count, 4, 3)),
            lift_height=np.zeros(count),
            descending=np.zeros(count, dtype=np.int64),
            cop_start=np.zeros(2),
            dcm_error=np.zeros(2),
            loaded=np.zeros(count, dtype=np.int64),
            edges=np.full(count, NO_EDGE),
            carry=np.zeros(2),
        )
        self.targets = GaitTargets(
            com_acceleration=np.zeros(3),
            cop=np.zeros(2),
            cop_reference=np.zeros(2),
            dcm=np.zeros(2),
            dcm_reference=np.zeros(2),
            contacts=np.ones(count, dtype=np.int64),
            feet=np.zeros((count, 4, 3)),
            torso_yaw=np.zeros(3),
            has_landed=np.zeros(1, dtype=np.int64),
        )
        self._segments = Segments(
            first=np.zeros((MAX_SEGMENTS, 2)),
            last=np.zeros((MAX_SEGMENTS, 2)),
            times=np.ones(MAX_SEGMENTS),
            feet=np.zeros((count, 4)),
            landing=np.zeros((count, 4)),
            at=np.zeros(4),
            dcm=np.zeros(2),
            push=np.zeros(2),
            scratch=np.zeros(4),
        )
        self._lean: Vector = np.zeros(2)
        self.follow(sequence, sequence.footholds[0])

    def follow(self, sequence: StepSequence, feet: Matrix, *, smooth: bool = False) -> None:
        """Begin a step sequence from standing.

        Args:
            sequence: The steps.
            feet: Where the feet are now: (x, y, z, yaw), shape (feet, 4).
            smooth: Whether the reference of the DCM goes on where it was, instead of where the new
                steps want it.

        Raises:
            ShapeError: If the number of feet differs.
        """
        if feet.shape != self.state.feet.shape:
            raise ShapeError("feet", self.state.feet.shape, feet.shape)
        self.plan = GaitPlan(
            swings=np.ascontiguousarray(sequence.swings),
            footholds=np.ascontiguousarray(sequence.footholds),
            swing_times=np.ascontiguousarray(sequence.swing_times),
            transfer_times=np.ascontiguousarray(sequence.transfer_times),
            sides=self._sides,
        )
        self.extra_steps = 0
        self._lean[:] = 0.0
        state = self.state
        state.mode[:] = 0
        state.clock[:3] = 0.0
        state.clock[1] = max(sequence.hold_time, 1e-3)
        state.clock[4] = state.clock[5] = feet[:, 2].mean()
        state.clock[6] = feet[:, 3].mean()
        state.feet[:] = feet
        state.shift[:] = 0.0
        c, s = np.cos(feet[:, 3]), np.sin(feet[:, 3])
        forward, inward = self.parameters.cop_forward, -self._sides * self.parameters.cop_inward
        state.cop_start[0] = (feet[:, 0] + c * forward - s * inward).mean()
        state.cop_start[1] = (feet[:, 1] + s * forward + c * inward).mean()
        self._carry_on(smooth=smooth)

    @property
    def kept(self) -> int | None:
        """Coming steps that other steps are to follow, so that the DCM can be led there.

        That of the feet in the air and the next one, or the one that the weight is shifted for;
        None while the robot comes to rest, which it is to do first.
        """
        left = self._steps_left
        if self.phase is Phase.SWING:
            return min(2, left)
        if self.phase is Phase.TRANSFER:
            return 1
        if self.phase is Phase.HOLD:
            is_late = self.state.clock[1] - self.state.clock[0] < LEAST_HOLD
            return 1 if is_late and left > 0 else 0
        x, y = support_point(self.parameters, self.plan, self.state.feet, -1)
        at = self.targets.cop_reference
        return 0 if hypot(at[0] - x, at[1] - y) < STILL else None

    def footholds_ahead(self, kept: int) -> Matrix:
        """Tell where the feet will stand after coming steps.

        Args:
            kept: How many steps.

        Returns:
            (x, y, z, yaw) of all feet now and after each step [m, rad], shape (kept + 1, feet, 4).
        """
        state, rows = self.state, [self.state.feet.copy()]
        for step in range(self.step, self.step + kept):
            row = np.empty_like(rows[0])
            if step == self.step and self.phase is Phase.SWING:
                row[:] = state.targets
                row[self.plan.swings[step] != 0.0, :2] += state.shift
            else:
                next_footholds(self.parameters, self.plan, step, rows[-1], row)
            rows.append(row)
        return np.stack(rows)

    def replan(self, kept: int, sequence: StepSequence) -> None:
        """Take other steps than planned; the reference of the DCM goes on without a jump.

        Args:
            kept: Coming steps that are still taken; `kept` of this moment leaves time enough.
            sequence: What follows them, from where they lead to; its hold counts only for a robot
                that has stood until now.

        Raises:
            InputError: If the last step has been taken.
        """
        if self.phase is Phase.FINAL:
            raise InputError("the robot has come to rest: begin with `follow`")
        plan, coming = self.plan, slice(self.step, self.step + kept)
        rows = self.footholds_ahead(kept)
        self.plan = plan._replace(
            swings=np.concatenate([plan.swings[coming], sequence.swings]),
            footholds=np.concatenate([rows[:-1], sequence.footholds]),
            swing_times=np.concatenate([plan.swing_times[coming], sequence.swing_times]),
            transfer_times=np.concatenate([plan.transfer_times[coming], sequence.transfer_times]),
        )
        self.state.mode[1] = 0
        self.extra_steps = 0
        if self.phase is Phase.HOLD and plan.swing_times.size == 0:
            self.state.clock[0], self.state.clock[1] = 0.0, max(sequence.hold_time, 1e-3)
        self._carry_on(smooth=True)

    def _carry_on(self, *, smooth: bool) -> None:
        """Let the reference of the DCM go on where it was before the plan changed."""
        state, scratch = self.state, self._segments
        state.carry[:] = 0.0
        if not smooth or state.clock[3] == 0.0:
            return
        shift_x, shift_y = state.shift
        count = look_ahead(self.parameters, self.plan, state, shift_x, shift_y, scratch)
        pieces = scratch.first, scratch.last, scratch.times
        dcm_at(self.parameters.omega, *pieces, count, state.clock[0], scratch.at)
        state.carry[:] = self.targets.dcm_reference - scratch.at[:2]

    def tick(self, com: Matrix, measured: Matrix, forces: Vector, push: Vector) -> GaitTargets:
        """Work out the targets of one control step.

        Args:
            com: Position and velocity of the centre of mass [m, m/s], shape (2, 3).
            measured: Feet (x, y, z, yaw) [m, rad], shape (feet, 4).
            forces: Normal force on each foot [N], shape (feet,).
            push: Acceleration by forces from elsewhere, forward and left [m/s²], shape (2,).

        Returns:
            The targets; overwritten by the next tick.
        """
        dt = self.config.control_step
        gait_tick(
            self.parameters,
            self.plan,
            self.state,
            self._segments,
            dt,
            com,
            measured,
            forces,
            push,
            self.targets,
        )
        share = min(1.0, dt / LEAN_SMOOTHING)
        self._lean += share * (self.targets.dcm - self.targets.dcm_reference - self._lean)
        if self.has_landed and self._is_unsteady(push):
            self._step_on()
        return self.targets

    @property
    def _steps_left(self) -> int:
        return self.plan.swing_times.size - self.step

    def _is_unsteady(self, push: Vector) -> bool:
        """Whether the robot, with the last foot down, would rather not stop.

        Neither would it after the last step but one, if that had to be moved as much.
        """
        if self._steps_left > 0:
            moved = hypot(self.state.shift[0], self.state.shift[1])
            return self._steps_left == 1 and moved > self.config.feedback.steady_error
        p = self.parameters
        worth = 1.0 / (p.omega * (p.omega + 1.0 / p.push_memory))
        error = self._lean + worth * push
        least = self.config.feedback.steady_error
        if p.is_biped == 0.0:
            return hypot(error[0], error[1]) > least
        # between two soles the centre of pressure holds more across the feet than along them
        across = self.state.feet[0, :2] - self.state.feet[1, :2]
        width = hypot(across[0], across[1])
        sideways = (error @ across) / width
        ahead = (error[0] * across[1] - error[1] * across[0]) / width
        return hypot(ahead / least, sideways / max(least, STANCE_PART * width)) > 1.0

    def _step_on(self) -> None:
        """Plan another step of each group of feet, to where they were to be in the end.

        A step that is left is taken before, as one of several: a last step brings the robot to
        rest, and makes up less of an error.
        """
        plan, state, left = self.plan, self.state, self._steps_left
        if plan.swing_times.size < 2 or self.extra_steps >= MOST_EXTRA_STEPS:
            return
        self.extra_steps += 2
        steps = [-1] * left + [-2, -1]
        self.plan = plan._replace(
            swings=plan.swings[steps],
            footholds=plan.footholds[[-2] * left + [-1, -1, -1]],
            swing_times=plan.swing_times[steps],
            transfer_times=plan.transfer_times[[-2] * left + [-2, -2, -1]],
        )
        if left == 0:
            state.mode[0] = Phase.TRANSFER
            state.clock[1] = self.plan.transfer_times[0]
        state.mode[1] = 0

    @property
    def phase(self) -> Phase:
        """What the feet do now."""
        return Phase(int(self.state.mode[0]))

    @property
    def step(self) -> int:
        """Number of the step that is being taken, or comes next."""
        return int(self.state.mode[1])

    @property
    def landings(self) -> int:
        """Steps taken since the sequence began."""
        return int(self.state.mode[2])

    @property
    def is_standing(self) -> bool:
        """Whether the last transfer is over."""
        return bool(self.state.mode[3])

    @property
    def has_landed(self) -> bool:
        """Whether a step ended in the last tick."""
        return bool(self.targets.has_landed[0])

    @property
    def ground_height(self) -> float:
        """Height of the ground under the stance, smoothed [m]."""
        return float(self.state.clock[4])

    @property
    def contacts(self) -> BoolVector:
        """Which feet are to stand."""
        flags: BoolVector = self.targets.contacts.astype(np.bool_)
        return flags

    @property
    def loaded(self) -> BoolVector:
        """Which feet are loaded, as the contact detectors' Schmitt trigger tells."""
        flags: BoolVector = self.state.loaded.astype(np.bool_)
        return flags
