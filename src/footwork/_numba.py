"""The one place that knows Numba: how kernels are compiled, and the array types they take.

Inputs are read-only types, which accept frozen and writable arrays with one compilation; outputs
come last. Signatures are explicit, so that a kernel is compiled once and then read from the disk.

A kernel is read or compiled when it is first called, from Python or by a kernel that is itself
being compiled. The machine code of a kernel on the disk holds all that it calls, so that a process
reads the few kernels that it calls itself, not the many below them. It is read only while nothing
that it holds has changed: its own file, which Numba looks after, and the code of all that it calls.
"""

import hashlib
import inspect
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from time import thread_time
from types import CodeType, ModuleType
from typing import Any, ParamSpec, TypeVar

import numba
from llvmlite.binding import Linkage
from numba import types
from numba.core import event
from numba.core.ccallback import CFunc
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic
from numba.core.sigutils import normalize_signature

P = ParamSpec("P")
R = TypeVar("R")

F8 = types.float64
I8 = types.int64
B1 = types.boolean
VOID = types.void

VEC = types.Array(types.float64, 1, "C", readonly=True)
"""A vector that the kernel reads."""
MAT = types.Array(types.float64, 2, "C", readonly=True)
"""A matrix that the kernel reads."""
TEN = types.Array(types.float64, 3, "C", readonly=True)
"""A three-axis array that the kernel reads."""
IVEC = types.Array(types.int64, 1, "C", readonly=True)
"""An integer vector that the kernel reads."""
IMAT = types.Array(types.int64, 2, "C", readonly=True)
"""An integer matrix that the kernel reads."""
OUT1 = types.Array(types.float64, 1, "C")
"""A vector that the kernel writes."""
OUT2 = types.Array(types.float64, 2, "C")
"""A matrix that the kernel writes."""
OUT3 = types.Array(types.float64, 3, "C")
"""A three-axis array that the kernel writes."""
IOUT1 = types.Array(types.int64, 1, "C")
"""An integer vector that the kernel writes."""
IOUT2 = types.Array(types.int64, 2, "C")
"""An integer matrix that the kernel writes."""

_FAST = {"contract", "reassoc", "nsz", "arcp"}


