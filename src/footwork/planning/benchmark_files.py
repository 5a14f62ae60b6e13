"""OMPL's benchmark log, and the SQLite file that its statistics script makes of logs.

The grammar of the log and the tables of the database are those of OMPL's documentation
(doc/markdown/benchmark.md), so that ompl_benchmark_statistics.py and Planner Arena read them.
"""

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from footwork.errors import BackendError
from footwork.planning.files import written

if TYPE_CHECKING:
    from footwork.planning.benchmark import Benchmark, Experiment, PlannerRuns, Value

VERSION = "OMPL version 1.7.0"
"""First line of a log; readers look for these words, so the name has to be theirs."""
TABLES = """
CREATE TABLE IF NOT EXISTS experiments
(id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(512), totaltime REAL, timelimit REAL,
memorylimit REAL, runcount INTEGER, version VARCHAR(128), hostname VARCHAR(1024), cpuinfo TEXT,
date DATETIME, seed INTEGER, setup TEXT);
CREATE TABLE IF NOT EXISTS plannerConfigs
(id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(512) NOT NULL, settings TEXT);
CREATE TABLE IF NOT EXISTS enums
(name VARCHAR(512), value INTEGER, description TEXT, PRIMARY KEY (name, value));
CREATE TABLE IF NOT EXISTS runs
(id INTEGER PRIMARY KEY AUTOINCREMENT, experimentid INTEGER, plannerid INTEGER,
FOREIGN KEY (experimentid) REFERENCES experiments(id) ON DELETE CASCADE,
FOREIGN KEY (plannerid) REFERENCES plannerConfigs(id) ON DELETE CASCADE);
CREATE TABLE IF NOT EXISTS progress
(runid INTEGER, time REAL, PRIMARY KEY (runid, time),
FOREIGN KEY (runid) REFERENCES runs(id) ON DELETE CASCADE);
"""


def log_text(benchmark: "Benchmark", experiment: "Experiment") -> str:
    """Write one experiment as OMPL's log.

    Args:
        benchmark: What it is part of.
        experiment: One problem.

    Returns:
        The text of the file.
    """
    from footwork.planning.benchmark import STATUS_NAMES

    memory = 0.0 if benchmark.memory_limit is None else benchmark.memory_limit / 2**20
    lines = [
        VERSION,
        f"Experiment {experiment.name}",
        "0 experiment properties",
        f"Running on {benchmark.host}",
        f"Starting at {experiment.started:%Y-%b-%d %H:%M:%S.%f}",
        "<<<|",
        experiment.setup.rstrip("\n"),
        "|>>>",
        "<<<|",
        benchmark.machine.rstrip("\n"),
        "|>>>",
        f"{benchmark.seeds[0]} is the random seed",
        f"{benchmark.time_limit:g} seconds per run",
        f"{memory:g} MB per run",
        f"{len(benchmark.seeds)} runs per planner",
        f"{experiment.total_time:.6f} seconds spent to collect the data",
        "1 enum type",
        "status|" + "|".join(STATUS_NAMES),
        f"{len(experiment.planners)} planners",
    ]
    for planner in experiment.planners:
        lines += _planner_lines(planner)
    return "\n".join(lines) + "\n"


def _planner_lines(planner: "PlannerRuns") -> list[str]:
    from footwork.planning.benchmark import PROPERTIES

    lines = [
        f"control_{planner.planner}",
        "1 common properties",
        f"settings = {planner.settings}",
        f"{len(PROPERTIES)} properties for each run",
        *(f"{name} {kind}" for name, kind in PROPERTIES.items()),
        f"{len(planner.runs)} runs",
    ]
    measured = ["".join(f"{_text(r.values[name])}; " for name in PROPERTIES) for r in planner.runs]
    progress = [
        "".join(f"{time:.6f},{cost:.9g},;" for time, cost in r.progress) for r in planner.runs
    ]
    head = ["2 progress properties for each run", "time REAL", "best cost REAL"]
    return [*lines, *measured, *head, f"{len(planner.runs)} runs", *progress, "."]


def _text(value: "Value") -> str:
    if value is None:
        return ""
    if isinstance(value, bool | int):
        return str(int(value))
    return f"{value:.9g}"


def write_sqlite(benchmark: "Benchmark", file: Path) -> Path:
    """Add all experiments to a database.

    Args:
        benchmark: What was measured.
        file: SQLite file, made with its folder if it does not exist.

    Returns:
        The file.

    Raises:
        BackendError: If it is not such a database, or cannot be written.
    """
    try:
        with written(file), sqlite3.connect(file) as database:
            _add(database, benchmark)
        database.close()
    except sqlite3.Error as error:
        raise BackendError(f"{file}: cannot be written as a benchmark database: {error}") from error
    return file


def _add(database: sqlite3.Connection, benchmark: "Benchmark") -> None:
    from footwork.planning.benchmark import PROPERTIES, STATUS_NAMES

    database.executescript(TABLES)
    known = {row[1] for row in database.execute("PRAGMA table_info(runs)")}
    for name, kind in PROPERTIES.items():
        if _column(name) not in known:
            database.execute(f"ALTER TABLE runs ADD COLUMN {_column(name)} {kind}")
    if "best_cost" not in {row[1] for row in database.execute("PRAGMA table_info(progress)")}:
        database.execute("ALTER TABLE progress ADD COLUMN best_cost REAL")
    database.executemany(
        "INSERT OR REPLACE INTO enums VALUES ('status', ?, ?)", enumerate(STATUS_NAMES)
    )
    memory = 0.0 if benchmark.memory_limit is None else benchmark.memory_limit / 2**20
    for experiment in benchmark.experiments:
        row = database.execute(
            "INSERT INTO experiments VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                experiment.name,
                experiment.total_time,
                benchmark.time_limit,
                memory,
                len(benchmark.seeds),
                VERSION.removeprefix("OMPL version "),
                benchmark.host,
                benchmark.machine,
                f"{experiment.started:%Y-%m-%d %H:%M:%S}",
                benchmark.seeds[0],
                experiment.setup,
            ),
        )
        assert row.lastrowid is not None
        for planner in experiment.planners:
            _add_runs(database, row.lastrowid, planner)


def _add_runs(database: sqlite3.Connection, experiment: int, planner: "PlannerRuns") -> None:
    from footwork.planning.benchmark import PROPERTIES

    name = f"control_{planner.planner}"
    found = database.execute(
        "SELECT id FROM plannerConfigs WHERE name = ? AND settings = ?", (name, planner.settings)
    ).fetchone()
    if found is None:
        made = database.execute(
            "INSERT INTO plannerConfigs VALUES (NULL, ?, ?)", (name, planner.settings)
        )
        found = (made.lastrowid,)
    columns = ", ".join(_column(name) for name in PROPERTIES)
    marks = ", ".join("?" for _ in PROPERTIES)
    for run in planner.runs:
        row = database.execute(
            f"INSERT INTO runs (experimentid, plannerid, {columns}) VALUES (?, ?, {marks})",
            (experiment, found[0], *(run.values[name] for name in PROPERTIES)),
        )
        database.executemany(
            "INSERT OR REPLACE INTO progress (runid, time, best_cost) VALUES (?, ?, ?)",
            [(row.lastrowid, time, cost) for time, cost in run.progress],
        )


def _column(name: str) -> str:
    return name.replace(" ", "_")
