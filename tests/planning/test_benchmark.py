import math
import sqlite3
from pathlib import Path

import pytest

from footwork.errors import BackendError, InputError
from footwork.planning import Problem, SpaceInformation, benchmark, models
from footwork.planning.benchmark import Benchmark
from footwork.planning.planners import EST, SST
from footwork.planning.worlds import Circles


def system(radius: float = 0.3) -> tuple[SpaceInformation, Problem]:
    si = models.unicycle(
        [0, 0], [3, 2], is_valid=Circles([[1.5, 1.0]], radius), speed=(-1, 1), turn_rate=(-2, 2)
    )
    return si, Problem([0.3, 1.0, 0.0], [2.7, 1.0, 0.0], goal_tolerance=0.5)


@pytest.fixture(scope="module")
def measured() -> Benchmark:
    return benchmark.run(
        {"gap": system(), "wall": system(1.3)},
        {
            "EST": lambda si, seed: EST(si, seed=seed),
            "SST": lambda si, seed: SST(si, seed=seed, selection_radius=0.4, pruning_radius=0.2),
        },
        seeds=[1, 2, 3],
        time_limit=0.5,
        cpu_time=True,
        improve=True,
        progress=False,
    )


def test_every_planner_runs_on_every_problem_with_every_seed(measured: Benchmark) -> None:
    assert [e.name for e in measured.experiments] == ["gap", "wall"]
    gap, wall = measured.experiments
    for planner in gap.planners:
        assert [run.seed for run in planner.runs] == [1, 2, 3]
        assert planner.solved == 3
        for run in planner.runs:
            assert run.values["correct solution"] is True
            costs = [cost for _, cost in run.progress]
            assert costs == sorted(costs, reverse=True)
            assert run.values["solution cost"] == pytest.approx(costs[-1])
    # start and goal are inside of the large circle
    assert all(run.values["status"] == 1 for p in wall.planners for run in p.runs)


def test_quantiles_count_what_was_not_solved_as_infinite(measured: Benchmark) -> None:
    gap, wall = measured.experiments
    first = "time to first solution"
    half, most = (gap.planners[0].quantile(first, q) for q in (0.5, 0.9))
    assert 0.0 < half <= most < math.inf
    assert math.isinf(wall.planners[0].quantile(first, 0.5))
    assert "| gap | EST | 3/3 |" in measured.table()
    assert "| wall | SST | 0/3 | – | – | – |" in measured.table()


def read_log(text: str) -> dict[str, tuple[list[str], list[dict[str, str]], list[str]]]:
    """Read an OMPL log by its grammar: planner → settings, runs, progress."""
    lines = iter(text.splitlines())
    assert next(lines).startswith("OMPL version ")
    assert next(lines).startswith("Experiment ")
    for _ in range(int(next(lines).split()[0])):
        next(lines)
    assert next(lines).startswith("Running on ")
    assert next(lines).startswith("Starting at ")
    for _ in range(2):
        assert next(lines) == "<<<|"
        while next(lines) != "|>>>":
            pass
    for ending in ("random seed", "seconds per run", "MB per run", "runs per planner", "the data"):
        assert next(lines).endswith(ending)
    for _ in range(int(next(lines).split()[0])):
        assert next(lines).startswith("status|")
    found = {}
    for _ in range(int(next(lines).split()[0])):
        name = next(lines)
        settings = [next(lines) for _ in range(int(next(lines).split()[0]))]
        names = [next(lines) for _ in range(int(next(lines).split()[0]))]
        runs = []
        for _ in range(int(next(lines).split()[0])):
            values = next(lines).split("; ")[:-1]
            runs.append(dict(zip(names, values, strict=True)))
        head = next(lines)
        progress = []
        if head != ".":
            for _ in range(int(head.split()[0])):
                next(lines)
            progress = [next(lines) for _ in range(int(next(lines).split()[0]))]
            assert next(lines) == "."
        found[name] = (settings, runs, progress)
    assert next(lines, None) is None
    return found


