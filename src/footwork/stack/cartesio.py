"""Problem descriptions of CartesI/O (YAML) as stacks.

CartesI/O thinks in steps: its λ is the part of an error that one control period takes away, and its
x is a step of the joints. Here x is a velocity, so λ becomes λ / dt and limits stay as they are
written. `docs/reference/cartesio.md` lists types, keys and what is different.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from footwork.errors import CartesioError, FootworkError, InputError
from footwork.files import read_text
from footwork.stack.adapters import TaskToConstraint
from footwork.stack.aggregated import Aggregated
from footwork.stack.cartesio_entries import CONSTRAINTS, FRONT_ENDS
from footwork.stack.cartesio_entries import TASKS as PLAIN_TASKS
from footwork.stack.cartesio_reader import Entry, Reader, near
from footwork.stack.constraint import Constraint
from footwork.stack.rows import select_rows
from footwork.stack.stack import Solver, Stack
from footwork.stack.sub_task import SubTask
from footwork.stack.task import Task

if TYPE_CHECKING:
    from footwork.robot import RobotModel

TOP_KEYS = ("stack", "constraints", "regularization", "solver_options")
TASK_KEYS = (
    "type",
    "name",
    "active",
    "lambda",
    "lambda2",
    "weight",
    "indices",
    "remove_indices",
    "disabled_joints",
    "enabled_joints",
    "lib_name",
)
IGNORED_KEYS = (
    *("lambda2", "lib_name", "step_size"),
    *("force_min", "force_max", "force_estimation_chains"),
)
CONSTRAINT_KEYS = ("type", "name", "lib_name")
OPTION_KEYS = (
    "front_end",
    "back_end",
    "regularization",
    "nhqp_min_sv_ratio",
    "disable_weights_computation",
    "MILP",
    "force_space_references",
)
BACK_ENDS = ("qpoases", "osqp", "eiquadprog", "odys", "glpk", "qpSWIFT", "proxQP")
OPENSOT_EPS = 2.22e-13
"""What OpenSoT multiplies a regularisation by; CartesI/O multiplies the file's value by 1e12."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CartesioProblem:
    """A problem description, built.

    Attributes:
        stack: Ready to solve.
        tasks: By label: as the stack has them, rows selected.
        constraints: By label.
        regularisation: Value of the file as OpenSoT would use it: absolute weight of |x|²; kept for
            reference, as a strict stack needs none. Without the key, CartesI/O's 1e6 · 2.22e-13.
        ignored: Keys that were read and play no part here, as ``label.key``.
    """

    stack: Stack
    tasks: Mapping[str, Task]
    constraints: Mapping[str, Constraint]
    regularisation: float
    ignored: tuple[str, ...]


def load_cartesio(source: str | Path, robot: "RobotModel", *, dt: float) -> CartesioProblem:
    """Build the stack of a CartesI/O problem description.

    Args:
        source: Path of a YAML file, or its text.
        robot: The robot that its links and joints are of.
        dt: Control period of CartesI/O [s].

    Returns:
        The stack, and its tasks and constraints by label.

    Raises:
        CartesioError: If the description is wrong; it names the entry and the key.
    """
    return _Loader(source, robot, dt).build()


