"""Our side of the comparison: the runs, each with its processor time."""

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import problems
from problems import Case

import footwork.planning as fp
from footwork.planning._kernels.kdtree import nearest
from footwork.planning._kernels.kdtree_insert import insert
from footwork.planning.planners.arrays import make_kdtree

Record = dict[str, Any]


def first_path(case: Case, name: str, seed: int, cap: float) -> Record:
    """Run a planner until its first path; all of solve is timed."""
    planner = case.planner(name, seed)
    begun = time.process_time()
    result = planner.solve(
        case.problem,
        stop_at_path=True,
        condition=lambda: time.process_time() - begun > cap,
    )
    cpu = time.process_time() - begun
    return {
        "side": "footwork",
        "problem": case.name,
        "planner": name,
        "seed": seed,
        "solved": bool(result),
        "cpu": cpu,
        "steps": result.statistics.propagation_steps,
        "cost": result.cost if result else -1.0,
        "nodes": result.statistics.nodes,
        "memory": result.statistics.memory,
    }


def cost_over_time(case: Case, seed: int, cap: float) -> Record:
    """Run SST for a while; note each better cost and when."""
    planner, costs = case.planner("SST", seed), []
    begun = time.process_time()
    result = planner.solve(
        case.problem,
        condition=lambda: time.process_time() - begun > cap,
        on_better=lambda path, cost: costs.append((time.process_time() - begun, cost)),
    )
    return {
        "side": "footwork",
        "problem": case.name,
        "planner": "SST",
        "seed": seed,
        "solved": bool(result),
        "cpu": time.process_time() - begun,
        "steps": result.statistics.propagation_steps,
        "cost": result.cost if result else -1.0,
        "costs": costs,
        "extra": result.statistics.extra,
    }


def portfolio(case: Case, seed: int, cap: float) -> Record:
    """Run the portfolio until its first path; wall time counts."""
    planner = case.portfolio(seed)
    begun, cpu = time.perf_counter(), time.process_time()
    result = planner.solve(case.problem, time_limit=cap)
    return {
        "side": "footwork",
        "problem": case.name,
        "planner": "portfolio",
        "seed": seed,
        "solved": bool(result),
        "wall": time.perf_counter() - begun,
        "cpu": time.process_time() - cpu,
        "winner": type(planner.winner).__name__,
    }


def warm_up(case: Case, names: Sequence[str] = ("RRT", "EST", "KPIECE1", "SST")) -> None:
    """Compile or load everything that the runs use."""
    for name in names:
        case.planner(name, 1).solve(case.problem, iteration_limit=20, stop_at_path=True)


def nearest_neighbours(count: int, queries: int = 20_000) -> Record:
    """Time the kd-tree in the 5-D metric on uniform points."""
    import numba
    from numba import types

    from footwork._numba import IMAT, MAT, OUT2, VEC, VOID
    from footwork.planning._kernels.kdtree import KDTREE

    @numba.njit([VOID(KDTREE, MAT, OUT2)])  # type: ignore[untyped-decorator]
    def fill(tree: Any, points: Any, scratch: Any) -> None:
        for i in range(points.shape[0]):
            insert(tree, points, i, i, 0.0, scratch)

    @numba.njit([types.int64(KDTREE, IMAT, VEC, MAT, OUT2)])  # type: ignore[untyped-decorator]
    def ask(tree: Any, table: Any, weights: Any, points: Any, scratch: Any) -> Any:
        total = 0
        for i in range(points.shape[0]):
            total += nearest(tree, table, weights, points, i, math.inf, scratch)
        return total

    rng = np.random.default_rng(1)
    low = [0, 0, -math.pi, -1, -1.5]
    high = [10, 10, math.pi, 1, 1.5]
    points, asked = rng.uniform(low, high, (count, 5)), rng.uniform(low, high, (queries, 5))
    table, weights = np.array([[0, 0, 2], [1, 2, 1], [0, 3, 2]]), np.array([1.0, 0.5, 0.3])
    tree = make_kdtree(count, np.array([1.0, 1.0, 0.5, 0.3, 0.3]))
    scratch = np.empty((4, 512))
    begun = time.process_time()
    fill(tree, points, scratch)
    inserted = time.process_time() - begun
    times = []
    for _ in range(5):
        begun = time.process_time()
        ask(tree, table, weights, asked, scratch)
        times.append(time.process_time() - begun)
    return {
        "side": "footwork",
        "points": count,
        "insert_us": 1e6 * inserted / count,
        "query_us": 1e6 * float(np.median(times)) / queries,
    }


def plain_system(obstacles: str) -> fp.SpaceInformation:
    """The 5-D unicycle with a propagator that stays plain Python, the same lines as the wheel's.

    Args:
        obstacles: "plain" for a test that stays plain Python too, the same lines as the wheel's;
            "compiled" for a function of all obstacles in turn that can be compiled, though the
            propagator cannot; "world" for Footwork's world.

    Returns:
        The system.
    """
    circles, boxes = (
        [tuple(row) for row in rows.tolist()] for rows in problems.scene_of_the_plane()
    )
    cos, sin, counted = math.cos, math.sin, 0

    def propagate(s: Any, u: Any, h: float) -> Any:
        nonlocal counted  # so does the wheel's; it cannot be compiled
        counted += 1
        x, y, t, v, w = s
        a, al = u
        half = 0.5 * h
        c1, s1 = v * cos(t), v * sin(t)
        t2, v2, w2 = t + half * w, v + half * a, w + half * al
        c2, s2 = v2 * cos(t2), v2 * sin(t2)
        t3 = t + half * w2
        c3, s3 = v2 * cos(t3), v2 * sin(t3)
        t4, v4, w4 = t + h * w2, v + h * a, w + h * al
        return (
            x + h / 6 * (c1 + 2 * c2 + 2 * c3 + v4 * cos(t4)),
            y + h / 6 * (s1 + 2 * s2 + 2 * s3 + v4 * sin(t4)),
            t + h / 6 * (w + 4 * w2 + w4),
            v4,
            w4,
        )

    def valid(state: Any) -> bool:
        x, y = state[0], state[1]
        for cx, cy, r in circles:
            if (x - cx) * (x - cx) + (y - cy) * (y - cy) < r * r:
                return False
        return all(not (a < x < b and c < y < d) for a, b, c, d in boxes)

    native = problems.cases()["unicycle"].si
    options: dict[str, Any] = {"is_valid": valid}
    if obstacles != "plain":
        options = problems.obstacles_of_the_plane(in_turn=obstacles == "compiled")
    si = fp.SpaceInformation(
        native.state_space,
        native.control_space,
        propagate=propagate,
        propagation_step_size=problems.STEP,
        max_control_steps=problems.MOST_STEPS,
        **options,
    )
    assert not si.compilation.is_native
    return si


def python_callbacks(case: Case, si: fp.SpaceInformation, seed: int, cap: float) -> Record:
    """The same planner and problem with callbacks that stay plain Python."""
    planner = fp.RRT(si, seed=seed)
    begun = time.process_time()
    result = planner.solve(
        case.problem, condition=lambda: time.process_time() - begun > cap, stop_at_path=True
    )
    return {
        "side": "footwork, plain Python",
        "problem": case.name,
        "planner": "RRT",
        "seed": seed,
        "solved": bool(result),
        "cpu": time.process_time() - begun,
        "steps": result.statistics.propagation_steps,
    }
