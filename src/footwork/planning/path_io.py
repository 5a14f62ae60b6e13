"""Control paths as text, as OMPL's matrix and as NumPy archives."""

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

import numpy as np

from footwork.errors import InputError, PathFileError
from footwork.files import read_text
from footwork.planning.archive import read_archive
from footwork.planning.arguments import file_name, open_file
from footwork.planning.files import written
from footwork.typing import Matrix, Vector

if TYPE_CHECKING:
    from footwork.planning.path_control import PathControl
    from footwork.planning.space_information import SpaceInformation

FORMAT: Final = "footwork.PathControl"
VERSION: Final = 1
FIELDS: Final = ("states", "controls", "control_durations")
Arrays = tuple[Matrix, Matrix, Vector]


def write(text: str, file: TextIO | Path | str | None) -> None:
    """Write text to an open file, to a file by its name, or to the standard output.

    Args:
        text: What to write.
        file: Where to; a folder that is missing is made.

    Raises:
        InputError: If it cannot be written.
    """
    if file is None:
        sys.stdout.write(text)
    elif isinstance(file, str | Path):
        with written(file) as name:
            name.write_text(text, encoding="utf-8")
    else:
        open_file(file, "write").write(text)


def to_text(path: "PathControl") -> str:
    """Write a path in words, as OMPL does; whole steps, and what is left of a duration.

    Args:
        path: Finished or not; of states without a control only the next one is written.

    Returns:
        The text, with an empty line at its end.
    """
    si = path.space_information
    space, controls = si.state_space, si.control_space
    lines = [f"Control path with {path.state_count} states"]
    for i, duration in enumerate(path.control_durations.tolist()):
        state = space.describe(path.states[i]) if i < path.state_count else "missing"
        n, rest = si.steps_of(duration)
        more = f" and {rest:.6g} s" if rest else ""
        lines += [
            f"At state {state}",
            f"  apply control {controls.describe(path.controls[i])}",
            f"  for {n} steps{more}",
        ]
    if path.state_count > path.control_count:
        lines.append(f"Arrive at state {space.describe(path.states[path.control_count])}")
    return "\n".join(lines) + "\n\n"


def to_matrix(path: "PathControl", precision: int) -> str:
    """Write a path as a matrix, in OMPL's order of columns.

    Args:
        path: A finished path, or an empty one.
        precision: Significant digits.

    Returns:
        One line for each state; a state alone has no newline, as OMPL writes it.
    """

    def line(numbers: list[float]) -> str:
        return " ".join(f"{number:.{precision}g}" for number in numbers)

    if path.control_count == 0:
        return line(path.states[0].tolist()) + " " if path.state_count else ""
    order = path.space_information.control_space.matrix_order
    first = [0.0] * (len(order) + 1)
    rows = [line(path.states[0].tolist() + first)]
    for i, duration in enumerate(path.control_durations.tolist()):
        control = path.controls[i][order].tolist()
        rows.append(line([*path.states[i + 1].tolist(), *control, duration]))
    return "\n".join(rows) + "\n"


def from_matrix(si: "SpaceInformation", file: TextIO | Path | str) -> Arrays:
    """Read a matrix.

    Args:
        si: The system.
        file: An open file, the name of one, or the text itself.

    Returns:
        States, controls and durations.

    Raises:
        PathFileError: If it cannot be read, or has other columns.
    """
    name, text = _text(file)
    n, m = si.state_space.dimension, si.control_space.dimension
    rows: list[list[float]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        try:
            rows.append([float(word) for word in words])
        except ValueError as error:
            raise PathFileError(name, f"line {number} has something else than numbers") from error
        alone = len(rows) == 1 and len(words) == n
        if not alone and len(words) != n + m + 1:
            raise PathFileError(
                name,
                f"line {number} has {len(words)} numbers, expected {n} of the state, {m} of the "
                f"control and the duration",
            )
    if not rows or len(rows[0]) == n:
        if len(rows) > 1:
            raise PathFileError(name, "the first line has no control and duration, others have")
        return np.array(rows).reshape(-1, n), np.empty((0, m)), np.empty(0)
    matrix = np.array(rows)
    controls = np.empty((len(matrix) - 1, m))
    controls[:, si.control_space.matrix_order] = matrix[1:, n : n + m]
    return matrix[:, :n], controls, matrix[1:, -1]


def to_npz(path: "PathControl", file: Path | str) -> None:
    """Write a path to a NumPy archive.

    Args:
        path: Finished or not.
        file: Name of the file; a folder that is missing is made.

    Raises:
        InputError: If it cannot be written.
    """
    with written(file) as name, name.open("wb") as stream:
        np.savez_compressed(
            stream,
            format=np.array(FORMAT),
            version=np.array(VERSION),
            states=path.states,
            controls=path.controls,
            control_durations=path.control_durations,
            propagation_step_size=np.array(path.space_information.propagation_step_size),
        )


def from_npz(si: "SpaceInformation", file: Path | str) -> Arrays:
    """Read a path from a NumPy archive.

    Args:
        si: The system.
        file: Name of the file.

    Returns:
        States, controls and durations.

    Raises:
        PathFileError: If it cannot be read, or is of another system.
    """
    name = str(file_name(file))
    arrays = read_archive(name, FIELDS, kind=FORMAT, version=VERSION)
    states, controls, durations = (arrays[field] for field in FIELDS)
    n, m = si.state_space.dimension, si.control_space.dimension
    if states.shape[1:] != (n,) or controls.shape[1:] != (m,):
        raise PathFileError(
            name,
            f"has states of {states.shape[1:]} and controls of {controls.shape[1:]} numbers, the "
            f"system has {n} and {m}",
        )
    return states, controls, durations


def _text(file: TextIO | Path | str) -> tuple[str, str]:
    if not isinstance(file, str | Path):
        return getattr(file, "name", "matrix"), open_file(file, "read").read()
    if isinstance(file, str) and ("\n" in file or not file.strip() or _is_numbers(file)):
        return "matrix", io.StringIO(file).read()
    try:
        return str(file), read_text(file)
    except InputError as error:
        raise PathFileError(str(file), str(error).removeprefix(f"{file}: ")) from error


def _is_numbers(text: str) -> bool:
    try:
        return bool([float(word) for word in text.split()])
    except ValueError:
        return False
