"""What a walk records in each control step, and the contacts that happened."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from footwork.contacts import FOREVER, ContactList, ContactType, PlannedContact, seconds
from footwork.errors import BackendError
from footwork.recording import Column, RunWriter, StateWriter
from footwork.robot import FootGeometry, RobotModel
from footwork.spatial import Pose
from footwork.typing import IntVector, Matrix, Vector
from footwork.walking.controller import WalkingController
from footwork.walking.gait import Gait
from footwork.walking.interface import Measurement

AXES = ("x", "y", "z")
WRENCH = ("fx", "fy", "fz", "mx", "my", "mz")


def columns_of(robot: RobotModel) -> tuple[Column, ...]:
    """List what a row of ``states.h5`` consists of.

    Args:
        robot: The robot.

    Returns:
        The columns.
    """
    joints = robot.joint_names
    feet = tuple(foot.name for foot in robot.entry.feet) if robot.entry is not None else ()
    base_q = tuple(f"base_{n}" for n in ("x", "y", "z", "qx", "qy", "qz", "qw"))
    base_v = tuple(f"base_{n}" for n in ("vx", "vy", "vz", "wx", "wy", "wz"))
    placed = tuple(f"{foot}_{n}" for foot in feet for n in ("x", "y", "z", "yaw"))
    forces = tuple(f"{foot}_{n}" for foot in feet for n in WRENCH)
    plane = ("x", "y")
    return (
        Column(name="time", unit="s", description="since the start of the simulation"),
        Column(name="q", unit="m, 1, rad", labels=base_q + joints, description="configuration"),
        Column(name="v", unit="m/s, rad/s", labels=base_v + joints, description="velocity"),
        Column(name="torque", unit="N m", labels=joints, description="commanded joint torques"),
        Column(name="com", unit="m", labels=AXES, description="centre of mass"),
        Column(name="com_velocity", unit="m/s", labels=AXES, description="of the centre of mass"),
        Column(name="momentum", unit="kg m/s, kg m²/s", labels=("px", "py", "pz", "lx", "ly", "lz"),
               description="linear, and angular about the centre of mass"),
        Column(name="dcm", unit="m", labels=plane, description="measured DCM"),
        Column(name="dcm_reference", unit="m", labels=plane, description="planned DCM"),
        Column(name="cop", unit="m", labels=plane, description="measured centre of pressure"),
        Column(name="cop_command", unit="m", labels=plane, description="commanded one"),
        Column(name="cop_reference", unit="m", labels=plane, description="planned one"),
        Column(name="foot", unit="m, rad", labels=placed, description="measured soles"),
        Column(name="foot_reference", unit="m, rad", labels=placed, description="soles as wanted"),
        Column(name="foot_wrench", unit="N, N m", labels=forces, description="in world axes"),
        Column(name="foot_wrench_planned", unit="N, N m", labels=forces, description="by the QP"),
        Column(name="contact_planned", unit="1", labels=feet, description="1: is to stand"),
        Column(name="contact_measured", unit="1", labels=feet, description="1: is loaded"),
        Column(name="phase", unit="1", description="0 hold, 1 transfer, 2 swing, 3 final"),
        Column(name="step", unit="1", description="number of the step"),
        Column(name="command", unit="1", description="commands given so far"),
        Column(name="tick_time", unit="s", description="CPU time from measurement to torques"),
    )  # fmt: skip


class ContactLog:
    """Makes contact lists of which feet stand in each control step.

    Args:
        feet: Of the robot.
    """

    def __init__(self, feet: Sequence[FootGeometry]) -> None:
        self._feet = feet
        self._stands = [0] * len(feet)
        self._since: list[tuple[int, Pose]] = [(0, Pose.identity())] * len(feet)
        self._contacts: list[list[PlannedContact]] = [[] for _ in feet]

    def note(self, time: float, stands: IntVector, places: Matrix) -> None:
        """Take a control step.

        Args:
            time: Of it [s].
            stands: 1 where a foot does, shape (feet,).
            places: Of feet that have come down: (x, y, z, yaw) [m, rad], shape (feet, 4).
        """
        for i, is_down in enumerate(stands.tolist()):
            if is_down == self._stands[i]:
                continue
            self._stands[i] = is_down
            x, y, z, yaw = places[i]
            if is_down:
                self._since[i] = (seconds(time), Pose.from_xy_yaw(x, y, yaw, z))
            else:
                self._contacts[i].append(self._contact(i, seconds(time)))

    def _contact(self, foot: int, end: int) -> PlannedContact:
        begin, pose = self._since[foot]
        geometry = self._feet[foot]
        return PlannedContact(
            pose=pose,
            name=geometry.name,
            index=foot,
            type=ContactType.POINT if geometry.is_point else ContactType.FULL,
            activation_time=begin,
            deactivation_time=end,
        )

    def lists(self) -> dict[str, ContactList]:
        """List the contacts so far; one that still holds lasts for ever.

        Returns:
            Foot → contacts.
        """
        lists = {}
        for i, foot in enumerate(self._feet):
            last = [self._contact(i, FOREVER)] if self._stands[i] else []
            lists[foot.name] = ContactList(self._contacts[i] + last, default_name=foot.name)
        return lists


class Recorder:
    """Fills the time series, and notes touch-downs and lift-offs.

    Args:
        writer: Of the run folder; None records contacts only.
        robot: The robot.

    Attributes:
        measured: Contacts that happened.
        planned: Contacts as they were planned when their feet lifted off.
    """

    def __init__(self, writer: RunWriter | None, robot: RobotModel) -> None:
        self.robot = robot
        self.fault: str = ""
        feet = robot.entry.feet if robot.entry is not None else ()
        self.measured, self.planned = ContactLog(feet), ContactLog(feet)
        self._states: StateWriter | None = None
        self._places: dict[str, slice] = {}
        if writer is not None:
            attributes = {
                "robot": robot.name,
                "joint_names": list(robot.joint_names),
                "foot_names": [foot.name for foot in feet],
                "effort_limits": robot.effort_limits,
                "mass": robot.mass,
            }
            columns = columns_of(robot)
            self._states = writer.open_states(columns, attributes)
            self._places = {c.name: self._states.slice_of(c.name) for c in columns}

    def record(
        self,
        measurement: Measurement,
        controller: WalkingController,
        tick_time: float,
        commands: int = 0,
    ) -> None:
        """Record one control step.

        Args:
            measurement: What the controller saw.
            controller: After its tick.
            tick_time: How long that took [s].
            commands: Given until then.
        """
        targets, gait = controller.gait.targets, controller.gait
        time, state = measurement.time, gait.state
        self.measured.note(time, state.loaded, controller.feet)
        landed = state.targets if gait.has_landed else state.feet
        self.planned.note(time, targets.contacts, landed)
        if self._states is None or self.fault:
            return
        row = self._states.row()
        values: dict[str, ArrayLike] = {
            "time": measurement.time,
            "q": measurement.q,
            "v": measurement.v,
            "torque": controller.whole_body.torques,
            "com": controller.com[0],
            "com_velocity": controller.com[1],
            "momentum": self.robot.views.hg,
            "dcm": targets.dcm,
            "dcm_reference": targets.dcm_reference,
            "cop": centre_of_pressure(measurement, controller),
            "cop_command": targets.cop,
            "cop_reference": targets.cop_reference,
            "foot": controller.feet.ravel(),
            "foot_reference": wanted_feet(gait).ravel(),
            "foot_wrench": measurement.foot_wrenches.ravel(),
            "foot_wrench_planned": controller.whole_body.forces().ravel(),
            "contact_planned": targets.contacts,
            "contact_measured": gait.state.loaded,
            "phase": gait.state.mode[0],
            "step": gait.state.mode[1],
            "command": commands,
            "tick_time": tick_time,
        }
        for name, place in self._places.items():
            row[place] = values[name]
        try:
            self._states.commit()
        except BackendError as error:
            self.fault = str(error)


def centre_of_pressure(measurement: Measurement, controller: WalkingController) -> Vector:
    """Centre of pressure of all feet together, from measured forces; NaN without any.

    Args:
        measurement: Gives the wrenches about the soles' centres.
        controller: Gives their places.

    Returns:
        (x, y) [m].
    """
    sum_x = sum_y = total = 0.0
    feet, wrenches = controller.feet.tolist(), measurement.foot_wrenches.tolist()
    for (x, y, _, _), (_, _, fz, mx, my, _) in zip(feet, wrenches, strict=True):
        sum_x += fz * x - my
        sum_y += fz * y + mx
        total += fz
    if total < 1.0:
        return np.full(2, np.nan)
    return np.array([sum_x / total, sum_y / total])


def wanted_feet(gait: Gait) -> Matrix:
    """Where the soles are wanted: on their footholds, or on their curves.

    Args:
        gait: After its tick.

    Returns:
        (x, y, z, yaw) [m, rad], shape (feet, 4).
    """
    wanted: Matrix = gait.state.feet.copy()
    for i, stands in enumerate(gait.targets.contacts.tolist()):
        if not stands:
            wanted[i] = gait.state.swing[i, :, 0]
    return wanted
