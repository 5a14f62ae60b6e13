"""Text files that a user names."""

from pathlib import Path

from footwork.errors import InputError


def read_text(file: str | Path) -> str:
    """Read a text file.

    Args:
        file: Its path.

    Returns:
        The text.

    Raises:
        InputError: If it cannot be read, or is no text; says why in a line.
    """
    try:
        return Path(file).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: cannot be read: no UTF-8 text, at byte {error.start}") from error
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror or error}") from error
