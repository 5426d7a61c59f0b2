"""A notice once more, by hand: to a program under the same id."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from builder.base.clock import now_ms
from builder.base.errors import Conflict
from builder.doors.telling.carrying.carrier import CLAIM_MS
from builder.doors.telling.channels.owners import require_owner
from builder.models import ChannelNotice, Membership
from builder.services.audit import chain as audit


def again(member: Membership, row: ChannelNotice) -> ChannelNotice:
    """Have a notice sent now, with all its tries before it.

    Raises `Conflict` `ChannelOff` where nothing is told there now, `NoticeUnderWay` while somebody
    sends it.
    """
    channel = row.channel
    require_owner(member, channel.user_id)
    if not channel.on or channel.verified_at is None:
        raise Conflict("this channel is off, or nobody has tested it", code="ChannelOff")
    now = now_ms()
    waits = Q(done_at__isnull=True, available_at__gt=now + CLAIM_MS)
    rows = ChannelNotice.objects.filter(Q(done_at__isnull=False) | waits, pk=row.pk)
    with transaction.atomic():
        state = ChannelNotice.State.WAITING
        if not rows.update(state=state, done_at=None, available_at=now, tries=0, reason=""):
            raise Conflict("this notice is on its way", code="NoticeUnderWay")
        audit.record(
            channel.workspace_id, member.user_id, "notice.again", row.pk, channel=channel.name
        )
    row.refresh_from_db()
    return row
