"""Random contacts and lists, with the coincidences that break things."""

import math

from hypothesis import strategies as st

from footwork.contacts import FOREVER, ContactList, ContactType, PlannedContact
from footwork.spatial import Pose

EARLIEST = -(2**63)

times = st.one_of(
    st.integers(-12, 30),
    st.integers(-12, 30).map(lambda k: k * 10**8),
    st.integers(EARLIEST, FOREVER),
    st.sampled_from([EARLIEST, FOREVER - 1, FOREVER, 10**9]),
)
small_times = st.integers(-4, 14)
coordinates = st.floats(-100.0, 100.0)
units = st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda q: math.hypot(*q) > 0.1)


@st.composite
def poses(draw: st.DrawFn) -> Pose:
    q = draw(units)
    norm = math.hypot(*q)
    position = [draw(coordinates) for _ in range(3)]
    return Pose(position, [c / norm for c in q])


@st.composite
def contacts(
    draw: st.DrawFn,
    time: st.SearchStrategy[int] = times,
    pose: st.SearchStrategy[Pose] | None = None,
) -> PlannedContact:
    begin, end = sorted([draw(time), draw(time)])
    return PlannedContact(
        pose=draw(poses() if pose is None else pose),
        name=draw(st.text(max_size=5)),
        index=draw(st.integers(-1, 5)),
        type=draw(st.sampled_from(ContactType)),
        friction=draw(st.none() | st.floats(0.1, 2.0)),
        patch=draw(
            st.none() | st.lists(st.tuples(coordinates, coordinates), min_size=1).map(tuple)
        ),
        link=draw(st.none() | st.text(max_size=5)),
        activation_time=begin,
        deactivation_time=end,
    )


@st.composite
def lists(
    draw: st.DrawFn,
    time: st.SearchStrategy[int] = times,
    pose: st.SearchStrategy[Pose] | None = None,
    max_size: int = 6,
) -> ContactList:
    made = ContactList(
        default_name=draw(st.text(max_size=5)),
        default_index=draw(st.integers(-1, 5)),
        default_contact_type=draw(st.sampled_from(ContactType)),
    )
    for contact in draw(st.lists(contacts(time, pose), max_size=max_size)):
        try:
            made.add_contact(contact)
        except ValueError:
            continue
    return made


flat = st.just(Pose.identity())
"""For tests that do not look at poses."""
