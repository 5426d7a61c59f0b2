"""Telegram: a bot's token, and the chat that it writes to."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from engine.integrations.channels.kind import TAIL, AddressInvalid, Kind, Place, Post, as_json
from engine.integrations.channels.message import Message, more
from engine.integrations.egress import Origin

TOKEN: Final = re.compile(r"[0-9]{5,20}:[A-Za-z0-9_-]{20,80}")
CHAT: Final = re.compile(r"-?[0-9]{1,20}|@[A-Za-z0-9_]{4,40}")
MOST: Final = 12
"""Lines, each of 300 characters at most with its link: a message has 4096."""


def _check(place: Place, _allowed: Collection[Origin]) -> str:
    if not TOKEN.fullmatch(place.key):
        raise AddressInvalid("the token of a bot, as BotFather gives it", "key")
    if not CHAT.fullmatch(place.address):
        raise AddressInvalid("the number of a chat, or the @name of a channel")
    return f"chat …{place.address[-TAIL:]}"


def _write(place: Place, message: Message) -> Post:
    shown, left = message.shown(MOST)
    lines = [message.title] if not message.is_alone else []
    lines += [f"{line.text}\n{line.link}" for line in shown]
    lines += [more(left)] if left else []
    said = {"chat_id": place.address, "text": "\n".join(lines)}
    quiet = {"link_preview_options": {"is_disabled": True}}
    return as_json(f"https://api.telegram.org/bot{place.key}/sendMessage", {**said, **quiet})


TELEGRAM: Final = Kind(_check, _write)
