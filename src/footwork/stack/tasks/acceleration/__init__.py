"""Acceleration tasks."""
