"""Every velocity task's A is the rate of what it commands; its b is λ times what is missing."""

import numpy as np
import pytest

from footwork.errors import InputError, ShapeError, UnknownFrameError
from footwork.robot import RobotState
from footwork.spatial import Pose
from footwork.stack.tasks import velocity
from footwork.typing import Vector

from ..robots import (
    KINDS,
    OTHER,
    TIP,
    ahead,
    log_jacobian,
    random_state,
    robot,
    twist_by_differences,
)

H = 1e-6


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("axes", ["world", "local"])
def test_cartesian_rows_are_the_frames_twist(kind: str, relative: bool, axes: str) -> None:
    model = robot(kind)
    base = OTHER[kind] if relative else None
    task = velocity.Cartesian(model, TIP[kind], base=base, axes=axes)  # type: ignore[arg-type]
    for seed in range(3):
        state = random_state(model, seed)
        task.update(state)
        twist = twist_by_differences(state, TIP[kind], base)
        if axes == "local":
            R = np.array(task.pose(state).rotation)
            twist = np.concatenate([R.T @ twist[:3], R.T @ twist[3:]])
        np.testing.assert_allclose(task.A @ state.v, twist, atol=2e-7)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("relative", [False, True])
def test_cartesian_error_shrinks_by_its_rows(kind: str, relative: bool) -> None:
    model = robot(kind)
    base = OTHER[kind] if relative else None
    task = velocity.Cartesian(model, TIP[kind], base=base)
    task.reference = Pose.exp([0.3, -0.2, 0.5, 1.0, -0.7, 0.4])
    for seed in range(3):
        state = random_state(model, seed)
        task.update(state)
        A, e = task.A, task.error.copy()
        task.update(ahead(state, H))
        after = task.error.copy()
        task.update(ahead(state, -H))
        rate = (after - task.error) / (2 * H)
        moved = A @ state.v
        np.testing.assert_allclose(rate[:3], -moved[:3], atol=1e-6)
        np.testing.assert_allclose(rate[3:], -log_jacobian(e[3:]) @ moved[3:], atol=1e-6)


def test_orientation_error_is_finite_and_has_norm_pi_at_a_half_turn() -> None:
    model = robot("panda")
    state = model.state(model.standing_configuration)
    here = state.T_world_frame("hand")
    task = velocity.Cartesian(model, "hand", mode="orientation")
    for axis in np.vstack([np.eye(3), np.ones((1, 3)) / np.sqrt(3.0)]):
        for angle in (np.pi, np.pi - 1e-9, np.pi - 1e-5, np.pi + 1e-9):
            turn = Pose.exp([0.0, 0.0, 0.0, *(angle * axis)])
            task.reference = Pose(quaternion_xyzw=(turn @ here).quaternion_xyzw)
            task.update(model.state(state.q))
            assert np.isfinite(task.error).all()
            norm = np.linalg.norm(task.error)
            assert norm == pytest.approx(min(angle, 2 * np.pi - angle), abs=1e-7)
            assert abs(abs(task.error @ axis) / norm - 1.0) < 1e-6


def test_orientation_error_is_accurate_when_it_is_tiny() -> None:
    model = robot("panda")
    state = model.state(model.standing_configuration)
    here = state.T_world_frame("hand")
    task = velocity.Cartesian(model, "hand", mode="orientation")
    small = np.array([3e-9, -2e-9, 1e-9])
    task.reference = Pose.exp([0.0, 0.0, 0.0, *small]) @ Pose(quaternion_xyzw=here.quaternion_xyzw)
    task.update(state)
    np.testing.assert_allclose(task.error, small, atol=1e-15)


