"""A look ahead of an open approval of a run."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.effects import EffectClass
from engine.core.state.lanes import build_view
from engine.core.state.requests import Supposed
from engine.core.state.run_state import RunState
from engine.runtime.foresight.beyond import Beyond
from engine.runtime.foresight.foretelling import Foretelling
from engine.runtime.foresight.steps import Foresight
from engine.runtime.host import RunHost


async def look_ahead(
    host: RunHost, run_id: str, supposed: Supposed, tools: Mapping[str, EffectClass]
) -> Foresight:
    """Return what a decision would lead to; nothing is recorded, nothing leaves.

    Raises `RequestRefused` as the decision would, `RunNotFound`.
    """
    state = await host.store.state(run_id)
    await _see_again(host, state, supposed.request_id)
    near = Foretelling(state, host.clock.now(), tools)
    near.suppose(supposed)
    Beyond(near).look()
    return near.told()


async def _see_again(host: RunHost, state: RunState, request_id: str) -> None:
    """Give the node that asks what it read when it started: its code runs from its first line."""
    opened = state.interrupts.get(request_id)
    act = None if opened is None else state.activations.get(opened.key)
    if act is None or act.view is not None:
        return
    past = await host.store.state(state.run_id, act.view_seq)
    then = past.activations.get(act.key, act)
    act.view = build_view(past, state.program.plan(act.node), then)
