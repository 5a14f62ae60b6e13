"""Constraints on velocities."""
