"""Every error that Footwork raises on purpose, in one tree.

::

    FootworkError
        InputError (also ValueError)         a caller passed something ill-formed
            BoundsError                      bounds that make no sense, or a value outside of them
            CallbackValueError               a callback returned a number that cannot be used
            CartesioError                    a CartesI/O problem description is wrong; says where
            ContactFileError                 a file of contacts is broken; says where in it
            ContactOverlapError              two contacts of one list share an instant
            ContactReplanError               a new contact list does not follow from the old one
            ContactTimeError                 a time of contacts is impossible or out of range
            FootstepError                    a footstep breaks a limit; says which and by how much
            GaitError                        a gait is not well-formed or does not fit
            RowsError                        rows of a task or constraint are chosen wrongly
            PathError                        a path is not well-formed for what was asked
            PathFileError                    a file of a path or a planning tree cannot be read
            ShapeError                       an array has the wrong shape
            StackError                       tasks or constraints do not go together in one stack
            WeightError                      a weight is not symmetric positive semi-definite
            NotFiniteError                   NaN or infinity where a finite number is wanted
            NotUpdatedError                  a task's rows were read before its first update
        ModelError (also ValueError)         a robot model cannot be read or lacks something
            AmbiguousFrameError (also LookupError)  a link and a joint share the name
            UnknownFrameError (also LookupError)    a robot has no such frame; has the near names
            UnknownRobotError (also LookupError)    the zoo has no such robot
        BackendError (also RuntimeError)     a third-party library failed; see ``__cause__``
        NoSolutionError (also RuntimeError)  a result without a solution was asked for one
        CallbackTypeError (also TypeError)   a callback returned the wrong kind of thing
        ContactIndexError (also IndexError)  a contact list has no contact of that index
        CopyError (also TypeError)           something cannot be copied or pickled
        IndexTypeError (also TypeError)      an index is no whole number
        NoContactError (also LookupError)    a contact was needed and there is none
        TimeTypeError (also TypeError)       a time of contacts is no whole number of nanoseconds

Each part refines these where its own data belongs in the error; all of them are named here, which
shows what can be caught.
"""

from footwork.errors.contacts import ContactFileError as ContactFileError
from footwork.errors.contacts import ContactIndexError as ContactIndexError
from footwork.errors.contacts import ContactOverlapError as ContactOverlapError
from footwork.errors.contacts import ContactReplanError as ContactReplanError
from footwork.errors.contacts import ContactTimeError as ContactTimeError
from footwork.errors.contacts import FootstepError as FootstepError
from footwork.errors.contacts import GaitError as GaitError
from footwork.errors.contacts import IndexTypeError as IndexTypeError
from footwork.errors.contacts import NoContactError as NoContactError
from footwork.errors.contacts import TimeTypeError as TimeTypeError
from footwork.errors.general import AmbiguousFrameError as AmbiguousFrameError
from footwork.errors.general import BackendError as BackendError
from footwork.errors.general import CopyError as CopyError
from footwork.errors.general import FootworkError as FootworkError
from footwork.errors.general import InputError as InputError
from footwork.errors.general import ModelError as ModelError
from footwork.errors.general import NoSolutionError as NoSolutionError
from footwork.errors.general import NotFiniteError as NotFiniteError
from footwork.errors.general import ShapeError as ShapeError
from footwork.errors.general import UnknownFrameError as UnknownFrameError
from footwork.errors.general import UnknownRobotError as UnknownRobotError
from footwork.errors.planning import BoundsError as BoundsError
from footwork.errors.planning import CallbackTypeError as CallbackTypeError
from footwork.errors.planning import CallbackValueError as CallbackValueError
from footwork.errors.planning import PathError as PathError
from footwork.errors.planning import PathFileError as PathFileError
from footwork.errors.stack import CartesioError as CartesioError
from footwork.errors.stack import NotUpdatedError as NotUpdatedError
from footwork.errors.stack import RowsError as RowsError
from footwork.errors.stack import StackError as StackError
from footwork.errors.stack import WeightError as WeightError
