"""Inverse dynamics: which unknowns there are, what they must obey, and the torques that come out.

    x = (accelerations of the robot, forces of every contact that there may ever be)

The size of x never changes. A contact that is off has its forces held at zero; coming and going
they open and close over some ticks, so that torques do not jump and nothing is allocated.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.robot import RobotModel, RobotState
from footwork.stack.constraint import Constraint
from footwork.stack.constraints.acceleration import DynamicFeasibility, TorqueLimits
from footwork.stack.constraints.force import CoP, ForceBounds, FrictionCone, NormalTorque
from footwork.stack.contact_forces import ContactForces, ForceKind
from footwork.stack.generic import MinimizeVariable
from footwork.stack.settings import as_switch
from footwork.stack.task import Task
from footwork.stack.tasks.acceleration import Cartesian
from footwork.stack.variables import Affine, Variables
from footwork.typing import Matrix, Vector, as_array

GRAVITY = 9.81
"""[m/s²], only to share the weight among the contacts."""


class InverseDynamics:
    """Unknowns, constraints and torques of a robot in contact.

    Tasks on motion are written in `accelerations`, tasks on forces in `force`; `constraints` go on
    the stack. The tick is the stack's: `stack.solve(state)`, then `torques`.

    Attributes:
        robot: The robot.
        variables: Names and places of the parts of x.
        accelerations: The accelerations in x.
        contacts: Forces by the name of their frame, on or off.
        feasibility: Equation of motion of the floating base; None for a fixed robot.
        torque_limits: Limits of the torques.
        bounds: Bounds of the forces of each contact; they open and close with it.

    Example:
        >>> from footwork.robot import load
        >>> from footwork.stack import Stack, tasks
        >>> g1 = load("g1")
        >>> dynamics = InverseDynamics(g1)
        >>> com = tasks.acceleration.CoM(g1, variable=dynamics.accelerations)
        >>> posture = tasks.acceleration.Postural(g1, variable=dynamics.accelerations)
        >>> feet = dynamics.foot("left_foot") + dynamics.foot("right_foot")
        >>> motion = feet + com + 1e-3 * posture + dynamics.force_regularisation(1e-6)
        >>> stack = Stack([motion]) << dynamics.constraints
        >>> solution = stack.solve(g1.state(g1.standing_configuration))
        >>> tau = dynamics.torques(solution.x)
        >>> total = sum(dynamics.wrench(foot, solution.x)[2] for foot in dynamics.contacts)
        >>> round(float(total / (9.81 * g1.mass)), 3)
        1.0
    """

    def __init__(
        self,
        robot: RobotModel,
        contacts: Sequence[str | ContactForces] | None = None,
        *,
        kind: ForceKind = "points",
        friction: float = 0.6,
        torque_limits: ArrayLike | None = None,
        friction_sides: int = 4,
        inner_pyramid: bool = True,
    ) -> None:
        """Make the problem's frame.

        Args:
            robot: The robot.
            contacts: Feet of the zoo by name, or forces elsewhere; every foot of the zoo's entry if
                not given. All are on.
            kind: Forces at the corners of a sole ("points") or one wrench ("wrench"); a point
                foot always has one force.
            friction: μ of the feet given by name, below the real one.
            torque_limits: Shape (nu,) or a number [N m]; the robot's if not given.
            friction_sides: Sides of the friction pyramids.
            inner_pyramid: Whether the pyramids are inside the cones.

        Raises:
            InputError: If a contact is named twice, or contacts are neither given nor known.
        """
        self.robot = robot
        self.contacts = self._read(contacts, kind, friction)
        sizes = {"accelerations": robot.nv}
        sizes |= {name: contact.size for name, contact in self.contacts.items()}
        self.variables = Variables(sizes)
        self.accelerations = self.variables["accelerations"]
        forces = tuple(self.contacts.values())
        self.feasibility = DynamicFeasibility(robot, forces) if robot.has_floating_base else None
        self.torque_limits = TorqueLimits(robot, forces, limits=torque_limits)
        self.bounds = {name: self._bound(name) for name in self.contacts}
        self._friction: list[Constraint] = []
        for name, contact in self.contacts.items():
            variable = self.variables[name]
            self._friction.append(
                FrictionCone(contact, variable, sides=friction_sides, inner=inner_pyramid)
            )
            if contact.kind == "wrench":
                self._friction += [CoP(contact, variable), NormalTorque(contact, variable)]
        self._share: dict[str, MinimizeVariable] = {}
        self._feet: dict[str, Cartesian] = {}

    def _read(
        self, contacts: Sequence[str | ContactForces] | None, kind: ForceKind, friction: float
    ) -> dict[str, ContactForces]:
        entry = self.robot.entry
        if contacts is None:
            if entry is None and self.robot.has_floating_base:
                raise InputError(
                    f"robot {self.robot.name!r} has no zoo entry that names its feet; give "
                    "contacts, such as [ContactForces(frame=...)], or [] if nothing carries it"
                )
            contacts = [] if entry is None else [foot.name for foot in entry.feet]
        found: dict[str, ContactForces] = {}
        for contact in contacts:
            if isinstance(contact, str):
                if entry is None:
                    raise InputError(
                        f"robot {self.robot.name!r} has no zoo entry that knows {contact!r}; "
                        "give a ContactForces"
                    )
                foot = entry.foot(contact)
                made = ContactForces.of_foot(
                    foot, kind="points" if foot.is_point else kind, friction=friction
                )
            else:
                made = contact
            if made.frame in found or made.frame == "accelerations":
                raise InputError(f"contact {made.frame!r} is given twice")
            found[made.frame] = made
        return found

    def _bound(self, name: str) -> ForceBounds:
        contact = self.contacts[name]
        lower = np.full(contact.size, -np.inf)
        lower[2 : (3 if contact.kind == "wrench" else None) : 3] = 0.0
        return ForceBounds(
            f"{name}_forces",
            self.variables[name],
            lower=lower,
            upper=np.full(contact.size, np.inf),
            largest=GRAVITY * self.robot.mass,
        )

    # What goes into a stack

    @property
    def x_size(self) -> int:
        """Number of unknowns."""
        return self.variables.size

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Everything that x must obey: feasibility, torques, friction, bounds of the forces."""
        first = () if self.feasibility is None else (self.feasibility,)
        return (*first, self.torque_limits, *self._friction, *self.bounds.values())

    def force(self, name: str) -> Affine:
        """Find the forces of a contact in x.

        Args:
            name: Name of the contact's frame.

        Returns:
            Point forces one after the other, or a wrench; in the axes of the contact.
        """
        self._check(name)
        return self.variables[name]

    def foot(self, name: str, *, lambda_: float = 100.0) -> Cartesian:
        """Make the task of a frame in contact: at rest on the ground, free in the air.

        It is one task for both: its `hold` follows the contact (see `set_contact`), and in the
        air it goes where its reference says.

        Args:
            name: Name of the contact's frame.
            lambda_: Gain in the air [1/s²].

        Returns:
            Six rows; three (position) of a contact with a single point. The same task every time.
        """
        self._check(name)
        if name not in self._feet:
            contact = self.contacts[name]
            single = contact.kind == "points" and contact.points.shape[0] == 1
            task = Cartesian(
                self.robot,
                name,
                mode="position" if single else "pose",
                lambda_=lambda_,
                variable=self.accelerations,
            )
            task.follow(self.bounds[name])
            self._feet[name] = task
        return self._feet[name]

    def force_regularisation(self, weight: float = 1e-5) -> Task:
        """Make the task that draws the forces to an even share of the weight.

        Among the contacts that are on, and among the points of each.

        Args:
            weight: Of every force; small.

        Returns:
            A task with one row for every force.
        """
        if not self.contacts:
            raise InputError(
                f"robot {self.robot.name!r} has no contacts whose forces could be small"
            )
        parts: list[MinimizeVariable] = []
        for name in self.contacts:
            task = MinimizeVariable(f"{name}_share", self.variables[name])
            self._share[name] = task
            parts.append(task)
        self._share_weight()
        total: Task = parts[0]
        for part in parts[1:]:
            total = total + part
        return weight * total

    def _share_weight(self) -> None:
        on = {name: self.is_on(name) for name in self._share}
        load = GRAVITY * self.robot.mass / max(1, sum(on.values()))
        for name, task in self._share.items():
            contact = self.contacts[name]
            count = 1 if contact.kind == "wrench" else contact.points.shape[0]
            forces = task.own_feedforward[: 3 * count].reshape(count, 3)
            forces[:] = contact.R_world_ground[2] * (load / count if on[name] else 0.0)

    # Contacts that come and go

    def set_contact(self, name: str, on: bool, *, ticks: int = 1) -> None:
        """Put a contact on or off.

        Coming, its forces may rise from zero over some ticks, and its foot task comes to rest as
        they do. Going, they fall to zero over the ticks while the foot still holds; then the foot
        is free.

        Args:
            name: Name of the contact's frame.
            on: Whether it is a contact from now on.
            ticks: How many ticks the change takes; 1 is at once.

        Raises:
            InputError: If there is no such contact, or ``on`` is no truth value.
        """
        self._check(name)
        if as_switch(on, f"contact {name!r}"):
            self.bounds[name].open(ticks=ticks)
        else:
            self.bounds[name].close(ticks=ticks)
        self._share_weight()

    def is_on(self, name: str) -> bool:
        """Whether a contact is on, or coming.

        Args:
            name: Name of the contact's frame.

        Returns:
            False also while it is going.
        """
        self._check(name)
        return self.bounds[name].is_open

    def _check(self, name: str) -> None:
        if name not in self.contacts:
            known = ", ".join(self.contacts) or "none"
            raise InputError(f"no contact is called {name!r}; there are {known}")

    # What comes out

    def torques(self, x: ArrayLike) -> Vector:
        """Torques of a solution: τ = M_a a + h_a − Σ J_aᵀ f, at the stack's last tick.

        Args:
            x: Solution of a stack with `constraints`, shape (x_size,).

        Returns:
            [N m], shape (nu,).
        """
        rows = self.torque_limits.rows_data.A
        if not (isinstance(x, np.ndarray) and x.shape == (self.x_size,)):
            x = as_array("x", x, (self.x_size,))
        tau: Vector = rows.dot(x)
        tau += self.robot.views.nle[self.robot.nv - self.robot.nu :]
        return tau

    def point_forces(self, name: str, x: ArrayLike) -> Matrix:
        """Forces at the points of a contact, in its axes.

        Args:
            name: Name of the contact's frame.
            x: A solution, shape (x_size,).

        Returns:
            [N], shape (points, 3).

        Raises:
            InputError: If the contact is a wrench.
        """
        self._check(name)
        if self.contacts[name].kind != "points":
            raise InputError(f"contact {name!r} is a wrench; read it by `wrench`")
        values = as_array("x", x, (self.x_size,))[self.variables.slice_of(name)]
        return values.reshape(-1, 3)

    def wrench(self, name: str, x: ArrayLike, state: RobotState | None = None) -> Vector:
        """Force and moment of a contact about its frame's origin, in the frame's own axes.

        Args:
            name: Name of the contact's frame.
            x: A solution, shape (x_size,).
            state: Where the robot is; if not given the frame is taken to be parallel to the
                contact's axes, as a sole flat on the ground is up to its yaw.

        Returns:
            [N], then [N m], shape (6,).
        """
        self._check(name)
        contact = self.contacts[name]
        values = as_array("x", x, (self.x_size,))[self.variables.slice_of(name)]
        if contact.kind == "wrench":
            return values
        R = np.eye(3) if state is None else state.placement(name)[0].T @ contact.R_world_ground
        forces = values.reshape(-1, 3) @ R.T
        moment = np.cross(contact.points, forces).sum(axis=0)
        return np.concatenate([forces.sum(axis=0), moment])

    def centre_of_pressure(
        self, name: str, x: ArrayLike, state: RobotState | None = None
    ) -> Vector:
        """Where the resulting normal force of a flat contact acts, in its frame.

        Args:
            name: Name of the contact's frame.
            x: A solution, shape (x_size,).
            state: As for `wrench`.

        Returns:
            Position on the sole [m], shape (2,); NaN without a normal force.
        """
        w = self.wrench(name, x, state)
        if w[2] <= 0.0:
            return np.full(2, np.nan)
        return np.array([-w[4] / w[2], w[3] / w[2]])
