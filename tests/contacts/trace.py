"""Reading the recorded answers of upstream, and speaking their language."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from footwork.contacts import ContactList, ContactType, PlannedContact
from footwork.spatial import Pose

from . import naive

DATA = Path(__file__).parents[1] / "data" / "contacts"


def lines(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def pose(number: int) -> Pose:
    return Pose.from_translation([number, 2 * number, -number])


def to_contact(row: list[Any]) -> PlannedContact:
    activation, deactivation, number, name, index, kind = row
    return PlannedContact(
        pose=pose(number),
        name=name,
        index=index,
        type=ContactType.POINT if kind else ContactType.FULL,
        activation_time=activation,
        deactivation_time=deactivation,
    )


def to_row(contact: PlannedContact) -> list[Any]:
    return [
        contact.activation_time,
        contact.deactivation_time,
        int(contact.pose.x),
        contact.name,
        contact.index,
        int(contact.type is ContactType.POINT),
    ]


def to_rows(contacts: ContactList) -> list[list[Any]]:
    return [to_row(contact) for contact in contacts]


def to_naive(rows: list[list[Any]]) -> naive.List:
    return naive.List([naive.Contact(row[0], row[1], row[2:]) for row in rows])


def from_naive(twin: naive.List) -> list[list[Any]]:
    return [[c.activation, c.deactivation, *c.label] for c in twin.contacts]  # type: ignore[misc]
