"""The whole-body controller of the walk: one level of weighted tasks on the inverse dynamics.

    feet           at rest where they stand, on their curves where they swing
    centre of mass accelerated as the gait says; height weighted apart from the plane
    momentum       its angular part is damped
    torso          upright, facing between the feet
    posture        joints near the standing posture; those of the legs hardly at all
    forces         small, evenly spread

under the equation of motion, torque limits, friction pyramids, and joint limits.
"""

from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Final

import numpy as np

from footwork.errors import InputError, ModelError
from footwork.robot import FootGeometry, RobotModel, RobotState
from footwork.stack import tasks
from footwork.stack.contact_forces import ContactForces
from footwork.stack.generic import GenericConstraint
from footwork.stack.inverse_dynamics import InverseDynamics
from footwork.stack.solvers import Status
from footwork.stack.stack import Stack
from footwork.stack.task import Task
from footwork.typing import BoolVector, Matrix, Vector
from footwork.walking._kernels.bounds import acceleration_bounds
from footwork.walking._kernels.layout import GaitTargets
from footwork.walking._kernels.references import write_level_pose
from footwork.walking.config import TaskConfig, WalkingConfig

LARGEST_DEMAND: Final = 1500.0
"""Most that a joint limit may demand of an acceleration [rad/s²]."""
FALL_BACK_DAMPING: Final = 100.0
"""Rate at which joints are braked in a tick without a solution [1/s]."""


