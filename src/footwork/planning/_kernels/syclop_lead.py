"""Syclop's upper layer: a graph of regions, and leads through it from the start to the goal.

Regions are the cells of a grid with R cells along each of d coordinates, joined over their faces.
What the tree has seen is counted by region and by edge:

    α(r)      = 1 / ((1 + coverage(r)) · free(r)⁴)
    cost(r,s) = (1 + tries²) / (1 + coverage(r,s)²) · α(r) · α(s)
    weight(r) = free(r) / ((1 + coverage(r)) · (1 + selections(r)²))

where tries are selections of an edge that has been crossed, else how often a lead went over it.

Source: plaku2010motion; estimates as in OMPL
"""

import math
from typing import Any, NamedTuple

from numba import types

from footwork._numba import F8, I8, IOUT1, IOUT2, OUT1, OUT2, VOID, kernel
from footwork.planning._kernels.grid import CELLS_TYPE
from footwork.planning._kernels.kdtree import KDTREE
from footwork.planning._kernels.sampling import RNG, random_integer, random_uniform
from footwork.planning._kernels.tree import OWN

LEAD = OWN
"""Regions in the lead."""
AVAILABLE = OWN + 1
"""Regions that may be expanded."""
LEFT = OWN + 2
"""Expansions left for the lead."""
SEEN = OWN + 3
"""Entries in the set of seen cells."""
SAMPLED = OWN + 4
"""States drawn for the free volumes."""
SMALLEST_FREE = 0.01
# Parameters.
GROWS_NEAREST = 0
SHORTEST = 1
KEEP_ADDING = 2
ABANDON = 3
EXPANSIONS = 4
SAMPLES = 5


class Syclop(NamedTuple):
    """Arrays of SyclopRRT and SyclopEST; there are k = Rᵈ regions.

    Attributes:
        kdtree: The nodes; not used by SyclopEST.
        regions: Lists of the nodes in each region, by the region as key.
        region_of: Region of each node, shape (nodes,).
        selections: How often each region was chosen, shape (k,).
        coverage: Fine cells of it that the tree has touched.
        drawn: States drawn in it.
        valid: Those that were valid.
        edge_tries: Crossings of each face, shape (k, 2 d).
        edge_leads: Leads over each face that has not been crossed.
        edge_coverage: Fine cells entered through it.
        seen: Set of seen fine cells, open addressing, shape (a power of two,).
        lead: Regions of the lead from the start, shape (k,).
        available: Regions that may be expanded, shape (k,).
        is_available: 1 for those.
        cost: Of the cheapest way to each region, shape (k,).
        before: Region before it on that way.
        heap: (cost, region), shape (·, 2).
        shape: (regions along an axis, fine cells along an axis of a region).
        low: Lower corner of the whole, shape (d,).
        size: Size of a region, shape (d,).
        parameters: See the constants of this module.
    """

    kdtree: Any
    regions: Any
    region_of: Any
    selections: Any
    coverage: Any
    drawn: Any
    valid: Any
    edge_tries: Any
    edge_leads: Any
    edge_coverage: Any
    seen: Any
    lead: Any
    available: Any
    is_available: Any
    cost: Any
    before: Any
    heap: Any
    shape: Any
    low: Any
    size: Any
    parameters: Any


SYCLOP = types.BaseTuple.from_types(
    [
        *(KDTREE, CELLS_TYPE, IOUT1),
        *(IOUT1, IOUT1, IOUT1, IOUT1),
        *(IOUT2, IOUT2, IOUT2, IOUT1),
        *(IOUT1, IOUT1, IOUT1, OUT1, IOUT1, OUT2),
        *(IOUT1, OUT1, OUT1, OUT1),
    ],
    Syclop,
)
"""Numba type of Syclop."""


@kernel(F8(SYCLOP, I8), counted=False, forced=True)
def free_volume(own: Any, region: int) -> float:
    """Estimate which share of a region is free, one sample each way assumed."""
    share = (own.valid[region] + 1.0) / (own.drawn[region] + 1.0)
    return max(SMALLEST_FREE, share)


@kernel(F8(SYCLOP, I8), counted=False, forced=True)
def alpha(own: Any, region: int) -> float:
    """Compute α of a region."""
    free = free_volume(own, region)
    return 1.0 / ((1.0 + own.coverage[region]) * free * free * free * free)


@kernel(F8(SYCLOP, I8), counted=False, forced=True)
def weight(own: Any, region: int) -> float:
    """Compute the weight of a region."""
    chosen = float(own.selections[region])
    return free_volume(own, region) / ((1.0 + own.coverage[region]) * (1.0 + chosen * chosen))


