"""What the project writes beside runs: actions for the audit log, words for the search, tags, causes
of failures, mail.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from builder.adapters.run_store import failure_rows
from builder.base.audited_events import AUDITED, is_audited
from builder.base.item_card import amount_of, rules_of, title_of, words_in
from builder.base.run_text import PARTS, words_of
from engine.core.state.events import Event, is_breakpoint, node_of
from engine.runtime.stores.buffered import Batch
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from engine.runtime.stores.sql.writer import Statement

INSERT_DEED: Final = "INSERT INTO builder_pendingdeed (place) VALUES (?)"
INSERT_TEXT: Final = (
    "INSERT INTO builder_runtext (place, words) VALUES (?, ?) ON CONFLICT (place) DO NOTHING"
)
INSERT_CARD: Final = (
    "INSERT INTO builder_interruptcard (interrupt_id, title, amount, words, four_eyes) "
    "VALUES (?, ?, ?, ?, ?) ON CONFLICT (interrupt_id) DO NOTHING"
)
RENAME_CARD: Final = "UPDATE builder_interruptcard SET title = ? WHERE interrupt_id = ?"
REVALUE_CARD: Final = "UPDATE builder_interruptcard SET amount = ? WHERE interrupt_id = ?"
CARDS: Final = frozenset({"InterruptOpened", "DecisionRecorded"})
INSERT_TAG: Final = (
    "INSERT INTO builder_runtag (number, name, value) VALUES (?, ?, ?) "
    "ON CONFLICT (number, name) DO NOTHING"
)
MAX_TAGS: Final = 20
MAX_NAME: Final = 64
MAX_VALUE: Final = 200
"""As much of the metadata that a run was started with is kept to find it by."""
INSERT_MAIL: Final = (
    "INSERT INTO builder_outbox (topic, ref, payload, available_at, tries) "
    "VALUES ('mail', ?, ?, ?, 0)"
)
WHY: Final = {
    "InterruptOpened": "opened",
    "InterruptReminded": "reminded",
    "InterruptEscalated": "escalated",
    "DecisionDropped": "again",
}
"""Events that people are told of by mail, and how the outbox names them."""


class ProjectRows:
    """Rows beside those of runs. With `mail` people are told of what waits for them.

    `home` is the workspace of runs that name none.
    """

    def __init__(self, *, mail: bool, home: str | None = None) -> None:
        self._mail = mail
        self._home = home
        self.types = AUDITED | CARDS | (frozenset(WHY) if mail else frozenset())

    def of_start(self, number: int, batch: Batch) -> list[Statement]:
        """Return the words and tags of what a run is made, and what it tries again."""
        started = batch.state.started
        graph = batch.start.graph_id if batch.start is not None else ""
        made_of = (graph, batch.run_id, started.get("goal"), started.get("input"))
        words = _text(number * PARTS, *made_of)
        return words + _tags(number, started) + failure_rows.of_retry(batch)

    def of_event(self, number: int, event: Event) -> list[Statement]:
        """Return the mail that an event asks for, and its place if it tells of an action."""
        if is_breakpoint(event.data):
            return []
        out = mail_statements(event) if self._mail else []
        out += card_statements(event)
        if event.type in AUDITED and is_audited(event.type, event.data):
            out.append((INSERT_DEED, (number * EVENTS_PER_RUN + event.seq,)))
        return out

    def of_end(self, number: int, batch: Batch) -> list[Statement]:
        """Return the words of how a run ended, and its failure if it was one."""
        ended: Sequence[Any] = (batch.events[-1].data.get("result"), batch.state.error)
        return _text(number * PARTS + 1, *ended) + failure_rows.of_end(number, batch, self._home)


def mail_statements(event: Event) -> list[Statement]:
    """Return the outbox row of a mail that an event asks for; none for most."""
    why = WHY.get(event.type)
    if why is None:
        return []
    payload = {"why": why}
    if event.type == "DecisionDropped":
        payload["to"] = event.data["by"]
    return [(INSERT_MAIL, (event.data["request_id"], json.dumps(payload), event.at))]


def card_statements(event: Event) -> list[Statement]:
    """Return what the inbox sorts and searches by: written with the question, kept up with edits."""
    data = event.data
    if event.type == "InterruptOpened":
        request, node = data["request"], node_of(event.key or "")
        values = (title_of(request, node), amount_of(request.get("data")))
        words = (words_in(request, node), rules_of(request))
        return [(INSERT_CARD, (data["request_id"], *values, *words))]
    out: list[Statement] = []
    if event.type == "DecisionRecorded":
        if data.get("prompt"):
            out.append((RENAME_CARD, (title_of(data, ""), data["request_id"])))
        amount = amount_of(data.get("edits"))
        if amount is not None:
            out.append((REVALUE_CARD, (amount, data["request_id"])))
    return out


def _tags(number: int, started: Mapping[str, Any]) -> list[Statement]:
    """Return what writes the names and values that a run was started with, the first of many."""
    given = list((started.get("metadata") or {}).items())[:MAX_TAGS]
    return [
        (INSERT_TAG, (number, name[:MAX_NAME], str(value)[:MAX_VALUE])) for name, value in given
    ]


def _text(place: int, *values: Any) -> list[Statement]:
    """Return what writes the words by which a run is found; it goes with what they are of."""
    words = words_of(*values)
    return [(INSERT_TEXT, (place, words))] if words else []
