"""A line in the terminal while a planner runs."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from footwork.planning.planners.run import Progress

INTERVAL = 0.25
"""Time between two states of the line [s]."""
PLAIN_INTERVAL = 5.0
"""Time between two lines where there is no terminal [s]."""
PATIENCE = 1.0
"""How long compiling may last without a word [s]."""
COMPILING = "compiling, once; this time is in no figure (`footwork warm-up` does all of it)"


@contextmanager
def progress_line() -> Iterator[Callable[[Progress], None]]:
    """Show how far a planner is while the block runs.

    On a terminal that is one line, which is gone at the end; elsewhere a line every few seconds.

    Yields:
        The callback of the planner.
    """
    from rich.console import Console

    console = Console(stderr=True)
    status = console.status("planning")
    interval = INTERVAL if console.is_terminal else PLAIN_INTERVAL
    last = 0.0

    def show(progress: Progress) -> None:
        nonlocal last
        if progress.elapsed_time - last < interval:
            return
        last = progress.elapsed_time
        if console.is_terminal:
            status.update(describe(progress).strip())
            status.start()
        else:
            console.print(describe(progress), highlight=False, soft_wrap=True)

    try:
        yield show
    finally:
        status.stop()


@contextmanager
def compiling(*, shown: bool) -> Iterator[None]:
    """Say that compilation goes on while the block runs, if that takes more than a second.

    Args:
        shown: Whether anything is said.
    """
    if not shown:
        yield
        return
    from rich.console import Console

    console = Console(stderr=True)
    status = console.status(COMPILING)

    def show() -> None:
        if console.is_terminal:
            status.start()
        else:
            console.print(COMPILING, soft_wrap=True)

    timer = Timer(PATIENCE, show)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


def describe(progress: Progress) -> str:
    """Put progress into words.

    Args:
        progress: What has been done.

    Returns:
        One line.

    Example:
        >>> describe(Progress(elapsed_time=1.5, iterations=20000, nodes=9000,
        ...                   best_cost=math.inf, remaining_distance=0.25))
        '  1.5 s  20000 iterations  9000 nodes  0.25 short of the goal'
    """
    found = (
        f"cost {progress.best_cost:.4g}"
        if math.isfinite(progress.best_cost)
        else f"{progress.remaining_distance:.3g} short of the goal"
    )
    return (
        f"{progress.elapsed_time:5.1f} s  {progress.iterations} iterations  "
        f"{progress.nodes} nodes  {found}"
    )
