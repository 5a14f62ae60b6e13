"""Compiled loops of the planning part: they know numbers only."""
