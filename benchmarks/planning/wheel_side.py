"""The `ompl` wheel with Python callbacks; runs in an environment of its own (see setup.sh).

python wheel_side.py SCENE.json PLANNER FIRST LAST CAP      one line of JSON for each run
"""

import json
import math
import sys
import time

from ompl import base as ob
from ompl import control as oc
from ompl import util as ou

STEP = 0.05


def main() -> None:  # noqa: C901, PLR0915
    ou.setLogLevel(ou.LogLevel.LOG_NONE)
    with open(sys.argv[1]) as file:
        scene = json.load(file)
    circles = [tuple(row) for row in scene["circles"]]
    boxes = [tuple(row) for row in scene["boxes"]]
    name, first, last, cap = sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])
    counted = 0

    def step(s, a, al, h):
        x, y, t, v, w = s
        half = 0.5 * h
        c1, s1 = v * math.cos(t), v * math.sin(t)
        t2, v2, w2 = t + half * w, v + half * a, w + half * al
        c2, s2 = v2 * math.cos(t2), v2 * math.sin(t2)
        t3 = t + half * w2
        c3, s3 = v2 * math.cos(t3), v2 * math.sin(t3)
        t4, v4, w4 = t + h * w2, v + h * a, w + h * al
        n = t + h / 6 * (w + 4 * w2 + w4)
        if n > math.pi:
            n -= 2 * math.pi
        elif n < -math.pi:
            n += 2 * math.pi
        return (
            x + h / 6 * (c1 + 2 * c2 + 2 * c3 + v4 * math.cos(t4)),
            y + h / 6 * (s1 + 2 * s2 + 2 * s3 + v4 * math.sin(t4)),
            n,
            v4,
            w4,
        )

    def propagate(state, control, duration, result):
        nonlocal counted
        counted += 1
        after = step([state[i] for i in range(5)], control[0], control[1], duration)
        for i in range(5):
            result[i] = after[i]

    def valid(state):
        x, y, v, w = state[0], state[1], state[3], state[4]
        if abs(v) > 1 or abs(w) > 1.5 or not (0 <= x <= 10 and 0 <= y <= 10):
            return False
        for cx, cy, r in circles:
            if (x - cx) * (x - cx) + (y - cy) * (y - cy) < r * r:
                return False
        return all(not (a < x < b and c < y < d) for a, b, c, d in boxes)

    space = ob.RealVectorStateSpace(5)
    bounds = ob.RealVectorBounds(5)
    for i, (low, high) in enumerate([(0, 10), (0, 10), (-math.pi, math.pi), (-1, 1), (-1.5, 1.5)]):
        bounds.setLow(i, low)
        bounds.setHigh(i, high)
    space.setBounds(bounds)
    controls = oc.RealVectorControlSpace(space, 2)
    limits = ob.RealVectorBounds(2)
    for i, (low, high) in enumerate([(-1, 1), (-2, 2)]):
        limits.setLow(i, low)
        limits.setHigh(i, high)
    controls.setBounds(limits)
    ou.RNG.setSeed(1 + first)
    for seed in range(first, last):
        setup = oc.SimpleSetup(controls)
        setup.setStatePropagator(propagate)
        setup.setStateValidityChecker(valid)
        si = setup.getSpaceInformation()
        si.setPropagationStepSize(STEP)
        si.setMinMaxControlDuration(1, 20)
        start, goal = space.allocState(), space.allocState()
        for i, (a, b) in enumerate(zip([1, 1, 0, 0, 0], [9, 9, 0, 0, 0], strict=True)):
            start[i], goal[i] = float(a), float(b)
        setup.setStartAndGoalStates(start, goal, 0.9)
        setup.setPlanner({"RRT": oc.RRT, "EST": oc.EST}[name](si))
        setup.setup()
        counted = 0
        begun = time.process_time()
        setup.solve(cap)
        cpu = time.process_time() - begun
        solved = bool(setup.haveExactSolutionPath())
        print(
            json.dumps(
                {
                    "side": "wheel",
                    "problem": "unicycle",
                    "planner": name,
                    "seed": seed,
                    "solved": solved,
                    "cpu": cpu,
                    "steps": counted,
                }
            ),
            flush=True,
        )


main()
