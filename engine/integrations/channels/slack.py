"""Slack's incoming webhooks, and servers that take the same (Mattermost), where an operator allows them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

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

HOSTS: Final = frozenset(
    {Origin("https", "hooks.slack.com", 443), Origin("https", "hooks.slack-gov.com", 443)}
)
MOST: Final = 20
ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "@\u200b"})
"""What would be a link, a mention of everybody, or read as one."""


def _check(place: Place, allowed: Collection[Origin]) -> str:
    target = parsed(place.address)
    ours = target.origin in HOSTS and target.path.startswith("/services/")
    if not ours and target.origin not in allowed:
        raise AddressInvalid("an incoming webhook of Slack: https://hooks.slack.com/services/…")
    return hint_of(target)


def _write(place: Place, message: Message) -> Post:
    shown, left = message.shown(MOST)
    lines = [message.title.translate(ESCAPES)] if not message.is_alone else []
    lines += [_line(line, "• " if lines else "") for line in shown]
    lines += [more(left)] if left else []
    return as_json(place.address, {"text": "\n".join(lines), "unfurl_links": False})


def _line(line: Line, mark: str) -> str:
    return f"{mark}{line.text.translate(ESCAPES)} <{line.link}|Open>"


SLACK: Final = Kind(_check, _write)
