"""What compiled code reads by its address is not copied."""

from typing import NoReturn, SupportsIndex

from footwork.errors import CopyError


class Uncopied:
    """Refuses `copy.copy`, `copy.deepcopy` and pickling, all of which ask ``__reduce_ex__``.

    Such an object hands out addresses of its arrays. A copy would keep them, and go on computing in
    the arrays of the original, or in memory that is free by then.
    """

    _instead: str = "make another one by its constructor"

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Refuse.

        Raises:
            CopyError: Always; it says what to do instead.
        """
        raise CopyError(repr(self), self._instead)
