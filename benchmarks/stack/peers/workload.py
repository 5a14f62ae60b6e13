"""What every library is asked for; needs NumPy only, so that it runs in each peer's environment."""

import json
import sys
import time

import numpy as np

DT = 0.002


class Workload:
    """Robot, frames and references of one benchmark."""

    def __init__(self) -> None:
        with open(sys.argv[1], encoding="utf-8") as file:
            spec = json.load(file)
        self.spec = spec
        self.urdf = spec["urdf"]
        self.q0 = np.array(spec["q0"])
        self.feet = spec["feet"]
        self.hand = spec["hand"]
        self.ticks = int(spec["ticks"])
        self.dt = DT

    def hand_offset(self, k: int) -> np.ndarray:
        t, w = k * DT, 2 * np.pi
        return np.array(
            [0.15 * np.sin(w * t), 0.05 * np.sin(0.5 * w * t), 0.15 * (1 - np.cos(w * t))]
        )

    def com_offset(self, k: int) -> np.ndarray:
        return np.array([0.0, 0.03 * np.sin(np.pi * k * DT), 0.0])


def measure(name: str, ticks: int, prepare, tick, after) -> None:
    """Run ticks and print the times as one line of JSON.

    ``prepare(k)`` makes the reference objects, ``after`` integrates; both are outside of the clock.
    ``each_us`` are the CPU times of all ticks, so that the same tick of several rounds can be
    compared: what is slow in one of them only is the machine's.
    """
    wall, cpu = np.empty(ticks), np.empty(ticks)
    warm = min(200, ticks // 4)
    for k in range(ticks):
        references = prepare(k)
        a, c = time.perf_counter(), time.thread_time()
        result = tick(k, references)
        cpu[k] = time.thread_time() - c
        wall[k] = time.perf_counter() - a
        after(k, result)
    print(
        json.dumps(
            {
                "name": name,
                "wall_us": float(np.median(wall[warm:]) * 1e6),
                "cpu_us": float(np.median(cpu[warm:]) * 1e6),
                "cpu_p999_us": float(np.percentile(cpu[warm:], 99.9) * 1e6),
                "ticks": ticks,
                "each_us": [round(1e6 * float(t), 1) for t in cpu[warm:]],
            }
        )
    )
