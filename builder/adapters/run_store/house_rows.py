"""What happens in runs and is news for the house, as rows in the commit that makes it so."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from builder.base.failure_words import is_rejection
from builder.models.doors.house_kinds import BUDGET_MARK, ITEM_NOUNS, RUN_ENDS, item_kind
from engine.core.budgets.refs import SHARED
from engine.core.state.events import TERMINAL_EVENTS, Event, is_breakpoint
from engine.runtime.stores.buffered import Batch
from engine.runtime.stores.sql.statements import Plain

TYPES: Final = frozenset(
    {
        "InterruptOpened",
        "InterruptResolved",
        "InterruptReminded",
        "InterruptEscalated",
        "BudgetThresholdReached",
    }
)
"""The types of events that may be news."""
TOLD: Final = {"InterruptReminded": "item.reminded", "InterruptEscalated": "item.escalated"}
MAX_MESSAGE: Final = 300
_COLUMNS: Final = "INSERT INTO builder_houseevent (workspace_id, kind, ref, run, graph, data, at"
OF_RUN: Final = (
    f"{_COLUMNS}, key) SELECT workspace_id, ?, ?, id, graph_id, ?, ?, ? FROM builder_run "  # noqa: S608  (constants)
    "WHERE number = ? ON CONFLICT DO NOTHING"
)
_ANSWERED: Final = "".join(
    f"WHEN '{kind}' THEN '{item_kind(kind, 'answered')}' " for kind in ITEM_NOUNS
)
_EXPIRED: Final = "".join(
    f"WHEN '{kind}' THEN '{item_kind(kind, 'expired')}' " for kind in ITEM_NOUNS
)
CLOSED: Final = {
    outcome: (
        f"{_COLUMNS}) SELECT workspace_id, CASE kind {cases}ELSE '{item_kind('', outcome)}' END, "  # noqa: S608  (constants)
        "request_id, run, (SELECT r.graph_id FROM builder_run r WHERE r.number = ?), ?, ? "
        "FROM builder_interrupt WHERE request_id = ?"
    )
    for outcome, cases in (("answered", _ANSWERED), ("expired", _EXPIRED))
}
"""An item that is closed says of itself what kind it was."""


@dataclass(frozen=True, slots=True)
class _News:
    kind: str
    ref: str
    said: Mapping[str, Any]
    at: int
    key: str | None = None


def of_end(number: int, batch: Batch) -> list[Plain]:
    """Return what tells that a run is over, with the event that ends it and not with later ones."""
    state, ended = batch.state, [e for e in batch.events if e.type in TERMINAL_EVENTS]
    kind = RUN_ENDS.get(state.status)
    if not ended or kind is None:
        return []
    said: dict[str, Any] = {"status": state.status}
    error: Mapping[str, Any] = state.error or {}
    if is_rejection(str(error.get("code")), str(error.get("message"))):
        said["rejected"] = True
    said |= {name: str(error[name])[:MAX_MESSAGE] for name in ("code", "node") if error.get(name)}
    return [_row(number, _News(kind, batch.run_id, said, ended[0].at))]


def of_event(number: int, event: Event) -> list[Plain]:
    """Return what an event tells the house; nothing for most types."""
    data = event.data
    if event.type == "BudgetThresholdReached":
        return _mark(number, event)
    if is_breakpoint(data):  # it is who tries a workflow that stands there
        return []
    if event.type == "InterruptOpened":
        said = {"kind": data["kind"], "until": data.get("expires_at")}
        kind = item_kind(data["kind"], "opened")
        return [_row(number, _News(kind, data["request_id"], said, event.at))]
    if event.type == "InterruptResolved":
        return _closed(number, event)
    if event.type in TOLD:
        return [_row(number, _News(TOLD[event.type], data["request_id"], {}, event.at))]
    return []


def _closed(number: int, event: Event) -> list[Plain]:
    data = event.data
    sql = CLOSED.get(data["outcome"])
    if sql is None:
        return []
    said = {"decision": data.get("decision"), "by": data.get("by")}
    return [(sql, (number, json.dumps(said), event.at, data["request_id"]))]


def _mark(number: int, event: Event) -> list[Plain]:
    data = event.data
    if data["level"] not in SHARED:
        return []
    names = ("level", "spent_usd", "limit_usd", "spent_tokens", "limit_tokens")
    said = {"percent": data["threshold"], **{name: data[name] for name in names}}
    key = f"mark:{data['budget'][:200]}:{data['threshold']}"
    return [_row(number, _News(BUDGET_MARK, data["budget"], said, event.at, key))]


def _row(number: int, news: _News) -> Plain:
    said = json.dumps(news.said)
    return (OF_RUN, (news.kind, news.ref[:200], said, news.at, news.key, number))
