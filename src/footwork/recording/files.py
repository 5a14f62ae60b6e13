"""Files that are there whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from footwork.errors import BackendError


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a temporary file beside a path, which takes its name when the block is through.

    Args:
        path: What the file is to be called.

    Yields:
        Path of the temporary file, to be written in the block.

    Raises:
        BackendError: If it cannot be written; nothing is left then, and a former file stays.
    """
    temporary = path.with_name(f".{path.name}.part{path.suffix}")
    try:
        yield temporary
        temporary.replace(path)
    except OSError as error:
        raise BackendError(f"{path}: cannot be written ({error})") from error
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Write a text file, whole or not at all.

    Args:
        path: Of the file.
        text: What is in it.

    Raises:
        BackendError: If it cannot be written.
    """
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
