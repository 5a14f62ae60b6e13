"""A biped climbs a flight of stairs: contacts at 3-D poses, with patches and friction.

python examples/contacts/04_stairs.py
"""

from dataclasses import replace
from pathlib import Path

from footwork.contacts import (
    Contact,
    ContactPhaseList,
    ContactWrench,
    gaits,
    global_cop,
    plot_footsteps,
    rectangle_patch,
    seconds,
    text_gantt,
    validate,
)
from footwork.spatial import Pose

OUT = Path("runs/examples/contacts")
DEPTH, HEIGHT = 0.30, 0.16  # of a stair [m]
sole = rectangle_patch(0.13, 0.07, 0.05, 0.05)
feet = {
    name: Contact(pose=Pose.from_translation([0.0, y, 0.0]), patch=sole, friction=0.7, link=name)
    for name, y in (("left", 0.1), ("right", -0.1))
}
steps = {"left": iter(range(1, 9, 2)), "right": iter(range(2, 10, 2))}


def foothold(foot: str, touch_down: int, lift_off: int) -> Contact:
    """The next stair of this foot."""
    stair = next(steps[foot])
    return replace(feet[foot], pose=Pose([DEPTH * stair, feet[foot].pose.y, HEIGHT * stair]))


climb = gaits.insert(
    gaits.standing(feet),
    gaits.named("walk", gaits.BIPED, duty=0.7, phase=0.5),
    begin=seconds(0.5),
    end=seconds(4.0),
    period=seconds(1.2),
    footholds=foothold,
)
print(text_gantt(climb, width=90))
print("heights [m]:", {key: [round(c.pose.z, 2) for c in v] for key, v in climb.items()})
for finding in validate(climb, longest_step=0.8):
    print("odd:", finding)
OUT.mkdir(parents=True, exist_ok=True)
plot_footsteps(climb, OUT / "stairs.svg")

# in the first double support on the stairs the feet stand at different heights, and push apart
phase = ContactPhaseList.from_lists(climb)[2]
pressed = [
    ContactWrench(
        pose=contact.pose,
        name=key,
        wrench=[push, 0.0, 250.0, 0.0, 0.0, 0.0],  # N, N m
    )
    for (key, contact), push in zip(phase.active_contacts.items(), (-20.0, 20.0), strict=True)
]
print("centre of pressure [m]:", global_cop(pressed).position.round(4).tolist())
