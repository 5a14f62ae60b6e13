"""The three problems, the same numbers for both sides.

A kinematic car (3-D), a second-order unicycle (5-D) and a quadrotor (12-D) among circles and boxes.
Fourth-order Runge–Kutta, step 0.05 s, 1 to 20 steps a control. The distance is a weighted sum of
Euclidean norms with wrapped angles. Obstacles are Footwork's own worlds, which look up what is near
a state; with ``in_turn`` they are tested one after the other, by the same lines as in the C++
program.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import footwork.planning as fp
from footwork.planning import worlds

STEP = 0.05
MOST_STEPS = 20


def scene_of_the_plane(seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """22 circles (x, y, r) and 5 boxes (x0, x1, y0, y1), start (1, 1) and goal (9, 9) kept free."""
    rng = np.random.default_rng(seed)
    start, goal = np.array([1.0, 1.0]), np.array([9.0, 9.0])
    circles: list[tuple[float, ...]] = []
    while len(circles) < 22:
        p, r = rng.uniform(0.5, 9.5, 2), rng.uniform(0.25, 0.6)
        if np.hypot(*(p - start)) > r + 0.7 and np.hypot(*(p - goal)) > r + 0.9:
            circles.append((*p, r + 0.15))
    boxes: list[tuple[float, ...]] = []
    while len(boxes) < 5:
        p, half = rng.uniform(1.0, 9.0, 2), rng.uniform(0.2, 0.8, 2)
        if max(abs(p - start) - half) > 0.8 and max(abs(p - goal) - half) > 0.9:
            low, high = p - half - 0.15, p + half + 0.15
            boxes.append((low[0], high[0], low[1], high[1]))
    return np.array(circles), np.array(boxes)


def scene_of_space(seed: int = 3) -> np.ndarray:
    """14 cuboids (x0, y0, z0, x1, y1, z1), start (1, 1, 1) and goal (6, 6, 6) kept free."""
    rng = np.random.default_rng(seed)
    boxes: list[np.ndarray] = []
    while len(boxes) < 14:
        centre, half = rng.uniform(1.0, 9.0, 3), rng.uniform(0.3, 1.0, 3)
        if max(abs(centre - 1.0) - half) > 1.0 and max(abs(centre - 6.0) - half) > 1.2:
            boxes.append(np.concatenate([centre - half - 0.2, centre + half + 0.2]))
    return np.array(boxes)


def car(x: Any, u: Any) -> Any:
    s, c = fp.sincos(x[2])
    sa, ca = fp.sincos(u[1])
    return u[0] * c, u[0] * s, u[0] * sa / (0.5 * ca)


def unicycle(x: Any, u: Any) -> Any:
    s, c = fp.sincos(x[2])
    return x[3] * c, x[3] * s, x[4], u[0], u[1]


def quadrotor(x: Any, u: Any) -> Any:
    sr, cr = fp.sincos(x[3])
    sp, cp = fp.sincos(x[4])
    sy, cy = fp.sincos(x[5])
    p, q, r = x[9], x[10], x[11]
    inverse = 1.0 / cp
    qs = q * sr + r * cr
    return (
        x[6],
        x[7],
        x[8],
        p + qs * sp * inverse,
        q * cr - r * sr,
        qs * inverse,
        u[0] * (cr * sp * cy + sr * sy),
        u[0] * (cr * sp * sy - sr * cy),
        u[0] * cr * cp - 9.81,
        u[1] - 0.4 * q * r,
        u[2] + 0.4 * p * r,
        u[3],
    )


def free_in_plane(x: Any, p: Any) -> bool:
    """All obstacles in turn, as in the C++ program; p = (circles, boxes, then their numbers)."""
    circles, boxes = int(p[0]), int(p[1])
    k = 2
    for _ in range(circles):
        dx, dy = x[0] - p[k], x[1] - p[k + 1]
        if dx * dx + dy * dy < p[k + 2] * p[k + 2]:
            return False
        k += 3
    for _ in range(boxes):
        if p[k] < x[0] < p[k + 1] and p[k + 2] < x[1] < p[k + 3]:
            return False
        k += 4
    return True


def free_in_space(x: Any, p: Any) -> bool:
    """All cuboids in turn; p = (cuboids, then their numbers)."""
    boxes = int(p[0])
    k = 1
    for _ in range(boxes):
        if p[k] < x[0] < p[k + 3] and p[k + 1] < x[1] < p[k + 4] and p[k + 2] < x[2] < p[k + 5]:
            return False
        k += 6
    return True


@dataclass(frozen=True, kw_only=True)
class Case:
    """A problem of the benchmark with what each planner is given on both sides."""

    name: str
    si: fp.SpaceInformation
    problem: fp.Problem
    selection_radius: float
    pruning_radius: float
    bound_bias: float = 0.1
    cells: tuple[int, ...] = (0, 1)

    def planner(self, name: str, seed: int) -> fp.Planner:
        match name:
            case "RRT":
                return fp.RRT(self.si, seed=seed)
            case "EST":
                return fp.EST(self.si, seed=seed, projection=self.cells, cell_sizes=0.5)
            case "KPIECE1":
                return fp.KPIECE1(self.si, seed=seed, projection=self.cells, cell_sizes=0.5)
            case "SST":
                return fp.SST(
                    self.si,
                    seed=seed,
                    selection_radius=self.selection_radius,
                    pruning_radius=self.pruning_radius,
                    bound_bias=self.bound_bias,
                )
        raise ValueError(name)

    def portfolio(self, seed: int) -> fp.Portfolio:
        names = ("EST", "KPIECE1", "SST", "EST", "KPIECE1", "SST")
        members = [self.planner(name, 1000 * seed + i) for i, name in enumerate(names)]
        return fp.Portfolio(self.si, members)


def obstacles_of_the_plane(*, in_turn: bool) -> dict[str, Any]:
    circles, boxes = scene_of_the_plane()
    if not in_turn:
        discs = worlds.Circles(circles[:, :2], circles[:, 2])
        return {"is_valid": discs | worlds.Boxes(boxes[:, [0, 2]], boxes[:, [1, 3]])}
    head = np.array([len(circles), len(boxes)], float)
    numbers = np.concatenate([head, circles.ravel(), boxes.ravel()])
    return {"is_valid": free_in_plane, "parameters": numbers}


def obstacles_of_space(*, in_turn: bool) -> dict[str, Any]:
    boxes = scene_of_space()
    if not in_turn:
        return {"is_valid": worlds.Cuboids(boxes[:, :3], boxes[:, 3:])}
    numbers = np.concatenate([[len(boxes)], boxes.ravel()])
    return {"is_valid": free_in_space, "parameters": numbers}


def cases(*, in_turn: bool = False) -> dict[str, Case]:
    options: dict[str, Any] = {"propagation_step_size": STEP, "max_control_steps": MOST_STEPS}
    plane = {**obstacles_of_the_plane(in_turn=in_turn), **options}
    flat = fp.RealVectorStateSpace([0, 0], [10, 10])
    si_car = fp.SpaceInformation(
        fp.CompoundStateSpace([flat, fp.SO2StateSpace()], [1.0, 0.5]),
        fp.RealVectorControlSpace([-1, -0.6], [1, 0.6]),
        dynamics=car,
        **plane,
    )
    si_unicycle = fp.SpaceInformation(
        fp.CompoundStateSpace(
            [flat, fp.SO2StateSpace(), fp.RealVectorStateSpace([-1, -1.5], [1, 1.5])],
            [1.0, 0.5, 0.3],
        ),
        fp.RealVectorControlSpace([-1, -2], [1, 2]),
        dynamics=unicycle,
        **plane,
    )
    # Yaw is a component of its own beside roll and pitch; the C++ side has the same sum.
    si_quadrotor = fp.SpaceInformation(
        fp.CompoundStateSpace(
            [
                fp.RealVectorStateSpace([0, 0, 0], [10, 10, 10]),
                fp.RealVectorStateSpace([-0.8, -0.8], [0.8, 0.8]),
                fp.SO2StateSpace(),
                fp.RealVectorStateSpace([-2, -2, -2], [2, 2, 2]),
                fp.RealVectorStateSpace([-2, -2, -2], [2, 2, 2]),
            ],
            [1.0, 0.1, 0.1, 0.1, 0.02],
        ),
        fp.RealVectorControlSpace([7, -0.6, -0.6, -0.3], [12.6, 0.6, 0.6, 0.3]),
        dynamics=quadrotor,
        **obstacles_of_space(in_turn=in_turn),
        **options,
    )
    near = fp.GoalState([6, 6, 6, *[0.0] * 9], 1.5, axes=[0, 1, 2])
    return {
        "car": Case(
            name="car",
            si=si_car,
            problem=fp.Problem([1, 1, 0], [9, 9, 0], goal_tolerance=0.5),
            selection_radius=0.4,
            pruning_radius=0.2,
        ),
        "unicycle": Case(
            name="unicycle",
            si=si_unicycle,
            problem=fp.Problem([1, 1, 0, 0, 0], [9, 9, 0, 0, 0], goal_tolerance=0.9),
            selection_radius=0.5,
            pruning_radius=0.25,
        ),
        "quadrotor": Case(
            name="quadrotor",
            si=si_quadrotor,
            problem=fp.Problem([1, 1, 1, *[0.0] * 9], near),
            selection_radius=1.0,
            pruning_radius=0.5,
            bound_bias=0.0,  # uniform, as OMPL draws
            cells=(0, 1, 2),
        ),
    }


def write_header(path: Path) -> None:
    """Write the scenes as C arrays."""
    circles, boxes = scene_of_the_plane()

    def table(name: str, rows: np.ndarray) -> str:
        body = ",\n".join("{" + ",".join(f"{v:.17g}" for v in row) + "}" for row in rows)
        return f"static const double {name}[{len(rows)}][{rows.shape[1]}] = {{\n{body}}};\n"

    cuboids = scene_of_space()
    path.write_text(
        table("CIRCLES", circles)
        + table("BOXES", boxes)
        + table("CUBOIDS", cuboids)
        + f"static const int N_CIRCLES = {len(circles)}, N_BOXES = {len(boxes)}, "
        f"N_CUBOIDS = {len(cuboids)};\n"
    )


assert math.isclose(STEP * MOST_STEPS, 1.0)
