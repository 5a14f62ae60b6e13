"""``footwork view``: a run in the browser, or its report and replay as files."""

import argparse
from pathlib import Path

from footwork.cli.parser import port


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments.

    Args:
        parser: Of this command.
    """
    parser.description = (
        "Serve a run on 127.0.0.1 with a slider for time, until Ctrl-C. "
        "With --export, write report.html and replay.html into the run folder instead."
    )
    parser.add_argument(
        "run", nargs="?", default="runs/latest", help="run folder (default runs/latest)"
    )
    parser.add_argument("--export", action="store_true", help="write the two files, serve nothing")
    parser.add_argument("--port", type=port, default=8080, help="to serve on (default 8080)")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Args:
        arguments: As parsed.

    Returns:
        0.
    """
    from footwork.cli.serving import serve
    from footwork.recording import open_run
    from footwork.viewer import serve_replay, write_replay, write_report

    opened = open_run(Path(arguments.run))
    if arguments.export:
        print(write_report(opened))
        print(write_replay(opened))
        return 0
    serve(opened.folder.name, serve_replay(opened, port=arguments.port))
    return 0
