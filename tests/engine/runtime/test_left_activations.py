"""What an activation used is gone with it: nothing of it waits for the garbage collector."""

from __future__ import annotations

import gc
from collections import Counter

import pytest

from engine.core.state.run_state import RunState
from tests.engine.lab import Lab, in_virtual_time, single

KINDS = ["t_tool", "t_run_node", "t_run_nodes", "t_gather", "t_state", "t_emit", "t_chance"]


async def to_the_end(lab: Lab, run_id: str) -> RunState:
    state = await lab.start(run_id)
    while state.interrupts:
        state = await lab.answer(run_id)
    return state


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_an_activation_is_left_in_a_circle(kind: str) -> None:
    """Circles of every call stayed until the collector's whole looks, for which all else waits."""

    async def main() -> Counter[str]:
        lab = Lab(single(kind))
        await to_the_end(lab, "first")
        gc.collect()
        gc.freeze()  # what other tests left is none of this one's
        gc.disable()
        gc.set_debug(gc.DEBUG_SAVEALL)
        try:
            assert (await to_the_end(lab, "second")).status == "completed"
            gc.collect()
            return Counter(type(one).__qualname__ for one in gc.garbage)
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
            gc.unfreeze()
            gc.enable()

    assert not in_virtual_time(main)
