"""A humanoid reaches for a point with one hand, as far as balance and joint limits allow.

python examples/stack/01_inverse_kinematics.py
"""

import numpy as np

from footwork.robot import load
from footwork.stack import constraints, tasks

DT = 0.02


def main() -> None:
    robot = load("talos")
    q = robot.standing_configuration
    velocity, limits = tasks.velocity, constraints.velocity
    left, right = velocity.Cartesian(robot, "left_foot"), velocity.Cartesian(robot, "right_foot")
    hand = velocity.Cartesian(robot, "right_hand", mode="position")
    gaze, posture = velocity.Gaze(robot, "head"), velocity.Postural(robot)
    for task in (left, right, hand, gaze):
        task.lambda_ = 4.0
    stack = ((left + right) / hand / (gaze + 0.01 * posture)) << (
        limits.JointLimits(robot, dt=DT, gain=0.5),
        limits.ConvexHull(robot, dt=DT, margin=0.02, gain=0.2),
    )
    print(stack.describe())
    for target in ([0.4, -0.4, 1.1], [0.6, -0.1, 0.6], [2.0, -0.5, 1.0]):
        hand.reference = gaze.reference = np.array(target)
        for _ in range(200):
            solution = stack.solve(robot.state(q))
            solution.raise_if_failed()
            q = robot.integrate(q, solution.x * DT)
        state = robot.state(q)
        missing = np.linalg.norm(state.placement("right_hand")[1] - target)
        print(f"target {target}: hand off by {missing:.3f} m, com {state.p_world_com.round(3)}")


if __name__ == "__main__":
    main()
