"""Why runs failed, as rows in the commit of their end: each counts once, whatever dies."""

from __future__ import annotations

from typing import Any, Final

from builder.base.failure_words import MAX_CODE, MAX_MESSAGE, MAX_NODE, as_said, cause_id
from engine.core.state.events import TERMINAL_EVENTS
from engine.runtime.stores.buffered import Batch
from engine.runtime.stores.sql.statements import Plain

FAILED: Final = frozenset({"failed", "timeout"})
OPENS: Final = "builder_failurecause.state = 'resolved' AND builder_failurecause.resolved_at < ? "
"""Whether a run that started then opens its cause again."""
COUNT_CAUSE: Final = (
    "INSERT INTO builder_failurecause (id, workspace_id, graph_id, graph_slug, node, label, code, "  # noqa: S608  (constants)
    "sample, count, first_at, last_at, first_version_id, last_version_id, state) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, 'open') ON CONFLICT (id) DO UPDATE SET "
    "count = builder_failurecause.count + 1, last_at = excluded.last_at, "
    "last_version_id = excluded.last_version_id, sample = excluded.sample, "
    "label = excluded.label, "
    f"reopened_by = CASE WHEN {OPENS} THEN ? ELSE builder_failurecause.reopened_by END, "
    f"state = CASE WHEN {OPENS} THEN 'open' ELSE builder_failurecause.state END"
)
INSERT_FAILURE: Final = "INSERT INTO builder_runfailure (number, cause_id, at) VALUES (?, ?, ?)"
NOTE_RETRY: Final = (
    "UPDATE builder_runfailure SET retried_by = ? WHERE retried_by IS NULL AND number = "
    "(SELECT number FROM builder_run WHERE id = ?)"
)


def of_end(number: int, batch: Batch, home: str | None) -> list[Plain]:
    """Return what counts a failure, with the event that ends the run and not with later ones."""
    state, ended = batch.state, [e for e in batch.events if e.type in TERMINAL_EVENTS]
    workspace = state.started.get("workspace_id") or home
    if not ended or state.status not in FAILED or workspace is None:
        return []
    version, graph = state.program.reference
    slug = state.started["graph_id"]
    error: Any = state.error or {}
    node = str(error.get("node") or "")
    code, message = as_said(str(error.get("code") or state.status), str(error.get("message") or ""))
    message = message[:MAX_MESSAGE]
    cause, at = cause_id(workspace, slug, node, code, message), ended[0].at
    version = state.started.get("version_id") or version
    drawn = state.program.spec.nodes_by_id.get(node)
    label = drawn.label if drawn is not None and drawn.label else node
    who = (cause, workspace, graph, slug, node[:MAX_NODE], label[:MAX_NODE], code[:MAX_CODE])
    since = (state.started_at, batch.run_id, state.started_at)
    return [
        (COUNT_CAUSE, (*who, message, at, at, version, version, *since)),
        (INSERT_FAILURE, (number, cause, at)),
    ]


def of_retry(batch: Batch) -> list[Plain]:
    """Return what notes with the failed run that another one goes on where it ended."""
    started = batch.state.started
    if not started.get("retry"):
        return []
    return [(NOTE_RETRY, (batch.run_id, started["forked_from"]["run_id"]))]
