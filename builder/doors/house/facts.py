"""What a house event is about, by names: what expressions read of it, and what people are told."""

from __future__ import annotations

from typing import Any, Final

import orjson

from builder.base.address import public
from builder.models import BudgetLimit, HouseEvent, Interrupt, Run, User
from builder.models.doors.house_kinds import BUDGET_MARK, RUN_ENDS
from builder.reads import event_log
from engine.core.budgets.money import usd
from engine.core.state.events import iso

NAMES: Final = ("event", "id", "at", "workflow", "run", "item", "budget")
"""What facts always have; what the event is not about is null."""
MOST_RESULT: Final = 1024 * 1024
"""Bytes of a result that are taken over; a larger one is left in its run."""


def facts_of(event: HouseEvent, *, with_result: bool = False) -> dict[str, Any]:
    """Return what happened, as JSON. With the result of a run that ended well, if that is asked for."""
    run = Run.objects.select_related("graph").filter(pk=event.run).first() if event.run else None
    said = orjson.loads(event.data)
    return {
        "event": event.kind,
        "id": str(event.pk),
        "at": iso(event.at),
        "workflow": _workflow(run),
        "run": None if run is None else _run(run, with_result=with_result),
        "item": _item(event, said),
        "budget": _budget(event, said) if event.kind == BUDGET_MARK else None,
    }


def _workflow(run: Run | None) -> dict[str, Any] | None:
    if run is None:
        return None
    name = run.graph.name if run.graph else run.graph_slug
    return {"id": run.graph_id, "slug": run.graph_slug, "name": name}


def _run(run: Run, *, with_result: bool) -> dict[str, Any]:
    error = orjson.loads(run.error) if run.error else None
    found = {
        "id": run.pk,
        "status": run.status,
        "started_at": iso(run.started_at),
        "ended_at": None if run.ended_at is None else iso(run.ended_at),
        "cost_usd": usd(run.spent_pico),
        "error": error and {"code": error.get("code"), "node": error.get("node")},
        "page": f"{public()}/runs/{run.pk}",
    }
    return {**found, "result": _result(run)} if with_result else found


def _result(run: Run) -> Any:
    """Return what the run ended with; nothing of one that failed, or where it is very large."""
    if run.status != Run.Status.COMPLETED:
        return None
    _start, last = event_log.first_and_last(run.pk, run.seq)
    result = last.get("result")
    return result if len(orjson.dumps(result)) <= MOST_RESULT else None


def _item(event: HouseEvent, said: dict[str, Any]) -> dict[str, Any] | None:
    if event.kind == BUDGET_MARK or event.kind in RUN_ENDS.values():
        return None
    row = Interrupt.objects.filter(pk=event.ref).first()
    return {
        "id": event.ref,
        "kind": said.get("kind") or (row.kind if row else None),
        "node": row.node if row else None,
        "until": iso(row.expires_at) if row and row.expires_at is not None else None,
        "minutes": said.get("minutes"),
        "decision": said.get("decision"),
        "by": _person(said.get("by")),
        "page": f"{public()}/inbox/{event.ref}",
    }


def _person(user: str | None) -> dict[str, str] | None:
    row = User.objects.filter(pk=user).first() if user else None
    return None if row is None else {"id": row.pk, "name": str(row)}


def _budget(event: HouseEvent, said: dict[str, Any]) -> dict[str, Any]:
    limit_id = event.ref.partition(":")[2].partition(":")[0]
    limit = BudgetLimit.objects.select_related("graph", "trigger").filter(pk=limit_id).first()
    of, by = (limit.graph, limit.trigger) if limit else (None, None)
    return {
        **said,
        "workflow": {"id": of.pk, "slug": of.slug, "name": of.name} if of else None,
        "trigger": {"id": by.pk, "name": by.name} if by else None,
        "period": limit.period if limit else None,
    }
