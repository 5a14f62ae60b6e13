"""Compiled code of robots."""
