"""The types of CartesI/O's tasks and constraints, and how each becomes one of ours."""

from collections.abc import Callable

import numpy as np

from footwork.stack.cartesio_reader import Entry, Reader
from footwork.stack.constraint import Constraint
from footwork.stack.stack import Solver
from footwork.stack.task import Task
from footwork.typing import Vector


def _cartesian(read: Reader, label: str, entry: Entry) -> Task:
    from footwork.stack.tasks import velocity

    link = read.text(label, entry, "distal_link", None)
    base = read.text(label, entry, "base_link", "world")
    local = read.truth(label, entry, "use_local_subtasks", default=False)
    task = velocity.Cartesian(
        read.robot,
        link,
        base=None if base == "world" else base,
        axes="local" if local else "world",
        name=read.text(label, entry, "name", link),
    )
    task.orientation_gain = read.number(label, entry, "orientation_gain", 1.0)
    return task


def _com(read: Reader, label: str, entry: Entry) -> Task:
    from footwork.stack.tasks import velocity

    return velocity.CoM(read.robot, name=read.text(label, entry, "name", "com"))


def _admittance(read: Reader, label: str, entry: Entry) -> Task:
    from footwork.stack.tasks import velocity

    link = read.text(label, entry, "distal_link", None)
    base = read.text(label, entry, "base_link", "world")
    local = read.truth(label, entry, "use_local_subtasks", default=False)
    for key in ("stiffness", "damping"):
        if key not in entry:
            read.fail(label, key, "missing: six numbers")
    task = velocity.CartesianAdmittance(
        read.robot,
        link,
        stiffness=read.numbers(label, entry, "stiffness", 6),
        damping=read.numbers(label, entry, "damping", 6),
        lambda_=read.number(label, entry, "lambda", 1.0) / read.dt,
        dt=read.dt,
        dead_zone=read.numbers(label, entry, "force_dead_zone", 6),
        base=None if base == "world" else base,
        axes="local" if local else "world",
        name=read.text(label, entry, "name", link),
    )
    wanted = read.numbers(label, entry, "inertia", 6)
    if "inertia" in entry and not np.allclose(wanted, task.law.inertia, rtol=0.01):
        found = ", ".join(f"{m:.4g}" for m in task.law.inertia)
        read.fail(
            label,
            "inertia",
            f"stiffness, damping and lambda make it [{found}]: leave it out, or change lambda",
        )
    task.orientation_gain = read.number(label, entry, "orientation_gain", 1.0)
    return task


def _gaze(read: Reader, label: str, entry: Entry) -> Task:
    from footwork.stack.tasks import velocity

    base = read.text(label, entry, "base_link", "world")
    frame = read.text(label, entry, "distal_link", "gaze")
    name = read.text(label, entry, "name", "gaze")
    return velocity.Gaze(read.robot, frame, base=None if base == "world" else base, name=name)


def _postural(read: Reader, label: str, entry: Entry) -> Task:
    from footwork.stack.cartesio_inertia import InertiaPostural
    from footwork.stack.tasks import velocity

    name = read.text(label, entry, "name", "Postural")
    if not read.truth(label, entry, "use_inertia", default=False):
        return velocity.Postural(read.robot, name=name)
    if "weight" in entry:
        read.fail(label, "weight", "with use_inertia the mass matrix is the weight: leave it out")
    return InertiaPostural(read.robot, name=name)


def _manipulability(read: Reader, label: str, entry: Entry) -> Task:
    from footwork.stack.tasks import velocity

    if entry.get("base_link", "world") != "world":
        read.fail(label, "base_link", "only the world is supported")
    return velocity.Manipulability(
        read.robot,
        read.text(label, entry, "distal_link", None),
        name=read.text(label, entry, "name", "Manipulability"),
    )


def _minimum_effort(read: Reader, label: str, entry: Entry) -> Task:
    from footwork.stack.tasks import velocity

    return velocity.MinimumEffort(read.robot, name=read.text(label, entry, "name", "MinimumEffort"))


def _angular_momentum(read: Reader, label: str, entry: Entry) -> Task:
    from footwork.stack.tasks import velocity

    return velocity.AngularMomentum(
        read.robot, name=read.text(label, entry, "name", "AngularMomentum")
    )


def _position_limits(read: Reader, label: str, entry: Entry) -> tuple[Vector, Vector]:
    """Read the limits of positions, scaled about their centre."""
    lower, upper = (np.array(side) for side in read.robot.position_limits)
    limits = entry.get("limits") or {}
    if not isinstance(limits, dict):
        read.fail(label, "limits", f"expected a map of joints, got {limits!r}")
    for joint, pair in limits.items():
        if not isinstance(pair, list) or len(pair) != 2:
            read.fail(label, "limits", f"{joint!r}: expected [min, max], got {pair!r}")
        where = read.joint(label, "limits", joint)
        lower[where], upper[where] = (read.number(label, {joint: p}, joint, 0.0) for p in pair)
    scale = read.number(label, entry, "bound_scaling", 1.0)
    with np.errstate(invalid="ignore"):
        centre, half = 0.5 * (lower + upper), 0.5 * (upper - lower)
    bounded = np.isfinite(centre) & np.isfinite(half)
    lower[bounded] = centre[bounded] - scale * half[bounded]
    upper[bounded] = centre[bounded] + scale * half[bounded]
    return lower, upper


