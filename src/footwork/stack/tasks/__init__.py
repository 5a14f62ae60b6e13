"""Built-in tasks: `velocity` (x is the joint velocity), `acceleration`, `force`."""

from footwork.stack.tasks import acceleration as acceleration
from footwork.stack.tasks import force as force
from footwork.stack.tasks import velocity as velocity
