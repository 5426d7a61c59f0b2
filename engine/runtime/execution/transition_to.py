"""Handing over to another graph: what is settled before a transition is announced (row K30)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.decide.start import checked_input
from engine.core.errors import NodeError, RequestRefused
from engine.core.values.json import EMPTY
from engine.core.values.limits import MAX_TRANSITIONS

if TYPE_CHECKING:
    from engine.core.ports import GraphSource
    from engine.core.state.run_state import RunState


def transitions_of(state: RunState) -> int:
    """Return how many transitions led to this run, those before the runs around it included."""
    count: int = (state.started.get("parent") or {}).get("transitions", 0)
    return count


async def check_handover(
    graphs: GraphSource, state: RunState, graph_id: str, payload: object
) -> str | None:
    """Return the stored version that a hand-over to `graph_id` runs; None of a graph without one.

    That version runs, even if its graph is archived a moment later: a run that was announced is
    not lost. Raises `NodeError` if it could not be started with `payload`.

    Codes: `GraphNotFound`, `TransitionLimit`, `InputInvalid` where the target's interface refuses
    the payload.
    """
    if transitions_of(state) + 1 >= MAX_TRANSITIONS:
        raise NodeError(
            "TransitionLimit",
            f"this is run {MAX_TRANSITIONS} of a chain; one more, of {graph_id!r}, is refused",
        )
    workspace = state.started.get("workspace_id")
    spec = await graphs.find_graph(graph_id, workspace)
    if spec is None:
        raise NodeError("GraphNotFound", f"no graph {graph_id!r} to hand over to")
    try:
        checked_input(spec, payload or EMPTY)
    except RequestRefused as refused:
        raise NodeError(refused.code, f"graph {graph_id!r}: {refused.message}") from refused
    version_id: str | None = (await graphs.program(spec, workspace)).reference[0]
    return version_id
