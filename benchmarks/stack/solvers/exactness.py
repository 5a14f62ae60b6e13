"""The hierarchy against exact rational arithmetic on 2000 random problems, half with linear costs.

python -m benchmarks.stack.solvers.exactness [problems]
"""

import json
import sys
from pathlib import Path

import numpy as np
from tests.stack.solvers.exact import ExactSolution, solve_exactly
from tests.stack.solvers.random_problems import random_problem

from footwork.stack.solvers import HARD, Problem, Solution, Status, StrictHierarchy

RESULTS = Path(__file__).parents[2] / "results"


def main(count: int) -> None:
    worst = {"level residual, relative": 0.0, "violation of a hard constraint": 0.0}
    tally = {"solved": 0, "infeasible, as it should be": 0, "wrong status": 0}
    for seed in range(count):
        problem = random_problem(seed, linear=seed >= count // 2)
        exact, solution = solve_exactly(problem), StrictHierarchy().solve(problem)
        expected = Status.INFEASIBLE if exact.x is None else Status.SOLVED
        if solution.status is not expected:
            tally["wrong status"] += 1
            print("seed", seed, solution)
        elif exact.x is None:
            tally["infeasible, as it should be"] += 1
        else:
            tally["solved"] += 1
            for name, value in zip(worst, errors(problem, exact, solution), strict=True):
                worst[name] = max(worst[name], value)
    print(tally, worst)
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps({"problems": count, "counts": tally, "worst": worst}, indent=1)
    (RESULTS / "stack_exactness.json").write_text(text + "\n")


def errors(problem: Problem, exact: ExactSolution, solution: Solution) -> tuple[float, float]:
    """Worst level: |residual − exact| / max(1, |exact|); worst violation."""
    relative = 0.0
    for k, level in enumerate(solution.levels):
        wanted = np.abs(exact.residual(k))
        got = np.abs(np.concatenate([level.residual, level.violation]))
        scale = max(1.0, float(wanted.max(initial=0.0)))
        relative = max(relative, float(np.abs(got - wanted).max(initial=0.0)) / scale)
    hard = np.concatenate([np.ones(problem.variable_count, bool), problem.c_soft == HARD])
    return relative, float(solution.violation[hard].max(initial=0.0))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
