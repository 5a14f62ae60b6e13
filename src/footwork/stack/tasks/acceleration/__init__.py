"""Acceleration tasks: x has the accelerations of the joints [rad/s², m/s²], λ is in 1/s².

Their b is a_ref − drift + λ Kp e + √λ Kd ė, with Kp = 1 and Kd = 2 unless set, which is critically
damped at every λ.
"""

from footwork.stack.tasks.acceleration.cartesian import Cartesian as Cartesian
from footwork.stack.tasks.acceleration.com import CoM as CoM
from footwork.stack.tasks.acceleration.contact import Contact as Contact
from footwork.stack.tasks.acceleration.dynamic_feasibility import (
    DynamicFeasibility as DynamicFeasibility,
)
from footwork.stack.tasks.acceleration.momentum import AngularMomentum as AngularMomentum
from footwork.stack.tasks.acceleration.postural import MinJointVel as MinJointVel
from footwork.stack.tasks.acceleration.postural import Postural as Postural
