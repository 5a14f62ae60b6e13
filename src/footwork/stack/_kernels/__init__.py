"""Compiled loops of the stack: task rows, assembly, solvers."""