class StackWholeBody:
    """Targets of the gait to joint torques, by the stack.

    Attributes:
        robot: Its model.
        dynamics: Unknowns, constraints, torques.
        stack: The problem, to be looked at: ``print(whole_body.stack.describe())``.
        torques: Of the last tick [Nm], shape (nu,).
        accelerations: That they are to cause [m/s², rad/s²], shape (nv,).
        status: Of the last tick's solution.
        failures: Ticks in which no solution was found, and the joints were damped instead.
    """

    def __init__(self, robot: RobotModel, config: WalkingConfig, posture: Vector) -> None:
        entry = robot.entry
        if entry is None:
            raise ModelError(f"robot {robot.name!r} has no entry that names its feet")
        self.robot = robot
        self.config = config
        self._feet = entry.feet
        self._frames = [robot.frame(foot.name) for foot in entry.feet]
        t = config.tasks
        self._ramp = max(1, round(t.force_ramp / config.control_step))
        self._limits = t.torque_fraction * robot.effort_limits
        self.dynamics = InverseDynamics(
            robot,
            [_forces_of(foot, config) for foot in entry.feet],
            torque_limits=self._limits,
            inner_pyramid=True,
        )
        self._foot_tasks = [self._foot_task(foot) for foot in entry.feet]
        self._weights = [_foot_weights(t, foot) for foot in entry.feet]
        a = self.dynamics.accelerations
        self.com = tasks.acceleration.CoM(robot, lambda_=0.0, variable=a)
        self.torso = tasks.acceleration.Cartesian(
            robot, "torso", mode="orientation", lambda_=t.torso_stiffness, variable=a
        )
        self.torso.kd = t.torso_damping / np.sqrt(t.torso_stiffness)
        self.momentum = tasks.acceleration.AngularMomentum(
            robot, lambda_=t.momentum_damping, variable=a
        )
        self.momentum.reference = np.zeros(3)
        self.posture = tasks.acceleration.Postural(robot, lambda_=t.posture_stiffness, variable=a)
        self.posture.kd = t.posture_damping / np.sqrt(t.posture_stiffness)
        self.posture.reference = posture
        self.limits = self._joint_limits(posture)
        self.stack = Stack([self._motion()]) << (*self.dynamics.constraints, self.limits)
        self._contacts = np.ones(len(entry.feet), dtype=np.int64)
        self._seen = self._contacts.tobytes()
        self.torques: Vector = np.zeros(robot.nu)
        self.status = Status.SOLVED
        self.failures = 0
        self._x: Vector = np.zeros(self.dynamics.x_size)
        self.accelerations: Vector = np.zeros(robot.nv)
        self._state: RobotState | None = None
        self._heading: Matrix = np.zeros((4, 3))
        self.com.reference = np.zeros(3)
        self._com_acceleration = self.com.floats[6:9]

    def _foot_task(self, foot: FootGeometry) -> tasks.acceleration.Cartesian:
        t = self.config.tasks
        task = self.dynamics.foot(foot.name, lambda_=t.swing_stiffness)
        task.kd = t.swing_damping / np.sqrt(t.swing_stiffness)
        task.contact_damping = t.contact_damping
        return task

    def _motion(self) -> Task:
        """Sum the tasks with their weights."""
        t = self.config.tasks
        plane, height = t.com_weight
        motion: Task = plane * self.com["x", "y"] + height * self.com["z"]
        for task, (standing, _) in zip(self._foot_tasks, self._weights, strict=True):
            task.weight = standing
            motion = motion + task
        if any(t.momentum_weight):
            motion = motion + np.array(t.momentum_weight) * self.momentum
        motion = motion + np.array(t.torso_weight) * self.torso
        legs = self.mask(self.config.leg_joints)
        weights = np.where(legs, t.leg_posture_weight, t.posture_weight)
        motion = motion + weights * self.posture
        return motion + self.dynamics.force_regularisation(t.force_weight)

    def _joint_limits(self, posture: Vector) -> GenericConstraint:
        """Bounds of joint accelerations, rewritten in each tick."""
        t, robot = self.config.tasks, self.robot
        low, high = (limit[6:].copy() for limit in robot.position_limits)
        self._low, self._high = low + t.joint_margin, high - t.joint_margin
        for pattern, (a, b) in self.config.ranges.items():
            mask = self.mask((pattern,))
            self._low[mask] = np.maximum(self._low[mask], a)
            self._high[mask] = np.minimum(self._high[mask], b)
        knees = self.mask(self.config.knee_joints)
        bent = posture[7:] > 0.0
        self._low[knees & bent] = np.maximum(self._low, t.min_knee)[knees & bent]
        self._high[knees & ~bent] = np.minimum(self._high, -t.min_knee)[knees & ~bent]
        variable = self.dynamics.accelerations.segment(6, robot.nu)
        wide = np.full(robot.nu, 1e6)
        return GenericConstraint("joint_limits", lower=-wide, upper=wide, variable=variable)

    def mask(self, patterns: tuple[str, ...]) -> BoolVector:
        """Find the joints that patterns name.

        Args:
            patterns: With * and ?.

        Returns:
            Shape (nu,).
        """
        names = self.robot.joint_names
        return np.array([any(fnmatchcase(n, p) for p in patterns) for n in names])

    def solve(self, state: RobotState, targets: GaitTargets) -> Vector:
        """Solve one tick; without a solution, brake the joints in the same tick.

        Args:
            state: Of the robot.
            targets: Of the gait.

        Returns:
            Joint torques [Nm], shape (nu,).
        """
        self._switch(targets)
        t = self.config.tasks
        rate, approach = t.joint_limit_gains
        acceleration_bounds(
            state.q[7:],
            state.v[6:],
            self._low,
            self._high,
            rate,
            approach,
            LARGEST_DEMAND,
            self.limits.own_lower,
            self.limits.own_upper,
        )
        self._refer(targets)
        solution = self.stack.solve(state)
        self.status, self._state = solution.status, state
        if solution.is_solved:
            self._x = solution.x
        else:
            self.failures += 1
            self.stack.reset()
            self._x = self._brake(state)
        self.accelerations = self._x[: self.robot.nv]
        torques = self.dynamics.torques(self._x)
        np.minimum(torques, self._limits, out=torques)
        self.torques = np.maximum(torques, -self._limits, out=torques)
        return self.torques

    def _brake(self, state: RobotState) -> Vector:
        """What stands for a solution: joints slow down, feet bear what they bore."""
        x = np.zeros(self.dynamics.x_size)
        x[6 : self.robot.nv] = -FALL_BACK_DAMPING * state.v[6:]
        for i, foot in enumerate(self._feet):
            if self._contacts[i]:
                place = self.dynamics.variables.slice_of(foot.name)
                x[place] = self._x[place]
        return x

    def torques_of(self, acceleration: Vector, wrenches: Matrix) -> Vector:
        """Torques that a motion takes by the model, in the state of the last tick.

        Args:
            acceleration: Of the robot, shape (nv,).
            wrenches: Force and moment on each foot about the sole's centre, world axes [N, Nm],
                shape (feet, 6).

        Returns:
            [Nm], shape (nu,).
        """
        if self._state is None:
            raise InputError("torques_of: there is no state yet; call it after solve")
        x = np.zeros(self.dynamics.x_size)
        x[: self.robot.nv] = acceleration
        for wrench, foot, frame in zip(wrenches, self._feet, self._frames, strict=True):
            place = self.dynamics.variables.slice_of(foot.name)
            if foot.is_point:
                x[place] = wrench[:3]
            else:
                R, _ = self._state.placement(frame)
                x[place] = (wrench.reshape(2, 3) @ R).ravel()
        return self.dynamics.torques(x)

    def _switch(self, targets: GaitTargets) -> None:
        """Put contacts on and off where the gait has changed its mind."""
        seen = targets.contacts.tobytes()
        if seen == self._seen:  # quicker than comparing arrays
            return
        self._seen = seen
        before = self._contacts.tolist()
        for i, contact in enumerate(targets.contacts.tolist()):
            if contact == before[i]:
                continue
            on = bool(contact)
            self.dynamics.set_contact(self._feet[i].name, on, ticks=self._ramp if on else 1)
            self._foot_tasks[i].weight = self._weights[i][0 if on else 1]
        self._contacts = targets.contacts.copy()

    def _refer(self, targets: GaitTargets) -> None:
        self._com_acceleration[:] = targets.com_acceleration
        self._heading[3] = targets.torso_yaw
        write_level_pose(self._heading, 0.0, self.torso.floats)
        for i, foot in enumerate(self._feet):
            if targets.contacts[i] == 0:
                write_level_pose(targets.feet[i], foot.radius, self._foot_tasks[i].floats)

    def forces(self) -> Matrix:
        """Forces that the last solution plans.

        Returns:
            Force and moment on each foot about the sole's centre, world axes [N, Nm], shape
            (feet, 6).
        """
        wrenches = np.zeros((len(self._feet), 6))
        if self._state is None:
            return wrenches
        for wrench, foot, frame in zip(wrenches, self._feet, self._frames, strict=True):
            values = self._x[self.dynamics.variables.slice_of(foot.name)].reshape(-1, 3)
            if foot.is_point:
                wrench[:3] = values[0]
            else:
                R, _ = self._state.placement(frame)
                wrench[:] = (values @ R.T).ravel()
        return wrenches

    def reset(self) -> None:
        """Forget all ticks: what follows equals a fresh start to the bit."""
        self.stack.reset()
        for foot, task, (standing, _) in zip(
            self._feet, self._foot_tasks, self._weights, strict=True
        ):
            self.dynamics.set_contact(foot.name, on=True)
            self.dynamics.bounds[foot.name].set_opening(1.0)
            task.weight = standing
        self._contacts = np.ones(len(self._feet), dtype=np.int64)
        self._seen = self._contacts.tobytes()
        self.torques = np.zeros(self.robot.nu)
        self.status, self.failures = Status.SOLVED, 0
        self._x, self._state = np.zeros(self.dynamics.x_size), None
        self.accelerations = np.zeros(self.robot.nv)


def _forces_of(foot: FootGeometry, config: WalkingConfig) -> ContactForces:
    """One force of a point foot, else a wrench on the part of the sole that is used."""
    friction = config.tasks.friction
    if foot.is_point:
        return ContactForces.of_foot(foot, friction=friction)
    part = config.feedback.sole_fraction
    contact = ContactForces.of_foot(foot, kind="wrench", friction=friction)
    return replace(
        contact, half_length=part * contact.half_length, half_width=part * contact.half_width
    )


def _foot_weights(t: TaskConfig, foot: FootGeometry) -> tuple[Vector, Vector]:
    """Weights of the rows of a foot that stands, and of one that swings."""
    position, orientation = t.swing_weight
    rows = 3 if foot.is_point else 6
    swinging = np.array([position] * 3 + [orientation] * 3)[:rows]
    return np.full(rows, t.contact_weight), swinging
