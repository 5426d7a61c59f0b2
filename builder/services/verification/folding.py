"""The log of one run, folded anew page by page, with what else its events say on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from builder.adapters.run_store.archive.shelf import COLUMNS, ArchivedRun
from builder.base.audited_events import is_audited
from builder.base.errors import ArchiveDamaged
from builder.services.verification.snapshot import Finding, Snapshot
from engine.core.budgets.money import pico
from engine.core.ports import GraphSource
from engine.core.state.events import Event
from engine.core.state.fold.run import evolve, new_state
from engine.core.state.run_state import RunState
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from engine.runtime.stores.sql.payloads import decode

EVENTS: Final = "SELECT place, type, at, key, data FROM builder_runevent WHERE place < ? AND place"
ARCHIVED: Final = (
    f"SELECT {', '.join(COLUMNS)} FROM builder_runarchive WHERE run = ? AND gone_at IS NULL"  # noqa: S608  (constants)
)
Sums = tuple[int, int]
"""Tokens and pico-dollars."""


@dataclass(slots=True)
class Folded:
    """What a log comes to: the state, actions by seq, what its budgets were charged."""

    state: RunState | None = None
    actions: dict[int, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    charged: dict[str, Sums] = field(default_factory=dict)
    """By budget: what was settled on it."""
    raised: dict[str, Sums] = field(default_factory=dict)
    spent: Sums = (0, 0)
    wrong: list[Finding] = field(default_factory=list)
    _holds: dict[str, list[str]] = field(default_factory=dict)

    def take(self, event: Event) -> None:
        """Fold one event."""
        assert self.state is not None
        evolve(self.state, event)
        data = event.data
        if is_audited(event.type, data):
            self.actions[event.seq] = (event.type, _kept(data))
        hold = data.get("hold")
        if event.type == "StepIntended" and hold:
            self._holds[hold["id"]] = list(hold["budgets"])
        elif event.type in ("StepCompleted", "StepFailed") and hold in self._holds:
            self._settle(hold, data)
        elif event.type == "BudgetRaised":
            more = (data.get("add_tokens") or 0, pico(Decimal(data.get("add_usd") or 0)) or 0)
            _add(self.raised, data["budget"], more)

    def _settle(self, hold: str, data: dict[str, Any]) -> None:
        spent = (data.get("tokens") or 0, pico(Decimal(data.get("cost_usd") or 0)) or 0)
        for budget in self._holds.pop(hold):
            _add(self.charged, budget, spent)
        self.spent = (self.spent[0] + spent[0], self.spent[1] + spent[1])


def _kept(data: dict[str, Any]) -> dict[str, Any]:
    names = ("by", "started_by", "decision", "content_hash")
    return {name: data[name] for name in names if name in data}


def _add(sums: dict[str, Sums], name: str, more: Sums) -> None:
    tokens, amount = sums.get(name, (0, 0))
    sums[name] = (tokens + more[0], amount + more[1])


async def fold(look: Snapshot, graphs: GraphSource, run_id: str, number: int) -> Folded:
    """Return what a run's log comes to; a log that cannot be read is read as far as it can be."""
    found, seq = Folded(), 0
    for event in _told(_events(look, run_id, number), run_id, found):
        place = f"run {run_id} at {event.seq}"
        if event.seq != seq + 1:
            found.wrong.append(Finding(f"run {run_id} at {seq + 1}", "the event is missing"))
            return found
        seq = event.seq
        try:
            if found.state is None:
                found.state = new_state(await graphs.graph_of_run(run_id, event.data))
                found.state.run_id = run_id
            found.take(event)
        except Exception as error:  # noqa: BLE001  whatever it is, the log cannot be read
            what = f"{event.type} cannot be read: {type(error).__name__}: {error}"
            found.wrong.append(Finding(place, what))
            return found
    if not seq and not found.wrong:
        found.wrong.append(Finding(f"run {run_id}", "its log is empty"))
    return found


def _told(events: Iterator[Event], run_id: str, found: Folded) -> Iterator[Event]:
    """Yield events until the file that holds them cannot be read, which is a finding."""
    try:
        yield from events
    except ArchiveDamaged as error:
        found.wrong.append(Finding(f"run {run_id}", error.message))


def _events(look: Snapshot, run_id: str, number: int) -> Iterator[Event]:
    def blob(digest: str) -> bytes:
        found = look.one("SELECT data FROM builder_blob WHERE hash = ?", (digest,))
        if found is None:
            raise LookupError(f"the value {digest} is missing")
        return bytes(found)

    kept = look.rows(ARCHIVED, (run_id,))
    after = 0
    if kept:
        archived = ArchivedRun.of(*kept[0])
        yield from archived.decoded()
        after = archived.head
    first = number * EVENTS_PER_RUN
    for page in look.pages(EVENTS, (first + EVENTS_PER_RUN,), first + after):
        for place, kind, at, key, raw in page:
            try:
                data = decode(bytes(raw), blob)
            except (LookupError, ValueError) as error:
                data = {"$unreadable": str(error)}
            yield Event(place % EVENTS_PER_RUN, kind, at, key, data)
