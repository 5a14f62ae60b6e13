import math
from collections.abc import Callable

import numpy as np
import pytest

from footwork.errors import InputError
from footwork.planning import (
    CompoundControlSpace,
    DiscreteControlSpace,
    PathControl,
    Problem,
    RealVectorControlSpace,
    RealVectorStateSpace,
    SpaceInformation,
    models,
)
from footwork.planning.objectives import ControlEffort
from footwork.planning.planners import KPIECE1, RRT
from footwork.planning.resample import resample, sample, time_scale
from footwork.planning.shortcut import shortcut, smooth
from footwork.planning.worlds import Circles, Disc

WORLD = Circles([[2.0, 1.0], [3.2, 2.2]], [0.5, 0.4], footprint=Disc(0.1))
SYSTEMS: dict[str, Callable[[], tuple[SpaceInformation, Problem]]] = {
    "unicycle": lambda: (
        models.unicycle([0, 0], [4, 3], is_valid=WORLD, speed=(-0.5, 1.0), turn_rate=(-2, 2)),
        Problem([0.5, 0.5, 0.0], [3.5, 1.0, 0.0], goal_tolerance=0.3),
    ),
    "second_order_unicycle": lambda: (
        models.second_order_unicycle([0, 0], [4, 3], is_valid=WORLD),
        Problem([0.5, 0.5, 0, 0, 0], [3.5, 1.0, 0, 0, 0], goal_tolerance=0.6),
    ),
    "double_integrator": lambda: (
        models.double_integrator([0, 0], [4, 3], is_valid=WORLD),
        Problem([0.5, 0.5, 0, 0], [3.5, 1.0, 0, 0], goal_tolerance=0.4),
    ),
}


def planned(name: str, seed: int) -> tuple[PathControl, Problem]:
    si, problem = SYSTEMS[name]()
    path = KPIECE1(si, seed=seed).solve(problem, time_limit=60.0).raise_if_failed().path
    assert path is not None
    return path, problem


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("seed", [1])
def test_a_shortened_path_is_right_and_never_longer(name: str, seed: int) -> None:
    path, problem = planned(name, seed)
    before = (path.states.copy(), path.control_durations.copy())
    short = shortcut(path, problem, seed=seed, trials=150)
    si = path.space_information
    assert short.check(within_bounds=True)
    assert short.length() <= path.length()
    assert problem.goal.is_satisfied(si.state_space, short.states[-1])
    np.testing.assert_array_equal(short.states[0], path.states[0])
    assert (short.controls >= si.control_space.low).all()
    assert (short.controls <= si.control_space.high).all()
    steps = short.control_durations / si.propagation_step_size
    np.testing.assert_allclose(steps, np.round(steps), atol=1e-9)
    assert steps.max() <= si.max_control_steps + 1e-9
    np.testing.assert_array_equal(path.states, before[0])
    np.testing.assert_array_equal(path.control_durations, before[1])


def test_detours_are_cut() -> None:
    path, problem = planned("unicycle", 3)
    short = shortcut(path, problem, trials=600)
    assert short.length() < 0.6 * path.length()
    # no way is shorter than the straight line at full speed
    assert short.length() >= (math.hypot(3.0, 0.5) - 0.3) / 1.0 - 1e-9


def test_the_seed_decides_the_result() -> None:
    path, problem = planned("unicycle", 1)
    one, two = (shortcut(path, problem, seed=4, trials=60) for _ in range(2))
    assert one == two


def test_without_a_problem_the_end_stays() -> None:
    path, _ = planned("unicycle", 1)
    short = shortcut(path, trials=150)
    assert short.check()
    assert short.length() <= path.length()
    space = path.space_information.state_space
    assert space.distance(short.states[-1], path.states[-1]) <= 1e-6


def test_another_objective_does_not_get_worse() -> None:
    path, problem = planned("double_integrator", 1)
    effort = ControlEffort()
    short = shortcut(path, problem, trials=80, objective=effort)
    assert short.cost(effort) <= path.cost(effort) * (1.0 + 1e-6)
    assert short.length() <= path.length()


