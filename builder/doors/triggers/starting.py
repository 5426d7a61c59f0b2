"""From a delivery that is committed to its run: once, whatever dies between the two.

Whoever takes a delivery in begins it at once. Where that process died, or the engine was not there,
a scan begins it again: the run has the delivery's key, so that it is the same run.
"""

from __future__ import annotations

import logging
from typing import Final

import orjson
from django.db.models import F

from builder.base.clock import DAY_MS, now_ms
from builder.base.engine_door import EngineNotStarted
from builder.base.errors import NotFound, ServiceError, Unprocessable
from builder.doors.triggers.accounts import acting
from builder.models import BudgetLimit, Delivery, Trigger
from builder.models.prepared import Prepared, number
from builder.reads.money.budgets import budget_statuses
from builder.reads.runs.start_keys import TRIGGER, key_of, run_of_key
from builder.services.mail import trigger_mail
from builder.services.runs.runs import Start, start_run
from engine.core.errors import GraphHasErrors, RequestRefused, StoreError
from engine.core.state.events import iso

LOGGER: Final = logging.getLogger("graphwright.doors")
FIRST_WAIT_MS: Final = 10_000
"""So long whoever took a delivery in has it alone."""
AGAIN_MS: Final = 60_000
AT_ONCE: Final = 50
BY_PEOPLE: Final = ("tested:", "again:")
"""How keys begin of what a person brings in: they read at once what became of it."""
KEPT_MS: Final = 30 * DAY_MS
LATE: Final = Prepared(
    lambda since: Delivery.objects.filter(
        state=Delivery.State.RECEIVED, at__lt=number(since)
    ).select_related("door__workspace")[:AT_ONCE]
)
DUE: Final = Prepared(
    lambda since, now: (
        Delivery.objects.filter(
            state=Delivery.State.RECEIVED,
            at__gte=number(since),
            available_at__lte=number(now),
        )
        .order_by("available_at")
        .values_list("pk")[:AT_ONCE]
    )
)


def begin(row: Delivery) -> Delivery:
    """Start the run of a delivery and note it; what cannot start is refused, with the reason.

    Where the engine or its store is away the delivery stays for the scan.
    """
    try:
        run_id = _start(row)
    except (ServiceError, RequestRefused, GraphHasErrors) as refused:
        code, reason = refused.code, getattr(refused, "message", "the workflow has errors")
        _settle(row, state=Delivery.State.REFUSED, code=code, reason=reason[:500])
        if not row.key.startswith(BY_PEOPLE):
            trigger_mail.tell(row.door, now_ms())
    except (StoreError, EngineNotStarted, TimeoutError) as trouble:
        LOGGER.warning("a delivery waits to be started: %s", trouble)
    else:
        _settle(row, state=Delivery.State.STARTED, run=run_id)
        Trigger.objects.filter(pk=row.door_id).update(last_at=now_ms())
    row.refresh_from_db()
    return row


def begin_due(now: int | None = None) -> int:
    """Begin what was taken in and never started; return how many this process did.

    What has waited for a day is refused: nobody expects it any more.
    """
    at = now_ms() if now is None else now
    for late in LATE.all(at - DAY_MS):
        reason = "it could not start for a day"
        _settle(late, state=Delivery.State.REFUSED, code="NotStarted", reason=reason)
        trigger_mail.tell(late.door, at)
    claimed = [pk for (pk,) in DUE.tuples(at - DAY_MS, at) if claim(pk, at)]
    for pk in claimed:
        begin(Delivery.objects.get(pk=pk))
    return len(claimed)


def claim(pk: str, now: int) -> bool:
    """Take a delivery for a minute; of two processes one gets it, on both databases."""
    rows = Delivery.objects.filter(pk=pk, state=Delivery.State.RECEIVED, available_at__lte=now)
    return bool(rows.update(available_at=now + AGAIN_MS, tries=F("tries") + 1))


def forget_old(now: int | None = None) -> None:
    """Forget what came in over 30 days ago; a sender that repeats does so within days."""
    Delivery.objects.filter(at__lt=(now_ms() if now is None else now) - KEPT_MS).delete()


def _start(row: Delivery) -> str:
    trigger = Trigger.objects.select_related("graph").get(pk=row.door_id)
    if trigger.graph.archived_at is not None:
        raise NotFound("the workflow is gone", code="GraphNotFound")
    key = key_of(TRIGGER, trigger.pk, row.key)
    _refuse_spent(trigger, key)
    start = Start(
        input=orjson.loads(row.input),
        house_key=key,
        source=trigger.kind,
        trigger=trigger.pk,
        starters=[trigger.switched_by_id] if trigger.switched_by_id else [],
    )
    return start_run(acting(trigger), trigger.graph, start)


def _refuse_spent(trigger: Trigger, key: str) -> None:
    """Raise `Unprocessable` where a budget of the trigger's own is used up, unless the run is there.

    Those of workflow and workspace refuse no start: what runs may cost nothing.
    """
    limits = list(BudgetLimit.objects.filter(trigger=trigger.pk))
    spent = [each for each in budget_statuses(limits, trigger.workspace.zone) if each.is_spent]
    if spent and run_of_key(trigger.workspace_id, key) is None:
        until = spent[0].period.ends_at
        when = "raise it" if until is None else f"raise it, or wait until {iso(until)}"
        raise Unprocessable(
            f"what this trigger may spend per {spent[0].limit.period} is used up: {when}",
            code="TriggerBudgetExceeded",
        )


def _settle(row: Delivery, **fields: object) -> None:
    Delivery.objects.filter(pk=row.pk, state=Delivery.State.RECEIVED).update(**fields)
