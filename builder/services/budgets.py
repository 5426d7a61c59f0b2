"""Budgets of workspaces, graphs and triggers: who sets which limit. The engine keeps what is held on them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db import IntegrityError, transaction

from builder.base import engine_door
from builder.base.clock import now_ms
from builder.base.errors import Conflict, InvalidInput, NotFound
from builder.models import Budget, BudgetLimit, Graph, Membership, Trigger
from builder.reads.money.budgets import row_id_of
from builder.reads.money.spent_before import spent_before
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require
from engine.core.budgets.money import pico, usd_or_none
from engine.core.budgets.periods import period_at

WHOSE: Final = {
    "trigger": "this trigger",
    "graph": "this workflow",
    "workspace": "the workspace",
}
"""What a budget is of, in words."""


def create_budget(
    member: Membership,
    *,
    graph: Graph | None,
    trigger: Trigger | None = None,
    period: str,
    limit_usd: Decimal | None,
    limit_tokens: int | None,
) -> BudgetLimit:
    """Set a limit on the workspace, one graph of it, or what one trigger of a graph starts.

    It holds from the next call on.

    What the present period has already cost counts.

    Raises `InvalidInput` without any amount and for a trigger of another workflow, `Conflict`
    `BudgetExists` for a second limit of the same period.
    """
    require(member, Right.BUDGET)
    if graph is not None and graph.workspace_id != member.workspace_id:
        raise NotFound("no such graph", code="GraphNotFound")
    if trigger is not None and trigger.workspace_id != member.workspace_id:
        raise NotFound("no such trigger", code="TriggerNotFound")
    if trigger is not None and graph is not None and graph.pk != trigger.graph_id:
        raise InvalidInput("this trigger starts another workflow", path="trigger")
    limit = BudgetLimit(
        workspace_id=member.workspace_id,
        graph=trigger.graph if trigger else graph,
        trigger=trigger,
        period=period,
        limit_pico=pico(limit_usd),
        limit_tokens=limit_tokens,
    )
    _save(member, limit, "budget.created")
    return limit


def change_budget(
    member: Membership, limit: BudgetLimit, changes: Mapping[str, Any]
) -> BudgetLimit:
    """Change `limit_usd`, `limit_tokens` or `period`; an absent one stays, None takes a cap away.

    What is spent and held stays: a limit below it stops the next call. Another period begins with
    what that one has seen so far. Raises as `create_budget`.
    """
    require(member, Right.BUDGET)
    if "limit_usd" in changes:
        limit.limit_pico = pico(changes["limit_usd"])
    if "limit_tokens" in changes:
        limit.limit_tokens = changes["limit_tokens"]
    limit.period = changes.get("period") or limit.period
    _save(member, limit, "budget.changed")
    return limit


def delete_budget(member: Membership, limit: BudgetLimit) -> None:
    """Take a limit away; calls that are under way settle as they would have."""
    require(member, Right.BUDGET)
    with transaction.atomic():
        audit.record(limit.workspace_id, member.user_id, "budget.deleted", limit.pk, **_said(limit))
        limit.delete()
        notify_engine()


def notify_engine() -> None:
    """Let the engine hear of other limits once the transaction is committed.

    Where none runs in this process, the next start reads them.
    """
    transaction.on_commit(_tell)


def _tell() -> None:
    with suppress(engine_door.EngineNotStarted):
        engine_door.engine().limits_changed()


def _save(member: Membership, limit: BudgetLimit, action: str) -> None:
    if limit.limit_pico is None and limit.limit_tokens is None:
        raise InvalidInput("a budget limits USD, tokens, or both", path="limit_usd")
    try:
        with transaction.atomic():
            limit.save()
            _begin(limit, str(member.workspace.all_settings["timezone"]))
            audit.record(limit.workspace_id, member.user_id, action, limit.pk, **_said(limit))
            notify_engine()
    except IntegrityError:
        what = WHOSE[limit.level]
        raise Conflict(
            f"{what} has a budget per {limit.period} already: change that one",
            code="BudgetExists",
        ) from None


def _begin(limit: BudgetLimit, zone_name: str) -> None:
    """Let a limit begin with what its present period has cost; one that is counted already goes on."""
    zone = ZoneInfo(zone_name)
    period = period_at(limit.period, zone, now_ms())
    row_id = row_id_of(limit, period)
    if Budget.objects.filter(pk=row_id).exists():
        return
    tokens, amount = spent_before(limit, period, zone)
    if not tokens and not amount:
        return
    row = Budget(
        id=row_id,
        level=limit.level,
        workspace_id=limit.workspace_id,
        limit_tokens=limit.limit_tokens,
        limit_pico=limit.limit_pico,
        spent_tokens=tokens,
        spent_pico=amount,
    )
    Budget.objects.bulk_create([row], ignore_conflicts=True)


def _said(limit: BudgetLimit) -> dict[str, Any]:
    return {
        "graph": limit.graph_id,
        **({} if limit.trigger_id is None else {"trigger": limit.trigger_id}),
        "period": limit.period,
        "limit_usd": usd_or_none(limit.limit_pico),
        "limit_tokens": limit.limit_tokens,
    }
