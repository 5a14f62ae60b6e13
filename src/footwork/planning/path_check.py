"""Finds what is wrong with a control path: which segment, why, and by how much."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from footwork.planning.rollout_codes import CHECK_VALIDITY, CHECK_VALIDITY_AND_BOUNDS
from footwork.planning.space_information import SpaceInformation
from footwork.typing import Matrix, Vector

CHECK_TOLERANCE: Final = 2.0**-23
"""Largest gap that `PathControl.check` takes, 1.19e-7 in the metric of the space."""


class FaultKind(Enum):
    """What is wrong with a segment."""

    MALFORMED = "malformed"
    """There is not one state more than controls."""
    INVALID_STATE = "invalid state"
    """Its first state is not valid."""
    INVALID_MOTION = "invalid motion"
    """A state on the way is not valid."""
    GAP = "gap"
    """Propagation does not reach the next state."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PathFault:
    """One fault of a path.

    Attributes:
        segment: Index of the control, or of the state if there are no controls; −1 for the path.
        kind: What is wrong.
        time: Since the start of the segment [s]: how long it is all right.
        gap: Distance between the state reached and the next one; NaN unless it is a gap.
        state: The invalid state, or the one that was reached.
        message: All of it in words.
    """

    segment: int
    kind: FaultKind
    time: float
    gap: float
    state: Vector
    message: str


@dataclass(frozen=True, kw_only=True, eq=False)
class PathDiagnosis:
    """All faults of a path; true if there are none.

    Attributes:
        faults: In the order of the path.
    """

    faults: tuple[PathFault, ...]

    def __bool__(self) -> bool:
        return not self.faults

    def __str__(self) -> str:
        return "\n".join(fault.message for fault in self.faults) or "the path is right"


def diagnose(
    si: SpaceInformation,
    arrays: tuple[Matrix, Matrix, Vector],
    *,
    tolerance: float,
    within_bounds: bool,
    first: bool,
) -> PathDiagnosis:
    """Find the faults of a path.

    Args:
        si: The system.
        arrays: States, controls and durations.
        tolerance: Largest gap.
        within_bounds: Whether states outside of the bounds are invalid.
        first: Whether to stop at the first fault.

    Returns:
        The faults.
    """
    states, controls, durations = arrays
    if len(states) != len(controls) + 1:
        return PathDiagnosis(faults=(_malformed(len(states), len(controls)),))
    if len(controls) == 0:
        single = _state_fault(si, 0, states[0], within_bounds=within_bounds)
        return PathDiagnosis(faults=(single,) if single else ())
    faults: list[PathFault] = []
    for i in range(len(controls)):
        fault = _segment_fault(
            si,
            i,
            (states[i].copy(), controls[i].copy(), float(durations[i]), states[i + 1]),
            tolerance=tolerance,
            within_bounds=within_bounds,
        )
        if fault is not None:
            faults.append(fault)
            if first:
                break
    return PathDiagnosis(faults=tuple(faults))


def _malformed(state_count: int, control_count: int) -> PathFault:
    return PathFault(
        segment=-1,
        kind=FaultKind.MALFORMED,
        time=0.0,
        gap=np.nan,
        state=np.empty(0),
        message=f"a path needs one state more than controls, this one has {state_count} states "
        f"and {control_count} controls",
    )


def _state_fault(
    si: SpaceInformation, i: int, state: Vector, *, within_bounds: bool
) -> PathFault | None:
    if si.is_state_valid(state, within_bounds=within_bounds):
        return None
    return PathFault(
        segment=i,
        kind=FaultKind.INVALID_STATE,
        time=0.0,
        gap=np.nan,
        state=state.copy(),
        message=f"segment {i}: state {i}, {state.tolist()}, is not valid",
    )


def _segment_fault(
    si: SpaceInformation,
    i: int,
    segment: tuple[Vector, Vector, float, Vector],
    *,
    tolerance: float,
    within_bounds: bool,
) -> PathFault | None:
    x, u, duration, following = segment
    fault = _state_fault(si, i, x, within_bounds=within_bounds)
    if fault is not None:
        return fault
    n, rest = si.steps_of(duration)
    check = CHECK_VALIDITY_AND_BOUNDS if within_bounds else CHECK_VALIDITY
    roll = si.rollout(x, u, si.propagation_step_size, n, rest, check=check)
    reached = roll.final_state
    if not roll.is_complete:
        message = (
            f"segment {i}: valid for {roll.duration:g} s of {duration:g} s, up to the state "
            f"{reached.tolist()}; the next one is not valid"
        )
        return PathFault(
            segment=i,
            kind=FaultKind.INVALID_MOTION,
            time=roll.duration,
            gap=np.nan,
            state=reached,
            message=message,
        )
    gap = si.state_space.distance(reached, following)
    if gap <= tolerance:
        return None
    message = (
        f"segment {i}: propagation ends at {reached.tolist()}, {gap:.6g} from state {i + 1}, "
        f"{following.tolist()} (tolerance {tolerance:.3g})"
    )
    return PathFault(
        segment=i,
        kind=FaultKind.GAP,
        time=duration,
        gap=gap,
        state=reached,
        message=message,
    )
