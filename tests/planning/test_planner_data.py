"""The five cases of OMPL's own test of PlannerData, on 1000 vertices, and what ours adds."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import InputError, PathFileError, ShapeError
from tests.planning.systems import line_system, unicycle_system

COUNT = 1000


@pytest.fixture(scope="module")
def si() -> fp.SpaceInformation:
    return unicycle_system(compile=False)


@pytest.fixture(scope="module")
def states(si: fp.SpaceInformation) -> Any:
    rng = np.random.default_rng(0)
    return np.array([si.state_space.sample(rng) for _ in range(COUNT)])


@pytest.fixture
def chain(si: fp.SpaceInformation, states: Any) -> fp.PlannerData:
    """Each vertex joined to the next two."""
    data = fp.PlannerData(si)
    for x in states:
        data.add_vertex(x)
    for i in range(COUNT):
        for j in (i + 1, i + 2):
            if j < COUNT:
                data.add_edge(i, j, [0.1, i / COUNT], 0.1 * (i + 1), weight=j)
    return data


def test_simple_construction(si: fp.SpaceInformation, states: Any, chain: fp.PlannerData) -> None:
    assert (chain.vertex_count, chain.edge_count, len(chain)) == (COUNT, 2 * COUNT - 3, COUNT)
    for i, x in enumerate(states):
        assert chain.add_vertex(x) == i
        assert chain.vertex_index(x) == i
        assert chain.vertex(i).state.tolist() == x.tolist()
    assert chain.vertex_count == COUNT
    for i in (0, 5, COUNT - 3):
        assert chain.outgoing(i).tolist() == [i + 1, i + 2]
        assert chain.has_edge(i, i + 1)
        assert not chain.has_edge(i + 1, i)
    assert chain.incoming(7).tolist() == [5, 6]
    assert chain.outgoing(COUNT - 1).tolist() == []
    assert chain.vertex_index(si.state_space.sample(np.random.default_rng(9))) is None


def test_advanced_construction(si: fp.SpaceInformation, states: Any) -> None:
    data = fp.PlannerData(si)
    for i in range(COUNT - 1):
        added = data.add_vertex(states[i], start=i in {0, 4}), data.add_vertex(states[i + 1])
        assert data.add_edge(*added, [0, 0], 1.0)
        assert not data.add_edge(*added, [1, 1], 2.0)
    data.add_vertex(states[COUNT - 1], goal=True)
    data.add_vertex(states[COUNT // 2], goal=True)
    assert (data.vertex_count, data.edge_count) == (COUNT, COUNT - 1)
    assert data.start_indices.tolist() == [0, 4]
    assert data.goal_indices.tolist() == [COUNT // 2, COUNT - 1]
    assert data.vertex(4).is_start
    assert data.vertex(COUNT - 1).is_goal
    edge = data.edge(3, 4)
    assert edge is not None
    assert (edge.duration, edge.control.tolist()) == (1.0, [0, 0])


def test_data_integrity(chain: fp.PlannerData) -> None:
    for i in range(COUNT):
        chain.set_tag(i, i * i)
    for i in (0, 10, 500):
        edge = chain.edge(i, i + 2)
        assert edge is not None
        assert edge.control.tolist() == [0.1, i / COUNT]
        assert edge.duration == 0.1 * (i + 1)
        assert edge.weight == i + 2
        assert (edge.source, edge.target) == (i, i + 2)
        assert chain.vertex(i).tag == i * i
    assert chain.edge(0, 5) is None
    for bad in (-1, COUNT):
        for reader in (chain.vertex, chain.outgoing, chain.incoming):
            with pytest.raises(IndexError, match=f"vertex {bad} does not exist"):
                reader(bad)
        with pytest.raises(IndexError):
            chain.add_edge(0, bad, [0, 0], 1.0)
        with pytest.raises(IndexError):
            chain.edge(bad, 0)
    for array in (chain.states, chain.edges, chain.controls, chain.durations, chain.weights):
        assert not array.flags.writeable


def test_removal_shifts_the_numbers_and_keeps_the_rest(states: Any, chain: fp.PlannerData) -> None:
    assert chain.remove_edge(3, 4)
    assert not chain.remove_edge(3, 4)
    assert chain.edge_count == 2 * COUNT - 4
    assert chain.remove_vertex(10)
    assert (chain.vertex_count, chain.edge_count) == (COUNT - 1, 2 * COUNT - 8)
    assert chain.vertex_index(states[10]) is None
    assert chain.vertex_index(states[11]) == 10
    edge = chain.edge(10, 11)
    assert edge is not None
    assert edge.control.tolist() == [0.1, 11 / COUNT]
    assert chain.outgoing(9).tolist() == [10]
    for _ in range(100):
        assert chain.remove_vertex(0)
    assert chain.vertex_count == COUNT - 101
    assert chain.vertex_index(states[101]) == 0
    assert not chain.remove_vertex(COUNT)
    assert not chain.remove_vertex(-1)
    assert chain.edges.max() == chain.vertex_count - 1
    chain.clear()
    assert (len(chain), chain.edge_count) == (0, 0)


@pytest.mark.parametrize("form", ["npz", "graphml"])
def test_serialisation_keeps_every_bit(
    form: str, si: fp.SpaceInformation, states: Any, tmp_path: Path
) -> None:
    rng = np.random.default_rng(3)
    edges = np.unique(rng.integers(0, COUNT, (10_000, 2)), axis=0)
    data = fp.PlannerData.from_arrays(
        si,
        states=states,
        edges=edges,
        controls=rng.normal(size=(len(edges), 2)),
        durations=rng.random(len(edges)),
        weights=rng.random(len(edges)),
        tags=rng.integers(-5, 5, COUNT),
        starts=[0, 17],
        goals=[999],
    )
    file = tmp_path / f"graph.{form}"
    getattr(data, f"to_{form}")(file)
    back = getattr(fp.PlannerData, f"from_{form}")(si, file)
    for name in ("states", "edges", "controls", "durations", "weights", "tags"):
        np.testing.assert_array_equal(getattr(back, name), getattr(data, name))
    assert back.start_indices.tolist() == [0, 17]
    assert back.goal_indices.tolist() == [999]
    assert back.edge(*edges[5].tolist()).control.tolist() == data.controls[5].tolist()


def test_files_that_are_no_graphs_are_refused(
    si: fp.SpaceInformation, chain: fp.PlannerData, tmp_path: Path
) -> None:
    file = tmp_path / "graph"
    for content in (b"", b"hello", b"<graphml><graph><node id='a'/></graph></graphml>"):
        file.write_bytes(content)
        for read in (fp.PlannerData.from_npz, fp.PlannerData.from_graphml):
            with pytest.raises(PathFileError, match="cannot be read"):
                read(si, file)
    chain.to_npz(file)
    with pytest.raises(ShapeError, match="states"):
        fp.PlannerData.from_npz(line_system(), file)
    fp.PathControl(si).to_npz(file)
    with pytest.raises(PathFileError, match=r"PlannerData"):
        fp.PlannerData.from_npz(si, file)


def test_a_tree_leads_from_its_root_to_any_vertex(si: fp.SpaceInformation) -> None:
    parents, states, controls, durations = [-1], [np.zeros(3)], [np.zeros(2)], [0.0]
    rng = np.random.default_rng(1)
    for i in range(1, 60):
        parent, u = int(rng.integers(0, i)), si.control_space.sample(rng)
        parents.append(parent)
        controls.append(u)
        durations.append(0.3)
        states.append(si.propagate(states[parent], u, 0.3))
    data = fp.PlannerData.from_tree(
        si,
        states=np.array(states),
        parents=parents,
        controls=np.array(controls),
        durations=durations,
        goals=[59],
    )
    assert data.edge_count == 59
    assert data.start_indices.tolist() == [0]
    for i in (0, 1, 30, 59):
        path = data.path_to(i)
        assert path.check()
        assert path.states[0].tolist() == [0, 0, 0]
        assert path.states[-1].tolist() == states[i].tolist()
    assert sum(v.is_goal for v in data) == 1
    assert repr(data) == "PlannerData(60 vertices, 59 edges)"


def test_a_graph_has_no_single_path(chain: fp.PlannerData) -> None:
    with pytest.raises(InputError, match="2 parents"):
        chain.path_to(500)


def test_ill_formed_arrays_are_refused(si: fp.SpaceInformation) -> None:
    good: dict[str, Any] = {
        "states": np.zeros((2, 3)),
        "edges": [[0, 1]],
        "controls": [[0, 0]],
        "durations": [1.0],
    }
    assert fp.PlannerData.from_arrays(si, **good).weights.tolist() == [1.0]
    for name, value in [
        ("states", np.zeros((2, 4))),
        ("edges", [[0, 2]]),
        ("edges", [[-1, 0]]),
        ("edges", [[0.5, 1.0]]),
        ("controls", [[0, 0, 0]]),
        ("durations", [1.0, 2.0]),
        ("tags", [1]),
    ]:
        with pytest.raises(InputError, match=name):
            fp.PlannerData.from_arrays(si, **{**good, name: value})
    with pytest.raises(IndexError):
        fp.PlannerData.from_arrays(si, **good, starts=[2])


def test_a_hundred_thousand_vertices_are_no_burden(si: fp.SpaceInformation, tmp_path: Path) -> None:
    count = 100_000
    rng = np.random.default_rng(0)
    data = fp.PlannerData.from_tree(
        si,
        states=rng.normal(size=(count, 3)),
        parents=np.maximum(np.arange(count) // 2, 0) - (np.arange(count) == 0),
        controls=rng.normal(size=(count, 2)),
        durations=np.full(count, 0.1),
    )
    data.to_npz(tmp_path / "tree.npz")
    back = fp.PlannerData.from_npz(si, tmp_path / "tree.npz")
    assert back.edge_count == count - 1
    assert back.path_to(count - 1).control_count == 17
