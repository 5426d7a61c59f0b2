"""Which items of the inbox a list shows, and in which order, from the texts of its query."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, NamedTuple

from django.db.models import Q
from pydantic import Field

from builder.api.http.pagination import Top
from builder.api.http.wire import Body, Usd
from builder.api.inbox.figures import FIGURES, FigureBody
from builder.api.inbox.reviews import REVIEWS, reviewed
from builder.base.clock import now_ms
from builder.base.errors import InvalidInput
from builder.models import Decision, Interrupt, Membership, Run
from builder.models.ledger.asking import decided_order
from builder.models.querysets import VIEWS, InterruptQuerySet
from builder.reads.inbox.conditions import ConditionUnread, conditions_in, showing_all
from engine.core.budgets.money import pico
from engine.core.people.asked_calls import TOOL_CALL

FILTERS: Final = (
    "state",
    "view",
    "kind",
    "approval_type",
    "graph",
    "node",
    "run",
    "asked",
    "starter",
    "trigger",
    "decided_by",
    "tests",
    "search",
    "field",
    "where",
    "min_age_hours",
    "min_cost_usd",
    *FIGURES,
    *REVIEWS,
    "ordering",
)
ORDERINGS: Final = {
    "opened": "opened_at",
    "decided": "decided_sorted",
    "deadline": "deadline_sorted",
    "amount": "amount_sorted",
    "risk": "risk_sorted",
}
"""What lists sort by, with the largest first after a `-`."""
ENDS_FIRST: Final = "deadline"
"""The inbox as it is until somebody chooses an order: only it has on top what is back in one's turn."""
APPROVAL_TYPES: Final = ("human_review", TOOL_CALL)
"""What approvals are about: a step's work, or a call that an agent wants to make."""
HOUR_MS: Final = 3_600_000


class AtLeast(Body):
    """How long an item has been there, and what its run has spent."""

    min_age_hours: Annotated[int, Field(ge=1, le=87_600, strict=False)] | None = None
    min_cost_usd: Usd | None = None


def narrowed(
    rows: InterruptQuerySet, member: Membership, query: Mapping[str, str]
) -> InterruptQuerySet:
    """Return the items that a query asks for. Raises `InvalidInput`."""
    state = query.get("state", "")
    if state not in ("", "open", "done"):
        raise InvalidInput("open or done", path="state")
    if state:
        rows = rows.open() if state == "open" else rows.exclude(status="open")
    if view := query.get("view"):
        if view not in VIEWS:
            raise InvalidInput(f"one of {', '.join(VIEWS)}", path="view")
        rows = rows.seen_as(view, member)
    rows = reviewed(rows, member, query)
    return _at_least(_about(_of_runs(rows, query), query), query)


class Order(NamedTuple):
    """Items with the field that they are sorted by, whether the largest comes first, and what is on top."""

    rows: InterruptQuerySet
    field: str
    largest_first: bool
    top: Top[Interrupt] | None


def ordered(rows: InterruptQuerySet, member: Membership, query: Mapping[str, str]) -> Order:
    """Return items in the order that a query asks for. Raises `InvalidInput`."""
    wanted = query.get("ordering") or "-opened"
    field = ORDERINGS.get(wanted.removeprefix("-"))
    if field is None:
        known = ", ".join(ORDERINGS)
        raise InvalidInput(f"one of {known}, with - before it the largest first", path="ordering")
    rows = rows.with_deadline() if field == "deadline_sorted" else rows
    rows = rows.annotate(decided_sorted=decided_order()) if field == "decided_sorted" else rows
    rows = rows.with_amount() if field == "amount_sorted" else rows
    rows = rows.with_risk() if field == "risk_sorted" else rows
    largest_first = wanted.startswith("-")
    top = None
    if wanted == ENDS_FIRST and "done" not in (query.get("state"), query.get("view")):
        first, others = rows.on_top(member.user_id)
        top = Top(first, others, "turn_sorted")
    return Order(rows, field, largest_first, top)


def _of_runs(rows: InterruptQuerySet, query: Mapping[str, str]) -> InterruptQuerySet:
    if graph := query.get("graph"):
        rows = rows.filter(run__in=Run.objects.filter(graph=graph).values("pk"))
    if run := query.get("run"):
        rows = rows.filter(run=run)
    if starter := query.get("starter"):
        rows = rows.filter(run__in=Run.objects.filter(started_by=starter).values("pk"))
    if trigger := query.get("trigger"):
        rows = rows.filter(run__in=Run.objects.filter(trigger=trigger).values("pk"))
    if tests := query.get("tests"):
        if tests not in ("true", "false"):
            raise InvalidInput("true or false", path="tests")
        drafts = Run.objects.filter(version__is_draft=True).values("pk")
        rows = rows.filter(run__in=drafts) if tests == "true" else rows.exclude(run__in=drafts)
    return rows


def _about(rows: InterruptQuerySet, query: Mapping[str, str]) -> InterruptQuerySet:
    if kind := query.get("kind"):
        rows = rows.filter(kind__in=kind.split(","))
    if about := query.get("approval_type"):
        if about not in APPROVAL_TYPES:
            raise InvalidInput(f"one of {', '.join(APPROVAL_TYPES)}", path="approval_type")
        rows = rows.filter(approval_type=about)
    if node := query.get("node"):
        rows = rows.filter(node=node)
    if entry := query.get("asked"):
        rows = rows.asking(entry)
    if person := query.get("decided_by"):
        said = Decision.objects.filter(decided_by=person).values("interrupt")
        rows = rows.filter(Q(decided_by=person) | Q(pk__in=said))
    if shown := query.get("field"):
        name, colon, value = shown.partition(":")
        if not colon:
            raise InvalidInput("a field and its value, with a colon between", path="field")
        rows = rows.showing(name, value)
    rows = _where(rows, query.get("where", ""))
    rows = FigureBody.read({name: text for name in FIGURES if (text := query.get(name))}).among(
        rows
    )
    return rows.search(search) if (search := query.get("search")) else rows


def _where(rows: InterruptQuerySet, text: str) -> InterruptQuerySet:
    try:
        return showing_all(rows, conditions_in(text))
    except ConditionUnread as unread:
        raise InvalidInput(str(unread), path="where") from None


def _at_least(rows: InterruptQuerySet, query: Mapping[str, str]) -> InterruptQuerySet:
    given = {name: text for name in AtLeast.model_fields if (text := query.get(name))}
    least = AtLeast.read(given)
    if least.min_age_hours is not None:
        rows = rows.filter(opened_at__lte=now_ms() - least.min_age_hours * HOUR_MS)
    if least.min_cost_usd is not None:
        costly = Run.objects.filter(spent_pico__gte=pico(least.min_cost_usd))
        rows = rows.filter(run__in=costly.values("pk"))
    return rows
