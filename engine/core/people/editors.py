"""Which of the fields that an approval lets people edit are whose: `editable_by` of its request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.core.errors import RequestRefused
from engine.core.people.eligibility import names_any
from engine.core.state.requests import Actor

CODE = "NotYoursToEdit"


def not_theirs(request: Mapping[str, Any], hands: Iterable[Actor]) -> dict[str, Sequence[str]]:
    """Return field → entries of who may edit it, of those that none of the `hands` may edit."""
    people = list(hands)
    if any(one.kind == "cli" for one in people):
        return {}
    narrowed: Mapping[str, Sequence[str]] = request.get("editable_by") or {}
    return {
        key: entries
        for key, entries in narrowed.items()
        if not any(names_any(entries, one) for one in people)
    }


def refuse_edits(
    request: Mapping[str, Any],
    shown: Mapping[str, Any],
    edits: Mapping[str, Any],
    hands: Iterable[Actor],
) -> None:
    """Raise `RequestRefused` `NotYoursToEdit` for the first field that only others may edit.

    A field that is sent as it is `shown` now is no edit.
    """
    for key, entries in not_theirs(request, hands).items():
        if key in edits and (key not in shown or edits[key] != shown[key]):
            may = ", ".join(entries)
            message = f"edits.{key}: only {may} may edit it: leave it as it is, or ask one of them"
            detail = {"key": key, "may_edit": list(entries)}
            raise RequestRefused(CODE, message, detail=detail)
