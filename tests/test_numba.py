"""Kernels are compiled when they are first needed, and only for what was declared."""

import os
import subprocess
import sys
import types
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from pickle import UnpicklingError
from threading import Barrier
from typing import Any

import numba
import numpy as np
import pytest
from llvmlite.binding import Linkage
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.ccallback import CFunc
from numba.core.dispatcher import Dispatcher

import footwork._numba
from footwork._numba import F8, VEC, callback, compile_kernels, find_missing, kernel

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="needs the compiler")


def make_kernels() -> tuple[Any, Any]:
    @kernel(F8(VEC))
    def first_of(x: Any) -> Any:
        return x[0]

    @kernel(F8(VEC, F8))
    def scaled(x: Any, factor: float) -> Any:
        return factor * first_of(x)

    return first_of, scaled


def test_a_kernel_is_compiled_by_its_first_call_and_with_it_what_it_calls() -> None:
    first_of, scaled = make_kernels()
    assert not first_of.overloads
    assert not scaled.overloads
    frozen = np.array([3.0, 4.0])
    frozen.flags.writeable = False
    assert scaled(frozen, 2) == 6.0
    assert len(scaled.overloads) == len(first_of.overloads) == 1
    assert scaled(np.array([5.0]), 2.0) == 10.0
    assert first_of(np.array([5.0])) == 5.0
    assert len(scaled.overloads) == len(first_of.overloads) == 1


def test_a_compilation_that_was_interrupted_is_done_by_the_next_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first_of, scaled = make_kernels()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Dispatcher, "compile", interrupt)
        with pytest.raises(KeyboardInterrupt):
            scaled(np.array([3.0]), 2.0)
    frozen = np.array([3.0, 4.0])
    frozen.flags.writeable = False
    assert scaled(frozen, 2) == 6.0
    assert scaled(np.array([5.0]), 2.0) == 10.0
    assert first_of(frozen) == 3.0
    with pytest.raises(TypeError):
        scaled(np.array([1]), 2.0)


def test_threads_may_meet_in_the_first_call_of_a_kernel() -> None:
    first_of, scaled = make_kernels()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    start = Barrier(4)

    def call(factor: float) -> float:
        start.wait()
        return float(scaled(np.array([3.0]), factor))

    try:
        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(call, [1.0, 2.0, 3.0, 4.0])) == [3.0, 6.0, 9.0, 12.0]
    finally:
        sys.setswitchinterval(interval)
    assert len(scaled.overloads) == len(first_of.overloads) == 1


def test_a_kernel_keeps_to_its_own_copies_of_what_it_calls() -> None:
    """A weak symbol would be whichever copy came first, which may round otherwise."""
    _, scaled = make_kernels()
    scaled(np.array([3.0]), 2.0)
    (compiled,) = scaled.overloads.values()
    module = compiled.library._final_module
    defined = {f.linkage for f in module.functions if not f.is_declaration}
    assert defined <= {Linkage.external, Linkage.internal}


def test_only_the_declared_types_are_taken() -> None:
    first_of, scaled = make_kernels()
    for _ in range(2):
        with pytest.raises(TypeError):
            first_of(np.array([[1.0]]))
        with pytest.raises(TypeError):
            scaled(np.array([1]), 2.0)
    assert first_of(np.array([7.0])) == 7.0


def test_all_kernels_of_a_module_are_compiled_on_demand() -> None:
    first_of, scaled = make_kernels()
    module = types.ModuleType("kernels")
    vars(module).update(first_of=first_of, scaled=scaled, number=1)
    compile_kernels(module)
    compile_kernels(module)
    assert len(scaled.overloads) == len(first_of.overloads) == 1


