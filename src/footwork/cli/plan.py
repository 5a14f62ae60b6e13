"""``footwork plan``: plan the motion of a scene, write path, pictures and a summary."""

import argparse
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footwork.errors import InputError

if TYPE_CHECKING:
    from footwork.planning import PathControl, PlanningResult
    from footwork.planning.scene import Scene

EXAMPLES = """examples:
  footwork plan examples/planning/scenes/garden.toml
  footwork plan scene.toml --planner EST --time-limit 2 --seed 7 --out runs/mine
  footwork plan unicycle1_v0/kink_0.yaml     a problem file of dynobench
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments.

    Args:
        parser: Of this command.
    """
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = (
        "Plan the motion of a scene. Writes path.npz, path.txt (a matrix as OMPL prints it), "
        "plan.png, trajectory.png and summary.json. Exit status 1 if the goal is not reached."
    )
    parser.epilog = EXAMPLES
    parser.add_argument("scene", metavar="SCENE", help="toml file of a scene, or dynobench's yaml")
    parser.add_argument(
        "--planner",
        metavar="NAME",
        help="instead of the scene's, such as EST or MultipleShooting; a wrong name lists all",
    )
    parser.add_argument(
        "--time-limit", type=float, metavar="SECONDS", help="for planning, instead of the scene's"
    )
    parser.add_argument("--seed", type=int, help="of the planner, instead of the scene's")
    parser.add_argument("--out", metavar="DIR", help="folder to write to (default runs/SCENE)")
    parser.add_argument(
        "--improve", action="store_true", help="plan for the whole time, keep the best path"
    )
    parser.add_argument(
        "--no-shortcut", action="store_true", help="keep the planner's path as it is"
    )
    parser.add_argument("--gif", action="store_true", help="write plan.gif as well")
    parser.add_argument(
        "--animate",
        metavar="FILE",
        help="write the motion as .gif, or as .mp4 (pip install 'footwork[animate]')",
    )
    parser.add_argument("--no-tree", action="store_true", help="do not draw the tree")
    parser.add_argument("--quiet", action="store_true", help="no progress, one line at the end")


def run(arguments: argparse.Namespace) -> int:
    """Plan and write.

    Args:
        arguments: Parsed.

    Returns:
        0 if the goal is reached, else 1.

    Raises:
        InputError: If the scene cannot be planned: a field is wrong, start or goal not valid.
    """
    from footwork.planning.files import written
    from footwork.planning.planners.progress import compiling
    from footwork.planning.scene import read_scene

    scene = read_scene(arguments.scene)
    if arguments.animate:
        from footwork.planning.animation import animation_writer

        animation_writer(arguments.animate)  # what is missing is said before planning
    planner = scene.make_planner(planner=arguments.planner, seed=arguments.seed)
    with compiling(shown=not arguments.quiet):
        bound = planner.prepare(scene.problem)
    if bound.failure is not None:  # nothing is written then
        raise InputError(f"{arguments.scene}: {bound.message}")
    folder = Path(arguments.out or Path("runs") / scene.name)
    with written(folder / "summary.json"):
        pass
    limit = scene.time_limit if arguments.time_limit is None else arguments.time_limit
    result = planner.solve(
        scene.problem,
        time_limit=limit,
        stop_at_path=not (scene.improve or arguments.improve),
        progress=not arguments.quiet,
    )
    path = result.path
    if path is not None and scene.shortcut and not arguments.no_shortcut:
        path = _shortened(path, scene)
    summary = _summary(scene, type(planner).__name__, planner.seed, result, path)
    _write_files(folder, summary, path)
    _draw(folder, scene, result, path, title=_title(summary), no_tree=arguments.no_tree)
    wanted = [folder / "plan.gif"] if arguments.gif else []
    films = [*wanted, *filter(None, [arguments.animate])] if path is not None else []
    for film in films:
        assert path is not None
        _film(film, scene, path, quiet=arguments.quiet)
    print(_line(summary, folder) + "".join(f" and {film}" for film in films))
    return 0 if result else 1


