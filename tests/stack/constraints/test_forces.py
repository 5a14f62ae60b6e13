"""Forces of contacts: cones, centre of pressure, torque about the normal, and bounds that open."""

import numpy as np
import pytest

from footwork.errors import InputError
from footwork.robot import FootGeometry
from footwork.spatial import Pose
from footwork.stack import Affine, Constraint, Variables
from footwork.stack.constraints import force
from footwork.stack.contact_forces import ContactForces
from footwork.typing import Matrix, Vector

SOLE = FootGeometry(
    name="sole",
    link="foot",
    T_link_foot=Pose.identity(),
    length_front=0.1,
    length_back=0.1,
    width_left=0.05,
    width_right=0.05,
    source="test",
)
POINTS = ContactForces.of_foot(SOLE, kind="points", friction=0.5)
WRENCH = ContactForces.of_foot(SOLE, kind="wrench", friction=0.5)


def satisfied(constraint: Constraint, x: Vector, slack: float = 1e-9) -> bool:
    return bool((constraint.violation(x) <= slack).all())


@pytest.mark.parametrize("sides", [3, 4, 5, 8])
def test_an_inner_pyramid_is_inside_its_cone_and_an_outer_one_around_it(sides: int) -> None:
    rng = np.random.default_rng(0)
    contact = ContactForces(frame="tip", friction=0.5)
    x = Affine.identity(3)
    inner = force.FrictionCone(contact, x, sides=sides)
    outer = force.FrictionCone(contact, x, sides=sides, inner=False)
    for f in rng.normal(size=(500, 3)):
        in_cone = np.hypot(f[0], f[1]) <= 0.5 * f[2]
        assert in_cone or not satisfied(inner, f, 0.0)
        assert not in_cone or satisfied(outer, f)
    corner = np.array([0.5 * np.cos(np.pi / sides), 0.5 * np.sin(np.pi / sides), 1.0])
    assert satisfied(inner, corner)


def test_four_outer_sides_are_the_axes() -> None:
    contact = ContactForces(frame="tip", friction=0.3)
    pyramid = force.FrictionCone(contact, Affine.identity(3), inner=False)
    pyramid.update()
    expected = [[1, 0, -0.3], [0, 1, -0.3], [-1, 0, -0.3], [0, -1, -0.3]]
    np.testing.assert_array_equal(pyramid.Aineq, expected)


def test_the_ground_does_not_pull_at_any_corner() -> None:
    unilateral = force.Unilateral(POINTS, Affine.identity(12))
    x = np.zeros(12)
    x[2::3] = 10.0, 0.0, 5.0, -1e-3
    assert unilateral.violation(x).tolist() == pytest.approx([0.0, 0.0, 0.0, 1e-3])


def to_wrench(forces: Matrix) -> Vector:
    moment = np.cross(SOLE.corners, forces).sum(axis=0)
    return np.concatenate([forces.sum(axis=0), moment])


def test_wrench_constraints_hold_for_whatever_four_corners_can_do() -> None:
    """Shadow of the corners: any pyramid forces at the corners give a wrench inside."""
    rng = np.random.default_rng(1)
    x = Affine.identity(6)
    checks = [
        force.FrictionCone(WRENCH, x, inner=False),
        force.CoP(WRENCH, x),
        force.NormalTorque(WRENCH, x),
    ]
    for _ in range(500):
        normal = rng.exponential(size=4) * rng.integers(0, 2, size=4)
        tangential = rng.uniform(-0.5, 0.5, size=(4, 2)) * normal[:, None]
        wrench = to_wrench(np.column_stack([tangential, normal]))
        assert all(satisfied(c, wrench) for c in checks)


