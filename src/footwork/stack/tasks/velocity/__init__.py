"""Velocity tasks: x is the velocity of the joints [rad/s, m/s], λ is in 1/s."""

from footwork.stack.tasks.velocity.admittance import CartesianAdmittance as CartesianAdmittance
from footwork.stack.tasks.velocity.admittance import JointAdmittance as JointAdmittance
from footwork.stack.tasks.velocity.cartesian import Cartesian as Cartesian
from footwork.stack.tasks.velocity.com import CoM as CoM
from footwork.stack.tasks.velocity.contact import Contact as Contact
from footwork.stack.tasks.velocity.gaze import Gaze as Gaze
from footwork.stack.tasks.velocity.gradient import Manipulability as Manipulability
from footwork.stack.tasks.velocity.gradient import MinimumEffort as MinimumEffort
from footwork.stack.tasks.velocity.momentum import AngularMomentum as AngularMomentum
from footwork.stack.tasks.velocity.momentum import LinearMomentum as LinearMomentum
from footwork.stack.tasks.velocity.postural import Postural as Postural
from footwork.stack.tasks.velocity.rolling import PureRolling as PureRolling