def _shortened(path: "PathControl", scene: "Scene") -> "PathControl":
    from footwork.planning.shortcut import shortcut

    return shortcut(path, scene.problem, seed=0, time_limit=2.0)


def _summary(
    scene: "Scene",
    planner: str,
    seed: int,
    result: "PlanningResult",
    path: "PathControl | None",
) -> dict[str, Any]:
    statistics = result.statistics
    found = result.path
    objective = scene.problem.objective
    return {
        "scene": scene.name,
        "planner": planner,
        "seed": seed,
        "status": result.status.value,
        "stopped_by": result.stopped_by.value,
        "message": result.message,
        "remaining_distance": _finite(result.remaining_distance),
        "planned": None if found is None else {"duration": found.length(), "cost": result.cost},
        "written": None
        if path is None
        else {
            "duration": path.length(),
            "cost": path.cost(objective),
            "controls": path.control_count,
            "check": path.check(),
        },
        "iterations": statistics.iterations,
        "nodes": statistics.nodes,
        "propagation_steps": statistics.propagation_steps,
        "elapsed_time": statistics.elapsed_time,
        "cpu_time": statistics.cpu_time,
        "time_to_first": statistics.time_to_first,
        "compilation": str(scene.si.compilation),
    }


def _write_files(folder: Path, summary: dict[str, Any], path: "PathControl | None") -> None:
    from footwork.planning.files import written

    with written(folder / "summary.json") as file:
        file.write_text(json.dumps(summary, indent=2) + "\n", "utf-8")
    if path is not None:
        path.to_npz(folder / "path.npz")
        path.print_as_matrix(folder / "path.txt")


def _draw(
    folder: Path,
    scene: "Scene",
    result: "PlanningResult",
    path: "PathControl | None",
    *,
    title: str,
    no_tree: bool,
) -> None:
    from footwork.planning import plots

    drawn = path or result.approximate_path
    if drawn is None:
        return
    data = None if no_tree else result.planner_data()
    figure = plots.plot_plan(drawn, problem=scene.problem, data=data, title=title)
    figure.savefig(folder / "plan.png", dpi=110)
    if drawn.control_count:
        plots.plot_trajectory(drawn, title=title).savefig(folder / "trajectory.png", dpi=90)


def _film(file: str | Path, scene: "Scene", path: "PathControl", *, quiet: bool) -> None:
    from footwork.cli.progress import progress_bar
    from footwork.planning import plots

    if not quiet:
        seconds = f"{path.length():.0f} s"
        print(f"drawing {file}: a second or two for each of its {seconds}", file=sys.stderr)
    with progress_bar("film", quiet=quiet) as bar:
        plots.animate(
            path,
            file,
            problem=scene.problem,
            progress=bar and (lambda i, n: bar((i + 1) / n, f"picture {i + 1} of {n}")),
        )


def _title(summary: dict[str, Any]) -> str:
    written = summary["written"]
    lasts = "" if written is None else f", {written['duration']:.2f} s"
    return f"{summary['scene']}: {summary['status']}{lasts} ({summary['planner']})"


def _finite(value: float) -> float | None:
    """JSON has no infinity."""
    return value if math.isfinite(value) else None


def _line(summary: dict[str, Any], folder: Path) -> str:
    written = summary["written"]
    if written is None:
        rest = summary["remaining_distance"]
        why = summary["message"] or (
            "nothing found" if rest is None else f"{rest:.3g} short of the goal"
        )
        what = f"{summary['status']}: {why} (try a longer --time-limit or another --planner)"
    else:
        what = f"path of {written['duration']:.2f} s with {written['controls']} controls"
        shorter = summary["planned"]["duration"] - written["duration"]
        what += f" (planned {shorter:.2f} s longer)" if shorter > 0.005 else ""
    return (
        f"{summary['scene']}: {what}; {summary['planner']} seed {summary['seed']}, "
        f"{summary['nodes']} nodes in {summary['elapsed_time']:.2f} s; wrote {folder}"
    )
