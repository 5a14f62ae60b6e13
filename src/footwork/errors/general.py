"""Errors that every part raises, and those of robot models."""

from collections.abc import Sequence


class FootworkError(Exception):
    """Base class of every error raised on purpose by Footwork."""


class InputError(FootworkError, ValueError):
    """A caller passed something ill-formed; nothing has been changed."""


class ShapeError(InputError):
    """An array has the wrong shape.

    Attributes:
        name: What the array is.
        expected: Shape that was wanted; a string stands for a free dimension.
        got: Shape that came.
    """

    def __init__(
        self, name: str, expected: Sequence[int | str], got: Sequence[int], hint: str = ""
    ) -> None:
        wanted = ", ".join(str(n) for n in expected) + ("," if len(expected) == 1 else "")
        message = f"{name}: expected shape ({wanted}), got {tuple(got)}"
        super().__init__(f"{message}; {hint}" if hint else message)
        self.name = name
        self.expected = tuple(expected)
        self.got = tuple(got)


class NotFiniteError(InputError):
    """NaN or infinity where a finite number is wanted.

    Attributes:
        name: What the array is.
        index: Position of the first bad entry.
        value: The bad entry.
    """

    def __init__(self, name: str, index: Sequence[int], value: float) -> None:
        where = "".join(f"[{i}]" for i in index)
        super().__init__(f"{name}{where} must be finite, got {value}")
        self.name = name
        self.index = tuple(index)
        self.value = value


class ModelError(FootworkError, ValueError):
    """A robot model cannot be read, or lacks something that was asked of it."""


class UnknownFrameError(ModelError, LookupError):
    """A robot has no frame of that name.

    Attributes:
        name: What was asked for.
        near: Names that may have been meant, the nearest first.
    """

    def __init__(self, message: str, *, name: str, near: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.name = name
        self.near = tuple(near)


class AmbiguousFrameError(UnknownFrameError):
    """A link and a joint of a robot share the name that was asked for; ``near`` has the kinds."""


class UnknownRobotError(ModelError, LookupError):
    """The zoo has no robot of that name.

    Attributes:
        name: What was asked for.
        near: Names that may have been meant.
    """

    def __init__(self, message: str, *, name: str, near: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.name = name
        self.near = tuple(near)


class BackendError(FootworkError, RuntimeError):
    """A third-party library failed; its own exception is ``__cause__``."""


class NoSolutionError(FootworkError, RuntimeError):
    """A result without a solution was asked for one.

    Attributes:
        result: The result object, with its status.
    """

    def __init__(self, message: str, result: object = None) -> None:
        super().__init__(message)
        self.result = result


class CopyError(FootworkError, TypeError):
    """Something is to be copied or pickled that compiled code reads by its address.

    Attributes:
        thing: What it is.
    """

    def __init__(self, thing: str, instead: str) -> None:
        super().__init__(
            f"{thing} cannot be copied or pickled, because compiled code reads its arrays by their "
            f"address; {instead}"
        )
        self.thing = thing
