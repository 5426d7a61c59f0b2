"""How Django admin says what rows keep as codes, ids and JSON: names of people and workflows, words for scopes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from django.contrib import admin
from django.db import models

from builder.doors.called.scopes import Scope
from builder.reads.audited.names import ID_LENGTHS, names_of

SCOPES: Final[Mapping[str, str]] = {
    Scope.EVERYTHING: "everything that its owner may",
    Scope.START: "start workflows",
    Scope.READ: "read runs",
    Scope.CANCEL: "cancel runs",
    Scope.ANSWER: "answer questions",
    Scope.WORKFLOWS: "read workflows",
}
"""What each scope lets a token do, as the page of tokens calls it."""


def named_column(column: str, label: str, *, with_id: bool = False) -> Any:
    """Return a column that shows the name of whom or what an id is of, and the id where that is asked for."""

    @admin.display(description=label, ordering=column)
    def shown(row: models.Model) -> str:
        one = str(getattr(row, column) or "")
        name = names_of({one}, _workspace(row)).get(one) if one else None
        return f"{name} ({one})" if name and with_id else name or one

    return shown


def list_column(column: str, label: str) -> Any:
    """Return a column that shows a list in one line, scopes and ids in words."""

    @admin.display(description=label)
    def shown(row: models.Model) -> str:
        kept = getattr(row, column)
        items = json.loads(kept or "[]") if isinstance(kept, str) else kept or []
        texts = [one if isinstance(one, str) else json.dumps(one) for one in items]
        ids = {text for text in texts if len(text) in ID_LENGTHS}
        names = names_of(ids, _workspace(row))
        return ", ".join(names.get(text) or SCOPES.get(text, text) for text in texts)

    return shown


@admin.display(description="Error")
def error_column(row: models.Model) -> str:
    """Return why a run ended: what was said, its code and at which step."""
    kept = getattr(row, "error", None)
    if not kept:
        return ""
    error = json.loads(kept)
    where = f", at the step {error['node']}" if error.get("node") else ""
    return f"{error.get('message', '')} ({error.get('code', '')}{where})"


def _workspace(row: models.Model) -> str:
    """Return the id of the workspace that a row is of, itself or by its workflow."""
    of = row if hasattr(row, "workspace_id") else getattr(row, "graph", None)
    return str(getattr(of, "workspace_id", ""))
