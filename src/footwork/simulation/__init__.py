"""Torque-driven MuJoCo worlds."""
