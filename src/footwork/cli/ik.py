"""``footwork ik``: inverse kinematics in the browser, by dragging hands and feet."""

import argparse

from footwork.cli.parser import port
from footwork.errors import InputError


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments.

    Args:
        parser: Of this command.
    """
    parser.description = (
        "Serve a robot on 127.0.0.1 whose hands and feet can be dragged, until Ctrl-C. "
        "The levels of the stack and what is left of each are shown beside it."
    )
    parser.add_argument("--robot", default="g1", help="name of the robot (default g1)")
    parser.add_argument("--port", type=port, default=8080, help="to serve on (default 8080)")
    parser.add_argument(
        "--steps", type=int, help="solve so many steps without a browser, and print what is left"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Args:
        arguments: As parsed.

    Returns:
        0.

    Raises:
        InputError: If no step, or fewer, is asked for.
    """
    from footwork.cli.serving import serve
    from footwork.cli.warm_up import missing_kernels
    from footwork.planning.planners.progress import compiling
    from footwork.robot import load
    from footwork.viewer.ik import IkSession, serve_ik

    if arguments.steps is not None and arguments.steps < 1:
        raise InputError(f"--steps: expected 1 or more, got {arguments.steps}")
    session = IkSession(load(arguments.robot))
    with compiling(shown=bool(missing_kernels(("stack",)))):
        session.step()
    session.reset()
    if arguments.steps is not None:
        for _ in range(arguments.steps):
            session.step()
        print(session.text())
        return 0
    serve(arguments.robot, serve_ik(session, port=arguments.port))
    return 0
