"""Interactive inverse kinematics: goals that are dragged, a stack that follows them."""

import time
from collections.abc import Generator, Mapping
from typing import Any, Final

import numpy as np

from footwork.errors import InputError
from footwork.robot import RobotModel, RobotState, load
from footwork.spatial import Pose
from footwork.stack import Aggregated, Stack, Task
from footwork.stack.constraints import velocity as limits
from footwork.stack.tasks import velocity as tasks
from footwork.typing import Vector
from footwork.viewer.server import view_server

DT: Final = 0.02
"""Time step [s]."""
SPEED: Final = 8.0
"""Gain of goals [1/s]."""
LIFTED: Final = 0.01
"""A foot whose goal is higher above where it stood [m] does not carry the robot."""
MARGIN: Final = 0.01
"""Distance of the centre of mass to the edge of what carries it [m]."""


class IkSession:
    """A robot that follows goals: feet first, then hands, then a comfortable posture.

    A robot with a floating base keeps its centre of mass above the feet that stand. No browser is
    needed for it.

    Attributes:
        robot: The robot.
        goals: Where each frame shall be, by name; set by `set_goal`.
        stack: The stack that is solved.
        q: Where the robot is.
    """

    def __init__(self, robot: RobotModel) -> None:
        self.robot = robot
        self.q: Vector = robot.standing_configuration
        state = robot.state(self.q)
        feet = _feet(robot)
        others: list[str] = [
            n for n in ("left_hand", "right_hand", "hand") if n in robot.frame_names
        ]
        if not others and robot.has_floating_base:
            others = ["base"]
        self._tasks = {name: self._task(name, state) for name in (*feet, *others)}
        self.goals: dict[str, Pose] = {name: state.T_world_frame(name) for name in self._tasks}
        self._start = dict(self.goals)
        self._hull: limits.ConvexHull | None = None
        self.stack = self._make_stack(feet, others)
        self.residuals: dict[str, float] = {}

    def _task(self, name: str, state: RobotState) -> tasks.Cartesian:
        foot = next((f for f in _feet_of(self.robot) if f.name == name), None)
        mode = "position" if foot is not None and foot.is_point else "pose"
        task = tasks.Cartesian(self.robot, name, mode=mode)
        task.lambda_ = SPEED
        task.reset(state)
        return task

    def _make_stack(self, feet: list[str], others: list[str]) -> Stack:
        robot = self.robot
        levels: list[Task] = []
        if feet:
            levels.append(_together([self._tasks[name] for name in feet]))
        if others:
            levels.append(_together([self._tasks[name] for name in others]))
        posture = tasks.Postural(robot)
        posture.lambda_ = 1.0
        posture.reference = self.q
        levels.append(posture)
        bounds: list[Any] = [limits.JointLimits(robot, dt=DT, gain=0.5)]
        if robot.has_floating_base and feet:
            self._hull = limits.ConvexHull(robot, feet, dt=DT, margin=MARGIN, gain=0.2)
            bounds.append(self._hull)
        return Stack(levels, bounds=bounds)

    def set_goal(self, name: str, T_world_goal: Pose) -> None:
        """Move a goal.

        Args:
            name: Frame that shall go there.
            T_world_goal: Where to.

        Raises:
            InputError: If the frame has no goal; names those that have.
        """
        if name not in self.goals:
            known = ", ".join(self.goals)
            raise InputError(f"no goal is called {name!r}; there are {known}")
        self.goals[name] = T_world_goal
        self._tasks[name].reference = T_world_goal
        if self._hull is not None and name in self._hull.contact_names:
            lifted = T_world_goal.translation[2] - self._start[name].translation[2] > LIFTED
            self._hull.set_contact(name, not lifted)

    def reset(self) -> None:
        """Put robot and goals back to where they were at first."""
        self.q = self.robot.standing_configuration
        for name, T in self._start.items():
            self.set_goal(name, T)
        self.stack.reset()

    def step(self) -> Mapping[str, float]:
        """Take one step of `DT`.

        Returns:
            How far each frame is from its goal [m, rad together].
        """
        state = self.robot.state(self.q)
        solution = self.stack.solve(state)
        if solution.is_solved:
            self.q = self.robot.integrate(self.q, solution.x * DT)
        self.residuals = {
            name: float(np.linalg.norm(task.error)) for name, task in self._tasks.items()
        }
        self.status = str(solution.status.name).lower().replace("_", " ")
        return self.residuals

    status: str = "not solved yet"
    """Of the last step."""

    def text(self) -> str:
        """Describe the levels and what is left of each.

        Returns:
            One line a goal, the number of its level first, then what is left [m, rad].
        """
        lines = []
        for k, level in enumerate(self.stack.levels):
            names = [n for n, task in self._tasks.items() if task in level.leaves()]
            lines += [f"{k}  {n:18} {self.residuals.get(n, 0.0):.4f}" for n in names]
            if not names:
                lines.append(f"{k}  {level.id}")
        return "\n".join([*lines, f"solver: {self.status}"])