class _Loader(Reader):
    def __init__(self, source: str | Path, robot: "RobotModel", dt: float) -> None:
        if not isinstance(source, str | Path):
            raise CartesioError(
                "problem description", "", "", f"expected a file's name or text, got {source!r}"
            )
        is_file = isinstance(source, Path) or "\n" not in source
        super().__init__(str(source) if is_file else "problem description", robot, dt)
        self.tree = self._parse(Path(source) if is_file else None, str(source))
        self.tasks: dict[str, Task] = {}
        self.constraints: dict[str, Constraint] = {}
        self.names: dict[str, str] = {}
        self.ignored: list[str] = []

    def _parse(self, path: Path | None, text: str) -> dict[str, Any]:
        import yaml

        if path is not None:
            try:
                text = read_text(path)
            except InputError as error:
                problem = str(error).removeprefix(f"{path}: ")
                raise CartesioError(self.source, "", "", problem) from error
        try:
            tree = yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise CartesioError(self.source, "", "", f"no YAML: {error}") from error
        if not isinstance(tree, dict):
            raise CartesioError(self.source, "", "", "expected a map of labels at the top")
        return tree

    # The whole

    def build(self) -> CartesioProblem:
        if "stack" not in self.tree:
            self.fail("", "stack", "missing: a list of lists of labels, one list a priority")
        self._check_labels()
        levels = [self._level(entry, k) for k, entry in enumerate(self._list("stack"))]
        bounds = [
            self._bound(self._label(entry, "constraints")) for entry in self._list("constraints")
        ]
        rest = [self.task(self._label(e, "regularization")) for e in self._list("regularization")]
        solver, value = self._options()
        stack = Stack(
            levels,
            bounds=bounds,
            regularisation=_join(rest) if rest else None,
            solver=solver,
            x_size=self.robot.nv,
        )
        return CartesioProblem(
            stack=stack,
            tasks=dict(self.tasks),
            constraints=dict(self.constraints),
            regularisation=value,
            ignored=tuple(self.ignored),
        )

    def _check_labels(self) -> None:
        for label, entry in self.tree.items():
            if label in TOP_KEYS:
                continue
            if not isinstance(entry, dict) or "type" not in entry:
                self.fail(str(label), "", f"no entry of a problem{near(label, TOP_KEYS)}: no type")
            self._check_entry(str(label), entry)

    def _check_entry(self, label: str, entry: dict[str, Any]) -> None:
        kind = entry["type"]
        known = {**TASKS, **CONSTRAINTS}
        if kind not in known:
            names = ", ".join(known)
            self.fail(label, "type", f"unknown type {kind!r}{near(kind, known)}; known: {names}")
        keys = (*(TASK_KEYS if kind in TASKS else CONSTRAINT_KEYS), *known[kind][1])
        for key in entry:
            if key not in keys:
                self.fail(label, str(key), f"unknown key of {kind}{near(key, keys)}")

    def _list(self, key: str) -> Sequence[Any]:
        value = self.tree.get(key, [])
        if not isinstance(value, list):
            self.fail("", key, f"expected a list, got {value!r}")
        entries: Sequence[Any] = value
        return entries

    def _level(self, entry: Any, k: int) -> Task:
        labels = entry if isinstance(entry, list) else [entry]
        if not labels:
            self.fail("", "stack", f"priority {k} is empty")
        return _join([self.task(self._label(label, "stack")) for label in labels])

    def _label(self, value: Any, key: str) -> str:
        if not isinstance(value, str) or value not in self.tree or value in TOP_KEYS:
            labels = [str(label) for label in self.tree if label not in TOP_KEYS]
            self.fail("", key, f"no entry is called {value!r}{near(value, labels)}")
        return str(value)

    def _bound(self, label: str) -> Constraint:
        if self.tree[label]["type"] in CONSTRAINTS:
            return self.constraint(label)
        # A task among the constraints must hold exactly.
        return self.constraints.setdefault(label, TaskToConstraint(self.task(label)))

    def _options(self) -> tuple[Solver, float]:
        options = self.tree.get("solver_options") or {}
        if not isinstance(options, dict):
            self.fail("solver_options", "", f"expected a map, got {options!r}")
        for key in options:
            if key not in OPTION_KEYS:
                self.fail("solver_options", str(key), f"unknown{near(key, OPTION_KEYS)}")
        back_end = options.get("back_end", BACK_ENDS[0])
        if back_end not in BACK_ENDS:
            self.fail("solver_options", "back_end", f"unknown{near(back_end, BACK_ENDS)}")
        front_end = options.get("front_end", "ihqp")
        if front_end not in FRONT_ENDS:
            self.fail("solver_options", "front_end", f"unknown{near(front_end, FRONT_ENDS)}")
        self.ignored += [f"solver_options.{key}" for key in options if key != "front_end"]
        value = self.number("solver_options", options, "regularization", 1e-6)
        return FRONT_ENDS[front_end](), value * 1e12 * OPENSOT_EPS

    # One entry

    def task(self, label: str) -> Task:
        if label in self.tasks:
            return self.tasks[label]
        entry = self.tree[label]
        if entry["type"] not in TASKS:
            self.fail(label, "type", f"{entry['type']!r} is a constraint, and a task is wanted")
        base = self.guarded(label, lambda: TASKS[entry["type"]][0](self, label, entry))
        self._claim(label, base.id)
        self._apply(label, entry, base)
        rows = self._rows(label, entry, base)
        self.tasks[label] = base if rows is None else SubTask(base, rows)
        return self.tasks[label]

    def constraint(self, label: str) -> Constraint:
        if label not in self.constraints:
            entry = self.tree[label]
            build = CONSTRAINTS[entry["type"]][0]
            self.constraints[label] = self.guarded(label, lambda: build(self, label, entry))
            self._claim(label, self.constraints[label].id)
        return self.constraints[label]

    def guarded(self, label: str, build: Callable[[], Any]) -> Any:
        try:
            return build()
        except CartesioError:
            raise
        except FootworkError as error:
            raise CartesioError(self.source, label, "", str(error)) from error

    def _claim(self, label: str, name: str) -> None:
        if name in self.names:
            other = self.names[name]
            self.fail(label, "name", f"{name!r} is the name of entry {other!r} already")
        self.names[name] = label

    def _apply(self, label: str, entry: dict[str, Any], task: Task) -> None:
        """Weights, gain, activity and mask go to the whole task, before rows are selected."""
        if "lambda" in entry:
            value = self.number(label, entry, "lambda", 1.0) / self.gain_of(entry)
            self.guarded(label, lambda: setattr(task, "lambda_", value))
        elif not isinstance(task, SubTask):
            task.lambda_ = 1.0 / self.gain_of(entry)
        if "weight" in entry:
            weight = self._weight(label, entry, task)
            self.guarded(label, lambda: setattr(task, "weight", weight))
        if not self.truth(label, entry, "active", default=True):
            task.is_active = False
        self._mask(label, entry, task)
        self.ignored += [f"{label}.{key}" for key in IGNORED_KEYS if key in entry]

    def gain_of(self, entry: dict[str, Any]) -> float:
        """What λ is divided by: the period; a SubTask's is a factor on its father's."""
        return 1.0 if entry["type"] == "Subtask" else self.dt

    def _weight(self, label: str, entry: dict[str, Any], task: Task) -> Any:
        value = entry["weight"]
        if isinstance(value, dict):
            if entry["type"] != "Postural":
                self.fail(label, "weight", "only Postural takes a map of joints")
            weights = np.ones(task.task_size)
            for joint in value:
                if joint not in task.row_names:
                    self.fail(label, "weight", f"no joint {joint!r}{near(joint, task.row_names)}")
                weights[task.row_names.index(joint)] = self.number(label, value, joint, 1.0)
            return weights
        if isinstance(value, list):
            if len(value) != task.task_size:
                self.fail(label, "weight", f"expected {task.task_size} numbers, got {len(value)}")
            return [self.number(label, {"weight": w}, "weight", 1.0) for w in value]
        return self.number(label, entry, "weight", 1.0)

    def _mask(self, label: str, entry: dict[str, Any], task: Task) -> None:
        if "disabled_joints" in entry and "enabled_joints" in entry:
            self.fail(label, "enabled_joints", "give disabled_joints or enabled_joints, not both")
        for key, value in (("disabled_joints", False), ("enabled_joints", True)):
            if key in entry:
                mask = np.full(self.robot.nv, not value)
                for joint in self.names_of(label, entry, key):
                    mask[self.joint(label, key, joint)] = value
                task.active_joints_mask = mask

    def _rows(self, label: str, entry: dict[str, Any], task: Task) -> Any:
        given = [key for key in ("indices", "remove_indices") if key in entry]
        if not given:
            return None
        if len(given) == 2:
            self.fail(label, "remove_indices", "give indices or remove_indices, not both")
        if entry["type"] == "Postural":
            self.fail(label, given[0], "Postural has joints, not rows: use disabled_joints")
        if entry["type"] == "Subtask":
            return None
        return self.rows(label, entry, task)

    def rows(self, label: str, entry: dict[str, Any], task: Task) -> list[int]:
        """Read indices or remove_indices, which name rows of a task."""
        key = "indices" if "indices" in entry else "remove_indices"
        value = entry.get(key)
        if not isinstance(value, list):
            self.fail(label, key, f"expected a list of row numbers, got {value!r}")
        chosen = self.guarded(
            label, lambda: select_rows(value or (), task.task_size, task.row_names, task.id)
        )
        if key == "indices":
            return list(chosen)
        return [row for row in range(task.task_size) if row not in chosen]


def _join(tasks: Sequence[Task]) -> Task:
    if len(tasks) == 1:
        return tasks[0]
    joined: Task = Aggregated(tasks)
    return joined


def _subtask(loader: Reader, label: str, entry: Entry) -> Task:
    assert isinstance(loader, _Loader)
    father = loader.task(loader._label(entry.get("task"), f"{label}.task"))
    if "indices" not in entry and "remove_indices" not in entry:
        loader.fail(label, "indices", "missing: rows of the father")
    sub = SubTask(father, loader.rows(label, entry, father))
    sub.id = loader.text(label, entry, "name", sub.id)
    return sub


TASKS = {**PLAIN_TASKS, "Subtask": (_subtask, ("task",))}
