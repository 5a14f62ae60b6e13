"""Compiled parts of the walk: everything between the measured state and the targets of a tick."""
