"""Run folders: writing one while a run goes on, and reading it afterwards."""

from footwork.recording.files import write_whole as write_whole
from footwork.recording.run_folder import Run as Run
from footwork.recording.run_folder import RunWriter as RunWriter
from footwork.recording.run_folder import new_run_folder as new_run_folder
from footwork.recording.run_folder import open_run as open_run
from footwork.recording.run_folder import point_latest_to as point_latest_to
from footwork.recording.states import Column as Column
from footwork.recording.states import States as States
from footwork.recording.states import StateWriter as StateWriter
from footwork.recording.states import read_states as read_states
from footwork.recording.toml import format_toml as format_toml
