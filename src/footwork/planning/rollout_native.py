"""Compiles a problem into one C function, and keeps it on the disk.

The user's functions, copied so that the helpers they call are compiled too, are put into a small
generated file; the file is named after a fingerprint of everything it depends on, so that Numba
finds the machine code again in the next process, and never that of another problem.
"""

import dis
import os
import sys
import tempfile
import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from footwork.planning.fingerprint import (
    EMPTY,
    CapturedValueError,
    contents,
    fingerprint,
    python_function,
)

CACHE_VARIABLE: Final = "FOOTWORK_CACHE_DIR"
CACHE_VERSION: Final = 5
"""Part of every key; raised when the way of compiling changes."""
LONGEST_INLINED: Final = 1500
"""Bytes of bytecode of the longest callback that is copied to wherever the rollout calls it: a step
of Runge and Kutta calls the dynamics four times, and half of the four is often the same. What the
callback calls itself is left to the compiler."""
MOST_KEPT: Final = 1000
"""How many generated files are kept."""
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


def accept_anything(dispatcher: Any) -> None:
    """Test nothing: for callbacks whose answers the generated source turns into numbers.

    Args:
        dispatcher: The compiled callback.
    """


def compile_native(
    text: str,
    entry: str,
    callbacks: Mapping[str, tuple[object, Callable[[Any], None]]],
    verify: Callable[[int], None] | None = None,
) -> NativeFunction:
    """Compile a generated module, or find it on the disk.

    Args:
        text: Source; it defines ``entry``, a C function, and may call the callbacks.
        entry: Name of the C function.
        callbacks: By the name used in the source: the user's function, and what tests that the
            compiled one returns what is wanted, raising `NotCompilableError` if not.
        verify: Tests the address, in the same way, also of what was compiled before: it may be
            called with other numbers now.

    Returns:
        The compiled function.

    Raises:
        NotCompilableError: If a callback cannot be compiled, with the reason; the reason is kept
            on the disk too, so that it is not tried again.
    """
    key = _key(text, {name: function for name, (function, _) in callbacks.items()})
    if key in _LOADED:
        if verify is not None:
            verify(_LOADED[key].address)
        return _LOADED[key]
    source = _generated_file(key, text)
    known = source is not None and _mark(source, ".ok").exists()
    reason = None if source is None or known else _reason_kept(source)
    if reason is not None:
        raise NotCompilableError(reason)
    functions = {name: function for name, (function, _) in callbacks.items()}
    try:
        function, namespace = _load(_Generated(key, text, entry, source), functions, known=known)
        if not known:
            for name, (_, test) in callbacks.items():
                test(namespace[name])
        if verify is not None:
            verify(int(function.address))
    except NotCompilableError as error:
        if source is not None and not known:
            _write_mark(source, ".no", str(error))
        raise
    if source is not None and not known:
        _write_mark(source, ".ok", "")
    _LOADED[key] = NativeFunction(
        address=int(function.address),
        keep_alive=namespace,
        from_cache=known and bool(getattr(function, "cache_hits", 0)),
        source=source,
    )
    return _LOADED[key]


class _Generated(NamedTuple):
    """A generated module: its key, source, the name of its C function, and its file."""

    key: str
    text: str
    entry: str
    file: Path | None


def _load(
    generated: _Generated, functions: Mapping[str, object], *, known: bool
) -> tuple[Any, dict[str, Any]]:
    """Run a generated module, which compiles its entry or reads it from Numba's cache.

    Numba looks the module up by its name. Where its cache fails, because a file is damaged or was
    deleted a moment ago, the entry is compiled without; unless Numba says that it cannot be.
    """
    from numba.core.errors import NumbaError

    name = f"footwork_rollout_{generated.key[:16]}"
    filename = str(generated.file or f"<{name}>")
    failure: Exception | None = None
    for cache in (True, False) if generated.file is not None else (False,):
        module = types.ModuleType(name)
        sys.modules[name] = module
        namespace = vars(module)
        namespace["CACHE"] = cache
        try:
            for callback, function in functions.items():
                namespace[callback] = nativise(function, name)
            exec(compile(generated.text, filename, "exec"), namespace)
        except NotCompilableError:
            raise
        except Exception as error:  # Numba raises whatever it meets when it cannot compile
            failure = error
            if isinstance(error, NumbaError) and not known:
                break
        else:
            return namespace[generated.entry], namespace
    assert failure is not None
    raise NotCompilableError(first_line(failure)) from failure


