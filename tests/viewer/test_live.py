"""A walk that is watched while it goes on, without a browser."""

import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from footwork.viewer import LiveView
from footwork.walking import Measurement, WalkRequest, walk


def test_a_walk_is_served_while_it_goes_on_and_no_longer(tmp_path: Path) -> None:
    seen: list[tuple[float, float]] = []
    with LiveView(tmp_path / "run", port=0, wait=0.0, pace=4.0) as view:

        def watch(measurement: Measurement) -> None:
            view(measurement)
            seen.append((measurement.time, time.monotonic()))
            if len(seen) == 1:
                with urllib.request.urlopen(view.address, timeout=20.0) as page:
                    assert page.status == 200

        result = walk(WalkRequest(goal=(0.05, 0.0, 0.0)), folder=tmp_path / "run", watch=watch)
        address = view.address
    assert result.has_arrived
    simulated, real = (seen[-1][k] - seen[0][k] for k in (0, 1))
    assert real > 0.9 * simulated / 4.0
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(address, timeout=5.0)