CALLEE = """
from footwork._numba import F8, kernel
FACTOR = {factor}
@kernel(F8(F8){options})
def scaled(x):
    return FACTOR * x {more}
"""
CALLER = """
import ctypes
from callee import scaled
from footwork._numba import F8, callback, kernel
@kernel(F8(F8))
def shifted(x):
    return scaled(x) + 1.0
@kernel(F8(F8))
def shifted_twice(x):
    return shifted(x) + 1.0
@callback(F8(F8))
def door(x):
    return scaled(x) + 2.0
if __name__ == "__main__":
    print(shifted_twice(10.0), sum(shifted_twice.stats.cache_hits.values()))
    call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(door.address)
    assert (call(10.0), door.cache_hits) == (
        shifted_twice(10.0), sum(shifted_twice.stats.cache_hits.values())
    )
"""


def run_caller(folder: Path, **changes: str) -> list[float]:
    """What the caller prints in a process of its own: a number, and whether it was on the disk."""
    text = CALLEE.format(**({"factor": "2.0", "options": "", "more": ""} | changes))
    (folder / "callee.py").write_text(text)
    (folder / "caller.py").write_text(CALLER)
    done = subprocess.run(
        [sys.executable, "caller.py"],
        cwd=folder,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    return [float(word) for word in done.stdout.split()]


def test_a_kernel_on_the_disk_is_stale_when_what_it_calls_has_changed(tmp_path: Path) -> None:
    run = partial(run_caller, tmp_path)
    assert run() == [22.0, 0.0]
    assert run() == [22.0, 1.0]
    assert run(factor="3.0") == [32.0, 0.0]
    assert run(factor="3.0", more="+ 5.0") == [37.0, 0.0]
    assert run(factor="3.0", more="+ 5.0", options=", fast=True") == [37.0, 0.0]
    assert run(factor="3.0", more="+ 5.0", options=", fast=True") == [37.0, 1.0]
    assert run(factor="3.0", more="+ x.real") == [42.0, 0.0]
    assert run(factor="3.0", more="+ x.imag") == [32.0, 0.0]  # differs by an attribute's name only


@pytest.mark.parametrize(("kind", "size"), [("*.nbi", 200), ("*.nbc", 30), ("*.nb?", 0)])
def test_files_of_the_cache_that_were_cut_off_are_written_anew(
    kind: str, size: int, tmp_path: Path
) -> None:
    assert run_caller(tmp_path) == [22.0, 0.0]
    files = list(tmp_path.glob(f"cache/**/{kind}"))
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:size])
    assert run_caller(tmp_path) == [22.0, 0.0]
    assert run_caller(tmp_path) == [22.0, 1.0]


def test_a_spoilt_index_of_the_cache_counts_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise UnpicklingError("pickle data was truncated")

    monkeypatch.setattr(IndexDataCacheFile, "_load_index", refuse)
    first_of, scaled = make_kernels()
    module = types.ModuleType(__name__)
    vars(module).update(first_of=first_of, scaled=scaled)
    assert find_missing(module) == [first_of, scaled]


def test_where_nothing_can_be_kept_on_the_disk_kernels_are_compiled_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: object) -> None:
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(Dispatcher, "enable_caching", refuse)
    monkeypatch.setattr(CFunc, "enable_caching", refuse)
    footwork._numba._warn_of_no_cache.cache_clear()
    with pytest.warns(RuntimeWarning, match="NUMBA_CACHE_DIR") as warned:
        first_of, scaled = make_kernels()
    assert len(warned) == 1
    door = callback(F8(F8))(lambda x: 2.0 * x)  # warns no more
    assert scaled(np.array([3.0]), 2.0) == 6.0
    assert first_of.overloads
    assert door.ctypes(3.0) == 6.0


def test_a_full_disk_keeps_no_kernel_from_being_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FunctionCache, "load_overload", lambda *_: None)
    monkeypatch.setattr(FunctionCache, "save_overload", is_full)
    footwork._numba._warn_of_no_cache.cache_clear()
    first_of, _ = make_kernels()
    with pytest.warns(RuntimeWarning, match="NUMBA_CACHE_DIR"):
        assert first_of(np.array([3.0])) == 3.0
