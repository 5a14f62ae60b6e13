"""Constraints on forces at contacts."""

from footwork.stack.constraints.force.bounds import ForceBounds as ForceBounds
from footwork.stack.constraints.force.bounds import Unilateral as Unilateral
from footwork.stack.constraints.force.bounds import WrenchLimits as WrenchLimits
from footwork.stack.constraints.force.friction import CoP as CoP
from footwork.stack.constraints.force.friction import FrictionCone as FrictionCone
from footwork.stack.constraints.force.friction import NormalTorque as NormalTorque
