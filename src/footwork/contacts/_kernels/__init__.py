"""Code on plain numbers, which others may compile."""
