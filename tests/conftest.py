"""Settings that every test shares."""

import os
import signal

from hypothesis import HealthCheck, settings

# Kernels compile on their first call and machines are noisy, so no example has a deadline; in CI
# the examples are always the same ones, so that a red run can be repeated.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.register_profile("short", parent=settings.get_profile("ci"), max_examples=5)
settings.load_profile(os.environ.get("FOOTWORK_HYPOTHESIS", "default"))

# A shell that starts something in the background has it ignore Ctrl-C; the tests of Ctrl-C send it.
signal.signal(signal.SIGINT, signal.default_int_handler)
