"""Discord's webhooks of a text channel."""

from __future__ import annotations

import re
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
from engine.integrations.channels.message import Message, more
from engine.integrations.egress import Origin

HOSTS: Final = frozenset(
    Origin("https", host, 443)
    for host in ("discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com")
)
LONGEST: Final = 2000
"""Characters of one message."""
SUPPRESS_EMBEDS: Final = 4
MARKUP: Final = re.compile(r"([\\*_~`|>#\[\]()<-])")


def _check(place: Place, _allowed: Collection[Origin]) -> str:
    target = parsed(place.address)
    if target.origin not in HOSTS or not target.path.startswith("/api/webhooks/"):
        raise AddressInvalid("a webhook of Discord: https://discord.com/api/webhooks/…")
    return hint_of(target)


def _write(place: Place, message: Message) -> Post:
    text = f"**{_plain(message.title)}**" if not message.is_alone else ""
    for number, line in enumerate(message.lines):
        added = f"\n{_plain(line.text)} <{line.link}>"
        if len(text) + len(added) > LONGEST - len(more(10**6)):
            text += f"\n{more(len(message.lines) - number + message.left)}"
            break
        text += added
    else:
        text += f"\n{more(message.left)}" if message.left else ""
    content = {"content": text.strip(), "allowed_mentions": {"parse": []}, "flags": SUPPRESS_EMBEDS}
    return as_json(place.address, content)


def _plain(text: str) -> str:
    return MARKUP.sub(r"\\\1", text)


DISCORD: Final = Kind(_check, _write)
