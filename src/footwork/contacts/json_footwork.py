"""Footwork's own file of contact lists: versioned, and without any loss."""

from collections.abc import Mapping
from typing import Any, Final

from footwork.contacts.contact import ContactType, PlannedContact
from footwork.contacts.contact_list import ContactList
from footwork.contacts.json_fields import JsonObject, Place, kind_of
from footwork.contacts.nanoseconds import FOREVER
from footwork.errors import ContactOverlapError, InputError
from footwork.spatial import Pose

FORMAT: Final = "footwork-contacts"
"""What stands under ``format`` in such a file."""
VERSION: Final = 1
"""The version that is written, and the newest that is read."""

_TYPES: Final = {contact_type.value: contact_type for contact_type in ContactType}
_DEFAULTS: Final = ("default_name", "default_index", "default_type")
_REQUIRED: Final = (
    "activation_time_ns",
    "deactivation_time_ns",
    "position",
    "quaternion_xyzw",
    "name",
    "index",
    "type",
)
_OPTIONAL: Final = ("friction", "patch", "link")


def to_document(lists: Mapping[str, ContactList]) -> dict[str, Any]:
    """Turn lists into what the file says.

    Args:
        lists: Key → list.

    Returns:
        A tree of JSON values.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "lists": {key: _list_to(contacts) for key, contacts in lists.items()},
    }


def from_document(document: JsonObject, place: Place, *, repair: bool) -> dict[str, ContactList]:
    """Turn what a file says into lists.

    Args:
        document: Its outermost object.
        place: The file.
        repair: Whether a quaternion off unit is divided by its norm.

    Returns:
        Key → list.
    """
    place.check_keys(document, ("format", "version", "lists"), ())
    if document["format"] != FORMAT:
        place.fail(f"expected {FORMAT!r}, got {kind_of(document['format'])}", "format")
    version = place.integer(document, "version")
    if not 1 <= version <= VERSION:
        place.fail(f"this Footwork reads version {VERSION}, got {version}", "version")
    lists = place.check_object(document["lists"], "one member a list")
    return {
        key: _list_from(value, place.inside(list_name=key), repair=repair)
        for key, value in lists.items()
    }


def in_order(
    contacts: list[PlannedContact], place: Place, activation: str, **defaults: Any
) -> ContactList:
    """Make a list of the contacts of a file; an overlap is named by its entries.

    Args:
        contacts: The contacts, one an entry.
        place: The list in its file.
        activation: Name of the field with the activation time.
        **defaults: Defaults of the list.

    Returns:
        The list.
    """
    try:
        return ContactList(contacts, **defaults)
    except ContactOverlapError as error:
        entries = [i for i, c in enumerate(contacts) if c is error.contact or c is error.other]
        first, last = entries[0], entries[-1]
        what = str(error).partition(": ")[2].partition(";")[0]
        place.inside(entry=last).fail(f"conflicts with contact {first}: {what}", activation)


def check_activation(contact: PlannedContact, place: Place, field: str) -> None:
    """Refuse a contact that ends before it begins.

    Args:
        contact: The contact.
        place: Where it stands.
        field: Name of the field with the activation time.
    """
    if contact.activation_time > contact.deactivation_time:
        place.fail(
            f"the activation, {contact.activation_time} ns, is after the deactivation, "
            f"{contact.deactivation_time} ns",
            field,
        )


def _list_to(contacts: ContactList) -> dict[str, Any]:
    return {
        "default_name": contacts.default_name,
        "default_index": contacts.default_index,
        "default_type": contacts.default_contact_type.value,
        "contacts": [_contact_to(contact) for contact in contacts],
    }


def _contact_to(contact: PlannedContact) -> dict[str, Any]:
    deactivation = contact.deactivation_time
    row: dict[str, Any] = {
        "activation_time_ns": contact.activation_time,
        "deactivation_time_ns": "forever" if deactivation == FOREVER else deactivation,
        "position": contact.pose.translation.tolist(),
        "quaternion_xyzw": contact.pose.quaternion_xyzw.tolist(),
        "name": contact.name,
        "index": contact.index,
        "type": contact.type.value,
    }
    for key in _OPTIONAL:
        if getattr(contact, key) is not None:
            row[key] = getattr(contact, key)
    return row


def _list_from(value: object, place: Place, *, repair: bool) -> ContactList:
    row = place.check_object(value, "defaults and contacts")
    place.check_keys(row, (*_DEFAULTS, "contacts"), ())
    entries = place.check_array(row["contacts"], "contacts")
    contacts = [
        _contact_from(entry, place.inside(entry=i), repair=repair)
        for i, entry in enumerate(entries)
    ]
    return in_order(
        contacts,
        place,
        "activation_time_ns",
        default_name=place.string(row, "default_name"),
        default_index=place.integer(row, "default_index"),
        default_contact_type=_type_from(row, "default_type", place),
    )


def _contact_from(value: object, place: Place, *, repair: bool) -> PlannedContact:
    row = place.check_object(value, "the fields of a contact")
    place.check_keys(row, _REQUIRED, _OPTIONAL)
    forever = row["deactivation_time_ns"] == "forever"
    contact = PlannedContact(
        pose=Pose(
            place.vector(row, "position", 3),
            place.quaternion(row, "quaternion_xyzw", repair=repair),
        ),
        name=place.string(row, "name"),
        index=place.integer(row, "index"),
        type=_type_from(row, "type", place),
        activation_time=place.integer(row, "activation_time_ns"),
        deactivation_time=FOREVER if forever else place.integer(row, "deactivation_time_ns"),
        **_options_from(row, place),
    )
    check_activation(contact, place, "activation_time_ns")
    return contact


def _options_from(row: JsonObject, place: Place) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if "friction" in row:
        options["friction"] = place.number(row["friction"], "friction")
    if "link" in row:
        options["link"] = place.string(row, "link")
    if "patch" in row:
        options["patch"] = row["patch"]
    for key, option in options.items():
        try:
            PlannedContact(**{key: option})
        except InputError as error:
            place.fail(str(error).removeprefix(f"{key}: "), key)
    return options


def _type_from(row: JsonObject, key: str, place: Place) -> ContactType:
    found = place.string(row, key)
    if found not in _TYPES:
        place.fail(f"expected {' or '.join(map(repr, _TYPES))}, got {found!r}", key)
    return _TYPES[found]
