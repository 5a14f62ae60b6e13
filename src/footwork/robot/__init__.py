"""Rigid-body models from URDF or MJCF, their state, and a zoo of known robots."""
