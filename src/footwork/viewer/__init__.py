"""Reports, replays and live views of runs."""

from footwork.viewer.live import LiveView as LiveView
from footwork.viewer.replay import serve_replay as serve_replay
from footwork.viewer.replay import write_replay as write_replay
from footwork.viewer.report import write_report as write_report
