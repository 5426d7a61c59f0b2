"""Notices as they go out: to a program each by itself, to people together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from builder.doors.telling.carrying.payloads import body_of
from builder.doors.telling.carrying.sending import Sendable, written
from builder.doors.telling.carrying.words import line_of, named
from builder.doors.telling.channels.places import place_of, secrets_of
from builder.models import Channel, ChannelNotice
from engine.integrations.channels.message import Message
from engine.integrations.channels.webhook import signed

LINES: Final = 20
"""Notices that a message names; of more it tells the number."""


def made(
    channel: Channel, notices: Sequence[ChannelNotice], now: int
) -> Iterator[tuple[Sequence[ChannelNotice], Sendable]]:
    """Yield what tells of which notices. Raises `VaultLocked`."""
    if channel.kind == Channel.Kind.WEBHOOK:
        place, secrets = place_of(channel), secrets_of(channel, now)
        for each in notices:
            yield [each], signed(place, secrets, each.pk, now // 1000, body_of(each))
    elif notices:
        yield notices, written(channel, message_of(channel, notices))


def message_of(channel: Channel, notices: Sequence[ChannelNotice]) -> Message:
    """Return the message that tells of the notices."""
    lines = tuple(line_of(each) for each in notices[:LINES])
    title = f"{named(channel.workspace.name)}: {len(notices)} notices"
    if len(notices) == 1:
        title = named(channel.workspace.name)
    return Message(title, lines, max(0, len(notices) - LINES))
