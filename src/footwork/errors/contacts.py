"""Errors of contact lists, their times and files, and of the gaits and footsteps made into them."""

from footwork.errors.general import FootworkError, InputError


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
