"""Files that a user names: read, or refused in one line that says which one and why."""

from difflib import get_close_matches
from pathlib import Path
from typing import Any

from footwork.errors import InputError


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
        InputError: If it cannot be read; says why.
    """
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {reason(file, error)}") from error


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
        return yaml.safe_load(read_text(file))
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f"line {error.problem_mark.line + 1}: "
        raise InputError(f"{file}: cannot be read as YAML: {line}{error.problem}") from error
    except yaml.YAMLError as error:
        words = " ".join(str(error).split())
        raise InputError(f"{file}: cannot be read as YAML: {words}") from error


def _near(path: Path) -> Path | None:
    """A file of the same folder whose name is nearly the same."""
    try:
        stems = {p.stem: p for p in path.parent.iterdir() if p.suffix == path.suffix}
    except OSError:
        return None
    near = get_close_matches(path.stem, stems, n=1)
    return stems[near[0]] if near else None
