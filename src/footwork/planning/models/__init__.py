"""Robots ready to plan for: each makes a configured `SpaceInformation`."""

from footwork.planning.models.options import Options as Options
from footwork.planning.models.pendulums import acrobot as acrobot
from footwork.planning.models.pendulums import cart_pole as cart_pole
from footwork.planning.models.points import double_integrator as double_integrator
from footwork.planning.models.points import omnidirectional_base as omnidirectional_base
from footwork.planning.models.rotors import crazyflie_mixer as crazyflie_mixer
from footwork.planning.models.rotors import planar_quadrotor as planar_quadrotor
from footwork.planning.models.rotors import (
    planar_quadrotor_with_pole as planar_quadrotor_with_pole,
)
from footwork.planning.models.rotors import quadrotor as quadrotor
from footwork.planning.models.rotors import (
    quadrotor_with_quaternion as quadrotor_with_quaternion,
)
from footwork.planning.models.wheeled import car_with_trailer as car_with_trailer
from footwork.planning.models.wheeled import differential_drive as differential_drive
from footwork.planning.models.wheeled import kinematic_car as kinematic_car
from footwork.planning.models.wheeled import second_order_car as second_order_car
from footwork.planning.models.wheeled import second_order_unicycle as second_order_unicycle
from footwork.planning.models.wheeled import unicycle as unicycle
