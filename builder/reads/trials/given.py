"""What a node left in a run, as it can be pinned."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from builder.base.errors import NotFound
from builder.models import Run
from builder.reads import event_log as log
from engine.core.graph.compiled import compile_graph
from engine.core.graph.document import parse_document
from engine.runtime.stores.sql.payloads import decode

PINNED: Final = ("writes", "results", "condition", "intent", "metadata", "is_result")
LOOKED_AT: Final = 20
"""Test runs in which a result is looked for."""
KINDS: Final = ("NodeCompleted", "EdgeEvaluated")


def newest_pin(run: Run, node: str) -> dict[str, Any]:
    """Return what a node left in a run, else in the newest test run before it of who started that.

    Raises `NotFound` `NoResult` where none of these has a result of it.
    """
    try:
        return pin_of(run, node)
    except NotFound:
        mine = Run.objects.filter(graph=run.graph_id, started_by=run.started_by, parent_run=None)
        earlier = mine.filter(version__is_draft=True, started_at__lte=run.started_at)
        for other in earlier.exclude(pk=run.pk).order_by("-started_at")[:LOOKED_AT]:
            with suppress(NotFound):
                return pin_of(other, node)
        raise


def pin_of(run: Run, node: str) -> dict[str, Any]:
    """Return what the node's last completion left. Raises `NotFound` where there is none."""
    chosen = False
    found: dict[str, Any] | None = None
    tried: set[str] = set()
    after, value = 0, log.values_of(run.pk)
    while page := log.page_after(run.pk, after, kinds=KINDS):
        for seq, kind, _at, key, raw in page:
            after = seq
            if key is None or "/" in key or key.split("#", 1)[0] != node:
                continue
            if kind == "EdgeEvaluated":
                tried.add(key)
            else:
                found, chosen = decode(bytes(raw), value), key not in tried
    if found is None:
        raise NotFound("the run has no result of this node", code="NoResult")
    pin = {name: found[name] for name in PINNED if found.get(name)}
    pin["output"] = found["output"] if "output" in found else found.get("writes", {})
    if chosen and not (pin.get("condition") or pin.get("intent")):
        pin |= _way(run, node, found.get("edges", ()))
    return pin


def _way(run: Run, node: str, edges: Sequence[int]) -> dict[str, Any]:
    """Return the targets where the node chose among its edges itself."""
    spec, _problems = parse_document({} if run.version is None else run.version.document)
    if spec is None:
        return {}
    drawn = [edge for edge in compile_graph(spec).edges if edge is not None]
    all_ways = [edge for edge in drawn if edge.source_id == node and edge.on == "completed"]
    taken = [edge.target_id for edge in drawn if edge.index in edges]
    return {"next": taken} if taken and len(taken) < len(all_ways) else {}
