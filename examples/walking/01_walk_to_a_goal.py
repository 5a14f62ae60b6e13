"""Walk G1 to a goal, and read what happened.

python examples/walking/01_walk_to_a_goal.py
"""

from math import radians

from footwork.recording import open_run
from footwork.walking import WalkRequest, walk

request = WalkRequest(robot="g1", goal=(1.0, 0.3, radians(45.0)))
result = walk(request, folder="runs/example")
print(result.message)

run = open_run("runs/example")
states = run.states
print(f"{len(states.time)} ticks; the quantities are {', '.join(states.data)}")
print(f"largest torque {abs(states['torque']).max():.1f} {states.columns['torque'].unit}")
