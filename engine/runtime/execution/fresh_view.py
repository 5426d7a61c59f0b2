"""A second look: what a node may read in the middle of its work, the same in every replay.

The log keeps the place at which a look was taken, not what was seen: the view is built from the
state there, and kept while the process lives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.effects import EffectClass
from engine.core.state.lanes import build_view
from engine.core.values.json import digest

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition
    from engine.core.node_types.view import View
    from engine.runtime.execution.held import Held
    from engine.runtime.host import RunHost

_REQUEST = digest(["look"])


async def look(host: RunHost, ctx: Held) -> View:
    """Return the node's view of the state now, or of the moment at which it looked here before."""
    path, act = ctx.path(), ctx.act
    step = ctx.journal.find(path, _REQUEST, EffectClass.PURE)
    if step is not None:
        seen = act.looks.get((step.attempt, path))
        if seen is None:
            past = await host.store.state(ctx.run_id, step.result)
            seen = build_view(past, ctx.plan, past.activations[act.key])
            act.looks[(step.attempt, path)] = seen
        return seen

    def take(tx: Transition) -> View:
        view = build_view(tx.state, ctx.plan, act)
        tx.emit(
            "StepRecorded",
            act.key,
            {"path": path, "attempt": ctx.attempt, "kind": "look", "request_hash": _REQUEST},
        )
        return view

    view = act.looks[(ctx.attempt, path)] = await host.transact_held(ctx, take)
    return view
