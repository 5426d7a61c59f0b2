"""A document as a cure leaves it: the edits, applied as the page applies them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from engine.core.graph.cures import Cure, Edit

DEFAULTED = ("read_keys", "write_keys")


def mended(document: dict[str, Any], cure: Cure) -> dict[str, Any]:
    """Return the document after a cure."""
    after = deepcopy(document)
    for edit in cure.edits:
        _apply(after, edit)
    return after


def _apply(document: dict[str, Any], edit: Edit) -> None:
    if edit.part == "graph":
        _put(document, edit, document)
        return
    parts = document[f"{edit.part}s"]
    here = next((part for part in parts if part.get("id") == edit.id and edit.id), None)
    if edit.path:
        assert here is not None, f"{edit.part} {edit.id!r} is not there"
        _put(here, edit, document)
    elif edit.value is None:
        parts.remove(here)
        if edit.part == "node":
            ends = {edit.id}
            document["edges"] = [
                e for e in document["edges"] if not ends & {e["source"], e["target"]}
            ]
    else:
        parts.append({**edit.value})


def _put(part: Any, edit: Edit, document: dict[str, Any]) -> None:
    *way, last = edit.path
    for step in way:
        part = part.setdefault(step, {}) if isinstance(part, dict) else part[step]
    if edit.op == "add":
        silent = document.get("defaults", {}).get(last, []) if last in DEFAULTED else []
        part[last] = [*part.get(last, silent), edit.value]
    elif edit.value is None:
        part.pop(last, None)
    else:
        part[last] = edit.value