def test_cartesian_twist_counts_for_one_tick_and_is_not_scaled() -> None:
    model = robot("g1")
    task = velocity.Cartesian(model, "left_hand")
    state = random_state(model, 0)
    twist = np.arange(1.0, 7.0)
    task.lambda_ = 3.0
    task.reference = task.pose(state), twist
    task.update(state)
    np.testing.assert_allclose(task.b, twist, atol=1e-12)
    task.update(state)
    np.testing.assert_allclose(task.b, twist, atol=1e-12)
    task.update(model.state(state.q))
    np.testing.assert_allclose(task.b, np.zeros(6), atol=1e-12)


def test_cartesian_twist_is_given_in_the_bases_axes_also_for_local_rows() -> None:
    model = robot("g1")
    state = random_state(model, 4)
    twist = np.array([0.1, -0.2, 0.3, 0.4, -0.5, 0.6])
    for base in (None, "torso"):
        world = velocity.Cartesian(model, "left_hand", base=base)
        local = velocity.Cartesian(model, "left_hand", base=base, axes="local")
        world.reference = local.reference = Pose.identity(), twist
        world.update(state)
        local.update(state)
        R = np.array(world.pose(state).rotation)
        for part in (slice(0, 3), slice(3, 6)):
            np.testing.assert_allclose(local.b[part], R.T @ world.b[part], atol=1e-12)
            np.testing.assert_allclose(local.A[part], R.T @ world.A[part], atol=1e-12)


def test_cartesian_starts_with_where_it_is_as_reference() -> None:
    model = robot("go2")
    state = random_state(model, 1)
    for base in (None, OTHER["go2"]):
        task = velocity.Cartesian(model, TIP["go2"], base=base)
        task.update(state)
        np.testing.assert_allclose(task.b, np.zeros(6), atol=1e-12)
        assert task.reference[0].is_close(task.pose(state))


