import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.errors import InputError, NotFiniteError, ShapeError
from footwork.spatial import Pose

coordinate = st.floats(-10.0, 10.0)
vectors = st.tuples(coordinate, coordinate, coordinate)
angles = st.one_of(
    st.floats(0.0, math.pi),
    st.sampled_from([0.0, 1e-12, 1e-8, 1e-4, 9.9e-4, 1.1e-3, math.pi - 1e-9, math.pi]),
)


@st.composite
def rotation_vectors(draw: st.DrawFn) -> np.ndarray:
    axis = np.array(draw(vectors.filter(lambda v: np.linalg.norm(v) > 1e-3)))
    return draw(angles) * axis / np.linalg.norm(axis)


@st.composite
def poses(draw: st.DrawFn) -> Pose:
    rotation = Pose.exp(np.concatenate([np.zeros(3), draw(rotation_vectors())]))
    return Pose(draw(vectors), rotation.quaternion_xyzw)


def assert_same_placement(a: Pose, b: Pose, tolerance: float = 1e-9) -> None:
    np.testing.assert_allclose(a.matrix, b.matrix, atol=tolerance)


@given(poses(), poses())
def test_compose_and_inverse_agree_with_matrices(a: Pose, b: Pose) -> None:
    np.testing.assert_allclose((a @ b).matrix, a.matrix @ b.matrix, atol=1e-12)
    np.testing.assert_allclose(a.inverse().matrix, np.linalg.inv(a.matrix), atol=1e-12)


@given(poses(), st.lists(vectors, min_size=1, max_size=5))
def test_act_agrees_with_the_matrix_and_one_point_with_many(
    pose: Pose, points: list[tuple[float, float, float]]
) -> None:
    many = pose.act(points)
    for point, moved in zip(points, many, strict=True):
        placed = pose.matrix[:3, :3] @ point + pose.matrix[:3, 3]
        np.testing.assert_allclose(moved, placed, atol=1e-14)
        np.testing.assert_allclose(pose.act(point), moved, atol=1e-14)
        np.testing.assert_allclose(pose.rotate(point), moved - pose.translation, atol=1e-14)


@given(rotation_vectors(), vectors)
def test_log_inverts_exp(phi: np.ndarray, linear: tuple[float, float, float]) -> None:
    twist = np.concatenate([linear, phi])
    pose = Pose.exp(twist)
    assert_same_placement(Pose.exp(pose.log()), pose)
    if np.linalg.norm(phi) < math.pi - 1e-6:
        np.testing.assert_allclose(pose.log(), twist, atol=1e-7)


@given(rotation_vectors(), vectors)
def test_exp_agrees_with_the_power_series(
    phi: np.ndarray, linear: tuple[float, float, float]
) -> None:
    X = np.zeros((4, 4))
    X[:3, :3] = [[0, -phi[2], phi[1]], [phi[2], 0, -phi[0]], [-phi[1], phi[0], 0]]
    X[:3, 3] = linear
    series, term = np.eye(4), np.eye(4)
    for k in range(1, 40):
        term = term @ X / k
        series += term
    np.testing.assert_allclose(Pose.exp([*linear, *phi]).matrix, series, atol=1e-10)


@given(poses())
def test_every_representation_comes_back(pose: Pose) -> None:
    assert_same_placement(Pose.from_matrix(pose.matrix), pose)
    assert_same_placement(Pose.from_rotation(pose.translation, pose.rotation), pose)
    # pitch within 1e-7 of ±π/2 loses that much in the other two angles
    assert_same_placement(Pose.from_rpy(pose.translation, pose.rpy), pose, 1e-6)
    assert Pose(pose.translation, pose.quaternion_xyzw) == pose
    assert pickle.loads(pickle.dumps(pose)) == pose
    assert copy.deepcopy(pose) == pose


@given(poses())
def test_a_quaternion_and_its_negative_are_one_value(pose: Pose) -> None:
    other = Pose(pose.translation, -pose.quaternion_xyzw)
    assert other == pose
    assert hash(other) == hash(pose)
    assert len({other, pose}) == 1


