"""Planning graphs as NumPy archives and as GraphML."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree

import numpy as np

from footwork.errors import PathFileError
from footwork.files import reason
from footwork.planning.archive import read_archive
from footwork.planning.files import written

if TYPE_CHECKING:
    from footwork.planning.planner_data import PlannerData
    from footwork.planning.space_information import SpaceInformation

FORMAT: Final = "footwork.PlannerData"
VERSION: Final = 1
FIELDS: Final = ("states", "edges", "controls", "durations", "weights", "tags", "starts", "goals")
NAMESPACE: Final = "http://graphml.graphdrawing.org/xmlns"
CHUNK: Final = 10_000


def to_npz(data: "PlannerData", file: Path | str) -> None:
    """Write a graph to a NumPy archive.

    Args:
        data: The graph.
        file: Name of the file; a folder that is missing is made.

    Raises:
        InputError: If it cannot be written.
    """
    with written(file) as name, name.open("wb") as stream:
        np.savez(
            stream,
            format=np.array(FORMAT),
            version=np.array(VERSION),
            states=data.states,
            edges=data.edges,
            controls=data.controls,
            durations=data.durations,
            weights=data.weights,
            tags=data.tags,
            starts=data.start_indices,
            goals=data.goal_indices,
        )


def from_npz(file: Path | str) -> dict[str, Any]:
    """Read a graph from a NumPy archive.

    Args:
        file: Name of the file.

    Returns:
        Arguments of `PlannerData.from_arrays`.

    Raises:
        PathFileError: If it cannot be read.
    """
    return read_archive(file, FIELDS, kind=FORMAT, version=VERSION)


def to_graphml(data: "PlannerData", file: Path | str) -> None:
    """Write a graph as GraphML.

    Args:
        data: The graph.
        file: Name of the file; a folder that is missing is made.

    Raises:
        InputError: If it cannot be written.
    """
    with written(file) as name, name.open("w", encoding="utf-8") as stream:
        stream.write(_HEAD)
        for lines in _chunks(_nodes(data)):
            stream.write(lines)
        for lines in _chunks(_edges(data)):
            stream.write(lines)
        stream.write("  </graph>\n</graphml>\n")


def from_graphml(file: Path | str, si: "SpaceInformation") -> dict[str, Any]:
    """Read a graph from GraphML.

    Args:
        file: Name of the file.
        si: The system.

    Returns:
        Arguments of `PlannerData.from_arrays`.

    Raises:
        PathFileError: If it cannot be read.
    """
    n, m = si.state_space.dimension, si.control_space.dimension
    states: list[list[float]] = []
    tags: list[int] = []
    marks: dict[str, list[int]] = {"start": [], "goal": []}
    numbers: dict[str, int] = {}
    ends: list[tuple[int, int]] = []
    controls: list[list[float]] = []
    values: list[tuple[float, float]] = []
    try:
        for _, element in ElementTree.iterparse(str(file)):
            name = element.tag.rpartition("}")[2]
            if name not in {"node", "edge"}:
                continue
            fields = {child.get("key"): child.text or "" for child in element}
            if name == "node":
                for mark, indices in marks.items():
                    if fields.get(mark) == "true":
                        indices.append(len(states))
                numbers[element.attrib["id"]] = len(states)
                states.append([float(word) for word in fields["state"].split()])
                tags.append(int(fields.get("tag", "0")))
            else:
                pair = (element.attrib["source"], element.attrib["target"])
                ends.append((numbers[pair[0]], numbers[pair[1]]))
                controls.append([float(word) for word in fields["control"].split()])
                values.append((float(fields["duration"]), float(fields["weight"])))
            element.clear()
        both = np.array(values).reshape(-1, 2)
        return {
            "states": np.array(states).reshape(-1, n),
            "edges": np.array(ends, dtype=np.int64).reshape(-1, 2),
            "controls": np.array(controls).reshape(-1, m),
            "durations": both[:, 0],
            "weights": both[:, 1],
            "tags": np.array(tags, dtype=np.int64),
            "starts": marks["start"],
            "goals": marks["goal"],
        }
    except OSError as error:
        raise PathFileError(str(file), f"cannot be read: {reason(file, error)}") from error
    except (ElementTree.ParseError, KeyError, ValueError) as error:
        raise PathFileError(str(file), f"cannot be read as a planning graph: {error}") from error


_HEAD: Final = f"""<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="{NAMESPACE}">
  <key id="state" for="node" attr.name="state" attr.type="string"/>
  <key id="tag" for="node" attr.name="tag" attr.type="long"/>
  <key id="start" for="node" attr.name="start" attr.type="boolean"><default>false</default></key>
  <key id="goal" for="node" attr.name="goal" attr.type="boolean"><default>false</default></key>
  <key id="control" for="edge" attr.name="control" attr.type="string"/>
  <key id="duration" for="edge" attr.name="duration" attr.type="double"/>
  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph edgedefault="directed">
"""


def _nodes(data: "PlannerData") -> Iterator[str]:
    starts, goals = set(data.start_indices.tolist()), set(data.goal_indices.tolist())
    for i, (state, tag) in enumerate(zip(data.states.tolist(), data.tags.tolist(), strict=True)):
        marks = '<data key="start">true</data>' if i in starts else ""
        marks += '<data key="goal">true</data>' if i in goals else ""
        tagged = f'<data key="tag">{tag}</data>' if tag else ""
        words = " ".join(map(repr, state))
        yield f'    <node id="n{i}"><data key="state">{words}</data>{tagged}{marks}</node>\n'


def _edges(data: "PlannerData") -> Iterator[str]:
    rows = zip(
        data.edges.tolist(),
        data.controls.tolist(),
        data.durations.tolist(),
        data.weights.tolist(),
        strict=True,
    )
    for (source, target), control, duration, weight in rows:
        words = " ".join(map(repr, control))
        yield (
            f'    <edge source="n{source}" target="n{target}"><data key="control">{words}</data>'
            f'<data key="duration">{duration!r}</data><data key="weight">{weight!r}</data></edge>\n'
        )


def _chunks(lines: Iterator[str]) -> Iterator[str]:
    chunk: list[str] = []
    for line in lines:
        chunk.append(line)
        if len(chunk) == CHUNK:
            yield "".join(chunk)
            chunk.clear()
    yield "".join(chunk)
