"""One walk while it is walked: read, tick, judge, write, until it is over."""

from collections.abc import Callable
from math import cos, hypot, pi, sin
from time import perf_counter, thread_time
from typing import Any, Final

from footwork.errors import BackendError, InputError, NoSolutionError
from footwork.recording import RunWriter
from footwork.typing import Vector
from footwork.walking.base_motion import wrapped
from footwork.walking.command import refusals
from footwork.walking.command_planner import AIM, PLACE_TOLERANCE, YAW_TOLERANCE
from footwork.walking.controller import WalkingController
from footwork.walking.interface import Driver, Measurement
from footwork.walking.monitor import JointMonitor
from footwork.walking.phase import Phase
from footwork.walking.planning import WalkPlan, middle_of
from footwork.walking.recorder import Recorder
from footwork.walking.request import WalkRequest
from footwork.walking.step_tally import StepTally
from footwork.walking.tally import Tally
from footwork.walking.verdict import Verdict, WalkResult
from footwork.walking.walker import Operator, Walker

SETTLE_TIME: Final = 0.4
"""Standing at the end before the place is judged [s]."""
EXTRA_TIME: Final = 3.0
"""Simulated time granted beyond the plan, and for each correction [s]."""
CORRECTIONS: Final = 10
"""How often a few more steps are taken when the place is missed."""
RECOVERIES: Final = 10
"""How often a robot that loses its balance while standing takes steps to regain it."""
UNSTEADY: Final = 0.045
"""Error of the DCM while standing at which it does [m]."""
FALLEN_HEIGHT: Final = 0.6
"""A base below this part of its first height has fallen."""
UPRIGHT: Final = 0.6
"""Cosine of the tilt at which the robot counts as fallen."""

Progress = Callable[[float, str], None]
Watch = Callable[[Measurement], None]


