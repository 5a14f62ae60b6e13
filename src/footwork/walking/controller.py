"""The walking controller: a measurement in, joint torques out. It knows nothing of simulators."""

from typing import Final, Protocol

import numpy as np

from footwork.errors import ModelError
from footwork.robot import Quantities, RobotModel, RobotState
from footwork.typing import Matrix, Vector
from footwork.walking._kernels.layout import GaitTargets
from footwork.walking._kernels.measure import measure_feet, observe_push
from footwork.walking._kernels.smooth import smooth_velocity
from footwork.walking.config import WalkingConfig
from footwork.walking.footsteps import StepSequence
from footwork.walking.gait import Gait
from footwork.walking.interface import Measurement

FIRST_NOISE: Final = 0.02
"""Deviation of measured velocities before anything is known of it [rad/s]."""
NEEDS: Final = Quantities.DYNAMICS


class WholeBody(Protocol):
    """Turns targets of a tick into joint torques.

    Attributes:
        torques: Of the last tick [Nm], shape (nu,).
        accelerations: That they are to cause [m/s², rad/s²], shape (nv,).
        failures: Ticks in which no solution was found.
    """

    torques: Vector
    accelerations: Vector
    failures: int

    def solve(self, state: RobotState, targets: GaitTargets) -> Vector:
        """Solve one tick.

        Args:
            state: Of the robot; its dynamics are up to date.
            targets: Of the gait.

        Returns:
            Joint torques [Nm], shape (nu,).
        """

    def forces(self) -> Matrix:
        """Forces that the last solution plans.

        Returns:
            Force and moment on each foot about the sole's centre, world axes [N, Nm], shape
            (feet, 6).
        """

    def torques_of(self, acceleration: Vector, wrenches: Matrix) -> Vector:
        """Torques that a motion takes by the model, in the state of the last tick.

        Args:
            acceleration: Of the robot, shape (nv,).
            wrenches: On the feet, as of `forces`.

        Returns:
            [Nm], shape (nu,).
        """

    def reset(self) -> None:
        """Forget all ticks: what follows equals a fresh start to the bit."""


class WalkingController:
    """Follows a step sequence with a whole-body controller.

    Attributes:
        robot: Its model.
        config: Of the walk.
        gait: Phases, plans and feedback.
        whole_body: Tasks and torques.
        feet: Measured feet (x, y, z, yaw) [m, rad], shape (feet, 4).
        normal_forces: On the feet [N], shape (feet,).
        com: Position and velocity of the centre of mass [m, m/s], shape (2, 3).
        push: What accelerates the centre of mass beside the feet, forward and left, and the
            velocity that all explains [m/s², m/s], shape (2, 2).
        velocity: Measured, less its noise: see `smooth_velocity`, shape (nv,).
        noise: Deviation of the noise, as learnt so far, shape (nv,).
        state: Of the last tick; None before the first.
    """

    def __init__(
        self,
        robot: RobotModel,
        config: WalkingConfig,
        sequence: StepSequence,
        whole_body: WholeBody,
    ) -> None:
        if robot.entry is None:
            raise ModelError(f"robot {robot.name!r} has no entry that names its feet")
        self.robot = robot
        self.config = config
        self.gait = Gait(config, robot.entry, sequence)
        self.whole_body = whole_body
        self.state: RobotState | None = None
        feet = robot.entry.feet
        frames = [robot.frame(foot.name) for foot in feet]
        self._joints = np.array([frame.joint for frame in frames], dtype=np.int64)
        self._frames = np.stack(
            [np.column_stack([frame.rotation, frame.translation]) for frame in frames]
        )
        self._radii = np.array([foot.radius for foot in feet])
        self.feet: Matrix = np.zeros((len(feet), 4))
        self.normal_forces: Vector = np.zeros(len(feet))
        self.com: Matrix = np.zeros((2, 3))
        self.push: Matrix = np.zeros((2, 2))
        self.velocity: Vector = np.zeros(robot.nv)
        self.noise: Vector = np.zeros(robot.nv)
        self._measured: Vector = np.zeros(robot.nv)

    def tick(self, measurement: Measurement) -> Vector:
        """Compute the torques of one control step.

        Args:
            measurement: Of this instant.

        Returns:
            Joint torques [Nm], shape (nu,).
        """
        robot = self.robot
        state = robot.state(measurement.q, self._smoothed(measurement.v))
        views = robot.compute(state, NEEDS).views
        self.state = state
        self.com[0] = views.com
        self.com[1] = views.vcom
        measure_feet(
            views.oMi,
            self._joints,
            self._frames,
            self._radii,
            measurement.foot_wrenches,
            self.feet,
            self.normal_forces,
        )
        observe_push(
            self.config.control_step,
            1.0 / self.config.feedback.push_smoothing,
            robot.mass,
            self.com,
            measurement.foot_wrenches,
            self.push,
        )
        targets = self.gait.tick(self.com, self.feet, self.normal_forces, self.push[0])
        return self.whole_body.solve(state, targets)

    def _smoothed(self, measured: Vector) -> Vector:
        """Take the noise out of measured velocities; the first ones are believed."""
        if self.state is None:
            self._measured[:] = self.velocity[:] = measured
            self.noise[:] = FIRST_NOISE
        smooth_velocity(
            self.config.control_step,
            self.config.feedback.velocity_rate,
            measured,
            self.whole_body.accelerations,
            self._measured,
            self.noise,
            self.velocity,
        )
        return self.velocity

    def follow(self, sequence: StepSequence, *, smooth: bool = False) -> None:
        """Begin another step sequence; the robot must be standing.

        Args:
            sequence: The steps.
            smooth: Whether the reference of the DCM goes on where it was.
        """
        feet = self.feet.copy()
        yaw = sequence.footholds[0][:, 3]  # whole turns are counted as the sequence counts them
        feet[:, 3] = yaw + (feet[:, 3] - yaw + np.pi) % (2.0 * np.pi) - np.pi
        if self.gait.parameters.is_biped == 0.0:
            feet[:, 3] = yaw
        self.gait.follow(sequence, feet, smooth=smooth)