def test_zero_and_minus_zero_are_one_value() -> None:
    a = Pose([0.0, 0.0, 0.0], [0.0, 0.0, -0.0, 1.0])
    b = Pose([-0.0, 0.0, 0.0], [-0.0, 0.0, 0.0, -1.0])
    assert a == b
    assert hash(a) == hash(b)


def test_poses_that_differ_are_not_equal() -> None:
    assert Pose([0, 0, 1e-300]) != Pose.identity()
    assert Pose.identity() != "pose"


@given(poses(), poses(), st.floats(0.0, 1.0))
def test_interpolation_ends_where_it_should_and_keeps_its_pace(
    a: Pose, b: Pose, fraction: float
) -> None:
    assert_same_placement(a.interpolate(b, 0.0), a)
    assert_same_placement(a.interpolate(b, 1.0), b)
    whole = np.linalg.norm((a.inverse() @ b).log()[3:])
    part = np.linalg.norm((a.inverse() @ a.interpolate(b, fraction)).log()[3:])
    assert part == pytest.approx(fraction * whole, abs=1e-7)


def test_a_half_turn_has_a_finite_logarithm_of_norm_pi() -> None:
    # a trace just below −1, as rounding makes it, must not become NaN
    R = np.diag([1.0, -1.0 - 1e-10, -1.0 - 1e-10])
    phi = Pose.from_rotation([0, 0, 0], R).log()[3:]
    assert np.linalg.norm(phi) == pytest.approx(math.pi, abs=1e-9)


def test_yaw_and_rpy_at_gimbal_lock() -> None:
    pose = Pose.from_rpy([0, 0, 0], [0.3, math.pi / 2, 0.5])
    assert pose.rpy[0] == 0.0
    assert_same_placement(Pose.from_rpy([0, 0, 0], pose.rpy), pose, 1e-7)
    assert Pose.from_xy_yaw(1, 2, 3.0).yaw == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"translation": [0, 0]}, ShapeError, r"translation: expected shape \(3,\), got \(2,\)"),
        ({"translation": [0, math.nan, 0]}, NotFiniteError, r"translation\[1\].*nan"),
        ({"quaternion_xyzw": [0, 0, 0, math.inf]}, NotFiniteError, r"quaternion_xyzw\[3\].*inf"),
        ({"quaternion_xyzw": [0, 0, 0, 2]}, InputError, r"norm 1.*norm 2"),
        ({"quaternion_xyzw": [0, 0, 0, 0]}, InputError, r"norm 1.*norm 0"),
        ({"translation": "abc"}, InputError, r"translation: expected real numbers"),
        ({"translation": [1j, 0, 0]}, InputError, r"translation: expected real numbers"),
    ],
)
def test_bad_input_says_what_is_wrong(
    arguments: dict[str, object], error: type[InputError], words: str
) -> None:
    with pytest.raises(error, match=words):
        Pose(**arguments)  # type: ignore[arg-type]


def test_matrices_that_are_no_pose_are_refused() -> None:
    with pytest.raises(InputError, match=r"det R = −1"):
        Pose.from_rotation([0, 0, 0], np.diag([1.0, 1.0, -1.0]))
    with pytest.raises(InputError, match=r"off identity by 3"):
        Pose.from_rotation([0, 0, 0], 2 * np.eye(3))
    with pytest.raises(InputError, match=r"last row"):
        Pose.from_matrix(np.ones((4, 4)))


def test_a_pose_cannot_be_changed() -> None:
    pose = Pose.from_translation([1, 2, 3])
    with pytest.raises(AttributeError, match="frozen"):
        pose._t = (0.0, 0.0, 0.0)
    with pytest.raises(ValueError, match="read-only"):
        pose.translation[0] = 5.0
    source = np.array([1.0, 2.0, 3.0])
    made = Pose(source)
    source[0] = 9.0
    assert made.x == 1.0


def test_a_slightly_off_quaternion_is_normalised_once() -> None:
    pose = Pose([0, 0, 0], [0, 0, 0, 1 + 5e-7])
    assert np.linalg.norm(pose.quaternion_xyzw) == pytest.approx(1.0, abs=1e-15)
    assert Pose(pose.translation, pose.quaternion_xyzw) == pose
