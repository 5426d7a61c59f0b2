"""Which items of the inbox a list shows, and in which order, from the texts of its query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from pydantic import Field

from builder.api.http.pagination import Top
from builder.api.http.wire import Body, Usd
from builder.api.inbox.lists.figures import FIGURES, FigureBody
from builder.api.inbox.lists.reviews import REVIEWS, reviewed
from builder.base.clock import now_ms
from builder.base.errors import InvalidInput
from builder.models import Decision, Interrupt, Membership, Run
from builder.models.ledger.asking import Reviewer, any_on_top, decided_order
from builder.models.ledger.places import reviewers_of
from builder.models.ledger.views import VIEWS, seen_as
from builder.models.querysets import InterruptQuerySet
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
    reviewers = reviewers_of(member) if query.get("view") else ()
    rows = reviewed(viewed(rows, query, reviewers, timezone.now()), member, query)
    return _at_least(_about(of_runs(rows, query), query), query)


def viewed(
    rows: InterruptQuerySet, query: Mapping[str, str], reviewers: Sequence[Reviewer], now: Any
) -> InterruptQuerySet:
    """Return the items of a query's state and view, as `seen_as` says. Raises `InvalidInput`."""
    state = query.get("state", "")
    if state not in ("", "open", "done"):
        raise InvalidInput("open or done", path="state")
    if state:
        rows = rows.open() if state == "open" else rows.exclude(status="open")
    view = query.get("view")
    if not view:
        return rows
    if view not in VIEWS:
        raise InvalidInput(f"one of {', '.join(VIEWS)}", path="view")
    return seen_as(rows, view, reviewers, now)


class Order(NamedTuple):
    """Items with the field that they are sorted by, whether the largest comes first, and what is on top."""

    rows: InterruptQuerySet
    field: str
    largest_first: bool
    top: Top[Interrupt] | None


def ordered(rows: InterruptQuerySet, member: Membership, query: Mapping[str, str]) -> Order:
    """Return items in the order that a query asks for, and what is on top. Raises `InvalidInput`."""
    order = in_order(rows, query)
    if not has_top(query):
        return order
    first, others = order.rows.on_top(member.user_id)
    if not any_on_top(member.user_id, member.workspace_id):
        first, others = first.none(), order.rows
    return order._replace(top=Top(first, others, "turn_sorted"))


def has_top(query: Mapping[str, str]) -> bool:
    """Return whether the list of a query has on top what is back in one's turn."""
    done = "done" in (query.get("state"), query.get("view"))
    return query.get("ordering") == ENDS_FIRST and not done


def in_order(rows: InterruptQuerySet, query: Mapping[str, str]) -> Order:
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
    return Order(rows, field, wanted.startswith("-"), None)


def of_runs(rows: InterruptQuerySet, query: Mapping[str, str]) -> InterruptQuerySet:
    """Return the items of the runs that a query asks for. Raises `InvalidInput`."""
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
        drafts = Run.objects.filter(version__is_draft=True)
        if tests == "true":
            rows = rows.filter(run__in=drafts.values("pk"))
        else:  # asked of each item of the page, where all drafts would be gathered first
            rows = rows.exclude(Exists(drafts.filter(pk=OuterRef("run"))))
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
