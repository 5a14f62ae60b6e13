"""Change the gait of a known robot, and push it.

python examples/walking/02_robot_and_gait_of_your_own.py
"""

from footwork.simulation import Push
from footwork.walking import WalkRequest, walk

request = WalkRequest(
    robot="talos",
    velocity=(0.4, 0.0, 0.0),
    duration=5.0,
    pushes=(Push(start=3.0, duration=0.1, force=(0.0, 250.0, 0.0)),),
    settings={"gait": {"swing_height": 0.08}, "feedback": {"dcm_gain": 3.0}},
)
print(walk(request).message)
