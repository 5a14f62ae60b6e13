"""Built-in constraints: `velocity` (x is the joint velocity), `acceleration`, `force`."""

from footwork.stack.constraints import acceleration as acceleration
from footwork.stack.constraints import force as force
from footwork.stack.constraints import velocity as velocity
