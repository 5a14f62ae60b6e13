"""Contact lists and phases: which foot is where, and when."""
