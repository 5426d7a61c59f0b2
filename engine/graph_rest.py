"""What is left of a document without the fields that are wrong in form.

Names and configs can be checked in it, so that an author learns everything at once.
"""

from __future__ import annotations

from typing import Any, Final

import orjson
from pydantic import ValidationError

from engine.graph import GraphSpec
from engine.limits import MAX_IMPORT, UnreadableInput, parse_yaml
from engine.problems import Location, place_of
from engine.values import InvalidJson, freeze

ROUNDS: Final = 3
"""How often fields are left out: one that is wrong may hide another."""
NEEDED: Final = frozenset(
    {"nodes", "edges", "agents", "defaults", "read_keys", "write_keys", "state_schema"}
)
"""Fields without which a graph means something else, so that nothing can be said about it."""


def rest_of(source: bytes) -> GraphSpec | None:
    """Return the document without what is wrong in form, None if too little is left of it."""
    try:
        raw: Any = parse_yaml(source, max_bytes=MAX_IMPORT)
        freeze(raw)
    except (UnreadableInput, InvalidJson):
        return None
    for _ in range(ROUNDS):
        try:
            return GraphSpec.model_validate_json(orjson.dumps(raw), strict=True)
        except ValidationError as error:
            details = error.errors(include_url=False)
            if any(detail["type"] == "missing" for detail in details):
                return None
            if not all(_left_out(raw, place) for place in [place_of(d, raw) for d in details]):
                return None
    return None


def _left_out(raw: Any, place: Location) -> bool:
    """Take the innermost named field of a place away; say whether that could be done."""
    holder: dict[str, Any] = {}
    name = ""
    here: Any = raw
    for part in place:
        if isinstance(here, dict) and isinstance(part, str):
            holder, name = here, part
            here = here.get(part)
        elif isinstance(here, list) and isinstance(part, int):
            here = here[part]
    if not name or name in NEEDED:
        return False
    holder.pop(name, None)
    return True
