"""Compiles a problem into one C function, and keeps it on the disk.

The user's functions, copied so that the helpers they call are compiled too, are put into a small
generated file; the file is named after a fingerprint of everything it depends on, so that Numba
finds the machine code again in the next process, and never that of another problem.
"""

import os
import sys
import tempfile
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from footwork.errors import FootworkError
from footwork.planning.fingerprint import CapturedValueError, fingerprint, python_function

CACHE_VARIABLE: Final = "FOOTWORK_CACHE_DIR"
_LOADED: "dict[str, NativeFunction]" = {}
"""Functions of this process by their key; machine code stays in memory anyway."""


class NotCompilableError(Exception):
    """Why a callback cannot be compiled; the plain-Python door is used instead."""


@dataclass(frozen=True, kw_only=True, eq=False)
class NativeFunction:
    """One compiled C function.

    Attributes:
        address: Where it is.
        keep_alive: Owner of the machine code.
        from_cache: Whether it was found on the disk.
        source: The generated file, None if the cache cannot be written to.
    """

    address: int
    keep_alive: object
    from_cache: bool
    source: Path | None


def cache_directory() -> Path:
    """Where generated sources and their machine code are kept.

    Returns:
        The directory that the environment variable FOOTWORK_CACHE_DIR names, else ``footwork`` in
        the user's cache directory.
    """
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "footwork"


def compile_native(
    text: str, entry: str, callbacks: Mapping[str, tuple[object, Callable[[Any], None]]]
) -> NativeFunction:
    """Compile a generated module, or find it on the disk.

    Args:
        text: Source; it defines ``entry``, a C function, and may call the callbacks.
        entry: Name of the C function.
        callbacks: By the name used in the source: the user's function, and what tests that the
            compiled one returns what is wanted, raising `NotCompilableError` if not.

    Returns:
        The compiled function.

    Raises:
        NotCompilableError: If a callback cannot be compiled, with the reason.
    """
    import numba

    key = _key(text, {name: function for name, (function, _) in callbacks.items()})
    if key in _LOADED:
        return _LOADED[key]
    compiled = {name: nativise(function) for name, (function, _) in callbacks.items()}
    source, known = _generated_file(key, text)
    try:
        if not known:
            for name, (_, test) in callbacks.items():
                test(compiled[name])
        # a module that can be found, as Numba looks there for the globals of what it loads
        module = types.ModuleType(f"footwork_rollout_{key[:16]}")
        sys.modules[module.__name__] = module
        namespace: dict[str, Any] = vars(module)
        namespace.update(compiled)
        namespace["CACHE"] = source is not None
        filename = str(source) if source else f"<rollout {key[:16]}>"
        exec(compile(text, filename, "exec"), namespace)
        function = namespace[entry]
    except NotCompilableError:
        _discard(source, known=known)
        raise
    except (numba.core.errors.NumbaError, FootworkError, NotImplementedError) as error:
        _discard(source, known=known)
        raise NotCompilableError(first_line(error)) from error
    if source is not None and not known:
        _marker(source).touch()
    hit = known and bool(getattr(function, "cache_hits", 0))
    _LOADED[key] = NativeFunction(
        address=int(function.address), keep_alive=namespace, from_cache=hit, source=source
    )
    return _LOADED[key]


def nativise(function: object, seen: dict[int, Any] | None = None) -> Any:
    """Make a dispatcher of a function, and of the plain functions that it calls.

    Args:
        function: A plain function or a Numba dispatcher.
        seen: Dispatchers made so far, for functions that call each other.

    Returns:
        A Numba dispatcher.

    Raises:
        NotCompilableError: If it is neither.
    """
    import numba

    if hasattr(function, "py_func"):
        return function
    seen = {} if seen is None else seen
    if not isinstance(function, types.FunctionType):
        raise NotCompilableError(f"{function!r} is not a plain function")
    if id(function) in seen:
        raise NotCompilableError(f"{function.__qualname__} calls itself")
    seen[id(function)] = None

    def convert(value: object) -> object:
        return nativise(value, seen) if isinstance(value, types.FunctionType) else value

    names = set(function.__code__.co_names)
    namespace = {
        name: convert(value) if name in names else value
        for name, value in function.__globals__.items()
    }
    closure = tuple(
        types.CellType(convert(cell.cell_contents)) for cell in function.__closure__ or ()
    )
    copy = types.FunctionType(
        function.__code__, namespace, function.__name__, function.__defaults__, closure
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    del seen[id(function)]
    return numba.njit(error_model="numpy", nogil=True)(copy)


def first_line(error: BaseException) -> str:
    """Shorten a compiler's message to the line that says most.

    Args:
        error: What it raised.

    Returns:
        One line.
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    chosen = [line for line in lines if not line.startswith(("Failed in", "During:", "File"))]
    return (chosen or lines or [type(error).__name__])[0]


def _key(text: str, functions: Mapping[str, object]) -> str:
    import numba

    parts: list[object] = [text, numba.__version__, sys.version, numba.config.CPU_NAME or ""]
    for name in sorted(functions):
        if python_function(functions[name]) is None:
            raise NotCompilableError(f"{functions[name]!r} is not a plain function")
        parts += [name, functions[name]]
    try:
        return fingerprint(*parts)
    except CapturedValueError as error:
        raise NotCompilableError(f"it captures {error}, which cannot be compiled in") from error


def _generated_file(key: str, text: str) -> tuple[Path | None, bool]:
    """Name of the generated file, and whether it has been compiled before."""
    folder = cache_directory() / "rollouts"
    path = folder / f"r{key[:40]}.py"
    if path.exists() and _marker(path).exists():
        return path, True
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", dir=folder, suffix=".tmp", delete=False, encoding="utf-8"
        ) as file:
            file.write(text)
        Path(file.name).replace(path)
    except OSError:
        return None, False
    return path, False


def _marker(source: Path) -> Path:
    """The empty file that says that a generated one has been compiled and tested."""
    return source.with_suffix(".ok")


def _discard(source: Path | None, *, known: bool) -> None:
    if source is not None and not known:
        source.unlink(missing_ok=True)
