"""Reports, replays and live views."""
