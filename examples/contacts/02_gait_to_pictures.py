"""A quadruped stands, trots, goes over into a crawl and stands; drawn in text and in pictures.

python examples/contacts/02_gait_to_pictures.py
"""

from pathlib import Path

from footwork.contacts import (
    ContactPhaseList,
    gaits,
    plot_footsteps,
    plot_gantt,
    read_contacts,
    seconds,
    text_gantt,
    to_seconds,
    validate,
    write_contacts,
)
from footwork.spatial import Pose

OUT = Path("runs/examples/contacts")

feet = gaits.nominal_footholds(gaits.QUADRUPED)
FAST, SLOW = (0.3, 0.0, 0.15), (0.12, 0.0, 0.1)  # m/s, m/s, rad/s
TROT, CRAWL, END = seconds(0.5), seconds(3.0), seconds(6.0)

schedule = gaits.standing(feet)
schedule = gaits.insert(
    schedule,
    gaits.named("trot"),
    begin=TROT,
    end=CRAWL,
    period=seconds(0.5),
    footholds=gaits.moving_footholds(feet, FAST, begin=TROT, end=CRAWL),
)
forward, left, turn = (v * to_seconds(CRAWL - TROT) for v in FAST)
body_after_trot = Pose.exp([forward, left, 0.0, 0.0, 0.0, turn])
schedule = gaits.insert(
    schedule,
    gaits.named("crawl"),
    begin=CRAWL,
    end=END,
    period=seconds(1.0),
    transition=seconds(0.3),
    footholds=gaits.moving_footholds(
        feet, SLOW, begin=CRAWL, end=END, T_world_body=body_after_trot
    ),
)

print(text_gantt(schedule, width=100))
for finding in validate(schedule, smallest_distance=0.1, longest_step=0.5):
    print("odd:", finding)

OUT.mkdir(parents=True, exist_ok=True)
plot_gantt(schedule, OUT / "trot_to_crawl.png", title="from a trot to a crawl")
plot_footsteps(schedule, OUT / "trot_to_crawl_from_above.svg", title="from a trot to a crawl")
write_contacts(OUT / "trot_to_crawl.json", schedule)
assert read_contacts(OUT / "trot_to_crawl.json") == schedule

fewest = (ContactPhaseList.from_lists(schedule).membership >= 0).sum(axis=1).min()
print(f"wrote three files to {OUT}; at least {fewest} feet touch")
