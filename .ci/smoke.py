"""A wheel in an empty environment: every part imports, and the first example works."""

import importlib

from footwork.contacts import FOREVER, ContactList, ContactPhaseList, seconds
from footwork.spatial import Pose

for part in (
    "contacts",
    "planning",
    "recording",
    "robot",
    "simulation",
    "stack",
    "trajectory",
    "viewer",
    "walking",
):
    importlib.import_module(f"footwork.{part}")

left, right = ContactList(default_name="left"), ContactList(default_name="right")
left.add_contact(Pose.from_translation([0.0, 0.1, 0.0]), seconds(0.0), seconds(1.2))
left.add_contact(Pose.from_translation([0.3, 0.1, 0.0]), seconds(1.6), FOREVER)
right.add_contact(Pose.from_translation([0.0, -0.1, 0.0]), seconds(0.0), FOREVER)
phases = ContactPhaseList.from_lists({"left": left, "right": right})
assert list(phases.get_present_phase(seconds(1.3)).active_contacts) == ["right"]
