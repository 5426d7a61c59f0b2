"""What the doors start: each run does one thing outside, under the name of what started it."""

from __future__ import annotations

from typing import Final

from tests.chaos.workflows import STUBBORN, Json, document, node

RANG: Final = "rang"
"""What webhooks, the schedule and MCP start."""
TALKED: Final = "talked"
"""What answers as a model."""
FOLLOWS: Final = "follows"
"""What an ended run of `rang` starts."""
NAMED: Final[Json] = {
    "type": "object",
    "required": ["door", "key"],
    "properties": {"door": {"type": "string"}, "key": {"type": "string"}},
}


def door_documents(address: str) -> dict[str, Json]:
    """Return them by slug; `address` is where they do what they do."""
    by_name = f"{address}/door/{{{{ input.door }}}}/{{{{ input.key }}}}"
    return {
        RANG: document(RANG, [_come(by_name)], interface={"inputs": NAMED}),
        TALKED: document(TALKED, [_come(f"{address}/door/openai/{{{{ input }}}}")]),
        FOLLOWS: document(FOLLOWS, [_come(by_name)]),
    }


def _come(url: str) -> Json:
    config = {"method": "POST", "url": url, "body": {"from": "door"}, "effect_class": "keyed"}
    return node("come", "http_request", config, failure_policy=STUBBORN)
