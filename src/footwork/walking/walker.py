"""A walk that takes commands while it is walked: measurements and commands in, torques out.

It plans; the controller tracks. Neither knows what the robot is, a simulation or hardware.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from time import thread_time

import numpy as np

from footwork.errors import InputError, NoSolutionError
from footwork.typing import Matrix, Vector
from footwork.walking.base_motion import BaseMotion
from footwork.walking.command import Command, CommandNote
from footwork.walking.command_planner import FEWEST_AHEAD, CommandPlanner
from footwork.walking.controller import WalkingController
from footwork.walking.footsteps import Footstep
from footwork.walking.gait import Gait
from footwork.walking.interface import Measurement
from footwork.walking.phase import Phase
from footwork.walking.planning import WalkPlan, middle_of
from footwork.walking.request import WalkRequest

Operator = Callable[["Walker"], bool]
"""Called after each tick to give commands; returns whether more may come."""


class Walker:
    """Walks as it is told.

    A new command changes the steps after those that are about to be taken, from where these lead
    to. The plan ends standing at all times; that of a velocity is prolonged by `plan_on`. Planning
    takes about a millisecond for a velocity, a few for a goal without obstacles, in the call.

    Args:
        controller: Follows the plan.
        plan: What is walked first.
        request: Names the ground.

    Attributes:
        time: Of the last tick [s].
        goal: Where the robot is to end up: (x, y, yaw) [m, rad].
        has_goal: Whether that was asked for, and is not just where its steps lead.
        command: The last one that was not refused; None before the first.
        is_waiting: Whether that one will be begun when the robot stands.
        log: What became of all of them; one that only repeats the last is not among them.
        taken: Steps so far.
        planned: Steps that all plans together made, so far and to come; those of corrections are
            not among them.
    """

    def __init__(self, controller: WalkingController, plan: WalkPlan, request: WalkRequest) -> None:
        self.controller, self.config = controller, controller.config
        self.time = 0.0
        self.goal: Vector = plan.motion.goal
        self.has_goal = True
        self.command: Command | None = None
        self.log: list[CommandNote] = []
        self.taken, self.planned = 0, int(plan.sequence.swing_times.size)
        self._planner = CommandPlanner(controller.robot, self.config, plan, request)
        self._names = plan.sequence.feet
        self.is_waiting = False
        self._until = inf

    # commands

    def go_to(self, x: float, y: float, yaw: float = 0.0) -> None:
        """Walk to a goal in the world, around the obstacles of the map if there is one.

        Args:
            x: Of the middle of the feet [m].
            y: The same.
            yaw: Heading at the end [rad].

        Raises:
            InputError: If a number is not finite, or the goal is too far away or in an obstacle;
                the walk goes on unchanged.
            NoSolutionError: If no way around the obstacles was found; the same.
        """
        self.give(Command(goal=(x, y, yaw)))

    def walk(
        self,
        forward: float,
        left: float = 0.0,
        turning: float = 0.0,
        *,
        duration: float | None = None,
    ) -> None:
        """Walk with a velocity, until the next command.

        Args:
            forward: [m/s].
            left: [m/s].
            turning: [rad/s].
            duration: After which the robot stops by itself [s].

        Raises:
            InputError: If a number is not finite; the walk goes on unchanged.
            FootstepError: If steps of that velocity break a limit of the configuration; the same.
        """
        self.give(Command(velocity=(forward, left, turning), duration=duration))

    def stop(self) -> None:
        """Come to rest, with the feet side by side."""
        self.give(Command(stop=True))

    def give(self, command: Command) -> None:
        """Give a command; what it says of its time does not count.

        Args:
            command: What to do from now on.

        Raises:
            InputError: If it is no command, cannot be done, or is given before the first tick; the
                walk goes on unchanged.
            NoSolutionError: If no way around the obstacles was found; the same.
        """
        if not isinstance(command, Command):
            raise InputError(f"expected a Command, such as Command(stop=True), got {command!r}")
        if self.controller.state is None:
            raise InputError("a command comes after the first tick, which tells where the robot is")
        until = inf if command.duration is None else self.time + command.duration
        if self._is_same(command):
            self.command, self._until = command, until
            return
        begun, refusal = thread_time(), ""
        try:
            self._accept(command, until)
        except (InputError, NoSolutionError) as error:
            refusal = str(error)
            raise
        finally:
            took = thread_time() - begun
            self.log.append(
                CommandNote(time=self.time, command=command, refusal=refusal, planning_time=took)
            )

    def end(self) -> None:
        """Stop if the last command would go on for ever."""
        if self.command is not None and self.command.is_endless:
            self.stop()

    # ticks

    def tick(self, measurement: Measurement) -> Vector:
        """Compute the torques of one control step.

        Args:
            measurement: Of this instant.

        Returns:
            Joint torques [Nm], shape (nu,).
        """
        self.time = measurement.time
        torques = self.controller.tick(measurement)
        self.taken += self._gait.has_landed
        return torques

    def plan_on(self) -> bool:
        """Plan what the command wants next; to be called once after each tick.

        Steps are added to those of a velocity, and a command is begun that had to wait until the
        robot stands. A way that leads into an obstacle ends, standing, before it.

        Returns:
            Whether there are other steps now.
        """
        command, kept = self.command, self._gait.kept
        if command is None or kept is None:
            return False
        if not self.is_waiting and not self._needs_steps():
            return False
        self.is_waiting = False
        try:
            self._follow(command, self._until, kept)
        except (InputError, NoSolutionError):  # an obstacle: what is planned so far ends before it
            self._until = self.time
            return False
        return True

    def walk_on(self, first: int | None = None) -> float:
        """Take more steps to the goal, from standing.

        Args:
            first: Which group of feet begins, at once; chosen, and after a while, when not given.

        Returns:
            How long they take [s].
        """
        place, feet = self.place(), self._measured_feet()
        motion = BaseMotion.to_goal(place, self.goal, self.config.limits)
        sequence = self._planner.sequence(self._planner.steps(motion, feet, first), feet)
        self.controller.follow(sequence if first is None else replace(sequence, hold_time=0.0))
        return motion.duration

    # where the robot is

    @property
    def time_left(self) -> float:
        """How long the planned steps take, from now on [s]."""
        plan, step = self._gait.plan, self._gait.step
        return float(plan.swing_times[step:].sum() + plan.transfer_times[step:].sum())

    def place(self) -> Vector:
        """Tell where the middle of the feet is; point feet leave the yaw to the torso.

        Returns:
            (x, y, yaw) [m, rad].
        """
        place = middle_of(self.controller.feet)
        if not self._is_biped:
            place[2] = _base_yaw(self.controller)
        return place

    @property
    def _gait(self) -> Gait:
        return self.controller.gait

    @property
    def _is_biped(self) -> bool:
        return self._gait.parameters.is_biped == 1.0

    def _measured_feet(self) -> Matrix:
        feet = self.controller.feet.copy()
        if not self._is_biped:
            feet[:, 3] = self.place()[2]
        return feet

    # planning

    def _is_same(self, command: Command) -> bool:
        """Whether a command is being carried out already."""
        last = self.command
        if last is None or (self._gait.phase is Phase.FINAL and not self.is_waiting):
            return False
        same = last.goal, last.velocity, last.stop
        return same == (command.goal, command.velocity, command.stop)

    def _accept(self, command: Command, until: float) -> None:
        if command.velocity is not None:
            self._planner.refuse_long_steps(command.velocity)
        kept = self._gait.kept
        # a robot that is coming to rest does that first
        self._follow(command, until, kept or 0, is_trial=kept is None)
        self.command, self._until, self.is_waiting = command, until, kept is None

    def _needs_steps(self) -> bool:
        """Whether the steps of a velocity are about to run out before their time."""
        gait, command = self._gait, self.command
        if command is None or command.velocity is None or command.is_stop:
            return False
        left = gait.plan.swing_times.size - gait.step
        return gait.has_landed and left < FEWEST_AHEAD and self.time + self.time_left < self._until

    def _follow(self, command: Command, until: float, kept: int, *, is_trial: bool = False) -> None:
        """Plan a command from where the steps that are kept lead to, and take it over."""
        gait, planner = self._gait, self._planner
        stands = gait.phase is Phase.FINAL
        feet = self._measured_feet() if stands else gait.footholds_ahead(kept)[-1]
        motion = planner.motion(
            command, middle_of(feet), self._velocity_after(kept), time_left=until - self.time
        )
        there = command.goal is not None or command.is_stop
        steps: tuple[Footstep, ...] = ()
        if not (there and planner.is_there(feet, motion.goal)):
            steps = planner.steps(motion, feet, self._first_after(kept))
        if is_trial:
            return
        sequence = planner.sequence(steps, feet, is_moving=kept > 0)
        if not stands:
            gait.replan(kept, sequence)
        elif steps:
            self.controller.follow(sequence, smooth=True)
        self.goal, self.has_goal = motion.goal, command.goal is not None
        self.planned = self.taken + kept + sequence.swing_times.size

    def _velocity_after(self, kept: int) -> Vector:
        """How fast the planned steps move the middle of the feet when the kept ones are done."""
        rows, i = self._gait.plan.footholds, self._gait.step + kept
        if kept == 0 or i + 1 >= len(rows):
            return np.zeros(3)
        way: Vector = middle_of(rows[i + 1]) - middle_of(rows[i])
        return way / self.config.gait.step_duration

    def _first_after(self, kept: int) -> int | None:
        """Which group of feet comes after the steps that are kept."""
        if kept == 0:
            return None
        swung = self._gait.plan.swings[self._gait.step + kept - 1]
        names = {name for name, swings in zip(self._names, swung, strict=True) if swings}
        groups = self.config.groups
        return next((i for i, group in enumerate(groups) if not names & set(group)), 0)


def _base_yaw(controller: WalkingController) -> float:
    if controller.state is None:
        return 0.0
    R, _ = controller.state.placement("torso")
    return float(np.arctan2(R[1, 0], R[0, 0]))


def schedule_of(commands: Sequence[Command]) -> Operator:
    """Make an operator who gives commands by their times.

    Args:
        commands: In any order.

    Returns:
        The operator.
    """
    left = sorted(commands, key=lambda command: command.time)

    def operate(walker: Walker) -> bool:
        while left and left[0].time <= walker.time:
            command = left.pop(0)
            with suppress(InputError, NoSolutionError):  # a refusal is in the log
                walker.give(command)
        return bool(left)

    return operate