def _joint_limits(read: Reader, label: str, entry: Entry) -> Constraint:
    from footwork.stack.constraints import velocity

    lower, upper = _position_limits(read, label, entry)
    return velocity.JointLimits(
        read.robot,
        dt=read.dt,
        lower=lower,
        upper=upper,
        velocity_limits=np.full(read.robot.nv, np.inf),
        name=read.text(label, entry, "name", "JointLimits"),
    )


def _velocity_limits(read: Reader, label: str, entry: Entry) -> Constraint:
    from footwork.stack.constraints import velocity

    limits = read.per_joint(label, entry, "limits", np.array(read.robot.velocity_limits))
    scale = read.number(label, entry, "bound_scaling", 1.0)
    name = read.text(label, entry, "name", "VelocityLimits")
    return velocity.VelocityLimits(read.robot, scale * limits, name=name)


def _invariance(read: Reader, label: str, entry: Entry) -> Constraint:
    from footwork.stack.constraints import velocity

    if "qddot_limits" not in entry:
        read.fail(label, "qddot_limits", "missing: largest accelerations")
    lower, upper = _position_limits(read, label, entry)
    limits = read.per_joint(label, entry, "qddot_limits", np.full(read.robot.nv, np.inf))
    return velocity.JointLimitsInvariance(
        read.robot,
        dt=read.dt,
        acceleration_limits=limits,
        lower=lower,
        upper=upper,
        name=read.text(label, entry, "name", "JointLimitsInvariance"),
    )


def _omni_wheels(read: Reader, label: str, entry: Entry) -> Constraint:
    from footwork.stack.constraints import velocity

    for key in ("l1", "l2", "wheel_radius", "joint_wheels_name"):
        if key not in entry:
            read.fail(label, key, "missing")
    return velocity.OmniWheels4X(
        read.robot,
        read.names_of(label, entry, "joint_wheels_name"),
        base=read.text(label, entry, "base_link", None),
        l1=read.number(label, entry, "l1", 0.0),
        l2=read.number(label, entry, "l2", 0.0),
        wheel_radius=read.number(label, entry, "wheel_radius", 0.0),
        name=read.text(label, entry, "name", "OmniWheels4X"),
    )


def _strict() -> Solver:
    from footwork.stack.solvers import StrictHierarchy

    return StrictHierarchy()


def _null_space() -> Solver:
    from footwork.stack.solvers import NullSpaceSolver

    # OpenSoT's eHQP ignores inequalities as well.
    return NullSpaceSolver(ignore_inequalities=True)


def _soft() -> Solver:
    from footwork.stack.solvers import SoftConstraints

    return SoftConstraints()


FRONT_ENDS: dict[str, Callable[[], Solver]] = {
    "ehqp": _null_space,
    "l1hqp": _soft,
    "ihqp": _strict,
    "nhqp": _strict,
    "hcod": _strict,
}
TaskBuilder = Callable[[Reader, str, Entry], Task]
ConstraintBuilder = Callable[[Reader, str, Entry], Constraint]
ADMITTANCE_KEYS = (
    *("distal_link", "base_link", "orientation_gain", "use_local_subtasks"),
    *("stiffness", "damping", "inertia", "force_dead_zone"),
    *("force_min", "force_max", "force_estimation_chains"),
)
TASKS: dict[str, tuple[TaskBuilder, tuple[str, ...]]] = {
    "Cartesian": (
        _cartesian,
        ("distal_link", "base_link", "orientation_gain", "use_local_subtasks"),
    ),
    "Interaction": (_admittance, ADMITTANCE_KEYS),
    "Admittance": (_admittance, ADMITTANCE_KEYS),
    "Com": (_com, ("distal_link", "base_link")),
    "Gaze": (_gaze, ("distal_link", "base_link")),
    "Postural": (_postural, ("use_inertia",)),
    "Manipulability": (_manipulability, ("distal_link", "base_link", "step_size")),
    "MinimumEffort": (_minimum_effort, ("step_size",)),
    "AngularMomentum": (_angular_momentum, ("distal_link", "base_link")),
}
CONSTRAINTS: dict[str, tuple[ConstraintBuilder, tuple[str, ...]]] = {
    "JointLimits": (_joint_limits, ("limits", "bound_scaling")),
    "VelocityLimits": (_velocity_limits, ("limits", "bound_scaling")),
    "JointLimitsInvariance": (_invariance, ("qddot_limits", "bound_scaling")),
    "OmniWheels4X": (
        _omni_wheels,
        ("l1", "l2", "wheel_radius", "joint_wheels_name", "base_link"),
    ),
}
