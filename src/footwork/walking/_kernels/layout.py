"""What the kernels of the gait read and write: named tuples of numbers and arrays.

Feet are rows; a foothold is (x, y, z, yaw) in the world [m, rad], yaw unwrapped.
"""

from typing import Final, NamedTuple

from numba import types

from footwork._numba import F8, IOUT1, OUT1, OUT2, OUT3
from footwork.typing import IntVector, Matrix, Tensor, Vector

HOLD: Final = 0
TRANSFER: Final = 1
SWING: Final = 2
FINAL: Final = 3
PREVIEW_STEPS: Final = 4
MAX_SEGMENTS: Final = 2 * PREVIEW_STEPS + 4


class GaitParameters(NamedTuple):
    """Numbers that do not change during a walk."""

    omega: float
    com_height: float
    dcm_gain: float
    smoothing: float
    height_stiffness: float
    height_damping: float
    half_length: float
    half_width: float
    cop_forward: float
    cop_inward: float
    forward_margin: float
    lateral_margin: float
    push_memory: float
    least_push: float
    freeze_time: float
    late_error: float
    min_swing: float
    min_remaining: float
    max_forward: float
    min_lateral: float
    max_lateral: float
    max_shift: float
    correction_forward: float
    correction_lateral: float
    correction_yaw: float
    swing_height: float
    apex_fraction: float
    landing_velocity: float
    early_fraction: float
    late_time: float
    touchdown_force: float
    release_force: float
    residual_weight: float
    time_weight: float
    speed_weight: float
    max_swing_speed: float
    is_biped: float
    adjusts_steps: float
    adjusts_timing: float


class GaitPlan(NamedTuple):
    """The steps to take, in order.

    Attributes:
        swings: 1 where a foot swings in a step, shape (steps, feet).
        footholds: Of all feet before each step and after the last, shape (steps + 1, feet, 4).
        swing_times: Of each step [s], shape (steps,).
        transfer_times: Before each step, and after the last [s], shape (steps + 1,).
        sides: +1 for a left foot, −1 for a right one, shape (feet,).
    """

    swings: Matrix
    footholds: Tensor
    swing_times: Vector
    transfer_times: Vector
    sides: Vector


class GaitState(NamedTuple):
    """What the gait remembers from one tick to the next.

    Attributes:
        mode: Phase, step, landings so far, 1 when standing at the end; shape (4,).
        clock: Time in the phase, its length, its nominal length, time in all, filtered ground
            height, height of the stance, torso yaw, 1 when the step is taken again; shape (8,).
        feet: Footholds that hold now, shape (feet, 4).
        targets: Where the swinging feet are to land before any shift, shape (feet, 4).
        shift: Of the landing places [m], shape (2,).
        swing: Reference of the swinging feet: (x, y, z, yaw) × (value, rate, second rate),
            shape (feet, 4, 3).
        lift_height: Of each foot at lift-off [m], shape (feet,).
        descending: 1 once a foot is past its apex, shape (feet,).
        cop_start: Centre of pressure at the start of the phase [m], shape (2,).
        dcm_error: Measured minus planned DCM, smoothed [m], shape (2,).
        loaded: 1 where a foot is loaded, shape (feet,).
        edges: Of the trigger that tells it: since when it is about to switch [ns], shape (feet,).
        carry: What the DCM of a plan that was given up is ahead of this plan's; it dies away [m],
            shape (2,).
    """

    mode: IntVector
    clock: Vector
    feet: Matrix
    targets: Matrix
    shift: Vector
    swing: Tensor
    lift_height: Vector
    descending: IntVector
    cop_start: Vector
    dcm_error: Vector
    loaded: IntVector
    edges: IntVector
    carry: Vector


class GaitTargets(NamedTuple):
    """What the whole-body controller is to do in this tick.

    Attributes:
        com_acceleration: Of the centre of mass [m/s²], shape (3,).
        cop: Commanded centre of pressure [m], shape (2,).
        cop_reference: Planned one [m], shape (2,).
        dcm: Measured divergent component of motion [m], shape (2,).
        dcm_reference: Planned one [m], shape (2,).
        contacts: 1 where a foot is in contact, shape (feet,).
        feet: Of swinging feet: (x, y, z, yaw) × (value, rate, second rate), shape (feet, 4, 3).
        torso_yaw: Heading [rad], its rate, its second rate; shape (3,).
        has_landed: 1 when a step ended in this tick; shape (1,).
    """

    com_acceleration: Vector
    cop: Vector
    cop_reference: Vector
    dcm: Vector
    dcm_reference: Vector
    contacts: IntVector
    feet: Tensor
    torso_yaw: Vector
    has_landed: IntVector


class Segments(NamedTuple):
    """Pieces of the reference of the centre of pressure, each straight in time.

    Attributes:
        first: At the start of each piece [m], shape (MAX_SEGMENTS, 2).
        last: At its end [m], shape (MAX_SEGMENTS, 2).
        times: Its duration [s], shape (MAX_SEGMENTS,).
        feet: Footholds while looking ahead, shape (feet, 4).
        landing: The same, scratch, shape (feet, 4).
        at: Planned DCM and centre of pressure at one instant [m], shape (4,).
        dcm: Measured DCM after smoothing, and with the push that is to come [m], shape (2,).
        push: What the push is worth [m], shape (2,).
        scratch: Shape (4,).
    """

    first: Matrix
    last: Matrix
    times: Vector
    feet: Matrix
    landing: Matrix
    at: Vector
    dcm: Vector
    push: Vector
    scratch: Vector


PARAMETERS = types.NamedUniTuple(F8, len(GaitParameters._fields), GaitParameters)
PLAN = types.NamedTuple((OUT2, OUT3, OUT1, OUT1, OUT1), GaitPlan)
STATE = types.NamedTuple(
    (IOUT1, OUT1, OUT2, OUT2, OUT1, OUT3, OUT1, IOUT1, OUT1, OUT1, IOUT1, IOUT1, OUT1), GaitState
)
TARGETS = types.NamedTuple((OUT1, OUT1, OUT1, OUT1, OUT1, IOUT1, OUT3, OUT1, IOUT1), GaitTargets)
SEGMENTS = types.NamedTuple((OUT2, OUT2, OUT1, OUT2, OUT2, OUT1, OUT1, OUT1, OUT1), Segments)
