"""Run folders: what a run was asked, did and measured."""
