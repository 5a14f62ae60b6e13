"""Recognises a function by what it does: its code and every value that it captures.

A compiled function freezes the globals and closures that it reads. So that a cached one is never
stale, the key under which it is kept changes with any of these values.
"""

import hashlib
import types
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

PLAIN: Final = (
    type(None),
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type(Ellipsis),
    np.generic,
    slice,
    range,
)
EMPTY: Final = object()
"""What a closure variable holds that has not been assigned yet."""
LIBRARIES: Final = frozenset({"math", "cmath", "numpy", "numba", "builtins", "operator"})


class CapturedValueError(Exception):
    """A function captures something whose value cannot be recognised again."""


def fingerprint(*values: object) -> str:
    """Digest values and functions, so that equal digests mean equal behaviour.

    Args:
        values: Numbers, text, arrays, tuples, lists, modules and plain or compiled functions.

    Returns:
        Hexadecimal digest.

    Raises:
        CapturedValueError: If something else is captured.
    """
    digest = hashlib.sha256()
    seen: dict[int, int] = {}
    for value in values:
        for piece in _pieces(value, seen):
            digest.update(piece)
            digest.update(b"\0")
    return digest.hexdigest()


def python_function(value: object) -> types.FunctionType | None:
    """See through Numba's dispatchers.

    Args:
        value: Anything.

    Returns:
        The plain function, or None if it is not one.
    """
    inner = getattr(value, "py_func", value)
    return inner if isinstance(inner, types.FunctionType) else None


def captured_values(function: types.FunctionType) -> dict[str, object]:
    """Collect the globals and closure variables that a function reads.

    Args:
        function: A plain function.

    Returns:
        Values by name; names that are not defined, and builtins, are left out.
    """
    values: dict[str, object] = {}
    for code in _codes(function.__code__):
        for name in code.co_names:
            if name in function.__globals__:
                values[name] = function.__globals__[name]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        value = contents(cell)
        if value is not EMPTY:
            values[name] = value
    return values


def contents(cell: types.CellType) -> object:
    """Look into a cell of a closure.

    Args:
        cell: The cell.

    Returns:
        What is in it, or EMPTY.
    """
    try:
        return cell.cell_contents
    except ValueError:
        return EMPTY


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _pieces(value: object, seen: dict[int, int]) -> Iterator[bytes]:
    function = python_function(value)
    if function is not None:
        yield from _function_pieces(function, seen)
    elif isinstance(value, PLAIN):
        yield f"{type(value).__name__} {value!r}".encode()
    elif isinstance(value, tuple | list):
        yield f"{type(value).__name__} {len(value)}".encode()
        for item in value:
            yield from _pieces(item, seen)
    elif isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        yield f"array {value.dtype.str} {value.shape} {value.flags.f_contiguous}".encode()
        yield value.tobytes()
    elif isinstance(value, types.ModuleType):
        yield f"module {value.__name__}".encode()
    elif isinstance(value, types.BuiltinFunctionType | type | np.ufunc) or callable(value):
        yield _library_name(value).encode()
    else:
        raise CapturedValueError(f"a value of type {type(value).__name__}")


def _library_name(value: Any) -> str:
    module = getattr(value, "__module__", None) or type(value).__module__
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if name is None or module.partition(".")[0] not in LIBRARIES:
        raise CapturedValueError(f"{value!r}")
    return f"library {module}.{name}"


def _function_pieces(function: types.FunctionType, seen: dict[int, int]) -> Iterator[bytes]:
    if id(function) in seen:
        yield f"again {seen[id(function)]}".encode()
        return
    seen[id(function)] = len(seen)
    for code in _codes(function.__code__):
        yield code.co_code
        yield repr((code.co_names, code.co_varnames, code.co_argcount)).encode()
        for constant in code.co_consts:
            if not isinstance(constant, types.CodeType):
                yield from _pieces(_ordered(constant), seen)
    for default in function.__defaults__ or ():
        yield from _pieces(default, seen)
    for name, value in sorted((function.__kwdefaults__ or {}).items()):
        yield name.encode()
        yield from _pieces(value, seen)
    captured = captured_values(function)
    for name in sorted(captured):
        yield name.encode()
        yield from _pieces(captured[name], seen)
    yield from _module_attributes(function, captured, seen)


def _is_library(module: types.ModuleType) -> bool:
    return module.__name__.partition(".")[0] in LIBRARIES


def _ordered(constant: object) -> object:
    return tuple(sorted(map(repr, constant))) if isinstance(constant, frozenset) else constant


def _module_attributes(
    function: types.FunctionType, captured: Mapping[str, object], seen: dict[int, int]
) -> Iterator[bytes]:
    """Values that are read as ``module.name`` from modules other than the known libraries.

    Yields:
        Pieces to digest.
    """
    names = {name for code in _codes(function.__code__) for name in code.co_names}
    for module in captured.values():
        if isinstance(module, types.ModuleType) and not _is_library(module):
            for name in sorted(name for name in names if hasattr(module, name)):
                yield f"{module.__name__}.{name}".encode()
                yield from _pieces(getattr(module, name), seen)


class CaptureWatch:
    """Notices that a value captured by functions has changed since.

    Comparing identities is enough for most values, so that asking costs about a microsecond.

    Args:
        functions: Functions, or anything else, which is passed over.
    """

    def __init__(self, *functions: object) -> None:
        self._watched: list[tuple[Mapping[str, object] | types.CellType, str, object, object]] = []
        seen: set[int] = set()
        for function in functions:
            self._walk(function, seen)

    def has_changed(self) -> bool:
        """Whether a captured value is another one, or an array has other numbers."""
        for place, name, value, copy in self._watched:
            now = contents(place) if isinstance(place, types.CellType) else place.get(name)
            if now is not value and not _same(now, value):
                return True
            if copy is not None and not _same(value, copy):
                return True
        return False

    def _walk(self, function: object, seen: set[int]) -> None:
        plain = python_function(function)
        if plain is None or id(plain) in seen:
            return
        seen.add(id(plain))
        names = {name for code in _codes(plain.__code__) for name in code.co_names}
        for name in names & plain.__globals__.keys():
            self._watch(plain.__globals__, name, plain.__globals__[name], names, seen)
        for cell in plain.__closure__ or ():
            self._watch(cell, "", contents(cell), names, seen)

    def _watch(
        self,
        place: Mapping[str, object] | types.CellType,
        name: str,
        value: object,
        names: set[str],
        seen: set[int],
    ) -> None:
        copy: object = None
        if isinstance(value, np.ndarray):
            copy = value.copy()
        elif isinstance(value, list):
            copy = list(value)
        self._watched.append((place, name, value, copy))
        self._walk(value, seen)
        if isinstance(value, types.ModuleType) and not _is_library(value):
            for attribute in names & vars(value).keys():
                self._watch(vars(value), attribute, vars(value)[attribute], names, seen)


def _same(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    try:
        return type(a) is type(b) and bool(a == b)
    except (TypeError, ValueError):
        return False
