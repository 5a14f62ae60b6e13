"""``footwork warm-up``: compile everything once, so that later runs start quickly."""

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

from footwork.cli.progress import Job, run_jobs

PARTS = ("all", "planning", "stack", "walking")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments.

    Args:
        parser: Of this command.
    """
    parser.description = (
        "Compile every kernel, planner and ready model once; what is compiled is kept on the disk "
        "and later processes only read it. Takes a few minutes the first time, seconds afterwards."
    )
    parser.add_argument(
        "--part", choices=PARTS, default="all", help="what to compile (default all)"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Compile.

    Args:
        arguments: Parsed.

    Returns:
        0 when everything is compiled, 1 if something could not be.
    """
    jobs = make_jobs(arguments.part)
    begin = time.perf_counter()
    failed = run_jobs(jobs, quiet=arguments.quiet)
    for line in failed:
        print(f"not compiled: {line}")
    elapsed = time.perf_counter() - begin
    print(
        f"{len(jobs) - len(failed)} of {len(jobs)} compiled or found on the disk in {elapsed:.1f} s"
    )
    return 1 if failed else 0


def make_jobs(part: str) -> list[tuple[str, Callable[[], str]]]:
    """List what there is to compile.

    Args:
        part: One of `PARTS`.

    Returns:
        A name, and a function that compiles and returns what went wrong, for each.
    """
    from footwork.planning.warm_up import planning_jobs

    jobs = list(kernel_jobs(part))
    if part in {"all", "planning"}:
        jobs += planning_jobs()
    if part in {"all", "walking"}:
        jobs.append(("way around obstacles", _find_way))
    return jobs


def _find_way() -> str:
    """Compile what a walk with a map needs."""
    import numpy as np

    from footwork.walking.obstacles import ObstacleMap, find_way

    obstacles = ObstacleMap(circles=np.array([[1.0, 0.0, 0.2]]), boxes=np.zeros((0, 4)))
    find_way((0.0, 0.0), (2.0, 0.0), obstacles, radius=0.2)
    return ""


def kernel_jobs(part: str) -> list[tuple[str, Callable[[], str]]]:
    """List the kernel modules of a part, to be imported and compiled.

    Args:
        part: One of `PARTS`.

    Returns:
        A name and a function for each.
    """
    import importlib
    import pkgutil

    import footwork

    packages = {
        "planning": ("planning",),
        "stack": ("stack", "robot"),
        "walking": ("walking", "contacts", "trajectory"),
    }
    chosen = [name for names in packages.values() for name in names]
    if part != "all":
        chosen = list(packages[part])
    jobs: list[tuple[str, Callable[[], str]]] = []
    for found in pkgutil.walk_packages(footwork.__path__, "footwork."):
        words = found.name.split(".")
        if "_kernels" in words and words[1] in chosen and not found.ispkg:

            def load(name: str = found.name) -> str:
                from footwork._numba import compile_kernels

                try:
                    compile_kernels(importlib.import_module(name))
                except ImportError as error:
                    return str(error)
                return ""

            jobs.append((f"kernels: {'.'.join(words[1:])}", load))
    return jobs


def missing_kernels(packages: Sequence[str]) -> list[Job]:
    """List the kernels of some packages whose machine code is not on the disk.

    Args:
        packages: Of Footwork, such as "walking".

    Returns:
        A name and a function that compiles for each.
    """
    import importlib
    import pkgutil

    from footwork._numba import compile_kernel, find_missing

    jobs: list[Job] = []
    for package in packages:
        kernels = importlib.import_module(f"footwork.{package}._kernels")
        names = [f"{kernels.__name__}.{m.name}" for m in pkgutil.iter_modules(kernels.__path__)]
        for module in (importlib.import_module(name) for name in names):
            for kernel in find_missing(module):

                def compile_one(kernel: Any = kernel) -> str:
                    compile_kernel(kernel)
                    return ""

                jobs.append((f"{package}: {kernel.__name__.strip('_')}", compile_one))
    return jobs
