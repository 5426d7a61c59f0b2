"""Questions back, as rows in the commit of their events; and the mail that tells of them."""

from __future__ import annotations

import json
from typing import Final

from engine.core.state.events import Event
from engine.runtime.stores.sql.statements import Plain

TYPES: Final = frozenset({"InterruptAskedBack", "InterruptAnsweredBack"})
"""The types of events that say something of it."""
ASK: Final = (
    "INSERT INTO builder_askedback (interrupt_id, asked_by, asked_to, asked_at, asked_seq, until, "
    "left_ms, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, '') ON CONFLICT DO NOTHING"
)
END: Final = (
    "UPDATE builder_askedback SET outcome = ?, ended_at = ?, ended_seq = ? "
    "WHERE interrupt_id = ? AND asked_seq = ?"
)
TURN: Final = "UPDATE builder_interruptcard SET turn_at = ? WHERE interrupt_id = ?"
TELL: Final = (
    "INSERT INTO builder_outbox (topic, ref, payload, available_at, tries) "
    "VALUES ('mail', ?, ?, ?, 0)"
)


def of_event(event: Event) -> list[Plain]:
    """Return what an event writes; nothing for most types."""
    data = event.data
    request_id = data.get("request_id")
    if event.type == "InterruptAskedBack":
        said = (data["by"], data["to"], event.at, event.seq, data["until"], data.get("left_ms"))
        return [(ASK, (request_id, *said))]
    if event.type != "InterruptAnsweredBack":
        return []
    out: list[Plain] = [(END, (data["outcome"], event.at, event.seq, request_id, data["asked"]))]
    if data["outcome"] != "withdrawn":
        out.append((TURN, (event.at, request_id)))
    return out


def mail_of(event: Event) -> list[Plain]:
    """Return the outbox row by which who is asked, and who asked, are told."""
    data = event.data
    if event.type == "InterruptAskedBack":
        payload = {"why": "asked", "to": data["to"]}
    elif event.type == "InterruptAnsweredBack" and data["outcome"] != "withdrawn":
        payload = {"why": "replied", "seq": data["asked"]}
    else:
        return []
    return [(TELL, (data["request_id"], json.dumps(payload), event.at))]
