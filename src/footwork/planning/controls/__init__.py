"""Control spaces: what a control is, and what bounds it."""

from footwork.planning.controls.control_space import CompoundControlSpace as CompoundControlSpace
from footwork.planning.controls.control_space import ControlSpace as ControlSpace
from footwork.planning.controls.control_space import DiscreteControlSpace as DiscreteControlSpace
from footwork.planning.controls.control_space import (
    RealVectorControlSpace as RealVectorControlSpace,
)