@kernel(I8(SYCLOP, I8, I8), counted=False, forced=True)
def beside(own: Any, region: int, face: int) -> int:
    """Find the region behind a face, -1 outside; faces 2i and 2i + 1 are the ends of axis i."""
    per_axis = own.shape[0]
    stride = 1
    for _ in range(face // 2):
        stride *= per_axis
    coordinate = (region // stride) % per_axis
    if face % 2 == 0:
        return region - stride if coordinate > 0 else -1
    return region + stride if coordinate < per_axis - 1 else -1


@kernel(F8(SYCLOP, I8, I8, I8), counted=False, forced=True)
def edge_cost(own: Any, region: int, face: int, other: int) -> float:
    """Compute the cost of crossing a face."""
    tries = own.edge_tries[region, face]
    if tries == 0:
        tries = own.edge_leads[region, face]
    covered = float(own.edge_coverage[region, face])
    return (
        (1.0 + float(tries) * tries)
        / (1.0 + covered * covered)
        * alpha(own, region)
        * alpha(own, other)
    )


@kernel(VOID(OUT2, I8, F8, I8), counted=False)
def heap_push(heap: Any, count: int, cost: float, region: int) -> None:
    """Put (cost, region) into a heap of ``count`` entries, least first."""
    place = count
    while place > 0 and heap[(place - 1) // 2, 0] > cost:
        heap[place, 0] = heap[(place - 1) // 2, 0]
        heap[place, 1] = heap[(place - 1) // 2, 1]
        place = (place - 1) // 2
    heap[place, 0], heap[place, 1] = cost, float(region)


@kernel(VOID(OUT2, I8), counted=False)
def heap_pop(heap: Any, count: int) -> None:
    """Remove the first of ``count`` entries."""
    cost, region = heap[count - 1, 0], heap[count - 1, 1]
    count -= 1
    place = 0
    while 2 * place + 1 < count:
        child = 2 * place + 1
        if child + 1 < count and heap[child + 1, 0] < heap[child, 0]:
            child += 1
        if heap[child, 0] >= cost:
            break
        heap[place, 0], heap[place, 1] = heap[child, 0], heap[child, 1]
        place = child
    heap[place, 0], heap[place, 1] = cost, region


@kernel(VOID(SYCLOP, I8, I8), counted=False)
def cheapest_way(own: Any, start: int, goal: int) -> None:
    """Find the cheapest way between two regions; `before` leads back from the goal.

    Source: dijkstra1959note
    """
    heap, cost, before = own.heap, own.cost, own.before
    faces = 2 * own.low.shape[0]
    for region in range(cost.shape[0]):
        cost[region], before[region] = math.inf, -1
    cost[start] = 0.0
    heap_push(heap, 0, 0.0, start)
    count = 1
    while count > 0:
        so_far, region = heap[0, 0], int(heap[0, 1])
        heap_pop(heap, count)
        count -= 1
        if region == goal:
            return
        if so_far > cost[region]:
            continue
        for face in range(faces):
            other = beside(own, region, face)
            if other < 0:
                continue
            total = so_far + edge_cost(own, region, face, other)
            if total < cost[other]:
                cost[other], before[other] = total, region
                heap_push(heap, count, total, other)
                count += 1


@kernel(VOID(SYCLOP, I8, I8, RNG), counted=False)
def random_way(own: Any, start: int, goal: int, rng: Any) -> None:
    """Find some way between two regions, depth first in random order; `before` leads back."""
    heap, before = own.heap, own.before
    faces = 2 * own.low.shape[0]
    for region in range(before.shape[0]):
        before[region] = -2
    before[start] = -1
    heap[0, 1] = float(start)
    count = 1
    while count > 0:
        count -= 1
        region = int(heap[count, 1])
        if region == goal:
            return
        first = random_integer(rng, 0, faces - 1)
        step = 1 if random_uniform(rng) < 0.5 else faces - 1
        for turn in range(faces):
            other = beside(own, region, (first + turn * step) % faces)
            if other >= 0 and before[other] == -2:
                before[other] = region
                heap[count, 1] = float(other)
                count += 1


@kernel(VOID(SYCLOP, I8, I8, RNG, IOUT1), counted=False)
def find_lead(own: Any, start: int, goal: int, rng: Any, counters: Any) -> None:
    """Find a lead, note which uncrossed faces it goes over, and see what can be expanded."""
    if random_uniform(rng) < own.parameters[SHORTEST]:
        cheapest_way(own, start, goal)
    else:
        random_way(own, start, goal, rng)
    count, region = 0, goal
    while region >= 0:  # from the goal back
        own.lead[count] = region
        count += 1
        region = own.before[region]
    counters[LEAD] = count
    for k in range(count - 1):
        region = own.lead[k + 1]
        for face in range(2 * own.low.shape[0]):
            if beside(own, region, face) == own.lead[k] and own.edge_tries[region, face] == 0:
                own.edge_leads[region, face] += 1


@kernel(VOID(SYCLOP, I8, IOUT1), counted=False, forced=True)
def make_available(own: Any, region: int, counters: Any) -> None:
    """Let a region be expanded."""
    if own.is_available[region] == 0:
        own.is_available[region] = 1
        own.available[counters[AVAILABLE]] = region
        counters[AVAILABLE] += 1


@kernel(I8(SYCLOP, RNG, IOUT1), counted=False, forced=True)
def choose_region(own: Any, rng: Any, counters: Any) -> int:
    """Draw an available region in proportion to its weight."""
    total = 0.0
    for k in range(counters[AVAILABLE]):
        total += weight(own, own.available[k])
    r = random_uniform(rng) * total
    region = own.available[0]
    for k in range(counters[AVAILABLE]):
        region = own.available[k]
        r -= weight(own, region)
        if r < 0.0:
            break
    own.selections[region] += 1
    return region
