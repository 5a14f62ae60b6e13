"""Runs of the walk in processes that stay warm, one thread each; nothing is recorded or drawn."""

import os
import platform
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from time import process_time

from footwork.errors import FootworkError
from footwork.walking import Verdict, WalkRequest, walk

RESULTS = Path(__file__).resolve().parents[1] / "results"
PICTURES = Path(__file__).resolve().parents[2] / "docs" / "_static"
FIGURES = (
    "simulated_time_s",
    "cpu_time_s",
    "planning_time_s",
    "mean_speed_m_s",
    "final_error_m",
    "final_yaw_error_rad",
    "dcm_error_rms_m",
    "tick_median_s",
    "tick_p999_s",
)

Outcome = dict[str, float | str | bool]


def run(request: WalkRequest) -> Outcome:
    """Walk once: whether it arrived, whether it fell, what was said, the figures."""
    begun = process_time()
    try:
        result = walk(request)
    except FootworkError as error:
        return {"arrived": False, "fell": True, "message": str(error)}
    return {
        "arrived": result.has_arrived,
        "fell": result.verdict in (Verdict.FELL, Verdict.BROKE),
        "message": result.message,
        "whole_time_s": process_time() - begun,
        **{name: float(result.figures[name]) for name in FIGURES},
    }


def processes(jobs: int) -> ProcessPoolExecutor:
    """Start processes that import once and keep their kernels."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))


def machine() -> dict[str, object]:
    """What it was measured on."""
    return {
        "machine": platform.machine(),
        "cpu": _cpu(),
        "python": platform.python_version(),
        "versions": {p: version(p) for p in ("footwork", "numpy", "numba", "pin", "mujoco")},
    }


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if not info.is_file():
        return platform.processor()
    names = [
        line.split(":")[1].strip() for line in info.read_text().splitlines() if "model name" in line
    ]
    return names[0] if names else ""
