"""Reading JSON with every value checked, so that a fault is named with its place."""

import json
import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from footwork import files
from footwork.contacts.nanoseconds import FIRST_INSTANT, FOREVER
from footwork.errors import ContactFileError, InputError

_KINDS = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    type(None): "null",
}


class JsonObject(dict[str, Any]):
    """A JSON object that remembers which of its keys stand in it twice."""

    repeated: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where in a file something stands, and how to complain about it.

    Attributes:
        file: Path of the file, or what stands in its place.
        list_name: Key of the list.
        entry: Index of the contact in its list.
    """

    file: str
    list_name: str | None = None
    entry: int | None = None

    def inside(self, *, list_name: str | None = None, entry: int | None = None) -> "Place":
        """Go into a list or a contact.

        Args:
            list_name: Key of the list; this one's when not given.
            entry: Index of the contact.

        Returns:
            The place there.
        """
        return replace(
            self, list_name=self.list_name if list_name is None else list_name, entry=entry
        )

    def fail(self, problem: str, field: str | None = None) -> NoReturn:
        """Raise the error of a broken file.

        Args:
            problem: What is wrong, what was expected, what came.
            field: The field it is about.

        Raises:
            ContactFileError: Always.
        """
        raise ContactFileError(
            problem, file=self.file, list_name=self.list_name, entry=self.entry, field=field
        )

    # Structure

    def check_object(self, value: object, what: str) -> JsonObject:
        """Insist on an object without repeated keys.

        Args:
            value: What was read.
            what: What it should be, in words.

        Returns:
            The object.
        """
        if not isinstance(value, JsonObject):
            self.fail(f"expected an object with {what}, got {kind_of(value)}")
        if value.repeated:
            self.fail(f"the key {value.repeated[0]!r} stands there twice")
        return value

    def check_keys(
        self, value: JsonObject, required: Iterable[str], optional: Iterable[str]
    ) -> None:
        """Insist on all required keys and on no unknown one.

        Args:
            value: The object.
            required: Keys that must be there.
            optional: Keys that may be there.
        """
        known = [*required, *optional]
        for key in required:
            if key not in value:
                self.fail(f"the key is missing; expected {', '.join(required)}", key)
        for key in value:
            if key not in known:
                self.fail(f"unknown key; known are {', '.join(known)}", key)

    def check_array(self, value: object, what: str) -> list[Any]:
        """Insist on an array.

        Args:
            value: What was read.
            what: What it should hold, in words.

        Returns:
            The array.
        """
        if not isinstance(value, list):
            self.fail(f"expected an array of {what}, got {kind_of(value)}")
        return value

    # Fields

    def string(self, value: JsonObject, key: str) -> str:
        """Read a string.

        Args:
            value: The object.
            key: Its key.

        Returns:
            The string.
        """
        found = value[key]
        if not isinstance(found, str):
            self.fail(f"expected a string, got {kind_of(found)}", key)
        return found

    def integer(self, value: JsonObject, key: str) -> int:
        """Read a whole number of 64 bits.

        Args:
            value: The object.
            key: Its key.

        Returns:
            The number.
        """
        found = value[key]
        if isinstance(found, bool) or not isinstance(found, int):
            self.fail(f"expected a whole number, got {kind_of(found)}", key)
        if not FIRST_INSTANT <= found <= FOREVER:
            self.fail(f"expected a whole number of 64 bits, got {found}", key)
        return found

    def number(self, value: object, key: str, *, infinite: bool = False) -> float:
        """Check a real number.

        Args:
            value: What was read.
            key: The field, for the error message.
            infinite: Whether infinity is taken.

        Returns:
            The number.
        """
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.fail(f"expected a number, got {kind_of(value)}", key)
        number = float(value) if abs(value) < 1e300 or isinstance(value, float) else math.inf
        if math.isnan(number) or (math.isinf(number) and not infinite):
            self.fail(f"expected a finite number, got {kind_of(value)}", key)
        return number

    def vector(self, value: JsonObject, key: str, size: int) -> list[float]:
        """Read numbers.

        Args:
            value: The object.
            key: Its key.
            size: How many there must be.

        Returns:
            The numbers.
        """
        found = value[key]
        if not isinstance(found, list):
            self.fail(f"expected an array of {size} numbers, got {kind_of(found)}", key)
        if len(found) != size:
            self.fail(f"expected {size} numbers, got {len(found)}", key)
        return [self.number(c, f"{key}[{i}]") for i, c in enumerate(found)]

    def quaternion(self, value: JsonObject, key: str, *, repair: bool) -> list[float]:
        """Read a unit quaternion (x, y, z, w).

        Args:
            value: The object.
            key: Its key.
            repair: Whether one that is off unit is divided by its norm.

        Returns:
            Its components, of norm 1 within 1e-6.
        """
        q = self.vector(value, key, 4)
        norm = math.hypot(*q)
        if abs(norm - 1.0) <= 1e-6:
            return q
        if norm < 1e-12 or not repair:
            hint = "; repair=True divides it by its norm" if norm >= 1e-12 else ""
            self.fail(f"expected a unit quaternion (x, y, z, w), got norm {norm:.9g}{hint}", key)
        return [c / norm for c in q]


def kind_of(value: object) -> str:
    """Say what was read, shortly.

    Args:
        value: What was read.

    Returns:
        Kind and value.
    """
    words = next((w for kind, w in _KINDS.items() if type(value) is kind), "an object")
    try:
        text = json.dumps(value)
    except RecursionError:  # nested about as deep as can be read
        return words
    return words if len(text) > 40 else f"{words}: {text}"


def parse(text: str, place: Place) -> object:
    """Parse JSON; objects become `JsonObject`.

    Args:
        text: The text.
        place: The file, for the error message.

    Returns:
        What it says.
    """
    if not text.strip():
        place.fail("the file is empty; a file without any list says {}")
    try:
        return json.loads(text, object_pairs_hook=_object_of)
    except json.JSONDecodeError as error:
        place.fail(f"no valid JSON at line {error.lineno}, column {error.colno}: {error.msg}")
    except (RecursionError, ValueError) as error:
        place.fail(f"no valid JSON: {error}")


def as_path(path: str | os.PathLike[str]) -> Path:
    """Check the name of a file.

    Args:
        path: The name.

    Returns:
        The path.

    Raises:
        InputError: If it is neither a string nor a path.
        ContactFileError: If no file can have that name.
    """
    if not isinstance(path, str | os.PathLike) or isinstance(os.fspath(path), bytes):
        raise InputError(f"path: expected a string or a path, got {path!r}")
    result = Path(path)
    try:
        usable = b"\0" not in os.fsencode(result) and os.fspath(path) != ""
    except UnicodeEncodeError:
        usable = False
    if not usable:
        raise ContactFileError("no file can have this name", file=repr(str(path)))
    return result


def read_text(path: Path) -> str:
    """Read a file as text.

    Args:
        path: The file.

    Returns:
        Its text, without a byte-order mark.

    Raises:
        ContactFileError: If it cannot be read, is larger than 1 GiB, or is no UTF-8.
    """
    try:
        return files.read_text(path)
    except InputError as error:
        problem = str(error).removeprefix(f"{path}: ")
        raise ContactFileError(problem, file=str(path)) from error


def _object_of(pairs: list[tuple[str, Any]]) -> JsonObject:
    value = JsonObject(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        value.repeated = tuple(key for key in value if keys.count(key) > 1)
    return value