def kernel(
    signature: object,
    *,
    nogil: bool = False,
    inline: bool = False,
    forced: bool = False,
    counted: bool = True,
    fused: bool = False,
    fast: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile for one exact signature, cached on disk, with NumPy's rules for float errors.

    Args:
        signature: A Numba signature such as ``VOID(VEC, OUT1)``.
        nogil: Whether other Python threads run meanwhile.
        inline: Whether the body is copied into the kernels that call it.
        forced: The same, but by LLVM at every call, whatever the size; for what is a few
            arithmetic operations and is called in an inner loop.
        counted: Whether references to arrays are counted. A kernel that makes no array needs no
            counts; without them, calls that pass many arrays cost next to nothing.
        fused: Whether a product and the sum it goes into may be rounded once, as one instruction.
        fast: Whether sums may be reordered too, which lets loops vectorise; NaN and infinity
            keep their meaning, and one machine gives the same bits in every process.

    Returns:
        The decorator.
    """

    def wrap(function: Callable[P, R]) -> Callable[P, R]:
        compiled: Callable[P, R] = numba.njit(
            error_model="numpy",
            nogil=nogil,
            inline="always" if inline else "never",
            _nrt=counted,
            forceinline=forced,
            fastmath=_FAST if fast else {"contract"} if fused else False,
        )(function)
        if compiled is not function:  # it is while Numba's compiler is switched off
            _keep_on_disk(compiled)
            _compile_later(compiled, signature)
        return compiled

    return wrap


def callback(signature: object) -> Callable[[Callable[P, R]], Any]:
    """Compile for callers that know no more than the address; cached on disk as kernels are.

    Args:
        signature: A Numba signature such as ``VOID(I8)``.

    Returns:
        The decorator; what it makes has an ``address``.
    """

    def wrap(function: Callable[P, R]) -> Any:
        options = {"error_model": "numpy"}
        compiled = CFunc(function, normalize_signature(signature), locals={}, options=options)
        _keep_on_disk(compiled)
        _mark(compiled, [str(signature), *_pieces(compiled, set())])
        with global_compiler_lock, _own_copies():
            compiled.compile()
        return compiled

    return wrap


def _keep_on_disk(compiled: Any) -> None:
    """Have machine code kept on the disk, if there is a folder for it that can be written to.

    Files that are no good, such as those of a disk that was full, count as not there.
    """
    try:
        compiled.enable_caching()
    except RuntimeError:  # so Numba says that there is none
        _warn_of_no_cache()
        return
    kept = compiled._cache
    save, load, load_index = kept.save_overload, kept.load_overload, kept._cache_file._load_index

    def save_if_possible(*arguments: Any) -> None:
        try:
            save(*arguments)
        except OSError:  # such as a full disk
            _warn_of_no_cache()

    def load_if_whole(*arguments: Any) -> Any:
        with suppress(Exception):  # a file that was cut off may raise anything; it is written anew
            return load(*arguments)

    def load_index_if_whole() -> Any:
        with suppress(Exception):
            return load_index()
        return {}

    kept.save_overload, kept.load_overload = save_if_possible, load_if_whole
    kept._cache_file._load_index = load_index_if_whole


@cache
def _warn_of_no_cache() -> None:
    warnings.warn(
        "compiled code cannot be kept on the disk, so that every process compiles for minutes: set "
        "NUMBA_CACHE_DIR to a folder that can be written to and has room",
        RuntimeWarning,
        stacklevel=2,
    )


def compile_kernels(module: ModuleType) -> None:
    """Compile the kernels of a module that have not been needed yet, or read them from the disk.

    Args:
        module: The module.
    """
    for value in list(vars(module).values()):
        compile_kernel(value)


def compile_kernel(value: Any) -> None:
    """Compile a kernel that has not been needed yet, or read it from the disk.

    Args:
        value: The kernel; anything else is left alone.
    """
    if _is_waiting(value):
        value.compile(None)


def find_missing(module: ModuleType) -> list[Any]:
    """Find the kernels of a module that have not been compiled on this kind of machine.

    Args:
        module: The module; kernels that it imports from others do not count.

    Returns:
        Kernels whose machine code is neither in memory nor on the disk.
    """
    return [
        value
        for value in vars(module).values()
        if _is_waiting(value)
        and value.py_func.__module__ == module.__name__
        and not _is_on_disk(value)
    ]


def _is_waiting(value: object) -> bool:
    """Whether something is a kernel that has a signature and has not been needed yet."""
    return isinstance(value, Dispatcher) and "compile" in vars(value)


def _is_on_disk(dispatcher: Any) -> bool:
    """Look into Numba's index for machine code of this processor."""
    _stamp(dispatcher)
    index = getattr(dispatcher._cache, "_cache_file", None)
    if index is None:  # nothing can be kept on the disk
        return False
    machine = dispatcher.targetctx.codegen().magic_tuple()
    return any(key[1] == machine for key in index._load_index())


@contextmanager
def count_compilation() -> Iterator[list[float]]:
    """Measure how long kernels are compiled, of whatever the block does.

    Yields:
        CPU time of this thread, one number for each kernel that was not on the disk [s].
    """
    times: list[float] = []
    with event.install_listener("numba:compile", _CompilationClock(times)):
        yield times


class _CompilationClock(event.Listener):  # type: ignore[misc]
    """Notes the time from the start to the end of a compilation, those within it included."""

    def __init__(self, times: list[float]) -> None:
        self._times, self._begun, self._depth = times, 0.0, 0

    def on_start(self, _: object) -> None:
        if self._depth == 0:
            self._begun = thread_time()
        self._depth += 1

    def on_end(self, _: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._times.append(thread_time() - self._begun)


def _compile_later(dispatcher: Any, signature: object) -> None:
    """Put off the compilation that ``njit([signature])`` would do on import.

    Numba asks a dispatcher without signatures to `compile` the types it meets; this one answers
    with the signature that was declared, and takes no other afterwards.
    """
    entries: list[object] = []

    def compile_declared(_: object) -> object:
        # Threads that meet in a kernel's first call wait for the one that compiles it.
        with global_compiler_lock:
            if not entries:
                _stamp(dispatcher)
                # Ctrl-C here: the next call tries again.
                with _own_copies():
                    entries.append(Dispatcher.compile(dispatcher, signature))
                dispatcher.disable_compile()
                dispatcher.__dict__.pop("compile", None)
        return entries[0]

    def compile_and_call_again(*args: object, **kwargs: object) -> object:
        compile_declared(signature)
        return dispatcher

    dispatcher.declared = signature
    dispatcher.compile = compile_declared
    dispatcher._compile_for_args = compile_and_call_again


@contextmanager
def _own_copies() -> Iterator[None]:
    """Compile so that machine code keeps to its own copies of the functions it calls.

    Numba leaves them as weak symbols, and the loader takes whichever copy it met first: optimised
    for another caller, it may round otherwise. Bits would depend on which kernels a process has
    compiled or read before.
    """
    finalize = CPUCodeLibrary._finalize_final_module

    def finalize_private(library: Any) -> None:
        if library._shared_module is None:  # not read from the disk
            module = library._final_module
            library._shared_module = _linkable(module)
            for function in module.functions:
                if function.linkage == Linkage.linkonce_odr and not function.is_declaration:
                    function.linkage = Linkage.internal
        finalize(library)

    CPUCodeLibrary._finalize_final_module = finalize_private
    try:
        yield
    finally:
        CPUCodeLibrary._finalize_final_module = finalize


def _linkable(module: Any) -> Any:
    """Copy a module as callers are to link it: Numba's own rule, before anything is private."""
    copy = module.clone()
    for function in copy.functions:
        if not function.is_declaration and function.linkage == Linkage.external:
            function.linkage = Linkage.linkonce_odr
    return copy


def _stamp(dispatcher: Any) -> None:
    """Make the copy on the disk stale when something changes that the kernel calls or takes in.

    Numba compares a stamp of the kernel's own file only. Done once, before Numba looks there.
    """
    signature = getattr(dispatcher, "declared", None)
    if signature is None:
        return
    fields = [str(getattr(argument, "fields", "")) for argument in signature.args]
    _mark(dispatcher, [*fields, *_pieces(dispatcher, set())])
    del dispatcher.declared


def _mark(compiled: Any, pieces: list[str]) -> None:
    """Add what machine code is made from to the stamp of its copy on the disk."""
    file = getattr(compiled._cache, "_cache_file", None)
    if file is None:  # nothing can be kept on the disk
        return
    digest = hashlib.sha256("\n".join(["own copies", *pieces]).encode())
    file._source_stamp = file._source_stamp, digest.hexdigest()


def _pieces(called: Any, seen: set[Any]) -> Iterator[str]:
    """Yield what the machine code of a kernel or intrinsic is made from, itself first."""
    if called in seen:
        return
    seen.add(called)
    options = getattr(called, "targetoptions", {})
    yield str([(k, sorted(v) if isinstance(v, set) else v) for k, v in sorted(options.items())])
    function = _function_of(called)
    known = inspect.getclosurevars(function)
    values = {**known.globals, **known.nonlocals}
    for code in _codes(function.__code__):
        yield from (code.co_code.hex(), *code.co_names)
        yield from (str(c) for c in code.co_consts if isinstance(c, (int, float, str, tuple)))
    for name, value in sorted(values.items()):
        if isinstance(value, (Dispatcher, _Intrinsic)):
            yield from _pieces(value, seen)
        elif isinstance(value, (int, float, str)):
            yield f"{name} = {value!r}"
        elif isinstance(value, type):
            yield f"{name}: {getattr(value, '_fields', None)}"


def _function_of(called: Any) -> Any:
    """Find the Python function behind a kernel, an intrinsic or a callback."""
    if isinstance(called, Dispatcher):
        return called.py_func
    return called.__wrapped__ if isinstance(called, CFunc) else called._defn


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a function's code and that of the functions within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
