"""Torque-driven worlds to walk in. The world itself is `footwork.simulation.world`, on MuJoCo."""

from footwork.simulation.config import ImuErrors as ImuErrors
from footwork.simulation.config import Push as Push
from footwork.simulation.config import SensorNoise as SensorNoise
from footwork.simulation.config import SimulationConfig as SimulationConfig
from footwork.simulation.terrain import Box as Box
from footwork.simulation.terrain import Bumps as Bumps
from footwork.simulation.terrain import Flat as Flat
from footwork.simulation.terrain import Rough as Rough
from footwork.simulation.terrain import Slope as Slope
from footwork.simulation.terrain import Stairs as Stairs
from footwork.simulation.terrain import Terrain as Terrain
from footwork.simulation.terrain import parse_terrain as parse_terrain
