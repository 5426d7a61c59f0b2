"""Whether a notice is still to be sent, judged when it is sent: it may be over, or no longer theirs."""

from __future__ import annotations

from builder.doors.telling.rules.audience import asked_of
from builder.doors.telling.rules.kinds import WAITS
from builder.models import Channel, ChannelNotice, Interrupt, Membership

GONE: str = "it is no longer there"


def why_dropped(notice: ChannelNotice) -> str | None:
    """Return why a notice is dropped, None where it goes out.

    A program is told what happened, whatever became of it since.
    """
    channel = notice.channel
    if channel.user_id is not None and not _is_member(channel):
        return "its person is no member any more"
    if notice.kind not in WAITS or channel.kind == Channel.Kind.WEBHOOK:
        return None
    row = Interrupt.objects.filter(pk=notice.ref).first()
    if row is None:
        return GONE
    if row.status != Interrupt.Status.OPEN:
        return "it was closed before this was sent"
    if channel.user_id is not None and channel.user_id not in asked_of(row):
        return "it does not wait for its person any more"
    return None


def _is_member(channel: Channel) -> bool:
    rows = Membership.objects.filter(workspace=channel.workspace_id, user=channel.user_id)
    return bool(rows.filter(user__is_active=True).exists())
