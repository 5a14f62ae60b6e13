"""NumPy archives of ours, read: none has a pickle, and each says what it is."""

import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from footwork.errors import PathFileError
from footwork.files import reason

DAMAGED: Final = (
    ValueError,
    EOFError,
    TypeError,
    NotImplementedError,
    OverflowError,
    MemoryError,
    SyntaxError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What NumPy and zipfile raise when an archive is damaged."""


def read_archive(
    file: Path | str, names: Sequence[str], *, kind: str, version: int
) -> dict[str, NDArray[Any]]:
    """Read arrays of an archive.

    Args:
        file: Its name.
        names: Of the arrays.
        kind: What the archive says that it is, such as "footwork.PathControl".
        version: The newest that is known.

    Returns:
        The arrays by name.

    Raises:
        PathFileError: If it cannot be read, or is something else.
    """
    name = str(file)
    try:
        with Path(file).open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            found, number = str(archive["format"]), int(archive["version"])
            if found == kind and number <= version:
                return {name: archive[name] for name in names}
    except OSError as error:
        if error.strerror is None:
            raise PathFileError(name, _damaged(kind)) from error
        raise PathFileError(name, f"cannot be read: {reason(name, error)}") from error
    except KeyError as error:
        raise PathFileError(name, f"is no {kind} archive: {error.args[0]}") from error
    except DAMAGED as error:
        raise PathFileError(name, _damaged(kind)) from error
    if found != kind:
        raise PathFileError(name, f"is no {kind} archive but one of format {found}")
    raise PathFileError(name, f"has version {number}, newer than {version}; update Footwork")


def _damaged(kind: str) -> str:
    writer = kind.rpartition(".")[2]
    return f"cannot be read: no archive that {writer}.to_npz wrote, or a damaged one"