def test_the_log_follows_the_grammar_of_ompl(measured: Benchmark, tmp_path: Path) -> None:
    files = measured.write_log(tmp_path / "logs")
    assert [file.name for file in files] == ["gap.log", "wall.log"]
    read = read_log(files[0].read_text())
    assert set(read) == {"control_EST", "control_SST"}
    settings, runs, progress = read["control_EST"]
    assert settings == ["settings = EST(seed=1)"]
    assert len(runs) == len(progress) == 3
    for run, line, truth in zip(
        runs, progress, measured.experiments[0].planners[0].runs, strict=True
    ):
        assert run["solved BOOLEAN"] == "1"
        assert run["status ENUM"] == "6"
        assert float(run["solution cost REAL"]) == pytest.approx(truth.values["solution cost"])
        points = [point.split(",")[:-1] for point in line.split(";")[:-1]]
        assert [float(p[1]) for p in points] == pytest.approx([c for _, c in truth.progress])


def test_the_database_is_what_planner_arena_reads(measured: Benchmark, tmp_path: Path) -> None:
    file = measured.write_sqlite(tmp_path / "benchmark.db")
    measured.write_sqlite(file)  # a second one is added
    database = sqlite3.connect(file)
    count = database.execute("SELECT COUNT(*) FROM experiments").fetchone()[0]
    assert count == 4
    # the query by which Planner Arena shows how often each planner solved a problem
    rows = database.execute(
        """SELECT plannerConfigs.name, SUM(runs.solved), COUNT(*) FROM runs
           JOIN plannerConfigs ON plannerConfigs.id = runs.plannerid
           JOIN experiments ON experiments.id = runs.experimentid
           WHERE experiments.name = 'gap' GROUP BY plannerConfigs.name"""
    ).fetchall()
    assert rows == [("control_EST", 6, 6), ("control_SST", 6, 6)]
    assert database.execute(
        "SELECT description FROM enums WHERE name = 'status' AND value = 6"
    ).fetchone() == ("Exact solution",)
    best = database.execute(
        "SELECT MIN(best_cost) FROM progress JOIN runs ON runs.id = progress.runid"
    ).fetchone()[0]
    assert best == pytest.approx(
        min(c for p in measured.experiments[0].planners for r in p.runs for _, c in r.progress)
    )
    kinds = {row[1]: row[2] for row in database.execute("PRAGMA table_info(runs)")}
    assert (kinds["status"], kinds["graph_states"], kinds["time"]) == ("ENUM", "INTEGER", "REAL")
    database.close()


def test_names_of_planners_do_too_and_wrong_ones_are_refused() -> None:
    done = benchmark.run({"gap": system()}, ["EST"], seeds=[1], time_limit=5.0, progress=False)
    assert done.experiments[0].planners[0].solved == 1
    with pytest.raises(InputError, match="not known"):
        benchmark.run({"gap": system()}, ["A*"], seeds=[1], progress=False)
    with pytest.raises(InputError, match="at least one"):
        benchmark.run({}, ["EST"], progress=False)


def test_a_limit_on_processor_time_is_kept() -> None:
    si, _ = system(0.3)
    unreachable = Problem([0.3, 1.0, 0.0], [2.7, 1.0, 0.0], goal_tolerance=1e-9)
    done = benchmark.run(
        {"far": (si, unreachable)},
        ["EST"],
        seeds=[1],
        time_limit=0.2,
        cpu_time=True,
        progress=False,
    )
    values = done.experiments[0].planners[0].runs[0].values
    assert values["solved"] is False
    assert isinstance(values["cpu time"], float)
    assert values["cpu time"] >= 0.2


def test_another_file_is_not_overwritten(measured: Benchmark, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a database " * 100)
    with pytest.raises(BackendError, match=r"notes\.txt"):
        measured.write_sqlite(file)
    assert file.read_text().startswith("not a database")
