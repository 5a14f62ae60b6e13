"""From a base path to footsteps, a DCM plan, swing feet and whole-body control."""
