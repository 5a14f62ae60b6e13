"""Solvers side by side on recorded problems of Talos: ours, DAQP, quadprog; one run, one thread.

    OMP_NUM_THREADS=1 python -m benchmarks.stack.solvers.compare

Velocity problems have 38 unknowns and a box; inverse dynamics has 62 unknowns, 18 equations and 66
two-sided rows. DAQP and quadprog get H and g ready-made (their making is not timed); ours gets the
cost rows A, b and makes what it needs, through the public API. A cascade for DAQP adds the upper
levels as equations A x = A x*, as usual. Times are thread CPU time in µs, medians over the ticks.
"""

import json
import platform
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import daqp
import numpy as np
import quadprog
from benchmarks.stack.solvers.workloads import inverse_dynamics_ticks, strict_ticks

from footwork.stack.solvers import Problem, StrictHierarchy

RESULTS = Path(__file__).parents[2] / "results"
ROUNDS = 5


def timed(run: Callable[[int], bool], count: int) -> dict[str, float]:
    """Run all ticks several times; the median of the rounds' medians, and the failures of one."""
    medians, highs, failures = [], [], 0
    for _ in range(ROUNDS):
        times, failures = [], 0
        for i in range(count):
            start = time.thread_time_ns()
            solved = run(i)
            times.append((time.thread_time_ns() - start) / 1e3)
            failures += not solved
        medians.append(float(np.median(times)))
        highs.append(float(np.quantile(times, 0.999)))
    return {
        "median": float(np.median(medians)),
        "p999": float(np.median(highs)),
        "failures": failures,
    }


def ours(problems: list[Problem]) -> dict[str, float]:
    solver = StrictHierarchy()
    return timed(lambda i: solver.solve(problems[i]).is_solved, len(problems))


def quadratic(problem: Problem) -> tuple[np.ndarray, ...]:
    n = problem.variable_count
    H = problem.A.T @ problem.A + 1e-9 * np.eye(n)
    low = np.concatenate([problem.lower, problem.c_lower])
    high = np.concatenate([problem.upper, problem.c_upper])
    sense = np.where(low == high, 5, 0).astype(np.int32)
    return H, -problem.A.T @ problem.b, problem.C.copy(), high, low, sense


def by_daqp(problems: list[Problem]) -> dict[str, float]:
    data = [quadratic(p) for p in problems]
    return timed(lambda i: daqp.solve(*data[i])[2] == 1, len(data))


def by_quadprog(problems: list[Problem]) -> dict[str, float]:
    data = []
    for problem in problems:
        H, f, C, high, low, sense = quadratic(problem)
        full = np.vstack([np.eye(H.shape[0]), C])
        equal = sense == 5
        lows, highs = np.isfinite(low) & ~equal, np.isfinite(high) & ~equal
        normals = np.vstack([full[equal], full[lows], -full[highs]]).T.copy()
        sides = np.concatenate([low[equal], low[lows], -high[highs]])
        data.append((H, -f, normals, sides, int(equal.sum())))

    def run(i: int) -> bool:
        quadprog.solve_qp(*data[i])
        return True

    return timed(run, len(data))


def cascade_by_daqp(problems: list[Problem]) -> dict[str, float]:
    def run(i: int) -> bool:
        problem = problems[i]
        rows, sides = np.zeros((0, problem.variable_count)), np.zeros(0)
        for k in range(problem.level_count):
            A, b = problem.A[problem.rows(k)], problem.b[problem.rows(k)]
            H = A.T @ A + 1e-9 * np.eye(problem.variable_count)
            sense = np.concatenate([np.zeros(problem.variable_count), np.full(sides.size, 5)])
            high = np.concatenate([problem.upper, sides])
            low = np.concatenate([problem.lower, sides])
            x, _, flag, _ = daqp.solve(H, -A.T @ b, rows, high, low, sense.astype(np.int32))
            if flag != 1:
                return False
            rows, sides = np.vstack([rows, A]), np.concatenate([sides, A @ x])
        return True

    return timed(run, len(problems))


def main() -> None:
    ticks, dynamics = strict_ticks(500), inverse_dynamics_ticks(300)
    velocity = {count: [t.levels(count) for t in ticks] for count in (1, 2, 3)}
    table = {
        "velocity, 1 level": {
            "footwork": ours(velocity[1]),
            "daqp": by_daqp(velocity[1]),
            "quadprog": by_quadprog(velocity[1]),
        },
        "velocity, 2 levels": {
            "footwork": ours(velocity[2]),
            "daqp cascade": cascade_by_daqp(velocity[2]),
        },
        "velocity, 3 levels": {
            "footwork": ours(velocity[3]),
            "daqp cascade": cascade_by_daqp(velocity[3]),
        },
        "inverse dynamics": {
            "footwork": ours(dynamics),
            "daqp": by_daqp(dynamics),
            "quadprog": by_quadprog(dynamics),
        },
    }
    print(
        "| problem | solver | median | 99.9 % | failures | × footwork |\n|---|---|---|---|---|---|"
    )
    for name, rows in table.items():
        base = rows["footwork"]["median"]
        for solver, r in rows.items():
            ratio = r["median"] / base
            print(
                f"| {name} | {solver} | {r['median']:.1f} | {r['p999']:.1f} | {r['failures']:.0f} "
                f"| {ratio:.2f} |"
            )
    record = {
        "unit": "us of thread CPU time",
        "machine": f"{platform.machine()} {platform.processor()} {platform.system()}, shared",
        "versions": {p: version(p) for p in ("numpy", "numba", "daqp", "quadprog")},
        "results": table,
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "stack_solvers.json").write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
