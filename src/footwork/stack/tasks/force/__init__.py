"""Force tasks: x has forces or wrenches at contacts."""

from footwork.stack.tasks.force.centroidal import CoM as CoM
from footwork.stack.tasks.force.centroidal import FloatingBase as FloatingBase
from footwork.stack.tasks.force.wrench import Cartesian as Cartesian
from footwork.stack.tasks.force.wrench import Wrench as Wrench
