"""The landing of a foot is moved while it is in the air, and what may not change is refused.

python examples/contacts/03_replan_in_mid_swing.py
"""

from footwork.contacts import ContactList, replan, seconds
from footwork.errors import ContactReplanError
from footwork.spatial import Pose


def walk(start: float, landing: float, at: float) -> ContactList:
    contacts = ContactList(default_name="l_sole")
    contacts.add_contact(Pose.from_xy_yaw(start, 0.1, 0.0), 0, seconds(1.0))
    contacts.add_contact(Pose.from_xy_yaw(landing, 0.1, 0.0), seconds(at), seconds(3.0))
    return contacts


current = walk(0.0, 0.20, 2.0)
in_the_air, on_the_ground = seconds(1.3), seconds(0.5)

pushed = replan(current, walk(0.0, 0.35, 1.7), in_the_air)
print("after a push at 1.3 s it lands further and earlier:")
print(pushed)

attempts = {
    "land in 10 ms": (walk(0.0, 0.2, 1.31), in_the_air),
    "stand at once": (walk(0.0, 0.2, 1.2), in_the_air),
    "move a foot that stands": (walk(0.001, 0.2, 2.0), on_the_ground),
}
for what, (new, now) in attempts.items():
    try:
        replan(current, new, now, shortest_swing_left=seconds(0.1))
    except ContactReplanError as error:
        print(f"{what}: {error}")
