"""Random operations on a contact list and on its naive twin: same answers, same list, always."""

import pickle
from itertools import pairwise
from typing import Any, Literal

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from footwork.contacts import FOREVER, ContactList, PlannedContact
from footwork.errors import FootworkError
from footwork.spatial import Pose

from . import naive

times = st.one_of(
    st.integers(-6, 24), st.integers(-6, 24), st.sampled_from([-(2**63), FOREVER - 1, FOREVER])
)
positions = st.integers(-8, 8)
periods = st.one_of(st.integers(1, 7), st.sampled_from([2**62, 2**63 - 1]))


class ContactListMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.label = 0

    @initialize()
    def start(self) -> None:
        self.list = ContactList(default_name="foot")
        self.twin = naive.List()

    def contact(self, activation: int, deactivation: int) -> tuple[PlannedContact, naive.Contact]:
        self.label += 1
        made = PlannedContact(
            name=str(self.label), activation_time=activation, deactivation_time=deactivation
        )
        return made, naive.Contact(activation, deactivation, str(self.label))

    def both(self, ours: Any, theirs: Any) -> None:
        """Either both do it with one answer, or both refuse."""
        try:
            expected = theirs()
        except (naive.Refused, IndexError):
            expected = naive.Refused
        try:
            answer = ours()
        except FootworkError:
            answer = naive.Refused
        assert answer == expected

    @rule(activation=times, deactivation=times)
    def add(self, activation: int, deactivation: int) -> None:
        made, twin = self.contact(activation, deactivation)
        self.both(lambda: self.list.add_contact(made) and None, lambda: self.twin.add(twin))

    @rule(activation=times, deactivation=times)
    def add_pose(self, activation: int, deactivation: int) -> None:
        twin = naive.Contact(activation, deactivation, "foot")
        self.both(
            lambda: self.list.add_contact(Pose.identity(), activation, deactivation) and None,
            lambda: self.twin.add(twin),
        )

    @rule(at=positions, activation=times, deactivation=times, item=st.booleans())
    def edit(self, at: int, activation: int, deactivation: int, item: bool) -> None:
        made, twin = self.contact(activation, deactivation)
        size = len(self.list)

        def theirs() -> None:
            if not -size <= at < size:
                raise naive.Refused
            self.twin.edit(at % size, twin)

        if item:
            self.both(lambda: self.list.__setitem__(at, made), theirs)
        else:
            self.both(lambda: self.list.edit_contact(at, made), theirs)

    @rule(at=positions, item=st.booleans())
    def erase(self, at: int, item: bool) -> None:
        size = len(self.list)

        def theirs() -> int | None:
            if not -size <= at < size:
                raise naive.Refused
            following = self.twin.erase(at % size)
            return None if item else following

        if item:
            self.both(lambda: self.list.__delitem__(at), theirs)
        else:
            self.both(lambda: self.list.erase(at), theirs)

    @rule()
    def remove_last(self) -> None:
        self.both(
            lambda: self.list.remove_last_contact().name, lambda: self.twin.contacts.pop().label
        )

    @rule(start=positions, stop=positions)
    def delete_a_slice(self, start: int, stop: int) -> None:
        del self.list[start:stop]
        del self.twin.contacts[start:stop]

    @rule(time=times)
    def keep_only_present(self, time: int) -> None:
        self.both(
            lambda: self.list.keep_only_present_contact(time) and None,
            lambda: self.twin.keep_only_present(time),
        )

    @rule()
    def clear(self) -> None:
        self.list.clear()
        self.twin.contacts.clear()

    @rule(dt=periods, rounding=st.sampled_from(["outward", "nearest"]))
    def force_sample_time(self, dt: int, rounding: Literal["outward", "nearest"]) -> None:
        self.both(
            lambda: self.list.force_sample_time(dt, rounding),
            lambda: self.twin.force_sample_time(dt, rounding),
        )
        if self.list.are_contacts_sampled(dt):
            once = self.list.copy()
            self.list.force_sample_time(dt, rounding)
            assert self.list == once

    @rule(dt=periods)
    def are_sampled(self, dt: int) -> None:
        assert self.list.are_contacts_sampled(dt) == self.twin.are_sampled(dt)

    @rule(many=st.lists(times, min_size=1, max_size=8))
    def look_up(self, many: list[int]) -> None:
        for which in ("active", "present", "next", "previous"):
            expected = [getattr(self.twin, which)(time) for time in many]
            by_index = getattr(self.list, f"{which}_index")
            assert by_index(many).tolist() == expected
            assert [by_index(time) for time in many] == expected
            contact = getattr(self.list, f"get_{which}_contact")(many[0])
            assert contact is (None if expected[0] < 0 else self.list[expected[0]])

    @rule(start=positions, stop=positions)
    def copies_do_not_share(self, start: int, stop: int) -> None:
        before = self.list.copy()
        part = self.list[start:stop]
        assert list(part) == list(self.list)[start:stop]
        assert part.default_name == "foot"
        part.clear()
        copy = pickle.loads(pickle.dumps(self.list))
        assert copy == self.list == before
        copy.clear()
        assert self.list == before

    @invariant()
    def lists_agree(self) -> None:
        if not hasattr(self, "list"):
            return
        found = [naive.Contact(c.activation_time, c.deactivation_time, c.name) for c in self.list]
        assert found == self.twin.contacts
        assert len(self.list) == len(found)
        for a, b in pairwise(self.list):
            assert a.activation_time < b.activation_time >= a.deactivation_time
        assert list(reversed(self.list)) == list(self.list)[::-1]
        assert self.list.activation_times.tolist() == [c.activation for c in found]
        assert self.list.deactivation_times.tolist() == [c.deactivation for c in found]
        assert ContactList(reversed(self.list), default_name="foot") == self.list


ContactListMachine.TestCase.settings = settings(max_examples=100, stateful_step_count=40)
TestContactList = ContactListMachine.TestCase
