"""From a request to a verdict: plan, schedule, walk, record."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from math import cos, hypot, pi, sin
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from footwork.contacts import ContactPhaseList
from footwork.errors import BackendError
from footwork.recording import RunWriter
from footwork.robot import RobotModel, load
from footwork.spatial import Pose
from footwork.typing import Vector
from footwork.walking.base_motion import BaseMotion
from footwork.walking.config import WalkingConfig
from footwork.walking.footsteps import plan_footsteps, read_phases, schedule
from footwork.walking.interface import Driver, Measurement
from footwork.walking.phase import Phase
from footwork.walking.planning import WalkPlan, known_ground, middle_of, plan_walk
from footwork.walking.request import WalkRequest

if TYPE_CHECKING:
    from footwork.walking.controller import WalkingController, WholeBody

SETTLE_TIME = 0.4
"""Standing at the end before the place is judged [s]."""
EXTRA_TIME = 3.0
"""Simulated time granted beyond the plan, and for each correction [s]."""
CORRECTIONS = 3
"""How often a few more steps are taken when the place is missed."""
RECOVERIES = 10
"""How often a robot that loses its balance while standing takes steps to regain it."""
UNSTEADY = 0.045
"""Error of the DCM while standing at which it does [m]."""
PLACE_TOLERANCE = 0.03
YAW_TOLERANCE = 3.0 * pi / 180.0
FALLEN_HEIGHT = 0.6
"""A base below this part of its first height has fallen."""
UPRIGHT = 0.6
"""Cosine of the tilt at which the robot counts as fallen."""

SMOOTHING = 0.04
"""Time constant of the error that decides on it [s]."""

Progress = Callable[[float, str], None]


class Verdict(Enum):
    """How a walk ended."""

    ARRIVED = "arrived"
    MISSED = "missed the goal"
    FELL = "fell"
    TIMED_OUT = "ran out of time"
    INTERRUPTED = "interrupted"
    BROKE = "simulation broke down"


@dataclass(frozen=True, kw_only=True, eq=False)
class WalkResult:
    """What became of a walk.

    Attributes:
        verdict: How it ended.
        message: The same in a sentence, with what went wrong.
        plan: What was to be walked.
        figures: Numbers of the summary, with units in their names.
        folder: Run folder; None when nothing was recorded.
    """

    verdict: Verdict
    message: str
    plan: WalkPlan
    figures: dict[str, Any] = field(default_factory=dict)
    folder: Path | None = None

    @property
    def has_arrived(self) -> bool:
        """Whether the robot stands where it was to be."""
        return self.verdict is Verdict.ARRIVED


def walk(
    request: WalkRequest,
    *,
    folder: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    driver: Driver | None = None,
) -> WalkResult:
    """Plan a walk and walk it, in simulation unless a driver is given.

    Args:
        request: Where to, and in what world.
        folder: Run folder; nothing is recorded when not given.
        progress: Called now and then with the part that is done, and a few words.
        driver: Of a robot; the simulation when not given.

    Returns:
        Verdict, figures, and the plan.

    Raises:
        InputError: If the request is wrong or cannot be planned.
        KeyboardInterrupt: After what was recorded has been completed.
    """
    config = request.walking
    robot = load(request.robot)
    writer = RunWriter(folder) if folder is not None else None
    if writer is not None:
        comment = "What this run was asked for. SI units, angles in radians."
        writer.write_config(_repeatable(request), comment)
    plan = plan_walk(robot, config, request)
    if writer is not None:
        writer.write_contacts(plan.contacts)
        if plan.path is not None:
            writer.write_path(plan.path)
        if plan.map is not None:
            writer.write_map(plan.map.to_table())
    world = _world(robot, request, plan) if driver is None else driver
    if request.estimator:
        from footwork.walking.estimator import EstimatingDriver

        world = EstimatingDriver(world, robot)
    session = Session(robot, config, plan, world, request=request, writer=writer)
    try:
        return session.run(progress or _silent)
    finally:
        session.close()


def _repeatable(request: WalkRequest) -> dict[str, Any]:
    """List the request with whole names of its files, so that it is good in any directory."""
    files = {name: getattr(request, name) for name in ("path", "contacts", "map")}
    whole = {name: str(Path(file).resolve()) for name, file in files.items() if file}
    return request.to_table() | whole


def _silent(part: float, words: str) -> None:
    del part, words


def _world(robot: RobotModel, request: WalkRequest, plan: WalkPlan) -> Driver:
    from footwork.simulation.world import MujocoWorld

    return MujocoWorld(robot, request.simulation(*plan.obstacles()), plan.start)


def _whole_body(robot: RobotModel, config: WalkingConfig, posture: Vector) -> "WholeBody":
    from footwork.walking.whole_body import StackWholeBody

    return StackWholeBody(robot, config, posture)


class Session:
    """One walk while it is walked.

    Args:
        robot: The robot.
        config: Of the walk.
        plan: What to walk.
        driver: Where.
        request: What was asked for.
        writer: Of the run folder; None records nothing.
    """

    def __init__(
        self,
        robot: RobotModel,
        config: WalkingConfig,
        plan: WalkPlan,
        driver: Driver,
        *,
        request: WalkRequest,
        writer: RunWriter | None = None,
    ) -> None:
        # these load compiled kernels, which those who only plan need not wait for
        from footwork.walking.controller import WalkingController
        from footwork.walking.recorder import Recorder

        self.robot, self.config, self.plan = robot, config, plan
        self.driver, self.writer, self.request = driver, writer, request
        whole_body = _whole_body(robot, config, plan.start)
        self.controller = WalkingController(robot, config, plan.sequence, whole_body)
        self.recorder = Recorder(writer, robot, config.feedback.touchdown_force)
        self.limit = request.time_limit or plan.duration + EXTRA_TIME
        self.corrections = 0
        self.recoveries = 0
        self.time = 0.0
        self._standing_since: float | None = None
        self._last_landing = 0.0
        self._tick_times: list[float] = []
        self._dcm_error: list[float] = []
        self._smooth_error = np.zeros(2)
        self._worst_torque = np.zeros(robot.nu)
        self._saturated = np.zeros(robot.nu)
        self._begun = 0.0
        self._wall = 0.0

    def run(self, progress: Progress) -> WalkResult:
        """Walk until the end, whatever it is.

        Args:
            progress: Called ten times a simulated second.

        Returns:
            The result.
        """
        verdict = Verdict.INTERRUPTED
        reason = ""
        self._begun = perf_counter()
        try:
            verdict = self._loop(progress)
        except BackendError as error:
            verdict, reason = Verdict.BROKE, str(error)
        except KeyboardInterrupt:
            self._wall = perf_counter() - self._begun
            self._finish(Verdict.INTERRUPTED, "")
            raise
        self._wall = perf_counter() - self._begun
        return self._finish(verdict, reason)

    def _loop(self, progress: Progress) -> Verdict:
        every = max(1, round(0.1 / self.config.control_step))
        count = 0
        while True:
            measurement = self.driver.read()
            self.time = measurement.time
            if count == 0:
                progress(0.0, "loading kernels; the first time ever they are compiled")
            self._tick(measurement)
            if count == 0:
                self._begun = perf_counter()  # the first tick loads kernels, or compiles them
            ended = self._judge(measurement)
            if ended is not None:
                return ended
            self.driver.write(self.controller.whole_body.torques)
            if count % every == 0:
                words = f"{self.time:.1f} s, {self.controller.gait.phase.name.lower()}"
                progress(min(1.0, self.time / self.plan.duration), words)
            count += 1

    def _tick(self, measurement: Measurement) -> None:
        begun = perf_counter()
        torques = self.controller.tick(measurement)
        took = perf_counter() - begun
        self._tick_times.append(took)
        if self.controller.gait.has_landed:
            self._last_landing = self.time
        targets = self.controller.gait.targets
        error = targets.dcm - targets.dcm_reference
        self._dcm_error.append(hypot(error[0], error[1]))
        self._smooth_error += (error - self._smooth_error) * self.config.control_step / SMOOTHING
        size = np.abs(torques)
        np.maximum(self._worst_torque, size, out=self._worst_torque)
        self._saturated = 0.99 * self._saturated + 0.01 * (size > 0.97 * self.robot.effort_limits)
        self.recorder.record(measurement, self.controller, took)

    def _judge(self, measurement: Measurement) -> Verdict | None:
        """Decide whether the walk is over, and take a few more steps if the place was missed."""
        q = measurement.q
        height = q[2] - self.controller.gait.state.clock[4]
        if height < FALLEN_HEIGHT * self.plan.start[2] or _tilt_cosine(q) < UPRIGHT:
            return Verdict.FELL
        if self.time > self.limit:
            return Verdict.TIMED_OUT
        if self._is_unsteady() and self.recoveries < RECOVERIES:
            self._recover()
        if not self.controller.gait.is_standing:
            self._standing_since = None
            return None
        if self._standing_since is None:
            self._standing_since = self.time
        return self._judge_place() if self.time - self._standing_since >= SETTLE_TIME else None

    def _judge_place(self) -> Verdict | None:
        """Compare the place with the goal; half the tolerance is aimed at."""
        place, yaw = self.error()
        share = max(place / PLACE_TOLERANCE, abs(yaw) / YAW_TOLERANCE)
        if share > 0.5 and self.corrections < CORRECTIONS:
            self._correct()
            return None
        place, yaw = self.error(truly=True)
        share = max(place / PLACE_TOLERANCE, abs(yaw) / YAW_TOLERANCE)
        return Verdict.ARRIVED if share < 1.0 else Verdict.MISSED

    def error(self, *, truly: bool = False) -> tuple[float, float]:
        """Tell how far the middle of the feet is from the goal.

        Args:
            truly: Whether an estimator's drift is taken out, where the truth is known.

        Returns:
            Distance [m] and yaw [rad].
        """
        feet = self.controller.feet
        goal = self.plan.motion.goal
        x, y, yaw = middle_of(feet)
        if self.controller.gait.parameters.is_biped == 0.0:
            yaw = _base_yaw(self.controller)
        drift = getattr(self.driver, "drift", None)
        if truly and drift is not None:
            x, y, _ = drift().act([x, y, 0.0]).tolist()
            yaw += drift().yaw
        turn = float((yaw - goal[2] + pi) % (2.0 * pi) - pi)
        return hypot(x - goal[0], y - goal[1]), turn

    def _is_unsteady(self) -> bool:
        """Whether a robot that stands is about to lose its balance."""
        error = self._smooth_error
        is_off = hypot(error[0], error[1]) > UNSTEADY
        return is_off and self.controller.gait.phase is Phase.FINAL

    def _recover(self) -> None:
        """Take steps at once, beginning with the foot on the side the robot falls to."""
        feet = self.controller.feet
        error = self._smooth_error.copy()
        yaw = middle_of(feet)[2]
        left = cos(yaw) * error[1] - sin(yaw) * error[0]
        self._walk_on(first=0 if left > 0.0 else 1)
        self.recoveries += 1

    def _correct(self) -> None:
        """Walk from where the feet are to the goal."""
        self._walk_on()
        self.corrections += 1

    def _walk_on(self, first: int | None = None) -> None:
        names = self.plan.sequence.feet
        here = middle_of(self.controller.feet)
        if self.controller.gait.parameters.is_biped == 0.0:
            here[2] = _base_yaw(self.controller)
        goal = self.plan.motion.goal
        motion = BaseMotion.to_goal(here, goal, self.config.limits)
        start = {
            name: Pose.from_xy_yaw(foot[0], foot[1], foot[3], foot[2])
            for name, foot in zip(names, self.controller.feet, strict=True)
        }
        level = float(self.controller.feet[:, 2].mean())
        height, tread = known_ground(self.robot, self.request)
        steps = plan_footsteps(
            motion,
            start,
            self.config,
            offsets=self.plan.offsets,
            height=height or (lambda _x, _y: level),
            tread=tread,
            first=first,
            strict=False,
        )
        contacts = schedule(steps, start, self.config)
        phases = ContactPhaseList.from_lists(contacts)
        sequence = read_phases(phases, self.config)
        self.controller.follow(sequence if first is None else replace(sequence, hold_time=0.0))
        self._standing_since = None
        self.limit += EXTRA_TIME + motion.duration

    def _finish(self, verdict: Verdict, reason: str) -> WalkResult:
        figures = self._figures(verdict)
        message = self._message(verdict, reason)
        if self.recorder.fault:
            message += f" Recording stopped early: {self.recorder.fault}."
        if self.writer is not None:
            try:
                self.writer.write_contacts(self.recorder.contacts(), measured=True)
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
        ticks = np.array(self._tick_times[50:] or self._tick_times or [0.0])
        place, yaw = self.error(truly=True)
        start = self.plan.motion.poses[0]
        goal = self.plan.motion.goal
        walked = max(self._last_landing - self.plan.sequence.hold_time, 0.0)
        distance = hypot(goal[0] - start[0], goal[1] - start[1])
        return {
            "robot": self.robot.name,
            "walk": self.request.describe(),
            "arrived": verdict is Verdict.ARRIVED,
            "simulated_time_s": self.time,
            "wall_time_s": self._wall,
            "planning_time_s": self.plan.planning_time,
            "planned_duration_s": self.plan.duration,
            "steps_planned": int(self.plan.sequence.swing_times.size),
            "steps_taken": self.controller.gait.landings,
            "corrections": self.corrections,
            "recoveries": self.recoveries,
            "distance_m": distance,
            "walking_time_s": walked,
            "mean_speed_m_s": distance / walked if walked > 0.0 else 0.0,
            "final_error_m": place,
            "final_yaw_error_rad": yaw,
            "dcm_error_rms_m": float(np.sqrt(np.mean(np.square(self._dcm_error or [0.0])))),
            "dcm_error_max_m": float(np.max(self._dcm_error or [0.0])),
            "torque_of_limit_max": float(np.max(self._worst_torque / self.robot.effort_limits)),
            "solver_failures": self.controller.whole_body.failures,
            "tick_median_s": float(np.median(ticks)),
            "tick_p999_s": float(np.quantile(ticks, 0.999)),
        }

    def _message(self, verdict: Verdict, reason: str) -> str:
        place, yaw = self.error(truly=True)
        where = f"{100.0 * place:.1f} cm and {abs(yaw) * 180.0 / pi:.1f}° from the goal"
        if verdict is Verdict.ARRIVED:
            return f"Arrived after {self.time:.1f} s, {where}."
        if verdict is Verdict.MISSED:
            return f"Stands, but {where} after {self.corrections} corrections."
        if verdict is Verdict.FELL:
            step = self.controller.gait.step
            return f"Fell after {self.time:.2f} s, in step {step}.{self._suspects()}"
        if verdict is Verdict.TIMED_OUT:
            return f"Gave up after {self.time:.1f} s, {where}.{self._suspects()}"
        if verdict is Verdict.INTERRUPTED:
            return f"Interrupted after {self.time:.1f} s, {where}."
        return f"The simulation broke down after {self.time:.2f} s: {reason}"

    def _suspects(self) -> str:
        """Name the joints that were at their torque limits before the end."""
        order = np.argsort(-self._saturated)
        names = [self.robot.joint_names[i] for i in order[:3] if self._saturated[i] > 0.1]
        return f" At their torque limits before: {', '.join(names)}." if names else ""

    def close(self) -> None:
        """Close the run folder."""
        if self.writer is not None:
            try:
                self.writer.close()
            except BackendError as error:
                self.recorder.fault = str(error)


def _base_yaw(controller: "WalkingController") -> float:
    if controller.state is None:
        return 0.0
    R, _ = controller.state.placement("torso")
    return float(np.arctan2(R[1, 0], R[0, 0]))


def _tilt_cosine(q: Vector) -> float:
    return float(1.0 - 2.0 * (q[3] ** 2 + q[4] ** 2))
