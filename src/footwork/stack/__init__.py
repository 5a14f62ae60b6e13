"""Prioritised tasks and constraints, and the hierarchical solver that resolves them."""
