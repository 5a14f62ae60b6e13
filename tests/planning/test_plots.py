import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from PIL import Image

from footwork.errors import BackendError, InputError
from footwork.planning import (
    Goal,
    GoalBox,
    GoalState,
    PathControl,
    PlanningResult,
    Problem,
    models,
    plots,
)
from footwork.planning.planners import RRT
from footwork.planning.problem import Status, StoppedBy
from footwork.planning.scene import read_scene
from footwork.planning.worlds import Circles, Disc, OccupancyGrid, Rectangle
from tests.planning.test_scene import EXAMPLES


@pytest.fixture(scope="module")
def plan() -> tuple[Problem, PlanningResult]:
    world = Circles([[2.0, 1.0]], 0.4, footprint=Disc(0.1))
    si = models.unicycle([0, 0], [4, 2], is_valid=world, speed=(-1.0, 1.0), turn_rate=(-2.0, 2.0))
    problem = Problem([0.5, 1.0, 0.0], [3.5, 1.0, 0.0], goal_tolerance=0.5)
    result = RRT(si, seed=1).solve(problem, time_limit=60.0)
    assert result
    return problem, result


def test_world_tree_path_and_ends_are_in_one_picture(
    plan: tuple[Problem, PlanningResult], tmp_path: Path
) -> None:
    problem, result = plan
    figure = plots.plot_plan(result, problem=problem, title="mine")
    axes = figure.axes[0]
    assert axes.get_title() == "mine"
    assert (axes.get_xlabel(), axes.get_xlim()) == ("x [m]", (0.0, 4.0))
    assert len(axes.patches) == 2  # the obstacle, and how far from the goal still counts
    tree = [c for c in axes.collections if hasattr(c, "get_segments")]
    assert sum(len(c.get_segments()) for c in tree) == result.planner_data().edge_count
    figure.savefig(tmp_path / "plan.png")
    assert len(np.unique(np.asarray(Image.open(tmp_path / "plan.png")).reshape(-1, 4), axis=0)) > 5


def test_states_and_controls_are_drawn_over_time(plan: tuple[Problem, PlanningResult]) -> None:
    path = plan[1].path
    assert path is not None
    figure = plots.plot_trajectory(path)
    assert [axes.get_ylabel() for axes in figure.axes] == ["x", "y", "yaw", "u0", "u1"]
    times = figure.axes[3].lines[0].get_xdata()
    assert np.asarray(times)[-1] == pytest.approx(path.length())


def test_an_animation_lasts_as_long_as_the_path(
    plan: tuple[Problem, PlanningResult], tmp_path: Path
) -> None:
    path = plan[1].path
    assert path is not None
    done: list[tuple[int, int]] = []
    file = plots.animate(
        path,
        tmp_path / "plan.gif",
        problem=plan[0],
        frame_rate=2.0,
        speed=4.0,
        progress=lambda *at: done.append(at),
    )
    assert done == [(i, len(done)) for i in range(len(done))]
    assert len(done) > 1
    with Image.open(file) as movie:
        frames = getattr(movie, "n_frames", 1)
    assert frames == pytest.approx(path.length() / 4.0 * 2.0, abs=2)


@pytest.mark.parametrize("name", ["window", "office"])
def test_worlds_of_space_and_maps_are_drawn(name: str, tmp_path: Path) -> None:
    scene = read_scene(next(file for file in EXAMPLES if file.stem == name))
    path = PathControl(scene.si)
    path.append(scene.problem.starts[0])
    u = 0.5 * (scene.si.control_space.low + scene.si.control_space.high)
    path.append(scene.si.propagate(path.states[0], u, 0.2), u, 0.2)
    plots.plot_plan(path, problem=scene.problem).savefig(tmp_path / "plan.png", dpi=40)
    assert (tmp_path / "plan.png").stat().st_size > 3000


def test_angles_without_a_place_are_drawn_too() -> None:
    si = models.acrobot()
    path = PathControl(si)
    path.append([3.0, 0.0, 2.0, 0.0])
    path.append(si.propagate(path.states[0], [0.0], 0.3), [0.0], 0.3)
    figure = plots.plot_plan(path)
    line = figure.axes[0].lines[0].get_xydata()
    assert np.isnan(np.asarray(line)).any()  # the jump from π to −π is not drawn
    assert figure.axes[0].get_xlabel() == "angle"


def test_what_cannot_be_drawn_says_so(plan: tuple[Problem, PlanningResult], tmp_path: Path) -> None:
    nothing = PlanningResult(status=Status.TIMEOUT, stopped_by=StoppedBy.TIME)
    with pytest.raises(InputError, match="neither a path nor a tree"):
        plots.plot_plan(nothing)
    path = plan[1].path
    assert path is not None
    single = PathControl(path.space_information)
    single.append(path.states[0])
    with pytest.raises(InputError, match="without controls"):
        plots.plot_trajectory(single)
    with pytest.raises(InputError, match="above 0"):
        plots.animate(path, tmp_path / "x.gif", frame_rate=0.0)


