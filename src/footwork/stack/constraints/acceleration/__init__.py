"""Constraints on accelerations (and on the forces that go with them)."""

from footwork.stack.constraints.acceleration.motion import (
    DynamicFeasibility as DynamicFeasibility,
)
from footwork.stack.constraints.acceleration.motion import TorqueLimits as TorqueLimits
