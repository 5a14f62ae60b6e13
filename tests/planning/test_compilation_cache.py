"""Machine code on the disk: found again, damaged, full, and where it cannot be kept."""

import os
from pathlib import Path
from typing import Any

import numba
import pytest

from footwork.planning import rollout_native
from tests.planning.systems import line_system

NATIVE = not numba.config.DISABLE_JIT


def doubled(x: Any, u: Any) -> Any:
    return (2.0 * u[0] + 0.0 * x[0],)


@pytest.fixture
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(rollout_native.CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(rollout_native, "_LOADED", {})
    return tmp_path


def test_machine_code_is_found_again_in_the_next_process(
    fresh_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = line_system(dynamics=doubled, compile=True).compilation
    monkeypatch.setattr(rollout_native, "_LOADED", {})
    second = line_system(dynamics=doubled, compile=True).compilation
    assert (first.from_cache, second.from_cache) == (False, NATIVE)
    assert len(list(fresh_cache.glob("rollouts/*.py"))) == int(NATIVE)


def test_cached_code_that_cannot_be_read_is_compiled_again(
    fresh_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line_system(dynamics=doubled, compile=True).compiled()
    monkeypatch.setattr(rollout_native, "_LOADED", {})
    for file in fresh_cache.rglob("*.nbc"):
        file.write_bytes(b"damaged")
    si = line_system(dynamics=doubled, compile=True)
    assert si.compilation.is_native is NATIVE
    assert not si.compilation.from_cache
    assert si.propagate([0.0], [1.0], 1.0)[0] == pytest.approx(2.0)


def test_what_cannot_be_compiled_is_remembered_with_its_reason(
    fresh_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def added(x: Any, u: Any) -> Any:
        return ("not a number", 1.0)

    reasons = []
    for _ in range(2):
        monkeypatch.setattr(rollout_native, "_LOADED", {})
        compilation = line_system(dynamics=added, compile=True).compilation
        assert not compilation.is_native
        reasons.append(compilation.reason)
    assert reasons[0] == reasons[1]
    assert len(list(fresh_cache.glob("rollouts/*.no"))) == int(NATIVE)


def test_the_cache_forgets_what_was_compiled_longest_ago(
    fresh_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollout_native, "MOST_KEPT", 8)
    folder = fresh_cache / "rollouts"
    (folder / "__pycache__").mkdir(parents=True)
    for i in range(8):
        for name in (f"r{i}.py", f"r{i}.ok", f"__pycache__/r{i}.rollout-1.nbi"):
            (folder / name).touch()
        os.utime(folder / f"r{i}.ok", (i, i))
    line_system(dynamics=doubled, compile=True).compiled()
    if NATIVE:
        kept = sorted(file.name for file in folder.rglob("r?.*"))
        assert kept[:3] == ["r2.ok", "r2.py", "r2.rollout-1.nbi"]
        assert len(kept) == 18


def test_a_cache_that_cannot_be_written_is_done_without(
    fresh_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = fresh_cache / "file"
    blocked.write_text("")
    monkeypatch.setenv(rollout_native.CACHE_VARIABLE, str(blocked))
    si = line_system(dynamics=doubled, compile=True)
    assert si.compilation.is_native is NATIVE
    assert si.propagate([0.0], [1.0], 1.0)[0] == pytest.approx(2.0)
