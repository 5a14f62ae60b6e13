"""Ctrl-C while a planner works: it waits for a place at which nothing is half done."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def hold_interrupts(pause: Callable[[], object]) -> Iterator[None]:
    """Let Ctrl-C wait until the block has ended; a second one does not wait.

    Where a kernel calls Python, an exception may strike before the callback's first line, where
    nobody catches it: the kernel would go on with a result that was never written. Threads other
    than the main one are never interrupted.

    Args:
        pause: Called at the first Ctrl-C, to end the block soon.
    """
    is_main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT) if is_main else None
    if handler is None or isinstance(handler, int):  # nothing of Python's is to be called
        yield
        return
    held: list[int] = []

    def hold(number: int, frame: object) -> None:
        if held:
            handler(number, frame)  # type: ignore[arg-type]
        held.append(number)
        pause()

    try:
        signal.signal(signal.SIGINT, hold)
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if held:
            handler(signal.SIGINT, None)
