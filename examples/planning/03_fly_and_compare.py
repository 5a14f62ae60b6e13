"""Three planners fly a quadrotor through a window, with three seeds each; files for Planner Arena.

python examples/planning/03_fly_and_compare.py
"""

from pathlib import Path

from footwork.planning import benchmark
from footwork.planning.scene import read_scene

OUT = Path("runs/examples/planning")

scene = read_scene(Path(__file__).parent / "scenes" / "window.toml")
measured = benchmark.run(
    {scene.name: (scene.si, scene.problem)},
    ["EST", "KPIECE1", "RRT"],
    seeds=[1, 2, 3],
    time_limit=10.0,
)
print(measured.table())
logs = measured.write_log(OUT)
print(f"wrote {logs[0]} and {measured.write_sqlite(OUT / 'benchmark.db')}")
