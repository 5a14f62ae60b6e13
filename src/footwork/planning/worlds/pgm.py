"""Grey images: PGM by our own reader (it needs no library), the rest by Pillow."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from footwork.errors import InputError
from footwork.files import read_bytes
from footwork.typing import BoolVector, Matrix


@dataclass(frozen=True, kw_only=True, eq=False)
class Image:
    """A grey image.

    Attributes:
        grey: 0 black to 1 white; row 0 is the top, shape (rows, columns).
        opaque: False where a pixel is transparent at all.
    """

    grey: Matrix
    opaque: BoolVector


def read_image(file: Path) -> Image:
    """Read a PGM, PNG or other image; colours are averaged.

    Args:
        file: The image.

    Returns:
        The image.

    Raises:
        InputError: If it cannot be read; the message names the file.
    """
    data = read_bytes(file)
    if not data:
        raise InputError(f"{file}: the file is empty; expected a PGM, PNG or other image")
    if data[:2] in {b"P2", b"P5"}:
        try:
            grey = read_pgm(data)
        except InputError as error:
            raise InputError(f"{file}: {error}") from error
        return Image(grey=grey, opaque=np.ones(grey.shape, dtype=np.bool_))
    return _read_with_pillow(file)


def read_pgm(data: bytes) -> Matrix:
    """Read a grey map of the netpbm family, plain (P2) or binary (P5).

    Args:
        data: The whole file.

    Returns:
        Grey from 0 to 1, row 0 the top, shape (rows, columns).

    Raises:
        InputError: If the header is ill-formed, or pixels are missing or too bright.

    Source: https://netpbm.sourceforge.net/doc/pgm.html
    """
    words, start = _header(data)
    columns, rows, white = words
    if columns < 1 or rows < 1 or not 1 <= white <= 65535:
        raise InputError(
            f"a PGM needs a width and height from 1 and a white from 1 to 65535, got "
            f"{columns} × {rows}, {white}"
        )
    count = columns * rows
    if data[:2] == b"P5":
        kind = np.dtype(">u2") if white > 255 else np.dtype("u1")
        body = data[start + 1 :]
        if len(body) < count * kind.itemsize:
            raise InputError(f"expected {count * kind.itemsize} bytes of pixels, got {len(body)}")
        values = np.frombuffer(body, dtype=kind, count=count).astype(np.float64)
    else:
        text = b" ".join(line.split(b"#")[0] for line in data[start:].split(b"\n")).split()
        try:
            values = np.array([int(word) for word in text[:count]], dtype=np.float64)
        except ValueError as error:
            raise InputError(f"pixels of a plain PGM must be whole numbers: {error}") from error
        if len(values) < count:
            raise InputError(f"expected {count} pixels, got {len(values)}")
    if values.max() > white or values.min() < 0.0:
        raise InputError(f"pixels must be from 0 to {white}, got {values.max():g}")
    grey: Matrix = values.reshape(rows, columns) / white
    return grey


def _header(data: bytes) -> tuple[list[int], int]:
    """Read width, height and white; comments run from # to the end of a line."""
    words: list[int] = []
    i = 2
    while len(words) < 3:
        while i < len(data) and (data[i : i + 1].isspace() or data[i : i + 1] == b"#"):
            if data[i : i + 1] == b"#":
                i = data.find(b"\n", i) if b"\n" in data[i:] else len(data)
            else:
                i += 1
        end = i
        while end < len(data) and data[end : end + 1].isdigit():
            end += 1
        if end == i:
            raise InputError("a PGM must begin with its kind, width, height and white")
        words.append(int(data[i:end]))
        i = end
    return words, i


def _read_with_pillow(file: Path) -> Image:
    from PIL import Image as Pillow
    from PIL import UnidentifiedImageError

    try:
        with Pillow.open(file) as picture:
            rgba = np.asarray(picture.convert("RGBA"), dtype=np.float64) / 255.0
    except UnidentifiedImageError as error:
        raise InputError(f"{file}: is no image that can be read, neither PGM nor PNG") from error
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: is no image that can be read: {error}") from error
    return Image(grey=rgba[..., :3].mean(axis=2), opaque=rgba[..., 3] == 1.0)
