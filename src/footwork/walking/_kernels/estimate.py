"""The base's state from an IMU, joints and loaded feet: one prediction and one correction a tick.

The point at a foot's centre of pressure does not move while the foot is loaded: so a sole that
rocks on an edge, or a ball that rolls, is no special case.
"""

from math import cos, sin, sqrt
from typing import NamedTuple

from numba import types

from footwork._numba import F8, IVEC, MAT, OUT1, OUT2, TEN, VEC, VOID, kernel
from footwork.typing import IntVector, Matrix, Tensor, Vector
from footwork.walking._kernels.footholds import clamp

GRAVITY = 9.81


class EstimatorGains(NamedTuple):
    """Numbers that do not change: see `EstimatorConfig`; weight is m g [N]."""

    velocity: float
    position: float
    tilt: float
    gyro_bias: float
    slip_speed: float
    turn_speed: float
    low_share: float
    full_share: float
    anchor: float
    weight: float


class FootState(NamedTuple):
    """What is known of the feet.

    Attributes:
        anchors: Where the middles of the soles rest [m], shape (feet, 3).
        trust: How much each tells, 0 to 1, shape (feet,).
        arms: From the middle of the sole to the point of contact, world axes [m], shape (feet, 3).
        places: Middles of the soles by the estimate [m], shape (feet, 3).
        slips: Velocities of the points of contact by the estimate [m/s], shape (feet, 3).
        turns: Angular velocities of the feet by the estimate, world axes [rad/s], shape (feet, 3).
    """

    anchors: Matrix
    trust: Vector
    arms: Matrix
    places: Matrix
    slips: Matrix
    turns: Matrix


GAINS = types.NamedUniTuple(F8, len(EstimatorGains._fields), EstimatorGains)
FEET = types.NamedTuple((OUT2, OUT1, OUT2, OUT2, OUT2, OUT2), FootState)


@kernel(VOID(OUT1, OUT1))
def turn_by(quaternion: Vector, angle: Vector) -> None:
    """Multiply a quaternion (x, y, z, w) from the right by exp(angle), and normalise it."""
    size = sqrt(angle[0] ** 2 + angle[1] ** 2 + angle[2] ** 2)
    part = sin(0.5 * size) / size if size > 1e-9 else 0.5
    x, y, z, w = part * angle[0], part * angle[1], part * angle[2], cos(0.5 * size)
    a, b, c, d = quaternion[0], quaternion[1], quaternion[2], quaternion[3]
    quaternion[0] = d * x + a * w + b * z - c * y
    quaternion[1] = d * y - a * z + b * w + c * x
    quaternion[2] = d * z + a * y - b * x + c * w
    quaternion[3] = d * w - a * x - b * y - c * z
    norm = sqrt(quaternion[0] ** 2 + quaternion[1] ** 2 + quaternion[2] ** 2 + quaternion[3] ** 2)
    for k in range(4):
        quaternion[k] /= norm


@kernel(VOID(OUT1, VEC, OUT1))
def rotate(quaternion: Vector, vector: Vector, out: Vector) -> None:
    """Turn a vector of the body's axes into the world's."""
    x, y, z, w = quaternion[0], quaternion[1], quaternion[2], quaternion[3]
    tx = 2.0 * (y * vector[2] - z * vector[1])
    ty = 2.0 * (z * vector[0] - x * vector[2])
    tz = 2.0 * (x * vector[1] - y * vector[0])
    out[0] = vector[0] + w * tx + y * tz - z * ty
    out[1] = vector[1] + w * ty + z * tx - x * tz
    out[2] = vector[2] + w * tz + x * ty - y * tx


@kernel(VOID(OUT1, OUT1))
def _to_base(quaternion: Vector, vector: Vector) -> None:
    """Turn a vector of the world into the body's axes, in place."""
    for k in range(3):
        quaternion[k] = -quaternion[k]
    x, y, z = vector[0], vector[1], vector[2]
    tx = 2.0 * (quaternion[1] * z - quaternion[2] * y)
    ty = 2.0 * (quaternion[2] * x - quaternion[0] * z)
    tz = 2.0 * (quaternion[0] * y - quaternion[1] * x)
    w = quaternion[3]
    vector[0] = x + w * tx + quaternion[1] * tz - quaternion[2] * ty
    vector[1] = y + w * ty + quaternion[2] * tx - quaternion[0] * tz
    vector[2] = z + w * tz + quaternion[0] * ty - quaternion[1] * tx
    for k in range(3):
        quaternion[k] = -quaternion[k]


@kernel(VOID(F8, VEC, VEC, OUT1, OUT1, OUT1))
def predict_base(
    dt: float, rate: Vector, force: Vector, pose: Vector, velocity: Vector, scratch: Vector
) -> None:
    """Integrate the IMU over one tick.

    Args:
        dt: Control step [s].
        rate: Angular velocity, without bias, in the base's axes [rad/s], shape (3,).
        force: Specific force in the base's axes, mean over the tick [m/s²], shape (3,).
        pose: Position and quaternion xyzw; changed [m, 1], shape (7,).
        velocity: In the world; changed [m/s], shape (3,).
        scratch: Shape (6,).
    """
    for k in range(3):
        scratch[k] = 0.5 * dt * rate[k]
    half = scratch[:3]
    turn_by(pose[3:], half)
    rotate(pose[3:], force, scratch[3:])
    turn_by(pose[3:], half)
    scratch[5] -= GRAVITY
    for k in range(3):
        pose[k] += dt * (velocity[k] + 0.5 * dt * scratch[3 + k])
        velocity[k] += dt * scratch[3 + k]