def nativise(function: object, module: str, seen: dict[int, Any] | None = None) -> Any:
    """Make a dispatcher of a function, and of the plain functions that it calls.

    Args:
        function: A plain function or a Numba dispatcher.
        module: Name of the module that the compiled copies belong to, so that the cache never
            asks for the user's, which may not be there next time.
        seen: Dispatchers made so far, for functions that call each other.

    Returns:
        A Numba dispatcher.

    Raises:
        NotCompilableError: If it is neither.
    """
    import numba

    if hasattr(function, "py_func"):
        return function
    is_inlined = seen is None
    seen = {} if seen is None else seen
    if not isinstance(function, types.FunctionType):
        raise NotCompilableError(f"{function!r} is not a plain function")
    if id(function) in seen:
        raise NotCompilableError(f"{function.__qualname__} calls itself")
    seen[id(function)] = None
    _refuse_outward_assignment(function)

    def convert(value: object) -> object:
        return nativise(value, module, seen) if isinstance(value, types.FunctionType) else value

    names = set(function.__code__.co_names)
    namespace = {
        name: convert(value) if name in names else value
        for name, value in function.__globals__.items()
    }
    namespace["__name__"] = module
    values = [contents(cell) for cell in function.__closure__ or ()]
    if any(value is EMPTY for value in values):
        raise NotCompilableError(f"{function.__qualname__} uses what has not been assigned yet")
    closure = tuple(types.CellType(convert(value)) for value in values)
    copy = types.FunctionType(
        function.__code__, namespace, function.__name__, function.__defaults__, closure
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    del seen[id(function)]
    is_inlined = is_inlined and len(function.__code__.co_code) <= LONGEST_INLINED
    return numba.njit(error_model="numpy", nogil=True, forceinline=is_inlined)(copy)


def _refuse_outward_assignment(function: types.FunctionType) -> None:
    """Numba compiles ``nonlocal n; n += 1`` without a word, but the caller's n stays as it is."""
    outer = set(function.__code__.co_freevars)
    for instruction in dis.get_instructions(function.__code__):
        name = instruction.argval
        if instruction.opname == "STORE_GLOBAL" or (
            instruction.opname == "STORE_DEREF" and name in outer
        ):
            raise NotCompilableError(f"{function.__qualname__} assigns {name}, which is outside it")


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

    parts: list[object] = [
        CACHE_VERSION,
        text,
        numba.__version__,
        sys.version,
        numba.config.CPU_NAME or "",
    ]
    for name in sorted(functions):
        if python_function(functions[name]) is None:
            raise NotCompilableError(f"{functions[name]!r} is not a plain function")
        parts += [name, functions[name]]
    try:
        return fingerprint(*parts)
    except CapturedValueError as error:
        raise NotCompilableError(f"it captures {error}, which cannot be compiled in") from error


def _generated_file(key: str, text: str) -> Path | None:
    """Write the generated file unless it is there; None if the cache cannot be written to."""
    folder = cache_directory() / "rollouts"
    path = folder / f"r{key[:40]}.py"
    try:
        if path.exists():
            return path
        folder.mkdir(parents=True, exist_ok=True)
        _prune(folder)
        with tempfile.NamedTemporaryFile(
            "w", dir=folder, suffix=".tmp", delete=False, encoding="utf-8"
        ) as file:
            file.write(text)
        Path(file.name).replace(path)
    except OSError:
        return None
    return path


def _prune(folder: Path) -> None:
    """Delete what was compiled longest ago, so that the cache does not grow for ever."""
    marks = [*folder.glob("*.ok"), *folder.glob("*.no")]
    if len(marks) < MOST_KEPT:
        return
    for mark in sorted(marks, key=lambda file: file.stat().st_mtime)[: MOST_KEPT // 4]:
        machine_code = folder.glob(f"__pycache__/{mark.stem}*")
        for file in (mark, mark.with_suffix(".py"), *machine_code):
            file.unlink(missing_ok=True)


def _reason_kept(source: Path) -> str | None:
    """Why compiling failed the last time; None if it is not known or cannot be read."""
    try:
        return _mark(source, ".no").read_text(encoding="utf-8") or None
    except (OSError, UnicodeDecodeError):
        return None


def _write_mark(source: Path, suffix: str, text: str) -> None:
    """Leave a mark if the cache can be written to; without it, one compiles and tests again."""
    with suppress(OSError):
        _mark(source, suffix).write_text(text, encoding="utf-8")


def _mark(source: Path, suffix: str) -> Path:
    """Beside a generated file: ``.ok`` if it was compiled and tested, ``.no`` with the reason."""
    return source.with_suffix(suffix)
