"""Errors of state and control spaces, callbacks and paths."""

from footwork.errors.general import FootworkError, InputError


class BoundsError(InputError):
    """Bounds that make no sense, or a value outside of them.

    Attributes:
        what: The space, or the value, that it is about.
        axis: Name of the axis.
        low: Lower bound.
        high: Upper bound.
    """

    def __init__(self, what: str, axis: str, low: float, high: float, problem: str) -> None:
        super().__init__(f"{what}: {axis} has bounds [{low:g}, {high:g}]; {problem}")
        self.what = what
        self.axis = axis
        self.low = low
        self.high = high


class CallbackTypeError(FootworkError, TypeError):
    """A callback returned the wrong kind of thing.

    Attributes:
        callback: Which callback, and the function's name.
        value: What it returned.
    """

    def __init__(self, callback: str, expected: str, value: object) -> None:
        super().__init__(
            f"{callback} must return {expected}, got {value!r} ({type(value).__name__})"
        )
        self.callback = callback
        self.value = value


class CallbackValueError(InputError):
    """A callback returned a number that cannot be used, such as NaN.

    Attributes:
        callback: Which callback, and the function's name.
        value: What it returned.
    """

    def __init__(self, callback: str, problem: str, value: object) -> None:
        super().__init__(f"{callback} {problem}: {value!r}")
        self.callback = callback
        self.value = value


class PathError(InputError):
    """A path is not well-formed for what was asked of it; it has not been changed.

    Attributes:
        state_count: How many states it has.
        control_count: How many controls it has.
    """

    def __init__(self, what: str, state_count: int, control_count: int) -> None:
        super().__init__(
            f"{what}: a path needs one state more than controls, this one has {state_count} states "
            f"and {control_count} controls"
        )
        self.state_count = state_count
        self.control_count = control_count


class PathFileError(InputError):
    """A file of a path or of a planning tree cannot be read.

    Attributes:
        path: Name of the file.
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
