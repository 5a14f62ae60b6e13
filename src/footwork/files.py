"""Files that a user names: read, or refused in one line that says which one and why."""

import re
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Final

from footwork.errors import InputError

MOST_BYTES: Final = 2**30
"""Largest file that is read; a device may never end."""
PART: Final = 2**24
"""Bytes that are read at a time."""
NESTED: Final = "lists or tables lie too deep within one another"
NUMBER: Final = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?[0-9]+$")
"""Powers of ten as YAML 1.2 has them: 5e-2 is a number, which YAML 1.1 takes for text."""


def reason(file: str | Path, error: OSError | UnicodeDecodeError) -> str:
    """Say why a file cannot be read, and which one may have been meant.

    Args:
        file: Its path.
        error: What reading raised.

    Returns:
        A few words.
    """
    if isinstance(error, UnicodeDecodeError):
        return f"no UTF-8 text, at byte {error.start}"
    words = error.strerror or str(error)
    if isinstance(error, FileNotFoundError):
        near = _near(Path(file))
        words += f"; did you mean {near}?" if near else ""
    return words


def read_bytes(file: str | Path) -> bytes:
    """Read a file.

    Args:
        file: Its path.

    Returns:
        Its bytes.

    Raises:
        InputError: If it cannot be read, or is larger than 1 GiB; says why.
    """
    parts, size = [], 0
    try:
        with Path(file).open("rb") as stream:
            while size <= MOST_BYTES and (part := stream.read(PART)):
                parts.append(part)
                size += len(part)
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {reason(file, error)}") from error
    except ValueError as error:  # a name with a zero in it
        raise InputError(f"{str(file)!r}: cannot be read: {error}") from error
    if size > MOST_BYTES:
        raise InputError(f"{file}: cannot be read: it is larger than 1 GiB")
    return b"".join(parts)


def read_text(file: str | Path) -> str:
    """Read a text file.

    Args:
        file: Its path.

    Returns:
        The text, without a byte-order mark.

    Raises:
        InputError: If it cannot be read, or is no text; says why.
    """
    try:
        return read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: cannot be read: {reason(file, error)}") from error


def read_toml(file: str | Path) -> dict[str, Any]:
    """Read a TOML file.

    Args:
        file: Its path.

    Returns:
        Its tables.

    Raises:
        InputError: If it cannot be read, or is no TOML; says where.
    """
    from tomllib import TOMLDecodeError, loads

    try:
        return loads(read_text(file))
    except TOMLDecodeError as error:
        raise InputError(f"{file}: cannot be read as TOML: {error}") from error
    except RecursionError as error:
        raise InputError(f"{file}: cannot be read as TOML: {NESTED}") from error


def read_yaml(file: str | Path) -> Any:
    """Read a YAML file.

    Args:
        file: Its path.

    Returns:
        What it says; None if it is empty.

    Raises:
        InputError: If it cannot be read, or is no YAML; says where.
    """
    import yaml

    try:
        return yaml.load(read_text(file), _yaml_loader())
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f"line {error.problem_mark.line + 1}: "
        raise InputError(f"{file}: cannot be read as YAML: {line}{error.problem}") from error
    except yaml.YAMLError as error:
        words = " ".join(str(error).split())
        raise InputError(f"{file}: cannot be read as YAML: {words}") from error
    except RecursionError as error:
        raise InputError(f"{file}: cannot be read as YAML: {NESTED}") from error


@cache
def _yaml_loader() -> Any:
    """PyYAML's safe loader, with the powers of ten of YAML 1.2."""
    import yaml

    class Loader(yaml.SafeLoader):
        pass

    Loader.add_implicit_resolver("tag:yaml.org,2002:float", NUMBER, list("-+.0123456789"))
    return Loader


def _near(path: Path) -> Path | None:
    """A file of the same folder whose stem, or else whose suffix, is nearly the same."""
    try:
        others = [p for p in path.parent.iterdir() if p.exists()]
    except OSError:
        return None
    stems = {p.stem: p for p in others if p.suffix == path.suffix}
    suffixes = {p.suffix: p for p in others if p.stem == path.stem}
    for given, known in ((path.stem, stems), (path.suffix, suffixes)):
        near = get_close_matches(given, known, n=1)
        if near:
            return known[near[0]]
    return None
