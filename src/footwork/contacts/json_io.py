"""Contact lists in files: Footwork's own format, and that of bipedal-locomotion-framework."""

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex
from typing import Literal, TypeAlias

from footwork.contacts import json_blf, json_footwork
from footwork.contacts.contact import check_kind
from footwork.contacts.contact_list import ContactList
from footwork.contacts.json_fields import JsonObject, Place, as_path, parse, read_text
from footwork.errors import ContactFileError, InputError

Format: TypeAlias = Literal["footwork", "blf"]
"""Footwork's own format, or that of bipedal-locomotion-framework."""


def read_contacts(path: str | os.PathLike[str], *, repair: bool = False) -> dict[str, ContactList]:
    """Read contact lists from a file of either format.

    Args:
        path: The file. It is Footwork's own when it has the member ``format``; otherwise it is
            read as upstream's, one member a list.
        repair: Whether a quaternion off unit by more than 1e-6 is divided by its norm, instead of
            being an error.

    Returns:
        Key → list, in the order of the file.

    Raises:
        ContactFileError: If anything in it is wrong: names file, list, entry and field.
        InputError: If the path is neither a string nor a path.
    """
    return contacts_from_json(read_text(as_path(path)), repair=repair, source=str(path))


def write_contacts(
    path: str | os.PathLike[str], lists: Mapping[str, ContactList], *, format: Format = "footwork"
) -> tuple[str, ...]:
    """Write contact lists into a file, whole or not at all.

    Args:
        path: The file; overwritten when it exists. A device or a pipe is written to.
        lists: Key → list.
        format: ``"footwork"`` loses nothing; ``"blf"`` is what upstream's reader takes.

    Returns:
        What the file does not say, a line each; empty in Footwork's own format.

    Raises:
        InputError: If the format has another name, something is no list, or the path no path.
        ContactFileError: If the file cannot be written.
    """
    text, lost = contacts_to_json(lists, format=format)
    target = as_path(path)
    try:
        _write_whole(target, text)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ContactFileError(f"cannot be written: {reason}", file=str(path)) from error
    return lost


def contacts_from_json(
    text: str, *, repair: bool = False, source: str = "JSON text"
) -> dict[str, ContactList]:
    """Read contact lists from a text of either format, as `read_contacts` does from a file.

    Args:
        text: The text.
        repair: Whether a quaternion off unit is divided by its norm.
        source: Where the text comes from, for the error message.

    Returns:
        Key → list, in the order of the text.

    Raises:
        ContactFileError: If anything in it is wrong.
    """
    check_kind("text", text, str, "a string")
    place = Place(file=source)
    document = parse(text, place)
    if document is None:
        return {}
    document = place.check_object(document, "contact lists")
    # a list of upstream's called "format" is an array
    if "format" in document and not isinstance(document["format"], list):
        return json_footwork.from_document(document, place, repair=repair)
    _check_no_own_keys(document, place)
    return json_blf.from_document(document, place, repair=repair)


def contacts_to_json(
    lists: Mapping[str, ContactList], *, format: Format = "footwork"
) -> tuple[str, tuple[str, ...]]:
    """Write contact lists as text, as `write_contacts` does into a file.

    Args:
        lists: Key → list.
        format: ``"footwork"`` or ``"blf"``.

    Returns:
        The text, and what it does not say, a line each.

    Raises:
        InputError: If the format has another name, or something is no list.
    """
    check_kind("lists", lists, Mapping, "a dict of ContactList")
    for key, contacts in lists.items():
        check_kind("key of a list", key, str, "a string")
        check_kind(f"list {key!r}", contacts, ContactList, "a ContactList")
    check_kind("format", format, str, "'footwork' or 'blf'")
    match format:
        case "footwork":
            return _one_contact_a_line(json_footwork.to_document(lists)) + "\n", ()
        case "blf":
            document, lost = json_blf.to_document(lists)
            return _dump(document) + "\n", lost
    raise InputError(f"format: expected 'footwork' or 'blf', got {format!r}")


def _write_whole(path: Path, text: str) -> None:
    """Write a file under another name and rename it, so that nobody ever sees half of it."""
    if path.exists() and not path.is_file():  # /dev/stdout must not become a file
        path.write_text(text, encoding="utf-8")
        return
    target = Path(os.path.realpath(path))  # a link stays one
    temporary = target.with_name(f".{token_hex(8)}.tmp")  # its own in every thread
    try:
        temporary.write_text(text, encoding="utf-8")
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    finally:  # after Ctrl-C as well
        temporary.unlink(missing_ok=True)


def _check_no_own_keys(document: JsonObject, place: Place) -> None:
    """Tell a file of ours that lost its ``format`` from one of upstream's."""
    if "version" in document and isinstance(document.get("lists"), dict):
        place.fail(f"the key is missing; expected {json_footwork.FORMAT!r}", "format")


def _one_contact_a_line(document: Mapping[str, object]) -> str:
    """Indent the document down to its contacts, so that people and diff can read it."""
    lists = document["lists"]
    assert isinstance(lists, dict)
    blocks = []
    for key, entry in lists.items():
        rows = ",\n".join(f"        {_dump(row)}" for row in entry["contacts"])
        members = [f"      {_dump(k)}: {_dump(v)}" for k, v in entry.items() if k != "contacts"]
        members.append(f'      "contacts": [\n{rows}\n      ]' if rows else '      "contacts": []')
        blocks.append(f"    {_dump(key)}: {{\n" + ",\n".join(members) + "\n    }")
    inner = "{\n" + ",\n".join(blocks) + "\n  }" if blocks else "{}"
    head = ",\n".join(f'  "{key}": {_dump(document[key])}' for key in ("format", "version"))
    return f'{{\n{head},\n  "lists": {inner}\n}}'


def _dump(value: object) -> str:
    """Write one value in one line; half a surrogate pair, which UTF-8 has not, is escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False)
    return text