def test_a_smoothed_path_changes_its_controls_less_in_the_same_time() -> None:
    path, problem = planned("unicycle", 2)
    even = smooth(path, problem, trials=150)
    assert even.check(within_bounds=True)
    assert even.length() == pytest.approx(path.length())
    assert problem.goal.is_satisfied(path.space_information.state_space, even.states[-1])

    def roughness(p: PathControl) -> float:
        return float(np.abs(np.diff(p.controls, axis=0)).sum())

    assert roughness(even) < 0.9 * roughness(path)


def test_discrete_controls_stay_whole() -> None:
    def gears(x: np.ndarray, u: np.ndarray) -> tuple[float, float]:
        return 0.5 * u[0] * math.cos(u[1]), 0.5 * u[0] * math.sin(u[1])

    si = SpaceInformation(
        RealVectorStateSpace([0, 0], [4, 4]),
        CompoundControlSpace([DiscreteControlSpace(0, 2), RealVectorControlSpace([-3.2], [3.2])]),
        dynamics=gears,
        propagation_step_size=0.1,
    )
    problem = Problem([0.5, 0.5], [3.5, 3.5], goal_tolerance=0.2)
    path = RRT(si, seed=1).solve(problem, time_limit=60.0).raise_if_failed().path
    assert path is not None
    short = shortcut(path, problem, trials=100)
    assert short.check()
    assert short.length() <= path.length()
    assert set(short.controls[:, 0]) <= {0.0, 1.0, 2.0}


def test_a_path_that_is_not_valid_is_refused() -> None:
    path, problem = planned("unicycle", 1)
    path.states[-1] += 0.01
    with pytest.raises(InputError, match="only a valid path"):
        shortcut(path, problem)


def test_paths_with_parts_of_a_step_come_back_unchanged() -> None:
    si, _ = SYSTEMS["unicycle"]()
    path = PathControl(si)
    path.append([0.5, 0.5, 0.0])
    path.append(si.propagate([0.5, 0.5, 0.0], [0.5, 0.1], 0.33), [0.5, 0.1], 0.33)
    assert shortcut(path, trials=20) == path


def test_a_resampled_path_is_the_same_motion() -> None:
    path, _ = planned("unicycle", 1)
    h = path.space_information.propagation_step_size
    for count in (1, 3):
        fine = resample(path, count * h)
        assert fine.check()
        assert fine.length() == pytest.approx(path.length())
        assert fine.control_durations.max() <= count * h + 1e-12
        for time in np.linspace(0.0, path.length(), 17):
            np.testing.assert_allclose(fine.state_at(time), path.state_at(time), atol=1e-9)
    with pytest.raises(InputError, match="whole number of propagation steps"):
        resample(path, 1.5 * h)
    with pytest.raises(InputError, match="whole number of propagation steps"):
        resample(path, math.nan)


def test_samples_are_what_a_controller_reads() -> None:
    path, _ = planned("unicycle", 1)
    times, states, controls = sample(path, 8.0)
    assert times[0] == 0.0
    assert times[-1] == pytest.approx(path.length())
    assert len(times) == len(states) == len(controls)
    np.testing.assert_allclose(states[3], path.state_at(float(times[3])))
    ends = np.cumsum(path.control_durations)
    for t, u in zip(times[:-1], controls[:-1], strict=True):
        np.testing.assert_array_equal(u, path.controls[int((ends <= t + 1e-9).sum())])
    with pytest.raises(InputError, match="above 0 Hz"):
        sample(path, 0.0)


def test_time_stretches_under_the_dynamics() -> None:
    path, _ = planned("unicycle", 1)
    slow = time_scale(path, 2.0)
    assert slow.check()
    assert slow.length() == pytest.approx(2.0 * path.length())
    space = path.space_information.state_space
    for time in np.linspace(0.0, path.length(), 9):
        gap = space.distance(slow.state_at(2.0 * time), path.state_at(float(time)))
        assert gap < 1e-3
    with pytest.raises(InputError, match="outside"):
        time_scale(path, 0.1)
    with pytest.raises(InputError, match="factor"):
        time_scale(path, -1.0)


def test_velocities_in_the_state_scale_with_their_powers() -> None:
    path, _ = planned("double_integrator", 1)
    slow = time_scale(path, 1.5, control_powers=2, state_powers=[0, 0, 1, 1])
    assert slow.check()
    np.testing.assert_allclose(slow.states[:, :2], path.states[:, :2], atol=1e-3)
    with pytest.raises(InputError, match="does not scale"):
        time_scale(path, 1.5)
