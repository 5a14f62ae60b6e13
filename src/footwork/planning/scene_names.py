"""Names in scene files that are not known: what is said of them, and what may have been meant."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import inspect


def unknown_name(where: str, name: str, known: Iterable[str]) -> str:
    """Say that a name is not known, which ones are, and which may have been meant.

    Args:
        where: Place of the name in the file.
        name: What is written there.
        known: What may be written there.

    Returns:
        One line.
    """
    from footwork.robot.frames import near_names

    names = list(known)
    near = near_names(name, names)[:1]
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{where}{name!r} is not known; known: {', '.join(names)}{hint}"


def explain(error: msgspec.ValidationError, table: object, kind: type) -> str:
    """Put what is wrong with a table into words that list the valid names.

    Args:
        error: What msgspec says.
        table: What it read.
        kind: Class of the whole table.

    Returns:
        One line that begins with the place.
    """
    problem, _, place = str(error).partition(" - at `$")
    steps = re.findall(r"\.(\w+)|\[(\d+)\]", place)
    where = place.rstrip("`").lstrip(".")
    missing = re.fullmatch(r"Object missing required field `(.*)`", problem)
    found = re.fullmatch(r"(?:Invalid (?:enum )?value '(.*)'|.* unknown field `(.*)`)", problem)
    if found is None and missing is None:
        return f"{where}: {problem}" if where else problem
    value, field = (None, "") if found is None else (found[1], found[2])
    types = [inspect.type_info(kind)]
    for name, index in steps if value is None else steps[:-1]:
        types = list(_below(types, table, name))
        table = _part(table, name or int(index))
    structs = [t for t in _alternatives(types) if isinstance(t, inspect.StructType)]
    if missing is not None:
        tags = [repr(t.tag) for t in structs if t.tag_field == missing[1]]
        one_of = f", one of {', '.join(tags)}" if tags else ""
        return f"{f'{where}: ' if where else ''}missing field `{missing[1]}`{one_of}"
    if value is None:
        return unknown_name(
            f"{where}: field " if where else "field ", field, _fields(structs, table)
        )
    name = steps[-1][0]
    if any(t.tag_field == name for t in structs):
        known = [str(t.tag) for t in structs]
    else:
        known = list(_literals(_below(types, table, name)))
    return unknown_name(f"{where}: ", value, known)


def _part(table: Any, key: str | int) -> Any:
    try:
        return table[key]
    except (LookupError, TypeError):
        return None


def _alternatives(types: Iterable[inspect.Type]) -> Iterator[inspect.Type]:
    for kind in types:
        if isinstance(kind, inspect.UnionType):
            yield from _alternatives(kind.types)
        else:
            yield kind


def _chosen(types: Iterable[inspect.Type], table: object) -> list[inspect.StructType]:
    """Structs that the table can be: the one that its tag names, else all."""
    structs = [t for t in _alternatives(types) if isinstance(t, inspect.StructType)]
    tagged = [t for t in structs if t.tag_field and _part(table, t.tag_field) == t.tag]
    return tagged or structs


def _below(types: Iterable[inspect.Type], table: object, name: str) -> Iterator[inspect.Type]:
    # types of a field of the table, or of the items of a list where there is no name
    if not name:
        yield from (t.item_type for t in _alternatives(types) if isinstance(t, inspect.ListType))
    for struct in _chosen(types, table):
        yield from (f.type for f in struct.fields if f.encode_name == name)


def _fields(structs: Iterable[inspect.Type], table: object) -> Iterator[str]:
    for struct in _chosen(structs, table):
        yield from [struct.tag_field] if struct.tag_field else []
        yield from (field.encode_name for field in struct.fields)


def _literals(types: Iterable[inspect.Type]) -> Iterator[str]:
    for kind in _alternatives(types):
        if isinstance(kind, inspect.LiteralType):
            yield from map(str, kind.values)
