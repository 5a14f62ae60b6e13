"""Time-parameterised curves, evaluable at any time."""
