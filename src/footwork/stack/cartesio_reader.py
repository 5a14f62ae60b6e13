"""Reading values of a CartesI/O problem description, with errors that say where."""

import contextlib
import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from footwork.errors import CartesioError, FootworkError

if TYPE_CHECKING:
    from footwork.robot import RobotModel

Entry = dict[str, Any]


class Reader:
    """Reads values of entries.

    Attributes:
        source: File, or ``problem description``.
        robot: Whose joints and links are named.
        dt: Control period [s].
    """

    def __init__(self, source: str, robot: "RobotModel", dt: float) -> None:
        self.source, self.robot, self.dt = source, robot, dt
        if not (np.isfinite(dt) and dt > 0.0):
            self.fail("", "", f"dt must be positive, got {dt}")

    def fail(self, label: str, key: str, problem: str) -> NoReturn:
        """Raise the error of an entry.

        Args:
            label: The entry; empty for the whole.
            key: In the entry; empty for the whole entry.
            problem: What is wrong.

        Raises:
            CartesioError: Always.
        """
        raise CartesioError(self.source, label, key, problem)

    def number(self, label: str, entry: Mapping[str, Any], key: str, default: float) -> float:
        """Read a number; ``1e-3``, which YAML 1.1 takes for a text, is one.

        Args:
            label: The entry.
            entry: Its map.
            key: In the map.
            default: If the key is missing.

        Returns:
            The number.
        """
        value = entry.get(key, default)
        if isinstance(value, str):
            with contextlib.suppress(ValueError):
                value = float(value)
        if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
            self.fail(label, str(key), f"expected a number, got {value!r}")
        return float(value)

    def numbers(self, label: str, entry: Mapping[str, Any], key: str, count: int) -> list[float]:
        """Read a list of numbers.

        Args:
            label: The entry.
            entry: Its map.
            key: In the map; zeros if it is missing.
            count: How many there must be.

        Returns:
            The numbers.
        """
        value = entry.get(key, [0.0] * count)
        if not isinstance(value, list) or len(value) != count:
            self.fail(label, key, f"expected a list of {count} numbers, got {value!r}")
        return [self.number(label, {key: each}, key, 0.0) for each in value]

    def truth(self, label: str, entry: Mapping[str, Any], key: str, *, default: bool) -> bool:
        """Read true or false.

        Args:
            label: The entry.
            entry: Its map.
            key: In the map.
            default: If the key is missing.

        Returns:
            The truth value.
        """
        value = entry.get(key, default)
        if not isinstance(value, bool):
            self.fail(label, key, f"expected true or false, got {value!r}")
        return bool(value)

    def text(self, label: str, entry: Mapping[str, Any], key: str, default: str | None) -> str:
        """Read a name.

        Args:
            label: The entry.
            entry: Its map.
            key: In the map.
            default: If the key is missing; None if it must not be.

        Returns:
            The name.
        """
        value = entry.get(key, default)
        if not isinstance(value, str):
            self.fail(label, key, "missing" if value is None else f"expected a name, got {value!r}")
        return str(value)

    def names_of(self, label: str, entry: Mapping[str, Any], key: str) -> list[str]:
        """Read a list of names.

        Args:
            label: The entry.
            entry: Its map.
            key: In the map.

        Returns:
            The names.
        """
        value = entry[key]
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            self.fail(label, key, f"expected a list of joints, got {value!r}")
        return list(value)

    def joint(self, label: str, key: str, name: str) -> slice:
        """Find a joint's entries of the velocity; the floating base has CartesI/O's names.

        Args:
            label: The entry.
            key: In the entry.
            name: Of a joint, ``reference@v0`` … ``5`` or ``VIRTUALJOINT_1`` … ``6``.

        Returns:
            Slice of v.

        Raises:
            CartesioError: If there is no such joint.
        """
        for prefix, first in (("reference@v", 0), ("VIRTUALJOINT_", 1)):
            if name.startswith(prefix) and name[len(prefix) :].isdigit():
                number = int(name[len(prefix) :]) - first
                if 0 <= number < 6:
                    return slice(number, number + 1)
        try:
            _, first_v, _, count = self.robot.joint_slices(name)
        except FootworkError as error:
            raise CartesioError(self.source, label, key, str(error)) from error
        return slice(first_v, first_v + count)

    def per_joint(self, label: str, entry: Mapping[str, Any], key: str, default: Any) -> Any:
        """Read a number for every joint, or a map of joints over a default.

        Args:
            label: The entry.
            entry: Its map.
            key: In the map.
            default: One number for every entry of the velocity.

        Returns:
            One number for every entry of the velocity; the floating base has no limit.
        """
        value = entry.get(key)
        if value is None:
            return default
        if not isinstance(value, dict):
            number = self.number(label, entry, key, 0.0)
            return np.where(
                np.arange(self.robot.nv) < self.robot.nv - self.robot.nu, np.inf, number
            )
        out = np.array(default, dtype=np.float64)
        for joint in value:
            out[self.joint(label, key, joint)] = self.number(label, value, joint, 0.0)
        return out


def near(value: object, known: Any) -> str:
    """Suggest what somebody may have meant.

    Args:
        value: What was written.
        known: What there is.

    Returns:
        Text for the end of a message; empty if nothing is near.
    """
    found = difflib.get_close_matches(str(value), [str(k) for k in known], n=2, cutoff=0.6)
    return f" (did you mean {' or '.join(repr(n) for n in found)}?)" if found else ""