class Session:
    """One walk while it is walked.

    Args:
        controller: Of the robot.
        plan: What to walk.
        driver: Where.
        request: What was asked for.
        writer: Of the run folder; None records nothing.
        operator: Gives commands; None for none.
    """

    def __init__(
        self,
        controller: WalkingController,
        plan: WalkPlan,
        driver: Driver,
        *,
        request: WalkRequest,
        writer: RunWriter | None = None,
        operator: Operator | None = None,
    ) -> None:
        self.controller, self.plan, self.driver = controller, plan, driver
        self.walker = Walker(controller, plan, request)
        self.operator = operator
        self.robot, self.config = controller.robot, controller.config
        self.writer, self.request = writer, request
        self.recorder = Recorder(writer, self.robot)
        self.tally = Tally(self.robot, self.config.control_step)
        self.monitor = JointMonitor(self.robot, self.config.control_step)
        self.steps = StepTally(middle_of(plan.sequence.footholds[0]))
        self.end = plan.duration
        self.limit = request.time_limit or plan.duration + EXTRA_TIME
        self.corrections = 0
        self.recoveries = 0
        self.mistake = ""
        self.time = 0.0
        self._is_planned = True
        self._standing_since: float | None = None
        self._clocks = (0.0, 0.0)

    def run(self, progress: Progress, watch: Watch | None = None) -> WalkResult:
        """Walk until the end, whatever it is.

        Args:
            progress: Called ten times a simulated second.
            watch: Called with every measurement; may wait.

        Returns:
            The result.
        """
        self._clocks = perf_counter(), thread_time()
        reason = ""
        try:
            verdict = self._loop(progress, watch)
            if verdict is Verdict.ARRIVED and self._was_refused():
                verdict = Verdict.REFUSED
        except BackendError as error:
            verdict, reason = Verdict.BROKE, str(error)
        except KeyboardInterrupt:
            self._finish(Verdict.INTERRUPTED, "")
            raise
        return self._finish(verdict, reason)

    def _was_refused(self) -> bool:
        """Whether commands were all that was asked for, and none could be done."""
        log = self.walker.log
        return self.request.has_only_commands and bool(log) and all(note.refusal for note in log)

    def _loop(self, progress: Progress, watch: Watch | None) -> Verdict:
        every = max(1, round(0.1 / self.config.control_step))
        count = 0
        while True:
            measurement = self.driver.read()
            self.time = measurement.time
            if count == 0:
                progress(0.0, "loading kernels; the first time ever they are compiled")
            elif watch is not None:
                watch(measurement)
            self._tick(measurement)
            if count == 0:  # the first tick loads kernels, or compiles them
                self._clocks = perf_counter(), thread_time()
            ended = self._judge(measurement)
            if ended is not None:
                return ended
            self.driver.write(self.controller.whole_body.torques)
            self._command()
            if count % every == 0:
                words = f"{self.time:.1f} s, {self.controller.gait.phase.name.lower()}"
                if self.monitor.joint:
                    words += f", {self.monitor.joint} does not follow"
                progress(min(1.0, self.time / self.end), words)
            count += 1

    def _tick(self, measurement: Measurement) -> None:
        applied = self.controller.whole_body.torques
        begun = thread_time()
        torques = self.walker.tick(measurement)
        took = thread_time() - begun
        self.monitor.note(measurement, applied, self.controller.whole_body)
        self.steps.note(
            self.time, self.controller.gait, self.controller.feet, is_planned=self._is_planned
        )
        self.tally.note(self.controller.gait.targets, torques, took)
        self.recorder.record(measurement, self.controller, took, len(self.walker.log))

    def _command(self) -> None:
        """Let the operator speak, between two ticks, and plan what is needed of it."""
        walker, said = self.walker, len(self.walker.log)
        if self.operator is not None:
            try:
                if not self.operator(walker):
                    self.operator = None
                    walker.end()
            except (InputError, NoSolutionError) as error:  # the walk goes on
                if len(walker.log) == said and not self.mistake:  # it is no refusal in the log
                    self.mistake = f" The operator's mistake at {self.time:.2f} s: {error}."
        has_other_steps = walker.plan_on() or len(walker.log) > said
        if has_other_steps:
            self._is_planned, self._standing_since = True, None
        if has_other_steps or self.operator is not None:
            self.end = self.time + walker.time_left
            if self.request.time_limit is None:
                self.limit = max(self.limit, self.end + EXTRA_TIME)

    def _judge(self, measurement: Measurement) -> Verdict | None:
        """Decide whether the walk is over, and take a few more steps if the place was missed."""
        q = measurement.q
        height = q[2] - self.controller.gait.ground_height
        if height < FALLEN_HEIGHT * self.plan.start[2] or _tilt_cosine(q) < UPRIGHT:
            return Verdict.FELL
        if self.time > self.limit:
            return Verdict.TIMED_OUT
        if self.recoveries < RECOVERIES and self._is_unsteady():
            self._recover()
        if not self.controller.gait.is_standing:
            self._standing_since = None
            return None
        if self._standing_since is None:
            self._standing_since = self.time
        if self.time - self._standing_since < SETTLE_TIME or self.walker.is_waiting:
            return None
        ended = self._judge_place()
        return None if self.operator else ended

    def _judge_place(self) -> Verdict | None:
        """Compare the place with the goal; half the tolerance is aimed at."""
        if not self.walker.has_goal:
            return Verdict.ARRIVED
        if self._miss() > AIM and self.corrections < CORRECTIONS:
            self._correct()
            return None
        return Verdict.ARRIVED if self._miss(truly=True) < 1.0 else Verdict.MISSED

    def _miss(self, *, truly: bool = False) -> float:
        """How far from the goal the robot stands, as a multiple of the tolerances."""
        place, yaw = self.error(truly=truly)
        return max(place / PLACE_TOLERANCE, abs(yaw) / YAW_TOLERANCE)

    def error(self, *, truly: bool = False) -> tuple[float, float]:
        """Tell how far the middle of the feet is from the goal.

        Args:
            truly: Whether an estimator's drift is taken out, where the truth is known.

        Returns:
            Distance [m] and yaw [rad].
        """
        goal = self.walker.goal
        x, y, yaw = self.walker.place()
        drift = getattr(self.driver, "drift", None)
        if truly and drift is not None:
            x, y, _ = drift().act([x, y, 0.0]).tolist()
            yaw += drift().yaw
        return hypot(x - goal[0], y - goal[1]), float(wrapped(yaw - goal[2]))

    def _is_unsteady(self) -> bool:
        """Whether a robot that stands is about to lose its balance."""
        if self.controller.gait.phase is not Phase.FINAL:
            return False
        error = self.tally.dcm_error
        return hypot(error[0], error[1]) > UNSTEADY

    def _recover(self) -> None:
        """Take steps at once, beginning with the foot on the side the robot falls to."""
        error = self.tally.dcm_error
        yaw = middle_of(self.controller.feet)[2]
        left = cos(yaw) * error[1] - sin(yaw) * error[0]
        self._walk_on(first=0 if left > 0.0 else 1)
        self.recoveries += 1

    def _correct(self) -> None:
        """Walk from where the feet are to the goal."""
        self._walk_on()
        self.corrections += 1

    def _walk_on(self, first: int | None = None) -> None:
        took = self.walker.walk_on(first)
        self._is_planned, self._standing_since = False, None
        self.limit += EXTRA_TIME + took

    def _finish(self, verdict: Verdict, reason: str) -> WalkResult:
        figures = self._figures(verdict)
        message = self._message(verdict, reason) + refusals(self.walker.log)
        message += self.mistake + self.monitor.warning()
        failures = self.controller.whole_body.failures
        if failures:
            message += f" Ticks without a solution: {failures}."
        if self.recorder.fault:
            message += f" Recording stopped early: {self.recorder.fault}."
        if self.writer is not None:
            try:
                self.writer.write_contacts(self.recorder.measured.lists(), measured=True)
                if self.walker.command is not None:  # another plan than the first was followed
                    self.writer.write_contacts(self.recorder.planned.lists())
                self.writer.write_summary({"verdict": verdict.value, "message": message, **figures})
                self.writer.close()
            except BackendError as error:
                message += f" The run folder is incomplete: {error}."
        return WalkResult(
            verdict=verdict,
            message=message,
            plan=self.plan,
            figures=figures,
            folder=self.writer.folder if self.writer is not None else None,
        )

    def _figures(self, verdict: Verdict) -> dict[str, Any]:
        place, yaw = self.error(truly=True)
        wall, cpu = self._clocks
        velocity = self.request.velocity
        return {
            "robot": self.robot.name,
            "walk": self.request.describe(),
            "arrived": verdict is Verdict.ARRIVED,
            "simulated_time_s": self.time,
            "wall_time_s": perf_counter() - wall,
            "cpu_time_s": thread_time() - cpu,
            "planning_time_s": self.plan.planning_time,
            "planned_duration_s": self.plan.duration,
            "steps_planned": self.walker.planned,
            "corrections": self.corrections,
            "recoveries": self.recoveries,
            "final_error_m": place,
            "final_yaw_error_rad": yaw,
            "solver_failures": self.controller.whole_body.failures,
            **self.steps.figures(self.plan.sequence.hold_time),
            "speed_asked_m_s": None if velocity is None else hypot(velocity[0], velocity[1]),
            "commands": [note.to_table() for note in self.walker.log],
            **self.monitor.figures(),
            **self.tally.figures(),
        }

    def _message(self, verdict: Verdict, reason: str) -> str:
        place, yaw = self.error(truly=True)
        walker, asked = self.walker, self.request.goal
        goal = asked if walker.command is None else walker.command.goal
        target = "planned end" if goal is None else "goal"
        where = f"{100.0 * place:.1f} cm and {abs(yaw) * 180.0 / pi:.1f}° from the {target}"
        steps = f"{self.steps.taken} step{'s' * (self.steps.taken != 1)}"
        suspects = self.tally.suspects()
        return {
            Verdict.ARRIVED: f"Arrived after {self.time:.1f} s, {where}.",
            Verdict.REFUSED: f"Stood for {self.time:.1f} s: nothing that was asked can be done.",
            Verdict.MISSED: f"Stands, but {where} after {self.corrections} corrections.",
            Verdict.FELL: f"Fell after {self.time:.2f} s and {steps}.{suspects}",
            Verdict.TIMED_OUT: f"Gave up after {self.time:.1f} s, {where}.{suspects}",
            Verdict.INTERRUPTED: f"Interrupted after {self.time:.1f} s, {where}.",
            Verdict.BROKE: f"The simulation broke down after {self.time:.2f} s: {reason}",
        }[verdict]

    def close(self) -> None:
        """Close the run folder."""
        if self.writer is not None:
            try:
                self.writer.close()
            except BackendError as error:
                self.recorder.fault = str(error)


def _tilt_cosine(q: Vector) -> float:
    return float(1.0 - 2.0 * (q[3] ** 2 + q[4] ** 2))
