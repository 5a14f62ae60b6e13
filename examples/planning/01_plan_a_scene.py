"""Read a scene, plan it, shorten the path, draw it.

python examples/planning/01_plan_a_scene.py
"""

from pathlib import Path

from footwork.planning.plots import plot_plan, plot_trajectory
from footwork.planning.scene import read_scene
from footwork.planning.shortcut import shortcut

HERE = Path(__file__).parent
OUT = Path("runs/examples/planning")

scene = read_scene(HERE / "scenes" / "trailer.toml")
result = scene.make_planner(seed=3).solve(scene.problem, time_limit=60.0)
path = result.raise_if_failed().path
assert path is not None
short = shortcut(path, scene.problem, trials=1000)
print(
    f"{scene.name}: {result.status.value}, {path.length():.1f} s, shortened {short.length():.1f} s"
)
print(f"valid: {short.check()}, {result.statistics.nodes} nodes")

OUT.mkdir(parents=True, exist_ok=True)
data = result.planner_data()
plot_plan(short, problem=scene.problem, data=data, title=scene.name).savefig(OUT / "trailer.png")
plot_trajectory(short, title=scene.name).savefig(OUT / "trailer_controls.png")
print(f"wrote {OUT}/trailer.png and trailer_controls.png")
