"""Constraints on accelerations (and on the forces that go with them)."""

from footwork.stack.constraints.acceleration.joints import (
    AccelerationLimits as AccelerationLimits,
)
from footwork.stack.constraints.acceleration.joints import JointLimits as JointLimits
from footwork.stack.constraints.acceleration.joints import VelocityLimits as VelocityLimits
from footwork.stack.constraints.acceleration.motion import (
    DynamicFeasibility as DynamicFeasibility,
)
from footwork.stack.constraints.acceleration.motion import TorqueLimits as TorqueLimits
