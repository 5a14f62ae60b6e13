"""Kinodynamic planning: from a start and a goal to a path that the dynamics allow."""
