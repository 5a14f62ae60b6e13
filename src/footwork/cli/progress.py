"""Progress of long jobs: a bar on a terminal, plain lines elsewhere; always on standard error."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

Job = tuple[str, Callable[[], str]]
"""What is done, and a function that does it and returns what went wrong."""


def run_jobs(jobs: Sequence[Job], line: str = "", *, quiet: bool) -> list[str]:
    """Run jobs one after another.

    Args:
        jobs: What is to be done.
        line: Says what this is about, once, when there is something to do.
        quiet: Whether nothing is shown.

    Returns:
        What went wrong, a line each.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, quiet=quiet)
    if line and jobs:
        console.print(line, highlight=False, soft_wrap=True)
    failed: list[str] = []
    columns = (
        TextColumn("{task.description:40}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    hidden = quiet or not console.is_terminal
    with Progress(*columns, console=console, disable=hidden, transient=True) as bar:
        task = bar.add_task("", total=len(jobs))
        for name, job in jobs:
            bar.update(task, description=name)
            problem = job()
            if problem:
                failed.append(f"{name}: {problem}")
            bar.advance(task)
    return failed


@contextmanager
def progress_bar(description: str, *, quiet: bool) -> Iterator[Callable[[float, str], None] | None]:
    """Show how far one thing is while the block runs; nothing where there is no terminal.

    Args:
        description: Of the thing.
        quiet: Whether nothing is shown.

    Yields:
        A function that takes the part that is done and a few words; None if nothing is shown.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[words]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(description, total=1.0, words="planning")
        yield lambda part, words: bar.update(task, completed=part, words=words)


def compile_kernels(jobs: Sequence[Job], *, quiet: bool) -> None:
    """Compile kernels that are not on the disk yet, and say so.

    Args:
        jobs: One for each kernel.
        quiet: Whether nothing is shown.
    """
    begin = time.perf_counter()
    line = f"compiling {len(jobs)} kernel{'s' * (len(jobs) != 1)}, once"
    if len(jobs) > 50:
        line += "; takes two to four minutes"
    elif len(jobs) > 5:
        line += f"; takes {len(jobs)} to {2 * len(jobs)} s"
    run_jobs(jobs, line, quiet=quiet)
    if jobs and not quiet:
        from rich.console import Console

        Console(stderr=True).print(f"compiled in {time.perf_counter() - begin:.0f} s")
