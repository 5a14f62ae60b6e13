"""Every recorded answer of OpenSoT's SubConstraint, but for the order of rows, which is kept."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np

from footwork.stack import Constraint, GenericConstraint, SubConstraint

from .naive import runs

TRACE = Path(__file__).parents[1] / "data/stack/subconstraint_trace.jsonl.gz"
CASES = [json.loads(line) for line in gzip.decompress(TRACE.read_bytes()).splitlines()]
ARRAYS = ("Aeq", "beq", "Aineq", "b_lower", "b_upper", "lower", "upper")
KINDS = (
    "is_equality",
    "is_inequality",
    "is_unilateral",
    "is_bilateral",
    "has_bounds",
    "is_bound",
    "is_constraint",
)


def build(case: dict[str, Any]) -> GenericConstraint:
    f = case["father"]
    if case["type"] == "bound":
        return GenericConstraint(f["id"], lower=f["lower"], upper=f["upper"])
    if case["type"] == "equality":
        return GenericConstraint(f["id"], f["Aeq"], equal=f["beq"])
    return GenericConstraint(f["id"], f["Aineq"], lower=f["b_lower"], upper=f["b_upper"])


def change(father: GenericConstraint, case: dict[str, Any]) -> None:
    new = case["father_after_set_bounds"]
    if case["type"] == "bound":
        father.set_limits(lower=new["lower"], upper=new["upper"])
    elif case["type"] == "equality":
        father.set_rows(new["Aeq"])
        father.set_limits(equal=new["beq"])
    else:
        father.set_rows(new["Aineq"])
        father.set_limits(lower=new["b_lower"], upper=new["b_upper"])


def check(ours: Constraint, theirs: dict[str, Any]) -> None:
    for name in ARRAYS:
        expected = np.array(theirs[name], dtype=np.float64)
        got = getattr(ours, name)
        assert got.size == expected.size
        assert got.size == 0 or np.array_equal(got, expected), name
    for name in KINDS:
        assert getattr(ours, name) == theirs[name], name
    assert ours.x_size == theirs["x_size"]


def expected_sub(case: dict[str, Any], father: dict[str, Any], theirs: dict[str, Any]) -> Any:
    """OpenSoT's answer with its rows put into the order that was asked for."""
    rows = case["rows"]
    if rows == sorted(rows):
        return theirs
    out = dict(theirs)
    if case["type"] == "bound":
        out["Aineq"] = np.eye(father["x_size"])[rows]
        out["b_lower"] = np.array(father["lower"])[rows]
        out["b_upper"] = np.array(father["upper"])[rows]
    else:
        for name in ("Aeq", "beq", "Aineq", "b_lower", "b_upper"):
            out[name] = np.array(father[name])[rows] if father[name] else father[name]
    return out


def test_subconstraints_answer_as_opensot_does_but_for_the_order_of_rows() -> None:
    for case in CASES:
        father = build(case)
        sub = SubConstraint(father, case["rows"])
        check(father, case["father"])
        check(sub, expected_sub(case, case["father"], case["sub"]))
        assert sub.id == f"{father.id}_{runs(tuple(case['rows']))}"
        if case["rows"] == sorted(case["rows"]):
            assert sub.id == case["sub"]["id"]
        change(father, case)
        check(father, case["father_after_set_bounds"])
        # OpenSoT's SubConstraint follows at the next update; this one has followed already.
        after = expected_sub(case, case["father_after_set_bounds"], case["sub_after_update"])
        check(sub, after)
        sub.update()
        check(sub, after)
