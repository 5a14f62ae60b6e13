"""Which feet are loaded: the contact detectors' Schmitt trigger, compiled."""

from numba import types

from footwork._numba import F8, I8, OUT1, VOID, kernel
from footwork.contacts._kernels.schmitt import schmitt_step
from footwork.typing import Vector
from footwork.walking._kernels.layout import PARAMETERS, STATE, GaitParameters, GaitState

trigger = kernel(types.UniTuple(I8, 2)(I8, I8, F8, I8, F8, F8, I8, I8))(schmitt_step)


@kernel(VOID(PARAMETERS, STATE, OUT1))
def watch_feet(parameters: GaitParameters, state: GaitState, forces: Vector) -> None:
    """Note which feet are loaded.

    Args:
        parameters: Give the thresholds.
        state: Its ``loaded`` and ``edges`` are changed.
        forces: Normal force on each foot [N], shape (feet,).
    """
    now = round(1e9 * state.clock[3])
    for i in range(forces.size):
        state.loaded[i], state.edges[i] = trigger(
            state.loaded[i],
            state.edges[i],
            forces[i],
            now,
            parameters.touchdown_force,
            parameters.release_force,
            0,
            0,
        )
