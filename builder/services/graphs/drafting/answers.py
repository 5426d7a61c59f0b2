"""Reads what a model answered: bounded text, one JSON object, and the document that it leads to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from builder.services.graphs.drafting.edits import Unusable, changed_document
from builder.services.graphs.drafts import with_edge_ids
from builder.services.graphs.graphs import slug_of
from engine.core.graph.document import FORMAT
from engine.core.values.json import canonical, clean_text
from engine.core.values.limits import KIB, LimitExceeded, UnreadableInput, parse_json

MOST_ANSWER: Final = 256 * KIB
"""Bytes of an answer that are looked at."""
MOST_DOCUMENT: Final = 192 * KIB
"""Bytes of a draft: what one event of a run carries, with room for what is said of it."""
MOST_VALUES: Final = 10_000
MOST_DEPTH: Final = 40
MOST_SUMMARY: Final = 600
MOST_NAME: Final = 120
HEAD: Final = ("graphwright", "id", "name", "description")


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer comes to. `document` is None where the model says that it cannot: `summary`."""

    summary: str
    document: dict[str, Any] | None


def read_answer(text: str, base: Mapping[str, Any]) -> Answer:
    """Return what a model answered about `base`, which is empty for a new workflow.

    Raises `Unusable`, which says what would be right.
    """
    said = _object_in(text)
    if said.get("cannot"):
        return Answer(_words(said["cannot"]), None)
    given = said.get("document", said if "nodes" in said else None)
    if given is not None and not isinstance(given, dict):
        raise Unusable('"document" is one object')
    document = changed_document(base, said) if given is None else _whole(given, base)
    if len(canonical(document)) > MOST_DOCUMENT:
        raise Unusable("the workflow is too large: make it shorter")
    return Answer(_words(said.get("summary")), document)


def _object_in(text: str) -> dict[str, Any]:
    """Return the object between the first and the last brace: models wrap it in words and fences."""
    first, last = text.find("{"), text.rfind("}")
    if first < 0 or last < first:
        raise Unusable("the answer holds no JSON object")
    try:
        said = parse_json(
            text[first : last + 1],
            max_bytes=MOST_ANSWER,
            max_depth=MOST_DEPTH,
            max_values=MOST_VALUES,
        )
    except (LimitExceeded, UnreadableInput) as refused:
        raise Unusable(
            f"the answer is no JSON object that can be read: {refused.message}"
        ) from None
    if not isinstance(said, dict):
        raise Unusable("the answer is no JSON object")
    return dict(said)


def _whole(given: Mapping[str, Any], base: Mapping[str, Any]) -> dict[str, Any]:
    """Return a whole document under the name that it has, or under its own if it is a new one."""
    name = str(given.get("name") or "New workflow")[:MOST_NAME]
    head = {name: base[name] for name in HEAD if name in base} or {
        "graphwright": FORMAT,
        "id": slug_of(name),
        "name": name,
        "description": _words(given.get("description")),
    }
    rest = {key: value for key, value in given.items() if key not in (*HEAD, "notes", "version")}
    for kind in ("nodes", "edges"):
        if not all(isinstance(each, dict) for each in rest.setdefault(kind, [])):
            raise Unusable(f'"{kind}" is a list of objects')
    notes = {"notes": base["notes"]} if "notes" in base else {}
    return {**head, **rest, **notes, "edges": with_edge_ids(rest["edges"])}


def _words(value: object) -> str:
    return clean_text(value)[:MOST_SUMMARY] if isinstance(value, str) else ""
