"""What the inbox sorts, searches and compares by: written with the question, kept up with edits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from builder.base import run_text
from builder.base.item_card import amount_of, fields_of, risk_of, rules_of, title_of, words_in
from engine.core.state.events import Event, node_of
from engine.runtime.stores.sql.statements import Plain

TYPES: Final = frozenset({"InterruptOpened", "DecisionRecorded", "InterruptResolved"})
"""The types of events that say something of it."""
INSERT_CARD: Final = (
    "INSERT INTO builder_interruptcard (interrupt_id, title, amount, words, four_eyes, risk, step) "
    "VALUES (?, ?, ?, ?, ?, ?, COALESCE((SELECT graph_id || ? FROM builder_run WHERE number = ?), "
    "'')) ON CONFLICT (interrupt_id) DO NOTHING"
)
RENAME_CARD: Final = "UPDATE builder_interruptcard SET title = ? WHERE interrupt_id = ?"
REVALUE_CARD: Final = "UPDATE builder_interruptcard SET amount = ? WHERE interrupt_id = ?"
CLOSE_CARD: Final = "UPDATE builder_interruptcard SET decided_at = ? WHERE interrupt_id = ?"
SAVE_FIELD: Final = (
    "INSERT INTO builder_interruptfield (interrupt_id, name, text, number) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (interrupt_id, name) DO UPDATE SET text = excluded.text, number = excluded.number"
)


def of_event(number: int, event: Event, started: Mapping[str, Any]) -> list[Plain]:
    """Return what an event writes; `number` is its run's, that was `started` so. Nothing for most."""
    data = event.data
    if event.type == "InterruptOpened":
        return _opened(number, event, started)
    if event.type == "DecisionRecorded":
        return _edited(data)
    if event.type == "InterruptResolved":
        return [*_edited(data), (CLOSE_CARD, (event.at, data["request_id"]))]
    return []


def _opened(number: int, event: Event, started: Mapping[str, Any]) -> list[Plain]:
    request, node = event.data["request"], node_of(event.key or "")
    request_id = event.data["request_id"]
    values = (title_of(request, node), amount_of(request.get("data")))
    title = run_text.title_of(started.get("input"))
    words = (words_in(request, node, title), rules_of(request))
    place = (risk_of(request), f":{node}", number)
    return [
        (INSERT_CARD, (request_id, *values, *words, *place)),
        *_fields(request_id, request.get("data")),
    ]


def _edited(data: Mapping[str, Any]) -> list[Plain]:
    edits, request_id = data.get("edits"), data["request_id"]
    out: list[Plain] = []
    if data.get("prompt"):
        out.append((RENAME_CARD, (title_of(data, ""), request_id)))
    amount = amount_of(edits)
    if amount is not None:
        out.append((REVALUE_CARD, (amount, request_id)))
    return out + _fields(request_id, edits)


def _fields(request_id: str, data: Any) -> list[Plain]:
    return [
        (SAVE_FIELD, (request_id, name, text, number))
        for name, (text, number) in fields_of(data).items()
    ]
