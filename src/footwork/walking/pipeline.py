"""From a request to a verdict: plan, schedule, walk, record."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footwork.errors import InputError
from footwork.recording import RunWriter
from footwork.robot import RobotModel, load
from footwork.walking.config import WalkingConfig
from footwork.walking.interface import Driver
from footwork.walking.planning import WalkPlan, plan_walk
from footwork.walking.request import WalkRequest
from footwork.walking.verdict import WalkResult

if TYPE_CHECKING:
    from footwork.walking.controller import WalkingController
    from footwork.walking.session import Progress, Watch
    from footwork.walking.walker import Operator


def walk(
    request: WalkRequest,
    *,
    folder: str | os.PathLike[str] | None = None,
    progress: "Progress | None" = None,
    watch: "Watch | None" = None,
    driver: Driver | None = None,
    operator: "Operator | None" = None,
) -> WalkResult:
    """Plan a walk and walk it, in simulation unless a driver is given.

    Args:
        request: Where to, and in what world.
        folder: Run folder, made when everything is planned; nothing is recorded when not given.
        progress: Called now and then with the part that is done, and a few words.
        watch: Called with the measurement of every control step but the first, when the run folder
            has the plan in it; may wait, such as for real time to pass.
        driver: Of a robot; the simulation when not given.
        operator: Called with the walker after every control step, to give it commands; returns
            whether more may come, without which the walk ends when the robot stands. That of the
            request's commands when not given.

    Returns:
        Verdict, figures, and the plan.

    Raises:
        InputError: If the request is wrong or cannot be planned, or has commands and there is an
            operator, too, or another argument is of no use; no folder has been made then.
        KeyboardInterrupt: After what was recorded has been completed.
    """
    if not isinstance(request, WalkRequest):
        raise InputError(f"request: expected a WalkRequest, got {request!r}")
    for name, value in {"progress": progress, "watch": watch, "operator": operator}.items():
        if value is not None and not callable(value):
            raise InputError(f"{name}: expected a function, or None, got {value!r}")
    if not isinstance(folder, str | os.PathLike | None):
        raise InputError(f"folder: expected a path, or None, got {folder!r}")
    if driver is not None and not (hasattr(driver, "read") and hasattr(driver, "write")):
        raise InputError(f"driver: expected one with read and write, or None, got {driver!r}")
    if operator is not None and request.commands:
        raise InputError("commands come from the request or from an operator, not from both")
    config = request.walking
    robot = load(request.robot)
    plan = plan_walk(robot, config, request)
    # this loads compiled kernels, which a refusal need not wait for
    from footwork.walking.session import Session
    from footwork.walking.walker import schedule_of

    world = _world(robot, request, plan) if driver is None else driver
    if request.estimator:
        from footwork.walking.estimator import EstimatingDriver

        world = EstimatingDriver(world, robot)
    controller = _controller(robot, config, plan)
    writer = _begin(folder, request, plan) if folder is not None else None
    if operator is None and request.commands:
        operator = schedule_of(request.commands)
    session = Session(controller, plan, world, request=request, writer=writer, operator=operator)
    try:
        return session.run(progress or _silent, watch)
    finally:
        session.close()


def _begin(folder: str | os.PathLike[str], request: WalkRequest, plan: WalkPlan) -> RunWriter:
    """Make the run folder, and write down what is known before the first step."""
    comment = "What this run was asked for. SI units, angles in radians."
    writer = RunWriter(folder, _repeatable(request), comment)
    writer.write_contacts(plan.contacts)
    if plan.path is not None:
        writer.write_path(plan.path)
    if plan.map is not None:
        writer.write_map(plan.map.to_table())
    return writer


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


def _controller(robot: RobotModel, config: WalkingConfig, plan: WalkPlan) -> "WalkingController":
    from footwork.walking.controller import WalkingController
    from footwork.walking.whole_body import StackWholeBody

    return WalkingController(
        robot, config, plan.sequence, StackWholeBody(robot, config, plan.start)
    )
