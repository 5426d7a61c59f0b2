"""Microsoft Teams: a workflow with the trigger *When a Teams webhook request is received*."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from engine.integrations.channels.kind import (
    AddressInvalid,
    Kind,
    Place,
    Post,
    as_json,
    hint_of,
    parsed,
)
from engine.integrations.channels.message import Line, Message, more
from engine.integrations.egress import Origin

HOSTS: Final = (".logic.azure.com", ".api.powerplatform.com")
CARD: Final = "application/vnd.microsoft.card.adaptive"
MOST: Final = 10
"""Lines of a card."""


def _check(place: Place, _allowed: Collection[Origin]) -> str:
    target = parsed(place.address)
    scheme, host, port = target.origin
    if (scheme, port) != ("https", 443) or not host.endswith(HOSTS):
        raise AddressInvalid(
            "the address of a Teams workflow, at logic.azure.com or"
            " api.powerplatform.com; connectors of Office 365 are retired"
        )
    return hint_of(target)


def _write(place: Place, message: Message) -> Post:
    shown, left = message.shown(MOST)
    body = [_text(message.title, weight="Bolder")] if not message.is_alone else []
    for line in shown:
        body += [_text(line.text), _link(line)]
    body += [_text(more(left))] if left else []
    card = {"type": "AdaptiveCard", "version": "1.4", "body": body}
    attachment = {"contentType": CARD, "contentUrl": None, "content": card}
    return as_json(place.address, {"type": "message", "attachments": [attachment]})


def _text(text: str, **style: str) -> dict[str, Any]:
    """Return text as a run, in which nothing is markup."""
    return {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": text, **style}]}


def _link(line: Line) -> dict[str, Any]:
    action = {"type": "Action.OpenUrl", "title": "Open", "url": line.link}
    return {"type": "ActionSet", "actions": [action]}


TEAMS: Final = Kind(_check, _write)
