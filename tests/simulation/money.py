"""An account of its own: what was charged, on every budget that ought to cover it.

Which budgets those are is worked out from documents and starts, not from what the engine holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from engine.core.effects import idempotency_key
from engine.core.node_types.conversation import Usage
from engine.core.state.events import Event

if TYPE_CHECKING:
    from engine.core.budgets.ledger import Ledger
    from tests.simulation.invariants import Shadow

ZERO = Decimal(0)


@dataclass(slots=True)
class Account:
    """What one budget allows and what was charged to it. None is no cap on that side."""

    limit_usd: Decimal | None
    limit_tokens: int | None
    usd: Decimal = ZERO
    tokens: int = 0


Level = tuple[str, Decimal | None, int | None]
"""A budget: its id, and what it allows in USD and in tokens."""


@dataclass(frozen=True, slots=True)
class Covered:
    """What a store says of one budget."""

    usd: Decimal
    tokens: int


class Books:
    """All accounts of one schedule, and which of them each call is charged to."""

    def __init__(self) -> None:
        self.accounts: dict[str, Account] = {}
        self.shared: Level | None = None
        """What all runs are charged to as well."""
        self._places: dict[str, tuple[str, ...]] = {}
        self._seen: set[str] = set()

    def intended(self, shadows: Mapping[str, Shadow], run_id: str, event: Event) -> None:
        """Note a durable intent: where its charge will belong."""
        if event.data["kind"] != "model" or event.key is None:
            return
        sent = idempotency_key(run_id, event.key, event.data["attempt"], event.data["path"])
        levels = tuple(_levels(shadows, run_id, event.key))
        levels += () if self.shared is None else (self.shared,)
        for name, usd, tokens in levels:
            self.accounts.setdefault(name, Account(usd, tokens))
        self._places[sent] = tuple(name for name, _usd, _tokens in levels)

    def raised(self, event: Event) -> None:
        """Note that a person raised a limit."""
        account = self.accounts[event.data["budget"]]
        if account.limit_usd is not None:
            account.limit_usd += Decimal(event.data.get("add_usd") or 0)
        if account.limit_tokens is not None:
            account.limit_tokens += event.data.get("add_tokens") or 0

    def charge(self, sent: str, usage: Usage, usd: Decimal) -> str:
        """Add a charge everywhere it belongs; return what is wrong with it, "" if nothing."""
        places = self._places.get(sent)
        if places is None:
            return "charged without a durable intent"
        for name in places:
            self.accounts[name].usd += usd
            self.accounts[name].tokens += usage.total
        return ""

    def problems(self, rows: Mapping[str, Covered], over: set[str]) -> Iterator[str]:
        """Give every account that its row does not cover, or whose row is above the limit.

        Rows of runs that are `over` may be gone.
        """
        for name, account in self.accounts.items():
            row = rows.get(name)
            if row is None:
                gone = name in self._seen and name.split(":")[1] in over
                if account.tokens and not gone:
                    yield f"{name}: {account} charged, and there is no such row"
                continue
            self._seen.add(name)
            if account.usd > row.usd or account.tokens > row.tokens:
                yield f"{name}: {account} charged, {row} spent or held"
            above = account.limit_usd is not None and row.usd > account.limit_usd
            if above or (account.limit_tokens is not None and row.tokens > account.limit_tokens):
                yield f"{name}: {row} spent or held is above {account}"


def _levels(shadows: Mapping[str, Shadow], run_id: str, key: str) -> Iterator[Level]:
    """Give every budget that a call of the activation is charged to, with its limits."""
    spec = shadows[run_id].state.program.spec
    inner = ""
    for part in key.split("/"):
        inner = f"{inner}/{part}" if inner else part
        cap = spec.node(part.split("#")[0].split("[")[0]).budget
        if cap is not None and (cap.max_tokens is not None or cap.max_cost_usd is not None):
            yield f"node:{run_id}:{inner}", cap.max_cost_usd, cap.max_tokens
    yield from _of_run(shadows, run_id)


def _of_run(shadows: Mapping[str, Shadow], run_id: str) -> Iterator[Level]:
    started: Any = shadows[run_id].state.started
    limits = started["limits"]
    usd, tokens = limits["budget_usd"], limits["max_token_budget"]
    if usd is not None or tokens is not None:
        yield f"run:{run_id}", None if usd is None else Decimal(usd), tokens
    parent = started["parent"]
    if parent is not None and parent["kind"] == "subgraph":
        yield from _levels(shadows, parent["run_id"], parent["key"])
    elif parent is not None:
        yield from _of_run(shadows, parent["run_id"])


def rows_of_ledger(ledger: Ledger) -> Mapping[str, Covered]:
    """Return what a ledger says of every budget."""
    return {
        row.id: Covered(row.spent_usd + row.held_usd, row.spent_tokens + row.held_tokens)
        for row in ledger.rows.values()
    }
