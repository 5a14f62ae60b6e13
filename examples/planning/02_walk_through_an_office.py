"""The base of a walking robot in a map of ROS: plan, then read the path as a walking controller.

python examples/planning/02_walk_through_an_office.py
"""

from pathlib import Path

import footwork.planning as fp
from footwork.planning import models
from footwork.planning.resample import sample
from footwork.planning.shortcut import shortcut, smooth
from footwork.planning.worlds import OccupancyGrid, Rectangle

MAP = Path(__file__).parent / "scenes" / "office.yaml"

world = OccupancyGrid.from_ros(MAP, unknown="occupied", footprint=Rectangle(0.4, 0.6))
base = models.omnidirectional_base(
    [0, 0], [12, 8], forward_speed=(-0.2, 0.6), lateral_speed=0.3, turn_rate=0.8, is_valid=world
)
goal = fp.GoalState([11.0, 6.8, 0.0, 0.0, 0.0, 0.0], 0.4, axes=[0, 1])
problem = fp.Problem([1.0, 1.0, 0.0, 0.0, 0.0, 0.0], goal)

result = fp.EST(base, seed=1).solve(problem, time_limit=60.0)
path = result.raise_if_failed().path
assert path is not None
even = smooth(shortcut(path, problem, trials=600), problem, trials=200)
print(f"found {path.length():.1f} s, shortened and smoothed {even.length():.1f} s: {even.check()}")

times, states, _ = sample(even, rate=2.0)
print("   t      x      y    yaw     vx     vy  omega")
for time, row in list(zip(times, states, strict=True))[:8]:
    print(f"{time:4.1f} " + " ".join(f"{value:6.2f}" for value in row))
