"""What the project writes beside runs: actions for the audit log, words for the search, tags, causes
of failures, news for the house, mail.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from builder.adapters.run_store import ask_rows, card_rows, failure_rows, house_rows
from builder.adapters.run_store.shared_limits import hold_shared
from builder.base.audited_events import AUDITED, is_audited
from builder.base.run_text import PARTS, words_of
from engine.core.state.events import Event, is_breakpoint
from engine.runtime.stores.buffered import Batch
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from engine.runtime.stores.sql.statements import Must, Plain

INSERT_DEED: Final = "INSERT INTO builder_pendingdeed (place) VALUES (?)"
INSERT_TEXT: Final = (
    "INSERT INTO builder_runtext (place, words) VALUES (?, ?) ON CONFLICT (place) DO NOTHING"
)
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
        self.types = (
            AUDITED
            | card_rows.TYPES
            | ask_rows.TYPES
            | house_rows.TYPES
            | (frozenset(WHY) if mail else frozenset())
        )

    def of_start(self, number: int, batch: Batch) -> list[Plain]:
        """Return the words and tags of what a run is made, and what it tries again."""
        started = batch.state.started
        graph = batch.start.graph_id if batch.start is not None else ""
        made_of = (graph, started.get("goal"), started.get("input"))
        words = _text(number * PARTS, *made_of)
        return words + _tags(number, started) + failure_rows.of_retry(batch)

    def of_event(self, number: int, event: Event, started: Mapping[str, Any]) -> list[Plain]:
        """Return the mail that an event asks for, and its place if it tells of an action."""
        if is_breakpoint(event.data):
            return []
        out = mail_statements(event) + ask_rows.mail_of(event) if self._mail else []
        out += card_rows.of_event(number, event, started) + ask_rows.of_event(event)
        out += house_rows.of_event(number, event)
        if event.type in AUDITED and is_audited(event.type, event.data):
            out.append((INSERT_DEED, (number * EVENTS_PER_RUN + event.seq,)))
        return out

    def of_end(self, number: int, batch: Batch) -> list[Plain]:
        """Return the words of how a run ended, its failure if it was one, and the news of it."""
        ended: Sequence[Any] = (batch.events[-1].data.get("result"), batch.state.error)
        counted = failure_rows.of_end(number, batch, self._home)
        return _text(number * PARTS + 1, *ended) + counted + house_rows.of_end(number, batch)

    def hold_shared(self, row: Sequence[Any]) -> Must:
        """Return what holds on a shared budget, judged by the limit that people have set last."""
        return hold_shared(row)


def mail_statements(event: Event) -> list[Plain]:
    """Return the outbox row of a mail that an event asks for; none for most."""
    why = WHY.get(event.type)
    if why is None:
        return []
    payload = {"why": why}
    if event.type == "DecisionDropped":
        payload["to"] = event.data["by"]
    return [(INSERT_MAIL, (event.data["request_id"], json.dumps(payload), event.at))]


def _tags(number: int, started: Mapping[str, Any]) -> list[Plain]:
    """Return what writes the names and values that a run was started with, the first of many."""
    given = list((started.get("metadata") or {}).items())[:MAX_TAGS]
    return [
        (INSERT_TAG, (number, name[:MAX_NAME], str(value)[:MAX_VALUE])) for name, value in given
    ]


def _text(place: int, *values: Any) -> list[Plain]:
    """Return what writes the words by which a run is found; it goes with what they are of."""
    words = words_of(*values)
    return [(INSERT_TEXT, (place, words))] if words else []
