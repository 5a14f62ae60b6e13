"""Constraints on velocities: x is the velocity of the joints [rad/s, m/s]."""

from footwork.stack.constraints.velocity.cartesian import CartesianPosition as CartesianPosition
from footwork.stack.constraints.velocity.cartesian import CartesianVelocity as CartesianVelocity
from footwork.stack.constraints.velocity.collision import CollisionAvoidance as CollisionAvoidance
from footwork.stack.constraints.velocity.convex_hull import ConvexHull as ConvexHull
from footwork.stack.constraints.velocity.joints import JointLimits as JointLimits
from footwork.stack.constraints.velocity.joints import (
    JointLimitsInvariance as JointLimitsInvariance,
)
from footwork.stack.constraints.velocity.joints import VelocityLimits as VelocityLimits
from footwork.stack.constraints.velocity.scene import NearestPoints as NearestPoints
from footwork.stack.constraints.velocity.scene import Obstacle as Obstacle
from footwork.stack.constraints.velocity.wheels import OmniWheels4X as OmniWheels4X
