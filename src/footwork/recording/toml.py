"""Writing TOML: what `tomllib` reads, for nested dicts of plain values."""

from collections.abc import Mapping
from math import isinf, isnan
from typing import Any

from footwork.errors import InputError


def format_toml(table: Mapping[str, Any], *, comment: str = "") -> str:
    """Write a nested dict as TOML; keys without a value (None) are left out.

    Args:
        table: Names → strings, numbers, truth values, lists, dicts, or lists of dicts.
        comment: First lines of the file.

    Returns:
        The text.

    Raises:
        InputError: If a value is of another kind; names the key.

    Example:
        >>> print(format_toml({"robot": "g1", "goal": (1.0, 0.5), "gait": {"width": 0.2}}))
        robot = "g1"
        goal = [1.0, 0.5]
        <BLANKLINE>
        [gait]
        width = 0.2
        <BLANKLINE>
    """
    lines = [f"# {line}" for line in comment.splitlines()]
    _add_table(lines, table, "")
    return "\n".join(lines) + "\n"


def _add_table(lines: list[str], table: Mapping[str, Any], path: str) -> None:
    tables: list[tuple[str, Any]] = []
    for key, value in table.items():
        if value is None:
            continue
        if isinstance(value, Mapping) or _is_array_of_tables(value):
            tables.append((key, value))
        else:
            lines.append(f"{_key(key)} = {_value(value, path + key)}")
    for key, value in tables:
        name = path + _key(key)
        for entry, brackets in _entries(value):
            lines.append("")
            lines.append(brackets.format(name))
            _add_table(lines, entry, f"{name}.")


def _is_array_of_tables(value: object) -> bool:
    if not isinstance(value, (list, tuple)):
        return False
    return bool(value) and all(isinstance(v, Mapping) for v in value)


def _entries(value: Any) -> list[tuple[Mapping[str, Any], str]]:
    if isinstance(value, Mapping):
        return [(value, "[{}]")]
    return [(entry, "[[{}]]") for entry in value]


def _key(key: str) -> str:
    bare = key.replace("_", "").replace("-", "")
    return key if bare.isascii() and bare.isalnum() else _string(key)


def _value(value: object, where: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return (
            "nan"
            if isnan(value)
            else ("-inf" if value < 0 else "inf")
            if isinf(value)
            else repr(value)
        )
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v, where) for v in value) + "]"
    raise InputError(f"{where}: cannot be written as TOML: {value!r}")


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else _escape(c) for c in escaped) + '"'


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
