"""What waits for a channel that takes nothing any more."""

from __future__ import annotations

from builder.models import Channel, ChannelNotice


def drop_waiting(channel: Channel, why: str, now: int) -> None:
    """Drop all that waits for the channel."""
    rows = ChannelNotice.objects.filter(channel=channel.pk, done_at__isnull=True)
    rows.update(state=ChannelNotice.State.DROPPED, done_at=now, reason=why)