@kernel(VOID(MAT, MAT, IVEC, TEN, VEC, MAT, MAT, FEET))
def observe_feet(
    placements: Matrix,
    motions: Matrix,
    joints: IntVector,
    frames: Tensor,
    radii: Vector,
    soles: Matrix,
    wrenches: Matrix,
    feet: FootState,
) -> None:
    """Place the feet by the estimate, find their points of contact and how fast those move.

    Args:
        placements: Of joints in the world, R by columns, then t, shape (joints, 12).
        motions: Of joints, in their own axes, linear first [m/s, rad/s], shape (joints, 6).
        joints: That carry the feet, shape (feet,).
        frames: Of the feet in their joints, [R | t], shape (feet, 3, 4).
        radii: Of point feet [m], shape (feet,).
        soles: Half length and half width of the soles [m], shape (feet, 2).
        wrenches: On the feet about the middles of their soles, world axes, shape (feet, 6).
        feet: Arms, places, slips and turns are written.
    """
    for i in range(joints.size):
        oMi, motion, frame = placements[joints[i]], motions[joints[i]], frames[i]
        arm, turn, slip = feet.arms[i], feet.turns[i], feet.slips[i]
        fz = max(wrenches[i, 2], 1.0)
        ahead = left = 0.0
        for k in range(3):
            x_axis = y_axis = place = speed = spin = 0.0
            for j in range(3):
                R = oMi[3 * j + k]
                a, b = (j + 1) % 3, (j + 2) % 3
                x_axis += R * frame[j, 0]
                y_axis += R * frame[j, 1]
                place += R * frame[j, 3]
                spin += R * motion[3 + j]
                cross = motion[3 + a] * frame[b, 3] - motion[3 + b] * frame[a, 3]
                speed += R * (motion[j] + cross)
            feet.places[i, k] = oMi[9 + k] + place
            turn[k], slip[k] = spin, speed
            # centre of pressure in the sole's axes: (−m_y, m_x) / f_z
            ahead -= y_axis * wrenches[i, 3 + k] / fz
            left += x_axis * wrenches[i, 3 + k] / fz
            arm[k] = 0.0
        ahead = clamp(ahead, -soles[i, 0], soles[i, 0])
        left = clamp(left, -soles[i, 1], soles[i, 1])
        for k in range(3):
            for j in range(3):
                R = oMi[3 * j + k]
                arm[k] += R * (frame[j, 0] * ahead + frame[j, 1] * left)
        arm[2] -= radii[i]
        for k in range(3):
            a, b = (k + 1) % 3, (k + 2) % 3
            slip[k] += turn[a] * arm[b] - turn[b] * arm[a]


@kernel(VOID(GAINS, F8, VEC, MAT, FEET, OUT1, OUT1, OUT1, OUT1))
def correct_base(
    gains: EstimatorGains,
    dt: float,
    flat: Vector,
    wrenches: Matrix,
    feet: FootState,
    pose: Vector,
    velocity: Vector,
    bias: Vector,
    scratch: Vector,
) -> None:
    """Let loaded feet say how fast the base moves, where it is, and which way is down.

    With e the velocity that the feet tell minus the estimate, a tilt error δθ shows as
    ė = δθ × g ẑ; so θ is turned by k ẑ × e. A flat foot that is loaded does not turn: what it seems
    to turn is the gyroscope's bias.

    Args:
        gains: Of the estimator.
        dt: Control step [s].
        flat: 1 for a sole, 0 for a ball, shape (feet,).
        wrenches: On the feet, shape (feet, 6).
        feet: As observed; anchors and trust are changed.
        pose: Position and quaternion xyzw; changed.
        velocity: In the world; changed.
        bias: Of the gyroscope; changed [rad/s], shape (3,).
        scratch: Shape (9,).
    """
    error, gap, spin = scratch[:3], scratch[3:6], scratch[6:9]
    scratch[:] = 0.0
    total = 0.0
    for i in range(flat.size):
        slip, arm, turn = feet.slips[i], feet.arms[i], feet.turns[i]
        speed = sqrt(slip[0] ** 2 + slip[1] ** 2 + slip[2] ** 2)
        share = wrenches[i, 2] / gains.weight - gains.low_share
        trust = clamp(share / (gains.full_share - gains.low_share), 0.0, 1.0)
        trust *= min(1.0, gains.slip_speed / max(speed, 1e-9))
        feet.trust[i] = trust
        total += trust
        follow = (1.0 - trust) * min(1.0, gains.anchor * dt)
        if trust == 0.0:
            follow = 1.0
        for k in range(3):
            a, b = (k + 1) % 3, (k + 2) % 3
            # the middle of the sole turns about the point of contact
            feet.anchors[i, k] -= dt * (turn[a] * arm[b] - turn[b] * arm[a])
            away = feet.places[i, k] - feet.anchors[i, k]
            feet.anchors[i, k] += follow * away
            error[k] -= trust * slip[k]
            gap[k] -= trust * (1.0 - follow) * away
            spin[k] += flat[i] * trust * clamp(turn[k], -gains.turn_speed, gains.turn_speed)
    total = max(total, 1.0)
    for k in range(3):
        velocity[k] += min(1.0, gains.velocity * dt) * error[k] / total
        pose[k] += min(1.0, gains.position * dt) * gap[k] / total
    rate = gains.gyro_bias * dt / total
    _to_base(pose[3:], spin)
    for k in range(3):
        bias[k] += rate * spin[k]
    spin[0] = -gains.tilt * dt * error[1] / total
    spin[1] = gains.tilt * dt * error[0] / total
    spin[2] = 0.0
    _to_base(pose[3:], spin)
    turn_by(pose[3:], spin)
