"""Poses and rotations: frozen values that know nothing of any robot."""

from footwork.spatial.pose import Pose as Pose
