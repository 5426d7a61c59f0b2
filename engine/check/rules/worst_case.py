"""The most that one run can spend, from caps and loop bounds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from engine.check.paths import ways
from engine.check.paths.cycles import cycles
from engine.check.paths.reach import reach
from engine.check.subject import NodeSubject, Subject

NAMED: Final = 5
"""How many nodes without a cap are named."""


@dataclass(frozen=True, slots=True)
class WorstCase:
    """Upper bounds of one run's spend; None where nothing bounds it.

    `uncapped` names the nodes that can spend and have no cap of their own in USD: only the run's
    budget bounds them.
    """

    cost_usd: Decimal | None
    tokens: int | None
    uncapped: tuple[str, ...] = ()
    bound: str = field(default="", compare=False)
    """What makes the bound in USD: `run` (its budget), `caps` (of its nodes), "" without one."""
    labels: tuple[str, ...] = field(default=(), compare=False)
    """What people call the nodes of `uncapped`."""

    @property
    def unbounded(self) -> bool:
        """Whether nothing bounds what a run may cost in USD, nor its tokens."""
        return self.cost_usd is None and self.tokens is None

    @property
    def why(self) -> str:
        """Return the sentence that says what bounds the spend, or what would."""
        if self.bound == "run":
            return "The run's own budget is what bounds it."
        if self.bound == "caps":
            return "The sum of the nodes' caps, once for each visit that a loop allows."
        names = ", ".join(self.labels[:NAMED]) + (" …" if len(self.labels) > NAMED else "")
        lacks = f"No cap in USD on {names}" if names else "Nothing has a cap in USD"
        return f"{lacks}, and none on the run: give the run a budget, or each of them a cap."


def worst_case(subject: Subject) -> WorstCase:
    """Return the most a run can spend; None on a side that nothing bounds.

    A node's cap counts once for each of its possible visits: one, or `max_iterations` on a cycle
    and behind one. Children that a node runs itself spend from its cap and need none.
    """
    visits = _visits(subject)
    spenders = [node for node in subject.nodes if _can_spend(node) and visits.get(node.id)]
    limits = subject.spec.limits
    bound = limits.max_iterations
    caps = {node.id: node.spec.budget for node in spenders}
    usd = _sum(
        ((b.max_cost_usd if (b := caps[n.id]) else None, visits[n.id]) for n in spenders), bound
    )
    tokens = _sum(
        ((b.max_tokens if (b := caps[n.id]) else None, visits[n.id]) for n in spenders), bound
    )
    cost = _lower(usd, limits.budget_usd)
    most = _lower(tokens, None if (t := limits.max_token_budget) is None else Decimal(t))
    uncapped = [n for n in spenders if not (budget := caps[n.id]) or budget.max_cost_usd is None]
    made_by = "" if cost is None else "caps" if cost == usd else "run"
    ids, labels = tuple(n.id for n in uncapped), tuple(n.label for n in uncapped)
    return WorstCase(cost, None if most is None else int(most), ids, made_by, labels)


def _can_spend(node: NodeSubject) -> bool:
    if node.type is None or node.spec.disabled:
        return False
    agents = any(True for _found in node.with_widget("agent", "agents"))
    graphs = any(True for _found in node.with_widget("graph"))
    handlers = any(True for _found in node.with_widget("handler"))
    return node.type.prompts or agents or graphs or handlers or bool(node.run_children)


def _visits(subject: Subject) -> dict[str, int]:
    """Return how often tokens can start each node: once, or as often as the limit allows."""
    known = subject.by_id
    leads = {
        node.id: tuple(
            name
            for name in (*(e.target for e in subject.spec.edges_from(node.id)), *node.followed)
            if name in known
        )
        for node in subject.nodes
    }
    bound = subject.spec.limits.max_iterations
    looping = {name for group in cycles(leads) for name in group}
    repeated = reach(leads, looping | _any_joins(subject))
    reached = reach(leads, ways.entries(subject))
    return {name: bound if name in repeated else 1 for name in reached}


def _any_joins(subject: Subject) -> set[str]:
    return {
        node.id
        for node in subject.nodes
        if node.spec.join == "any" and len(subject.spec.edges_to(node.id)) > 1
    }


def _sum(caps: Iterable[tuple[Decimal | int | None, int]], bound: int) -> Decimal | None:
    """Return the sum of cap times visits, at most the highest cap times all visits there are."""
    listed = list(caps)
    if any(cap is None for cap, _visits in listed):
        return None
    amounts = [(Decimal(cap or 0), visits) for cap, visits in listed]
    total = sum((cap * visits for cap, visits in amounts), Decimal(0))
    return min(total, max((cap for cap, _visits in amounts), default=Decimal(0)) * bound)


def _lower(first: Decimal | None, second: Decimal | None) -> Decimal | None:
    given = [amount for amount in (first, second) if amount is not None]
    return min(given, default=None)
