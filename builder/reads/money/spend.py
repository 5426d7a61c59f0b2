"""What a workspace spent, summed over days by workflow, node, model, agent, person and trigger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final

from django.db.models import F, Sum

from builder.models import Agent, Graph, Node, Spending, Trigger, TriggerSpending
from builder.reads import figures
from builder.reads.csv_lines import csv_lines
from engine.core.budgets.money import usd

BY: Final[Mapping[str, tuple[str, ...]]] = {
    "day": ("day",),
    "graph": ("graph",),
    "node": ("graph", "node"),
    "model": ("model",),
    "agent": ("agent",),
    "person": ("person",),
    "trigger": ("trigger",),
}
"""What sums are made by, and the columns of each."""

TOP: Final = 50
ORDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "spend": ("-pico", "-tokens"),
    "tokens": ("-tokens", "-pico"),
    "calls": ("-calls", "-pico"),
}
"""What sums may be ordered by, the largest first."""
COLUMNS: Final = ("day", "graph", "node", "agent", "model", "person")
SUMS: Final = {name: Sum(name) for name in ("calls", "unpriced", "tokens", "pico")}
MAX_ROWS: Final = 50_000
HEAD: Final = (
    *COLUMNS,
    "graph_name",
    "node_name",
    "agent_name",
    "person_name",
    "calls",
    "unpriced_calls",
    "tokens",
    "usd",
)


@dataclass(frozen=True, slots=True)
class Span:
    """Days of a workspace, both included; `graph` narrows to one workflow's slug."""

    workspace_id: str
    first: date
    last: date
    graph: str = ""

    @property
    def days(self) -> int:
        """How many days these are."""
        return (self.last - self.first).days + 1

    def before(self) -> Span:
        """Return as many days that end where this begins."""
        first = self.first - timedelta(days=self.days)
        return Span(self.workspace_id, first, self.first - timedelta(days=1), self.graph)

    def rows(self) -> Any:
        """Return the sums of these days."""
        return self._days_of(Spending)

    def rows_of_triggers(self) -> Any:
        """Return the sums of these days of runs that no person started."""
        return self._days_of(TriggerSpending)

    def _days_of(self, sums: type[Spending | TriggerSpending]) -> Any:
        rows = sums.objects.in_workspace(self.workspace_id)
        rows = rows.between(self.first.isoformat(), self.last.isoformat())
        return rows.filter(graph=self.graph) if self.graph else rows


def total(span: Span) -> dict[str, int]:
    """Return calls, calls without a price, tokens and pico-dollars of all days together."""
    return {name: value or 0 for name, value in span.rows().aggregate(**SUMS).items()}


def by(span: Span, what: str, order: str = "spend") -> list[dict[str, Any]]:
    """Return the 50 largest sums by one of `BY`, in one of `ORDERS`; days in order, all of them."""
    columns = BY[what]
    found = span.rows_of_triggers() if what == "trigger" else span.rows()
    rows = found.values(*columns).annotate(**SUMS)
    if what == "day":
        known = {row["day"]: row for row in rows}
        days = [(span.first + timedelta(days=n)).isoformat() for n in range(span.days)]
        return [known.get(day) or {"day": day, **dict.fromkeys(SUMS, 0)} for day in days]
    return list(rows.order_by(*ORDERS[order], *columns)[:TOP])


def names(span: Span, rows: Mapping[str, list[dict[str, Any]]]) -> dict[str, str]:
    """Return how people call the graphs, persons, triggers and nodes of sums: slug or id → name.

    A node is found as `node_key`.
    """
    slugs = {row["graph"] for row in (*rows["graph"], *rows["node"])}
    people = figures.people(row["person"] for row in rows["person"])
    found = _graph_names(span, slugs) | people | _trigger_names(span, rows["trigger"])
    return found | _labels(span, rows["node"])


def node_key(row: Mapping[str, Any]) -> str:
    """Return what stands for a node among names: it is one of its graph alone."""
    return f"{row['graph']}/{row['node']}"


def _labels(span: Span, rows: list[dict[str, Any]]) -> dict[str, str]:
    """Return what nodes are called in the draft, of a graph that is there before one put away."""
    drawn = Node.objects.filter(
        graph__workspace=span.workspace_id,
        graph__slug__in={row["graph"] for row in rows},
        node_id__in={row["node"] for row in rows},
    )
    drawn = drawn.order_by(F("graph__archived_at").asc(nulls_last=True))
    named = drawn.values_list("graph__slug", "node_id", "data__label")
    return {
        node_key({"graph": graph, "node": node}): label
        for graph, node, label in named
        if isinstance(label, str) and label
    }


def _trigger_names(span: Span, rows: list[dict[str, Any]]) -> dict[str, str]:
    triggers = Trigger.objects.in_workspace(span.workspace_id)
    found = triggers.filter(pk__in=[row["trigger"] for row in rows])
    return dict(found.values_list("pk", "name"))


def _graph_names(span: Span, slugs: set[str]) -> dict[str, str]:
    """Return slug → name, of graphs that were put away too; one that is there names its slug."""
    graphs = Graph.objects.in_workspace(span.workspace_id).filter(slug__in=slugs)
    return dict(graphs.order_by(F("archived_at").asc(nulls_last=True)).values_list("slug", "name"))


def as_csv(span: Span) -> Iterator[str]:
    """Yield the sums of the days as lines of CSV, the earliest first, `MAX_ROWS` at most."""
    rows = list(span.rows().order_by(*COLUMNS)[:MAX_ROWS])
    people = figures.people({row.person for row in rows})
    called = _graph_names(span, {row.graph for row in rows})
    labels = _labels(span, [{"graph": row.graph, "node": row.node} for row in rows])
    agents = _agent_names(span, {row.agent for row in rows})
    return csv_lines(HEAD, (_line(row, called, labels, agents, people) for row in rows))


def _agent_names(span: Span, slugs: set[str]) -> dict[str, str]:
    """Return slug → name of the workspace's agents; a workflow's own has no name but its id."""
    agents = Agent.objects.in_workspace(span.workspace_id).filter(slug__in=slugs)
    return dict(agents.values_list("slug", "name"))


def _line(
    row: Spending,
    called: Mapping[str, str],
    labels: Mapping[str, str],
    agents: Mapping[str, str],
    people: Mapping[str, str],
) -> list[Any]:
    """Return a line; what has no name, or is gone, is named by its id, a run without a person by ""."""
    texts = [getattr(row, name) for name in COLUMNS]
    node = labels.get(node_key({"graph": row.graph, "node": row.node}), row.node)
    names = [
        called.get(row.graph, row.graph),
        node,
        agents.get(row.agent, row.agent),
        people.get(row.person, row.person),
    ]
    return [*texts, *names, row.calls, row.unpriced, row.tokens, Decimal(usd(row.pico))]
