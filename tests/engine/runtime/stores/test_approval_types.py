"""What approvals are about is a column that lists are narrowed by, in files from before it too."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.core.state.events import Event
from engine.runtime.stores.sql import schema, sqlite_file
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from engine.runtime.stores.sql.inbox_rows import OPEN_INTERRUPT, people_statements
from engine.runtime.stores.sql.sqlite_file import prepare

RUN = (
    "INSERT INTO builder_run (id, graph_slug, status, started_at, waiting_for, spent_tokens, "
    "spent_pico, held_tokens, held_pico, workspace_id, number) "
    "VALUES (?, 'g', 'waiting', 1, '[]', 0, 0, 0, 0, 'w', ?)"
)
OPENED = (
    "INSERT INTO builder_interrupt (request_id, run, workspace_id, key, node, kind, status, "
    "opened_at, opened_seq) VALUES (?, ?, 'w', 'a#1', 'a', ?, 'open', 1, ?)"
)
LOGGED = "INSERT INTO builder_runevent (place, type, at, data) VALUES (?, 'InterruptOpened', 1, ?)"


def old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a file as it was before the column, with approvals, a question and one without a log."""
    before = schema.STEPS[: schema.STEPS.index(schema.APPROVAL_TYPES)]
    with monkeypatch.context() as patched:
        patched.setattr(sqlite_file, "STEPS", before)
        prepare(path)
    apart = json.dumps({"approval_type": "tool_call"}).encode()
    rows: list[tuple[str, str, int, str, dict[str, Any] | None]] = [
        ("review", "r", 7, "approval", {"approval_type": "human_review", "data": "\0"}),
        ("call", "s", 8, "approval", {"approval_type": "tool_call"}),
        ("large", "t", 9, "approval", {"$blob": "h"}),
        ("question", "u", 10, "text", {"question": "?"}),
        ("lost", "v", 11, "approval", None),
    ]
    with closing(sqlite3.connect(path)) as file:
        file.execute("INSERT INTO builder_blob VALUES ('h', 1, ?)", (apart,))
        for seq, (name, run, number, kind, request) in enumerate(rows, start=2):
            file.execute(RUN, (run, number))
            file.execute(OPENED, (name, run, kind, seq))
            if request is not None:
                data = json.dumps({"kind": kind, "request": request}).encode()
                file.execute(LOGGED, (number * EVENTS_PER_RUN + seq, data))
        file.commit()


def test_approvals_from_before_are_told_by_their_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "runs.db"
    old_file(path, monkeypatch)

    prepare(path)

    with closing(sqlite3.connect(path)) as file:
        told = dict(file.execute("SELECT request_id, approval_type FROM builder_interrupt"))
    assert told == {
        "review": "human_review",
        "call": "tool_call",
        "large": "tool_call",
        "question": "",
        "lost": "",
    }


@pytest.mark.parametrize(
    ("kind", "request_", "written"),
    [
        ("approval", {"approval_type": "tool_call"}, "tool_call"),
        ("approval", {"approval_type": "x" * 100}, "x" * 16),
        ("approval", {}, ""),
        ("form", {"approval_type": "tool_call"}, ""),
    ],
)
def test_what_opens_writes_what_it_is_about(
    kind: str, request_: dict[str, Any], written: str
) -> None:
    data: Any = {"request_id": "i", "kind": kind, "request": request_}
    event = Event(2, "InterruptOpened", 1, "a#1", data)

    [(statement, row)] = people_statements("r", "w", event)

    assert statement == OPEN_INTERRUPT
    assert row[-1] == written