def test_a_turned_map_is_where_its_cells_are(tmp_path: Path) -> None:
    from matplotlib.figure import Figure

    grid = OccupancyGrid(
        [[True, False]],
        resolution=1.0,
        origin=(2.0, 1.0, np.pi / 2),
        outside="free",
        footprint=Rectangle(0.1, 0.1),
    )
    figure = Figure(figsize=(4, 4), dpi=50)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0, 4), ylim=(0, 4))
    plots.draw_world(axes, grid)
    axes.set(xlim=(0, 4), ylim=(0, 4))
    axes.set_axis_off()
    figure.savefig(tmp_path / "grid.png")
    dark = np.asarray(Image.open(tmp_path / "grid.png").convert("L")).astype(float) < 160
    for x, y in ((1.5, 1.5), (1.5, 2.5), (2.5, 1.5)):
        row, column = round((4 - y) * 50), round(x * 50)
        assert dark[row, column] == (not grid.is_free([x, y, 0.0]))


def test_a_film_goes_through_ffmpeg(
    plan: tuple[Problem, PlanningResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ffmpeg = tmp_path / "ffmpeg"
    ffmpeg.write_text('#!/bin/sh\nfor last; do :; done\ncat > "$last"\n', encoding="ascii")
    ffmpeg.chmod(0o755)
    monkeypatch.setitem(matplotlib.rcParams, "animation.ffmpeg_path", str(ffmpeg))
    path = plan[1].path
    assert path is not None
    file = plots.animate(path, tmp_path / "new" / "plan.mp4", frame_rate=2.0, speed=4.0)
    assert file.stat().st_size > 10_000
    ffmpeg.write_text("#!/bin/sh\ncat > /dev/null\nexit 3\n", encoding="ascii")
    with pytest.raises(BackendError, match="ffmpeg failed"):
        plots.animate(path, tmp_path / "plan.mp4", frame_rate=2.0, speed=4.0)


def test_the_ffmpeg_of_a_package_writes_a_film_of_the_right_length(
    plan: tuple[Problem, PlanningResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = pytest.importorskip("imageio_ffmpeg")
    monkeypatch.setitem(matplotlib.rcParams, "animation.ffmpeg_path", str(tmp_path / "no"))
    path = plan[1].path
    assert path is not None
    file = plots.animate(path, tmp_path / "plan.mp4", frame_rate=5.0, speed=2.0)
    frames, seconds = package.count_frames_and_secs(str(file))
    assert frames == len(np.arange(0.0, path.length() + 0.4, 0.4))
    assert seconds == pytest.approx(frames / 5.0, abs=0.05)


def test_a_film_without_ffmpeg_names_what_to_install(
    plan: tuple[Problem, PlanningResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(matplotlib.rcParams, "animation.ffmpeg_path", str(tmp_path / "no"))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    path = plan[1].path
    assert path is not None
    with pytest.raises(BackendError, match=r"pip install 'footwork\[animate\]'"):
        plots.animate(path, tmp_path / "plan.mp4")
    with pytest.raises(InputError, match=r"\.gif or \.mp4, got '\.avi'"):
        plots.animate(path, tmp_path / "plan.avi")


def test_the_region_of_a_goal_is_drawn() -> None:
    si = models.unicycle([0, 0], [4, 2])
    path = PathControl(si)
    path.append([1.0, 1.0, 0.0])

    def region(goal: Goal) -> list[float]:
        figure = plots.plot_plan(path, problem=Problem([1.0, 1.0, 0.0], goal))
        return [float(v) for v in figure.axes[0].patches[-1].get_extents().size] + [
            float(v) for v in figure.axes[0].transData.transform([[0, 0], [1, 1]]).ravel()
        ]

    width, height, x0, y0, x1, y1 = region(GoalState([3.0, 1.0, 0.0], 0.25, axes=[0, 1]))
    assert width / (x1 - x0) == pytest.approx(0.5)
    assert height / (y1 - y0) == pytest.approx(0.5)
    box = GoalBox([3.0, 0.5, -np.inf], [np.inf, 1.0, np.inf])
    width, height, x0, y0, x1, y1 = region(box)
    assert width / (x1 - x0) == pytest.approx(1.0)
    assert height / (y1 - y0) == pytest.approx(0.5)


def test_many_curves_stand_in_two_columns() -> None:
    si = models.quadrotor([-1, -1, 0], [1, 1, 2])
    path = PathControl(si)
    path.append(np.array([0, 0, 1.0, *[0] * 9]))
    path.append(path.get_state(0), [9.81, 0, 0, 0], 0.5)
    figure = plots.plot_trajectory(path)
    labels = [axes.get_ylabel() for axes in figure.axes if axes.get_ylabel()]
    assert len(labels) == 16
    assert labels[1::2][-4:] == ["u0", "u1", "u2", "u3"]  # at the foot of the second column
    assert figure.get_figheight() < 10.0
