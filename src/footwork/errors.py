"""Every error that Footwork raises on purpose, in one tree.

::

    FootworkError
        InputError (also ValueError)         a caller passed something ill-formed
            BoundsError                      bounds that make no sense, or a value outside of them
            CallbackValueError               a callback returned a number that cannot be used
            CartesioError                    a CartesI/O problem description is wrong; says where
            ContactFileError                 a file of contacts is broken; says where in it
            ContactOverlapError              two contacts of one list share an instant
            ContactReplanError               a new contact list does not follow from the old one
            ContactTimeError                 a time of contacts is impossible or out of range
            FootstepError                    a footstep breaks a limit; says which and by how much
            GaitError                        a gait is not well-formed or does not fit
            RowsError                        rows of a task or constraint are chosen wrongly
            PathError                        a path is not well-formed for what was asked
            PathFileError                    a file of a path or a planning tree cannot be read
            ShapeError                       an array has the wrong shape
            StackError                       tasks or constraints do not go together in one stack
            WeightError                      a weight is not symmetric positive semi-definite
            NotFiniteError                   NaN or infinity where a finite number is wanted
            NotUpdatedError                  a task's rows were read before its first update
        ModelError (also ValueError)         a robot model cannot be read or lacks something
            AmbiguousFrameError (also LookupError)  a link and a joint share the name
            UnknownFrameError (also LookupError)    a robot has no such frame; has the near names
            UnknownRobotError (also LookupError)    the zoo has no such robot
        BackendError (also RuntimeError)     a third-party library failed; see ``__cause__``
        NoSolutionError (also RuntimeError)  a result without a solution was asked for one
        CallbackTypeError (also TypeError)   a callback returned the wrong kind of thing
        ContactIndexError (also IndexError)  a contact list has no contact of that index
        IndexTypeError (also TypeError)      an index is no whole number
        NoContactError (also LookupError)    a contact was needed and there is none
        TimeTypeError (also TypeError)       a time of contacts is no whole number of nanoseconds

Each part refines these where its own data belongs in the error; all of them live in this file, so
that it shows what can be caught.
"""

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


class ContactFileError(InputError):
    """A file of contacts is broken; nothing of it has been taken.

    Attributes:
        file: Path of the file, or what stood in its place.
        list_name: Key of the list in the file; None when the fault is not inside a list.
        entry: Index of the contact in its list; None when the fault is not inside a contact.
        field: Name of the field; None when the fault is not in one field.
    """

    def __init__(
        self,
        problem: str,
        *,
        file: str,
        list_name: str | None = None,
        entry: int | None = None,
        field: str | None = None,
    ) -> None:
        where = [file]
        if list_name is not None:
            where.append(f"list {list_name!r}")
        if entry is not None:
            where.append(f"contact {entry}")
        if field is not None:
            where.append(f"field {field!r}")
        super().__init__(f"{', '.join(where)}: {problem}")
        self.problem = problem
        self.file = file
        self.list_name = list_name
        self.entry = entry
        self.field = field


class ContactIndexError(FootworkError, IndexError):
    """A contact list, or a list of phases, has nothing at that index.

    Attributes:
        index: The index that was asked for.
        size: How many there are.
    """

    def __init__(self, what: str, index: int, size: int) -> None:
        allowed = f"expected {-size} to {size - 1}" if size else "it is empty"
        super().__init__(f"{what}: no index {index}; {allowed}")
        self.index = index
        self.size = size


class ContactOverlapError(InputError):
    """Two contacts of one list share an instant, or an activation time; nothing has been changed.

    Attributes:
        list_name: Default name of the list.
        contact: The contact that was refused.
        other: The contact in its way.
    """

    def __init__(self, message: str, *, list_name: str, contact: object, other: object) -> None:
        super().__init__(message)
        self.list_name = list_name
        self.contact = contact
        self.other = other


class ContactReplanError(InputError):
    """A new contact list does not follow from the old one at this time; neither has been changed.

    Attributes:
        rule: The rule that is broken, in words.
        time: When the lists should have been exchanged [ns].
    """

    def __init__(self, rule: str, detail: str, *, time: int) -> None:
        super().__init__(f"{rule}: {detail}")
        self.rule = rule
        self.time = time


class ContactTimeError(InputError):
    """A time of contacts is impossible: activation after deactivation, or outside of 64 bits.

    Attributes:
        time: The time at fault [ns].
    """

    def __init__(self, message: str, *, time: object = None) -> None:
        super().__init__(message)
        self.time = time


class GaitError(InputError):
    """A gait is not well-formed, or does not fit where it is put."""


class IndexTypeError(FootworkError, TypeError):
    """An index is not a whole number.

    Attributes:
        value: What came instead.
    """

    def __init__(self, name: str, value: object) -> None:
        super().__init__(
            f"{name}: expected an integer or a slice, got {value!r} of type {type(value).__name__}"
        )
        self.value = value


class NoContactError(FootworkError, LookupError):
    """A contact was needed and there is none; nothing has been changed."""


class TimeTypeError(FootworkError, TypeError):
    """A time of contacts is not a whole number of nanoseconds.

    Attributes:
        name: What the time is.
        value: What came instead.
    """

    def __init__(self, name: str, value: object) -> None:
        super().__init__(
            f"{name}: expected a whole number of nanoseconds, got {value!r} of type "
            f"{type(value).__name__}; footwork.contacts.seconds(1.5) makes one from seconds"
        )
        self.name = name
        self.value = value


class RowsError(InputError):
    """Rows of a task or constraint are chosen wrongly: twice, out of range, unknown, or none.

    Attributes:
        owner: Id of the task or constraint.
        rows: What was asked for.
    """

    def __init__(self, owner: str, rows: object, problem: str) -> None:
        super().__init__(f"rows {rows!r} of {owner!r}: {problem}")
        self.owner = owner
        self.rows = rows


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


class StackError(InputError):
    """Tasks or constraints do not go together: other unknowns, or an order that cannot be."""


class WeightError(InputError):
    """A weight is not symmetric positive semi-definite, or cannot be written where it belongs.

    Attributes:
        task: Id of the task.
    """

    def __init__(self, task: str, problem: str) -> None:
        super().__init__(f"weight of {task!r}: {problem}")
        self.task = task


class NotUpdatedError(InputError):
    """The rows of a task or constraint were read before its first update.

    Attributes:
        task: Id of the task or constraint.
    """

    def __init__(self, task: str) -> None:
        super().__init__(
            f"{task!r} has no rows yet: call its update(state), or that of a stack that holds it"
        )
        self.task = task


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


class CartesioError(InputError):
    """A CartesI/O problem description is wrong.

    Attributes:
        source: File, or ``problem description``.
        label: Entry of the file; empty for the file as a whole.
        key: Key in that entry; empty for the entry as a whole.
    """

    def __init__(self, source: str, label: str, key: str, problem: str) -> None:
        where = "".join(
            f", {kind} {name!r}" for kind, name in (("entry", label), ("key", key)) if name
        )
        super().__init__(f"{source}{where}: {problem}")
        self.source = source
        self.label = label
        self.key = key


class FootstepError(InputError):
    """A step that the limits do not allow.

    Attributes:
        step: Number of the step, from 0.
        limit: Name of the limit, as in `StepLimits`.
        value: What was asked for.
        allowed: What is allowed.
    """

    def __init__(self, step: int, limit: str, value: float, allowed: float, hint: str) -> None:
        super().__init__(
            f"footstep {step}: limit {limit!r} is {allowed:.4g}, the step needs {value:.4g}; {hint}"
        )
        self.step, self.limit, self.value, self.allowed = step, limit, value, allowed
