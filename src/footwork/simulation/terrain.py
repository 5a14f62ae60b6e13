"""Kinds of ground: each knows its height, and the boxes it is built of."""

from dataclasses import dataclass
from itertools import pairwise
from math import cos, floor, inf, isfinite, radians, sin, tan
from typing import Final, Protocol

import numpy as np

from footwork.errors import InputError

STEEPEST: Final = 45.0
"""Largest slope that can be asked for [degrees]."""


@dataclass(frozen=True, kw_only=True)
class Box:
    """A box of ground, possibly tilted about the y axis.

    Attributes:
        center: Of the box [m].
        half_size: Half of its edges [m].
        pitch: Tilt about y [rad], positive: nose down.
    """

    center: tuple[float, float, float]
    half_size: tuple[float, float, float]
    pitch: float = 0.0


class Terrain(Protocol):
    """Ground: an endless plane, and boxes on it."""

    @property
    def floor(self) -> float:
        """Height of the plane under the boxes [m]."""

    def height(self, x: float, y: float) -> float:
        """Tell how high the ground is.

        Args:
            x: Forward [m].
            y: Left [m].

        Returns:
            Height [m].
        """

    def boxes(self, seed: int) -> tuple[Box, ...]:
        """List what is to be put upon the plane.

        Args:
            seed: Of random ground.

        Returns:
            The boxes.
        """


@dataclass(frozen=True, kw_only=True)
class Flat:
    """The plane z = 0."""

    @property
    def floor(self) -> float:
        """Height of the plane under the boxes [m]: zero."""
        return 0.0

    def height(self, x: float, y: float) -> float:
        """Tell how high the ground is: zero everywhere.

        Args:
            x: Forward [m].
            y: Left [m].

        Returns:
            Zero.
        """
        del x, y
        return 0.0

    def boxes(self, seed: int) -> tuple[Box, ...]:
        """List what is put upon the plane: nothing.

        Args:
            seed: Not used.

        Returns:
            Nothing.
        """
        del seed
        return ()


@dataclass(frozen=True, kw_only=True)
class Slope:
    """Level ground up to ``start``, then an even slope in x for ``length``, then level again.

    Attributes:
        angle: Of the slope [rad], positive: uphill.
        start: Where it begins [m].
        length: Its horizontal length [m].
    """

    angle: float
    start: float = 0.6
    length: float = 20.0

    @property
    def floor(self) -> float:
        """Height of the plane under the boxes [m]: below all of them."""
        return min(0.0, self.length * tan(self.angle)) - 0.1

    def height(self, x: float, y: float) -> float:
        """Tell how high the ground is.

        Args:
            x: Forward [m].
            y: Left [m]; the slope is endless to both sides.

        Returns:
            Height [m].
        """
        del y
        return tan(self.angle) * min(max(x - self.start, 0.0), self.length)

    def boxes(self, seed: int) -> tuple[Box, ...]:
        """List the tilted box, the level one before it and the one after it.

        Args:
            seed: Not used.

        Returns:
            Three boxes, whose tops meet.
        """
        del seed
        half, depth = 0.5 * self.length / cos(self.angle), 2.0
        middle = self.start + 0.5 * self.length
        top = 0.5 * self.length * tan(self.angle)
        end, level = self.start + self.length, (10.0, 10.0, depth)
        return (
            Box(
                center=(middle + depth * sin(self.angle), 0.0, top - depth * cos(self.angle)),
                half_size=(half, 10.0, depth),
                pitch=-self.angle,
            ),
            Box(center=(self.start - 10.0, 0.0, -depth), half_size=level),
            Box(center=(end + 10.0, 0.0, 2.0 * top - depth), half_size=level),
        )


@dataclass(frozen=True, kw_only=True)
class Stairs:
    """Steps up or down, in x, between level ground before and behind.

    Attributes:
        rise: Height of a step [m], negative: down.
        depth: Length of a step [m].
        count: Number of steps; behind the last it goes on level.
        start: Where the first begins [m].
    """

    rise: float = 0.03
    depth: float = 0.35
    count: int = 4
    start: float = 0.6

    @property
    def floor(self) -> float:
        """Height of the plane under the boxes [m]: that of the lowest ground."""
        return min(0.0, self.count * self.rise)

    def height(self, x: float, y: float) -> float:
        """Tell how high the ground is.

        Args:
            x: Forward [m].
            y: Left [m]; the stairs are endless to both sides.

        Returns:
            Height [m].
        """
        del y
        if x < self.start:
            return 0.0
        return self.rise * min(int((x - self.start) / self.depth) + 1, self.count)

    def tread(self, x: float, reach: float) -> float:
        """Move a foot so that its whole sole is on one step.

        Args:
            x: Where the middle of the sole was to be [m].
            reach: From the middle to the farthest point of the sole [m].

        Returns:
            The nearest such place on the same step [m]; the step's middle if it is too short.
        """
        i = min(floor((x - self.start) / self.depth), self.count - 1)
        low = self.start + i * self.depth + reach if i >= 0 else -inf
        high = self.start + max(i + 1, 0) * self.depth - reach if i < self.count - 1 else inf
        return min(max(x, low), high) if low <= high else 0.5 * (low + high)

    def boxes(self, seed: int) -> tuple[Box, ...]:
        """List the steps, and the level ground before or behind them, whichever is higher.

        Args:
            seed: Not used.

        Returns:
            A box for each, from the plane to its top.
        """
        del seed
        edges = [self.start + k * self.depth for k in range(self.count)]
        ends = [edges[0] - 20.0, *edges, edges[-1] + 20.0]
        boxes = []
        for k, (low, high) in enumerate(pairwise(ends)):
            half = 0.5 * (k * self.rise - self.floor)
            if half > 0.0:
                center = 0.5 * (low + high), 0.0, self.floor + half
                boxes.append(Box(center=center, half_size=(0.5 * (high - low), 5.0, half)))
        return tuple(boxes)


