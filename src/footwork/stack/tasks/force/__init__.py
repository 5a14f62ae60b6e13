"""Force tasks."""