def test_modes_are_the_rows_of_the_pose() -> None:
    model = robot("panda")
    state = random_state(model, 2)
    target = Pose.exp([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    tasks = {
        m: velocity.Cartesian(model, "hand", mode=m) for m in ("pose", "position", "orientation")
    }
    for task in tasks.values():
        task.reference = target
        task.update(state)
    np.testing.assert_array_equal(tasks["position"].A, tasks["pose"].A[:3])
    np.testing.assert_array_equal(tasks["orientation"].A, tasks["pose"].A[3:])
    np.testing.assert_array_equal(tasks["position"].b, tasks["pose"].b[:3])
    np.testing.assert_array_equal(tasks["orientation"].b, tasks["pose"].b[3:])
    assert tasks["orientation"].row_names == ("rx", "ry", "rz")


@pytest.mark.parametrize("kind", KINDS)
def test_com_rows_are_its_velocity(kind: str) -> None:
    model = robot(kind)
    task = velocity.CoM(model)
    for seed in range(3):
        state = random_state(model, seed)
        task.update(state)
        rate = ahead(state, H).p_world_com - ahead(state, -H).p_world_com
        np.testing.assert_allclose(task.A @ state.v, rate / (2 * H), atol=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_com_goes_to_its_reference(kind: str) -> None:
    model = robot(kind)
    task = velocity.CoM(model)
    state = random_state(model, 3)
    task.lambda_ = 2.0
    task.reference = [0.1, 0.2, 0.3], [1.0, 0.0, 0.0]
    task.update(state)
    expected = 2.0 * (np.array([0.1, 0.2, 0.3]) - state.p_world_com) + [1.0, 0.0, 0.0]
    np.testing.assert_allclose(task.b, expected, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_postural_error_is_the_difference_of_configurations(kind: str) -> None:
    model = robot(kind)
    goal = model.random_configuration(np.random.default_rng(7))
    for base in {False, model.has_floating_base}:
        task = velocity.Postural(model, base=base)
        task.reference = goal
        for seed in range(4):
            state = random_state(model, seed)
            task.update(state)
            whole = model.difference(state.q, goal)
            expected = whole if base else whole[model.nv - model.nu :]
            np.testing.assert_allclose(task.error, expected, atol=1e-9)
            np.testing.assert_allclose(task.A @ state.v, state.v[-task.task_size :], atol=0.0)


def test_postural_of_chosen_joints_has_their_rows() -> None:
    model = robot("g1")
    joints = ["right_knee_joint", "waist_yaw_joint"]
    task = velocity.Postural(model, joints=joints)
    state = random_state(model, 0)
    task.reference = model.standing_configuration
    task.update(state)
    assert task.row_names == tuple(joints)
    for row, name in enumerate(joints):
        i = model.position_index(name)
        assert task.error[row] == pytest.approx(model.standing_configuration[i] - state.q[i])
        assert task.A[row, model.joint_index(name)] == 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_momentum_rows_are_the_momentum(kind: str) -> None:
    model = robot(kind)
    state = random_state(model, 5)
    linear, angular = velocity.LinearMomentum(model), velocity.AngularMomentum(model)
    for task in (linear, angular):
        task.reference = [1.0, 2.0, 3.0]
        task.update(state)
        np.testing.assert_array_equal(task.b, [1.0, 2.0, 3.0])
    rate = (ahead(state, H).p_world_com - ahead(state, -H).p_world_com) / (2 * H)
    np.testing.assert_allclose(linear.A @ state.v, model.mass * rate, atol=1e-6)
    np.testing.assert_allclose(angular.A @ state.v, naive_angular_momentum(state), atol=1e-6)


def naive_angular_momentum(state: RobotState) -> Vector:
    """Σ over bodies of (p − c) × m v + R I ω, by Pinocchio's body velocities."""
    import pinocchio as pin

    model = state.robot.pin_model
    data = model.createData()
    pin.forwardKinematics(model, data, state.q, state.v)
    c = state.p_world_com
    total = np.zeros(3)
    for i in range(1, model.njoints):
        inertia = model.inertias[i]
        M, motion = data.oMi[i], data.v[i]
        v = M.rotation @ (motion.linear + np.cross(motion.angular, inertia.lever))
        w = motion.angular
        p = M.act(inertia.lever)
        total += np.cross(p - c, inertia.mass * v) + M.rotation @ (inertia.inertia @ w)
    return total


@pytest.mark.parametrize("kind", KINDS)
def test_contact_rows_are_the_twist_in_the_frames_axes(kind: str) -> None:
    model = robot(kind)
    state = random_state(model, 6)
    plain = velocity.Contact(model, TIP[kind])
    plain.update(state)
    twist = twist_by_differences(state, TIP[kind], None)
    R = state.placement(TIP[kind])[0]
    expected = np.concatenate([R.T @ twist[:3], R.T @ twist[3:]])
    np.testing.assert_allclose(plain.A @ state.v, expected, atol=2e-7)
    K = np.random.default_rng(0).normal(size=(6, 6))
    mixed = velocity.Contact(model, TIP[kind], K=K)
    mixed.update(state)
    np.testing.assert_allclose(mixed.A, K @ plain.A, atol=1e-12)
    np.testing.assert_array_equal(mixed.b, np.zeros(6))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("relative", [False, True])
def test_gaze_error_shrinks_by_its_rows_when_it_looks_at_the_object(
    kind: str, relative: bool
) -> None:
    model = robot(kind)
    base = OTHER[kind] if relative else None
    task = velocity.Gaze(model, TIP[kind], base=base, smallest_distance=0.1)
    for seed in range(3):
        state = random_state(model, seed)
        T = velocity.Cartesian(model, TIP[kind], base=base).pose(state)
        task.reference = T.act(np.array([0.8, 0.0, 0.0]))
        task.update(state)
        np.testing.assert_allclose(task.error, np.zeros(2), atol=1e-9)
        A = task.A
        task.update(ahead(state, H))
        after = task.error.copy()
        task.update(ahead(state, -H))
        np.testing.assert_allclose((after - task.error) / (2 * H), -A @ state.v, atol=1e-6)


def test_gaze_finds_an_object_anywhere_also_behind() -> None:
    model = robot("panda")
    state = model.state(model.standing_configuration)
    T = state.T_world_frame("hand")
    task = velocity.Gaze(model, "hand")
    for local, angle in (
        ([1.0, 0.0, 0.0], 0.0),
        ([0.0, 1.0, 0.0], np.pi / 2),
        ([0.0, 0.0, -2.0], np.pi / 2),
        ([-1.0, 0.0, 0.0], np.pi),
    ):
        task.reference = T.act(np.array(local))
        task.update(model.state(state.q))
        assert np.linalg.norm(task.error) == pytest.approx(angle, abs=1e-9)
    task.reference = T.act(np.array([0.0, 0.1, 0.0]))
    task.update(model.state(state.q))
    np.testing.assert_array_equal(task.error, np.zeros(2))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mode", ["pose", "position"])
def test_manipulability_gradient_is_the_rate_of_its_measure(kind: str, mode: str) -> None:
    model = robot(kind)
    weight = np.random.default_rng(3).uniform(0.5, 2.0, model.nv)
    task = velocity.Manipulability(model, TIP[kind], mode=mode, weight=weight)
    for seed in range(3):
        state = random_state(model, seed)
        rate = (task.measure(ahead(state, 1e-5)) - task.measure(ahead(state, -1e-5))) / 2e-5
        assert task.gradient(state) @ state.v == pytest.approx(rate, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_minimum_effort_goes_down_the_gradient_of_its_measure(kind: str) -> None:
    model = robot(kind)
    task = velocity.MinimumEffort(model, step=0.5)
    for seed in range(3):
        state = random_state(model, seed)
        first = model.nv - model.nu
        v = state.v.copy()
        v[:first] = 0.0
        moving = model.state(state.q, v)
        task.update(moving)
        rate = (task.measure(ahead(moving, 1e-5)) - task.measure(ahead(moving, -1e-5))) / 2e-5
        assert task.error @ v[first:] == pytest.approx(-0.5 * rate, rel=1e-4, abs=1e-7)


def test_misuse_is_refused_and_named() -> None:
    model = robot("g1")
    with pytest.raises(UnknownFrameError, match="did you mean 'left_foot'"):
        velocity.Cartesian(model, "left_fot")
    with pytest.raises(InputError, match="fixed to one another"):
        velocity.Cartesian(model, "left_foot", base="left_ankle_roll_link")
    with pytest.raises(InputError, match="mode must be one of"):
        velocity.Cartesian(model, "left_foot", mode="yaw")
    task = velocity.Cartesian(model, "left_foot")
    before = task.reference[0]
    with pytest.raises(ShapeError, match="twist of 'left_foot'"):
        task.reference = Pose.from_translation([1.0, 0.0, 0.0]), np.zeros(5)
    with pytest.raises(InputError, match="expected a Pose"):
        task.reference = "somewhere"
    assert task.reference[0] == before
    with pytest.raises(InputError, match="named twice"):
        velocity.Postural(model, joints=["waist_yaw_joint", "waist_yaw_joint"])
    with pytest.raises(InputError, match="no floating base"):
        velocity.Postural(robot("panda"), base=True)


@pytest.mark.parametrize("length", [3, 5, 7])
def test_masks_of_the_wrong_length_are_refused(length: int) -> None:
    task = velocity.Cartesian(robot("panda"), "hand")
    with pytest.raises(ShapeError):
        task.active_joints_mask = [True] * length


def test_masked_joints_take_no_part_and_runs_are_equal_to_the_bit() -> None:
    model = robot("panda")
    state = random_state(model, 1)
    runs = []
    for _ in range(20):
        task = velocity.Cartesian(model, "hand")
        task.active_joints_mask = [True] * 6 + [False, False]
        task.reference = Pose.identity()
        task.update(model.state(state.q, state.v))
        runs.append((task.A.copy(), task.b.copy()))
    assert not runs[0][0][:, 6:].any()
    assert all(np.array_equal(A, runs[0][0]) and np.array_equal(b, runs[0][1]) for A, b in runs)