@dataclass(frozen=True, kw_only=True)
class Bumps:
    """Slats across the way, of random heights.

    Attributes:
        max_height: Highest slat [m].
        pitch: Distance between the middles of two [m].
        width: Length of each in x [m].
        start: Middle of the first [m].
        count: How many.
        seed: Of the heights.
    """

    max_height: float = 0.03
    pitch: float = 0.3
    width: float = 0.2
    start: float = 0.5
    count: int = 60
    seed: int = 0

    @property
    def floor(self) -> float:
        """Height of the plane under the boxes [m]: zero."""
        return 0.0

    def height(self, x: float, y: float) -> float:
        """Tell how high the ground is.

        Args:
            x: Forward [m].
            y: Left [m]; the slats are 4 m wide.

        Returns:
            Height [m].
        """
        i = round((x - self.start) / self.pitch)
        near = abs(x - self.start - i * self.pitch) <= 0.5 * self.width
        return float(self._heights()[i]) if near and 0 <= i < self.count and abs(y) <= 2.0 else 0.0

    def boxes(self, seed: int) -> tuple[Box, ...]:
        """List the slats.

        Args:
            seed: Not used; the heights have a seed of their own, so that `height` knows them.

        Returns:
            One box a slat.
        """
        del seed
        return tuple(
            Box(
                center=(self.start + i * self.pitch, 0.0, 0.5 * h),
                half_size=(0.5 * self.width, 2.0, 0.5 * h),
            )
            for i, h in enumerate(self._heights())
        )

    def _heights(self) -> np.ndarray:
        return np.random.default_rng(self.seed).uniform(1e-4, self.max_height, self.count)


@dataclass(frozen=True, kw_only=True)
class Rough:
    """A field of square tiles of random heights.

    Attributes:
        max_height: Highest tile [m].
        tile: Edge of a tile [m].
        size: Edge of the square field, which is centred in y and begins at ``start`` [m].
        start: Where it begins in x [m].
        seed: Of the heights.
    """

    max_height: float = 0.02
    tile: float = 0.25
    size: float = 6.0
    start: float = 0.5
    seed: int = 0

    @property
    def floor(self) -> float:
        """Height of the plane under the boxes [m]: zero."""
        return 0.0

    def height(self, x: float, y: float) -> float:
        """Tell how high the ground is.

        Args:
            x: Forward [m].
            y: Left [m].

        Returns:
            Height [m].
        """
        n = round(self.size / self.tile)
        i, j = int((x - self.start) // self.tile), int((y + 0.5 * self.size) // self.tile)
        return float(self._heights()[i, j]) if 0 <= i < n and 0 <= j < n else 0.0

    def boxes(self, seed: int) -> tuple[Box, ...]:
        """List the tiles.

        Args:
            seed: Not used; the heights have a seed of their own, so that `height` knows them.

        Returns:
            One box a tile.
        """
        del seed
        half = 0.5 * self.tile
        boxes = []
        for (i, j), h in np.ndenumerate(self._heights()):
            x = self.start + (i + 0.5) * self.tile
            y = (j + 0.5) * self.tile - 0.5 * self.size
            boxes.append(Box(center=(x, y, 0.5 * h), half_size=(half, half, 0.5 * h)))
        return tuple(boxes)

    def _heights(self) -> np.ndarray:
        n = round(self.size / self.tile)
        return np.random.default_rng(self.seed).uniform(1e-4, self.max_height, (n, n))


def parse_terrain(text: str) -> Terrain:
    """Read a terrain from a word and a number, as the command line gives it.

    Args:
        text: ``flat``, ``slope:5`` [degrees], ``stairs:0.05``, ``bumps:0.03`` or ``rough:0.02``
            [m]; the number may be left out, slopes and stairs with a negative one go down, and
            ``bumps:0.03:7`` adds a seed.

    Returns:
        The terrain.

    Raises:
        InputError: If the word or the number is not one of these.

    Example:
        >>> parse_terrain("stairs:0.04").rise
        0.04
    """
    name, *numbers = text.split(":")
    try:
        values = [float(n) for n in numbers]
    except ValueError as error:
        raise InputError(f"terrain {text!r}: expected numbers after the colon") from error
    size = values[0] if values else None
    if len(values) > 2 or not all(isfinite(v) for v in values):
        raise InputError(f"terrain {text!r}: expected a finite number, and perhaps a seed")
    seed = int(values[1]) if len(values) > 1 else 0
    if name == "flat" and size is None:
        return Flat()
    if size is not None:
        _refuse_size(text, name, size)
    if name == "slope":
        return Slope(angle=radians(5.0 if size is None else size))
    if name == "stairs":
        return Stairs() if size is None else Stairs(rise=size)
    if name == "bumps":
        return Bumps(seed=seed) if size is None else Bumps(max_height=size, seed=seed)
    if name == "rough":
        return Rough(seed=seed) if size is None else Rough(max_height=size, seed=seed)
    raise InputError(
        f"terrain {text!r}: expected flat, slope:DEGREES, stairs:RISE, bumps:HEIGHT or rough:HEIGHT"
    )


def _refuse_size(text: str, name: str, size: float) -> None:
    if name in {"bumps", "rough"} and size <= 0.0:
        raise InputError(f"terrain {text!r}: the height must be positive")
    if name == "stairs" and size == 0.0:
        raise InputError(f"terrain {text!r}: a step is not 0 m high; positive is up, negative down")
    if name == "slope" and abs(size) > STEEPEST:
        raise InputError(f"terrain {text!r}: a slope has at most {STEEPEST:g} degrees")
