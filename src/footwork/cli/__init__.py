"""The `footwork` command."""
