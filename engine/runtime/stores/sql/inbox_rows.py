"""From events about people to the rows that the inbox looks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from engine.core.state.events import Event, is_breakpoint, node_of
from engine.runtime.stores.sql.statements import Plain

OPEN_INTERRUPT: Final = (
    "INSERT INTO builder_interrupt (request_id, run, workspace_id, key, node, kind, status, "
    "opened_at, expires_at, opened_seq, content_hash, approval_type) "
    "VALUES (?, ?, ?, ?, ?, ?, 'open', ?, ?, ?, ?, ?)"
)
CLOSE_INTERRUPT: Final = (
    "UPDATE builder_interrupt SET status = ?, outcome = ?, resolved_seq = ?, decided_by = ?, "
    "decided_at = ? WHERE request_id = ?"
)
EDIT_INTERRUPT: Final = (
    "UPDATE builder_interrupt SET content_hash = ?, edited_seq = ? WHERE request_id = ?"
)
LAPSE: Final = (
    "INSERT INTO builder_lapse (interrupt_id, decided_by, decision, decided_seq, lapsed_seq, "
    "lapsed_at, reason) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (interrupt_id, decided_by) DO "
    "UPDATE SET decision = excluded.decision, decided_seq = excluded.decided_seq, lapsed_seq = "
    "excluded.lapsed_seq, lapsed_at = excluded.lapsed_at, reason = excluded.reason"
)
DROP_LAPSE: Final = "DELETE FROM builder_lapse WHERE interrupt_id = ? AND decided_by = ?"
REMIND: Final = "UPDATE builder_interrupt SET reminded_at = ? WHERE request_id = ?"
ESCALATE: Final = "UPDATE builder_interrupt SET escalated_seq = ? WHERE request_id = ?"
MOVE_DEADLINE: Final = "UPDATE builder_interrupt SET expires_at = ? WHERE request_id = ?"
ASK: Final = (
    "INSERT INTO builder_asked (interrupt_id, principal) VALUES (?, ?) ON CONFLICT DO NOTHING"
)
SAVE_DECISION: Final = (
    "INSERT INTO builder_decision (interrupt_id, decided_by, decision, decided_at, seq) "
    "VALUES (?, ?, ?, ?, ?) ON CONFLICT (interrupt_id, decided_by) DO UPDATE SET "
    "decision = excluded.decision, decided_at = excluded.decided_at, seq = excluded.seq"
)
DROP_DECISION: Final = "DELETE FROM builder_decision WHERE interrupt_id = ? AND decided_by = ?"
ABOUT_PEOPLE: Final = frozenset(
    {
        "InterruptOpened",
        "InterruptResolved",
        "InterruptReminded",
        "InterruptEscalated",
        "InterruptAskedBack",
        "InterruptAnsweredBack",
        "DecisionRecorded",
        "DecisionDropped",
    }
)
"""The types of events that have a row here."""

MAX_TYPE: Final = 16
"""Characters of what kind of approval it is."""
MAX_PRINCIPAL: Final = 300
"""Longer entries name nobody: no person and no group is called so."""


def people_statements(run_id: str, workspace_id: str | None, event: Event) -> list[Plain]:
    """Return what an event writes to the inbox's tables; nothing for events about no person."""
    data = event.data
    if is_breakpoint(data):
        return []
    if event.type == "InterruptOpened":
        return _opened(run_id, workspace_id, event)
    if event.type == "InterruptResolved":
        outcome = data["outcome"]
        said = data.get("decision") or outcome
        row = (outcome, said, event.seq, data.get("by"), event.at, data["request_id"])
        closed: list[Plain] = [(CLOSE_INTERRUPT, row)]
        if "changes" in data:
            edited = (data["content_hash"], event.seq, data["request_id"])
            closed.append((EDIT_INTERRUPT, edited))
        return closed
    if event.type == "InterruptReminded":
        return [(REMIND, (event.at, data["request_id"]))]
    if event.type == "InterruptEscalated":
        request_id = data["request_id"]
        return [(ESCALATE, (event.seq, request_id)), *_asked(request_id, data["to"])]
    if event.type in ("InterruptAskedBack", "InterruptAnsweredBack"):
        return [(MOVE_DEADLINE, (data.get("expires_at"), data["request_id"]))]
    if event.type == "DecisionDropped":
        return _dropped(event)
    return _decided(event) if event.type == "DecisionRecorded" else []


def _opened(run_id: str, workspace_id: str | None, event: Event) -> list[Plain]:
    data = event.data
    request_id = data["request_id"]
    row: tuple[Any, ...] = (
        request_id,
        run_id,
        workspace_id,
        event.key,
        node_of(event.key or ""),
        data["kind"],
        event.at,
        data.get("expires_at"),
        event.seq,
        data.get("content_hash") or "",
        _approval_type(data),
    )
    return [(OPEN_INTERRUPT, row), *_asked(request_id, data.get("eligible") or ())]


def _approval_type(data: Mapping[str, Any]) -> str:
    """Return what an approval is about, a step's work or a call; nothing for all else."""
    if data["kind"] != "approval":
        return ""
    return str(data["request"].get("approval_type") or "")[:MAX_TYPE]


def _asked(request_id: str, entries: Iterable[str]) -> list[Plain]:
    named = dict.fromkeys(entry for entry in entries if len(entry) <= MAX_PRINCIPAL)
    return [(ASK, (request_id, entry)) for entry in named]


def _decided(event: Event) -> list[Plain]:
    data = event.data
    request_id = data["request_id"]
    row = (request_id, data["by"], data["decision"], event.at, event.seq)
    out: list[Plain] = [(SAVE_DECISION, row), (DROP_LAPSE, (request_id, data["by"]))]
    if "edits" in data:
        out.append((EDIT_INTERRUPT, (data["content_hash"], event.seq, request_id)))
    return out


def _dropped(event: Event) -> list[Plain]:
    data = event.data
    request_id, who = data["request_id"], data["by"]
    out: list[Plain] = [(DROP_DECISION, (request_id, who))]
    if "decided" in data:
        said = (data["decision"], data["decided"], event.seq, event.at, data["reason"])
        out.append((LAPSE, (request_id, who, *said)))
    return out
