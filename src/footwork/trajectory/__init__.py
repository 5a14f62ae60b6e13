"""Curves in time that can be evaluated at any instant."""

from footwork.trajectory.piecewise_linear import PiecewiseLinear as PiecewiseLinear
from footwork.trajectory.quintic import Quintic as Quintic
