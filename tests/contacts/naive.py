"""The plainest possible contact list and phases: every answer straight from its definition."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

FOREVER = 2**63 - 1


@dataclass(frozen=True)
class Contact:
    activation: int
    deactivation: int
    label: object = None


class Refused(Exception):
    """The list says no; it has not changed."""


def is_good(contacts: list[Contact]) -> bool:
    """No contact inverted, no activation twice, no two overlapping, whatever their order."""
    for i, a in enumerate(contacts):
        if a.activation > a.deactivation:
            return False
        for b in contacts[:i]:
            if a.activation == b.activation:
                return False
            if a.activation < b.deactivation and b.activation < a.deactivation:
                return False
    return True


def floor(time: int, dt: int) -> int:
    return time // dt * dt


def ceil(time: int, dt: int) -> int:
    return -(-time // dt) * dt


def half_up(time: int, dt: int) -> int:
    return (2 * time + dt) // (2 * dt) * dt


class List:
    def __init__(self, contacts: list[Contact] | None = None) -> None:
        self.contacts = list(contacts or [])

    def _become(self, contacts: list[Contact]) -> None:
        if not is_good(contacts):
            raise Refused
        self.contacts = sorted(contacts, key=lambda c: c.activation)

    def add(self, contact: Contact) -> None:
        self._become([*self.contacts, contact])

    def edit(self, index: int, contact: Contact) -> None:
        changed = [*self.contacts[:index], contact, *self.contacts[index + 1 :]]
        if changed != sorted(changed, key=lambda c: c.activation):
            raise Refused
        self._become(changed)

    def erase(self, index: int) -> int | None:
        del self.contacts[index]
        return index if index < len(self.contacts) else None

    def keep_only_present(self, time: int) -> None:
        i = self.present(time)
        if i < 0:
            raise Refused
        self.contacts = [self.contacts[i]]

    def force_sample_time(self, dt: int, rounding: str = "outward") -> None:
        down, up = (floor, ceil) if rounding == "outward" else (half_up, half_up)
        moved = []
        for c in self.contacts:
            a = floor(c.activation, dt) if c.activation == FOREVER else down(c.activation, dt)
            d = FOREVER if c.deactivation == FOREVER else up(c.deactivation, dt)
            if a < -(2**63) or (d >= FOREVER and c.deactivation != FOREVER):
                raise Refused
            if a >= FOREVER and c.activation != FOREVER:
                raise Refused
            moved.append(replace(c, activation=a, deactivation=d))
        self._become(moved)

    def are_sampled(self, dt: int) -> bool:
        return all(
            c.activation % dt == 0 and (c.deactivation % dt == 0 or c.deactivation == FOREVER)
            for c in self.contacts
        )

    def active(self, time: int) -> int:
        return self._last([c.activation <= time < c.deactivation for c in self.contacts])

    def present(self, time: int) -> int:
        return self._last([c.activation <= time for c in self.contacts])

    def previous(self, time: int) -> int:
        return self._last([c.deactivation <= time for c in self.contacts])

    def next(self, time: int) -> int:
        later = [i for i, c in enumerate(self.contacts) if c.activation > time]
        return later[0] if later else -1

    @staticmethod
    def _last(holds: list[bool]) -> int:
        return max((i for i, yes in enumerate(holds) if yes), default=-1)


Phase: TypeAlias = tuple[int, int, dict[str, int]]


def phases(lists: dict[str, list[Contact]]) -> list[Phase]:
    """One phase between two successive events; active is what holds throughout."""
    events = sorted(
        {c.activation for contacts in lists.values() for c in contacts}
        | {c.deactivation for contacts in lists.values() for c in contacts}
    )
    result = []
    for begin, end in pairwise(events):
        active = {
            key: i
            for key, contacts in lists.items()
            for i, c in enumerate(contacts)
            if c.activation <= begin and end <= c.deactivation
        }
        result.append((begin, end, active))
    return result
