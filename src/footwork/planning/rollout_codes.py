"""Numbers that kernels and Python agree on: what a rollout checks, and how it fails."""

import ctypes
from typing import Final

CHECK_NOTHING: Final = 0.0
CHECK_VALIDITY: Final = 1.0
CHECK_VALIDITY_AND_BOUNDS: Final = 2.0

FAILED_EXCEPTION: Final = -1
"""A callback raised; of plain Python, the step function."""
FAILED_NAN: Final = -2
"""The step function led to NaN."""
FAILED_SIZE: Final = -3
"""The step function returned another number of numbers."""
FAILED_STEPS: Final = -4
"""The adaptive integrator needs too many sub-steps."""
FAILED_VALIDITY: Final = -5
"""The validity function of plain Python raised; the state noted is the one it was asked about."""

STEP_TOLERANCE: Final = 1e-9
"""How far a duration may be from a whole number of steps and still be one, relative."""

HEADER: Final = 4
"""Numbers in front of the packed parameters: what to check, how many numbers the parameters and the
world have, and the address of the form of the plain-Python door. Then come the state, control and
step at which a callback failed, and low, high, the parameters and the world."""

ROLLOUT_TYPE: Final = ctypes.CFUNCTYPE(
    ctypes.c_int64,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_double,
    ctypes.c_int64,
    ctypes.c_double,
    ctypes.c_void_p,
    ctypes.c_void_p,
)
"""C type of a rollout, for calls and callbacks through ctypes."""