def _feet_of(robot: RobotModel) -> tuple[Any, ...]:
    return () if robot.entry is None else robot.entry.feet


def _feet(robot: RobotModel) -> list[str]:
    return [foot.name for foot in _feet_of(robot)]


def _together(parts: list[tasks.Cartesian]) -> Task:
    return parts[0] if len(parts) == 1 else Aggregated(parts)


def serve_ik(
    session: IkSession, *, port: int = 8080, steps: int | None = None
) -> Generator[str, None, None]:
    """Show a session in the browser, on 127.0.0.1 only.

    Args:
        session: What is shown.
        port: To serve on.
        steps: Steps to take; until the generator is closed if not given.

    Yields:
        The address, before the first step and after each.
    """
    from footwork.viewer.robot_scene import RobotScene

    with view_server(port) as server:
        server.scene.set_up_direction("+z")
        height = float(session.robot.state(session.q).p_world_com[2])
        server.initial_camera.position = (2.4 * height + 0.4, 1.6 * height, 1.2 * height + 0.4)
        server.initial_camera.look_at = (0.0, 0.0, height)
        server.scene.add_grid("/ground", width=4.0, height=4.0, cell_size=0.25)
        # The scene computes in its robot's data; a model of its own keeps the session's clean.
        entry = session.robot.entry
        drawn = RobotScene(server.scene, load(entry) if entry is not None else session.robot)
        handles = _add_handles(server, session)
        panel = server.gui.add_markdown(session.text())
        button = server.gui.add_button("Stand again")
        button.on_click(lambda _: _stand_again(session, handles))
        address = f"http://127.0.0.1:{server.get_port()}"
        drawn.display(session.q)
        yield address
        taken = 0
        while steps is None or taken < steps:
            begin = time.monotonic()
            session.step()
            drawn.display(session.q)
            if taken % 5 == 0:
                panel.content = "```\n" + session.text() + "\n```"
            taken += 1
            yield address
            time.sleep(max(0.0, DT - (time.monotonic() - begin)))


def _add_handles(server: Any, session: IkSession) -> dict[str, Any]:
    handles = {}
    for name, T in session.goals.items():
        handle = server.scene.add_transform_controls(f"/goals/{name}", scale=0.15)
        _place(handle, T)
        handle.on_update(lambda event, name=name: session.set_goal(name, _pose_of(event.target)))
        handles[name] = handle
    return handles


def _place(handle: Any, T: Pose) -> None:
    x, y, z, w = T.quaternion_xyzw
    handle.position = T.translation
    handle.wxyz = (w, x, y, z)


def _pose_of(handle: Any) -> Pose:
    w, x, y, z = np.asarray(handle.wxyz, dtype=np.float64)
    q = np.array([x, y, z, w])
    return Pose(handle.position, q / np.linalg.norm(q))


def _stand_again(session: IkSession, handles: Mapping[str, Any]) -> None:
    session.reset()
    for name, handle in handles.items():
        _place(handle, session.goals[name])