def test_wrench_constraints_refuse_what_four_corners_cannot_do() -> None:
    """In every direction wrenches end where those of the corners do (linear programs)."""
    from scipy.optimize import linprog

    rng = np.random.default_rng(2)
    x = Affine.identity(6)
    rows = np.vstack(
        [
            c.Aineq
            for c in (
                force.FrictionCone(WRENCH, x, inner=False),
                force.CoP(WRENCH, x),
                force.NormalTorque(WRENCH, x),
            )
        ]
    )
    corner_map = np.zeros((6, 12))
    for k, p in enumerate(SOLE.corners):
        for i in range(3):
            f = np.zeros(3)
            f[i] = 1.0
            corner_map[:3, 3 * k + i] = f
            corner_map[3:, 3 * k + i] = np.cross(p, f)
    side = np.array([[1, 0, -0.5], [-1, 0, -0.5], [0, 1, -0.5], [0, -1, -0.5]])
    cone = np.kron(np.eye(4), side)
    for _ in range(25):
        goal = rng.normal(size=6)
        ours = linprog(
            -goal, A_ub=rows, b_ub=np.zeros(len(rows)), A_eq=[[0, 0, 1, 0, 0, 0]], b_eq=[1.0],
            bounds=[(None, None)] * 6,
        )  # fmt: skip
        corners = linprog(
            -goal @ corner_map, A_ub=cone, b_ub=np.zeros(16), A_eq=corner_map[2:3], b_eq=[1.0],
            bounds=[(None, None)] * 12,
        )  # fmt: skip
        assert ours.fun == pytest.approx(corners.fun, abs=1e-9)


def test_the_centre_of_pressure_stops_at_the_edge() -> None:
    cop = force.CoP(WRENCH, Affine.identity(6), margin=0.01)
    inside = np.array([0.0, 0.0, 100.0, 100.0 * 0.039, -100.0 * 0.089, 0.0])
    assert satisfied(cop, inside)
    assert not satisfied(cop, inside * [1, 1, 1, 1.05, 1, 1])
    assert not satisfied(cop, inside * [1, 1, 1, 1, 1.05, 1])
    with pytest.raises(InputError, match="margin"):
        force.CoP(WRENCH, Affine.identity(6), margin=0.05)
    with pytest.raises(InputError, match="point forces"):
        force.CoP(POINTS, Affine.identity(12))


def test_a_point_foot_has_no_wrench() -> None:
    foot = FootGeometry(
        name="toe", link="leg", T_link_foot=Pose.identity(), radius=0.02, source="test"
    )
    with pytest.raises(InputError, match="point foot"):
        ContactForces.of_foot(foot, kind="wrench")
    with pytest.raises(InputError, match="friction of 'toe' must be positive"):
        ContactForces.of_foot(foot, friction=0.0)


def bounds() -> force.ForceBounds:
    variables = Variables({"a": 2, "f": 3})
    return force.ForceBounds(
        "f", variables["f"], lower=[-np.inf, -np.inf, 0.0], upper=[np.inf] * 3, largest=100.0
    )


def test_bounds_close_and_open_in_equal_steps_and_only_once_a_tick() -> None:
    box = bounds()
    box.update()
    assert box.upper[4] == np.inf
    assert box.lower[4] == 0.0
    box.close(ticks=4)
    seen = []
    for _ in range(5):
        box.update()
        seen.append(box.upper[4])
        assert box.lower[2] == -box.upper[2]
    assert seen == pytest.approx([56.25, 25.0, 6.25, 0.0, 0.0])
    assert not box.is_open
    box.open(ticks=2)
    box.update()
    assert box.upper[4] == pytest.approx(25.0)
    assert np.isinf(box.upper[:2]).all()
    box.update()
    assert box.upper[4] == np.inf
    assert box.opening == 1.0


def test_bounds_have_zero_between_them() -> None:
    x = Affine.identity(1)
    with pytest.raises(InputError, match="must have 0 between"):
        force.ForceBounds("f", x, lower=[1.0], upper=[2.0], largest=10.0)
    with pytest.raises(InputError, match="in 1 tick or more"):
        bounds().close(ticks=0)


def test_wrench_limits_change_and_release() -> None:
    limits = force.WrenchLimits("w", Affine.identity(2), lower=[-1.0, 0.0], upper=[1.0, np.inf])
    limits.update()
    np.testing.assert_array_equal(limits.upper, [1.0, np.inf])
    with pytest.raises(InputError, match="row 1"):
        limits.set_limits([0.0, 2.0], [1.0, 1.0])
    np.testing.assert_array_equal(limits.limits[1], [1.0, np.inf])
    limits.release()
    np.testing.assert_array_equal(limits.upper, [0.0, 0.0])
