"""The one rule for files that planning writes: missing folders are made, what fails is said."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from footwork.errors import InputError
from footwork.planning.arguments import file_name


@contextmanager
def written(file: object) -> Iterator[Path]:
    """Make the folder of a file that is about to be written.

    Args:
        file: Its name.

    Yields:
        The path.

    Raises:
        InputError: If it is no name, or the file cannot be written, in the block too.
    """
    path = file_name(file)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield path
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error
