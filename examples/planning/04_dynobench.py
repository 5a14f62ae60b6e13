"""Problems of dynobench: the path of a planner, shortened, beside the shipped solution of iDb-A*.

python examples/planning/04_dynobench.py
"""

import footwork.planning as fp
from footwork.planning import dynobench
from footwork.planning.shortcut import shortcut

files = dynobench.problem_files()
print("problem                      planned  shortened  iDb-A*")
for name in ("unicycle1_v0/kink_0", "unicycle2_v0/parallelpark_0", "car1_v0/parallelpark_0"):
    read = dynobench.read(files[name])
    path = fp.KPIECE1(read.si, seed=2).solve(read.problem, time_limit=60.0).raise_if_failed().path
    assert path is not None
    short = shortcut(path, read.problem, trials=1500)
    assert short.check(within_bounds=True)
    shipped = dynobench.shipped_cost(files[name])
    print(f"{name:28} {path.length():6.1f} s {short.length():8.1f} s {shipped:6.1f} s")
