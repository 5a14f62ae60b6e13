"""Two feet, their contact lists, and the phases between events.

python examples/contacts/01_lists_and_phases.py
"""

import numpy as np

from footwork.contacts import (
    FOREVER,
    ContactList,
    ContactPhaseList,
    fixed_foot,
    seconds,
    text_gantt,
    to_seconds,
)
from footwork.errors import ContactOverlapError
from footwork.spatial import Pose


def foot(name: str, y: float, *spans: tuple[float, float, float]) -> ContactList:
    contacts = ContactList(default_name=name)
    for x, touch_down, lift_off in spans:
        contacts.add_contact(Pose.from_xy_yaw(x, y, 0.0), seconds(touch_down), seconds(lift_off))
    return contacts


forever = to_seconds(FOREVER)
left = foot("l_sole", 0.1, (0.0, 0.0, 1.0), (0.4, 1.6, 3.2), (0.6, 3.8, forever))
right = foot("r_sole", -0.1, (0.0, 0.0, 2.1), (0.6, 2.7, forever))
print(left)

# what does not fit is refused, and nothing has changed
try:
    left.add_contact(Pose.identity(), seconds(0.5), seconds(0.8))
except ContactOverlapError as error:
    print(f"\nrefused: {error}")

phases = ContactPhaseList.from_lists({"left": left, "right": right})
print(f"\n{text_gantt(phases, width=90)}\n\n{phases}\n")

# many times at once: how many feet touch, every 0.4 s
grid = np.arange(0, seconds(4.4), seconds(0.4))
touching = (left.active_index(grid) >= 0).astype(int) + (right.active_index(grid) >= 0)
print("feet that touch:", dict(zip([to_seconds(t) for t in grid], touching.tolist(), strict=True)))

# the frame that odometry may hold on to
for t in (0.5, 1.3, 1.9, 2.5):
    found = fixed_foot(phases, seconds(t))
    print(f"fixed foot at {t} s: {found.key if found else None}")
