"""Footwork: from a goal to joint torques for legged robots.

Each part is useful alone and imported alone: `footwork.contacts`, `footwork.planning`,
`footwork.stack`, `footwork.robot`, `footwork.walking`.
"""

from footwork.errors import BackendError as BackendError
from footwork.errors import FootworkError as FootworkError
from footwork.errors import InputError as InputError
from footwork.errors import ModelError as ModelError
from footwork.errors import NoSolutionError as NoSolutionError
from footwork.errors import NotFiniteError as NotFiniteError
from footwork.errors import ShapeError as ShapeError

__version__ = "0.1.0"
