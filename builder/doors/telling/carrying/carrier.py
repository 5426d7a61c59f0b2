"""Carries notices out: claimed by a conditional update, so that of many processes one sends each.

A channel is claimed first, so that what is due there goes out as one message; then each notice. Whoever
dies after that leaves both to lapse within a minute: the same notice goes out again under its id.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import F, QuerySet
from django.db.models.expressions import RawSQL

from builder.adapters.egress import egress_of
from builder.base.clock import DAY_MS, now_ms
from builder.base.database_trouble import tell
from builder.doors.telling.carrying import parcels, settling
from builder.doors.telling.carrying.sending import Sendable, Sending, send
from builder.models import Channel, ChannelNotice
from builder.models.prepared import Prepared, number
from engine.integrations.channels.verdict import Outcome, Verdict
from engine.integrations.egress import Egress

LOGGER: Final = logging.getLogger("graphwright.doors")
CLAIM_MS: Final = 60_000
CHANNELS: Final = 20
"""Channels of one round."""
NOTICES: Final = 200
"""Notices of a channel that go out together."""
POSTS: Final = 10
"""Of a webhook: events of one round, each with a POST of its own."""
GAP_MS: Final = 2000
"""Between two messages in one channel: what happens meanwhile makes one."""
KEPT_MS: Final = 30 * DAY_MS
Clock = Callable[[], int]
READY: Final = Prepared(
    lambda now: (
        _due(number(now))
        .filter(
            channel__on=True,
            channel__verified_at__isnull=False,
            channel__free_at__lte=number(now),
        )
        .order_by("channel__free_at", "channel")
        .values_list("channel", "channel__free_at")
        .distinct()[:CHANNELS]
    )
)
"""Channels to which something can be sent, whose turn it was longest ago first."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """What goes to one channel in one message, and what it tells."""

    channel: Channel
    notices: Sequence[ChannelNotice]
    what: Sendable
    egress: Egress


def carry(now: int | None = None) -> int:
    """Send what is due; return how many notices went out."""
    clock: Clock = now_ms if now is None else lambda: now
    ready = READY.tuples(clock())
    channels = [each for key, _ in ready if (each := _claim_channel(key, clock()))]
    if not channels:
        return 0
    found = [parcel for channel in channels for parcel in _parcels_of(channel, clock())]
    verdicts = send([Sending(each.what, each.egress) for each in found])
    sent, waits = 0, dict.fromkeys((each.pk for each in channels), GAP_MS)
    for parcel, verdict in zip(found, verdicts, strict=True):
        settling.settle(parcel.channel, parcel.notices, verdict, clock())
        sent += len(parcel.notices) if verdict.outcome == Outcome.DONE else 0
        waits[parcel.channel.pk] = max(waits[parcel.channel.pk], verdict.wait_ms or 0)
    for channel in channels:
        mine = Channel.objects.filter(pk=channel.pk, free_at=channel.free_at)
        mine.update(free_at=clock() + waits[channel.pk])
    return sent


def forget_old(now: int | None = None) -> None:
    """Forget what was told over 30 days ago."""
    at = now_ms() if now is None else now
    ChannelNotice.objects.filter(done_at__lt=at - KEPT_MS).delete()


def _due(now: int | RawSQL) -> QuerySet[ChannelNotice]:
    return ChannelNotice.objects.filter(done_at__isnull=True, available_at__lte=now)


def _claim_channel(pk: str, now: int) -> Channel | None:
    rows = Channel.objects.filter(pk=pk, free_at__lte=now, on=True, verified_at__isnull=False)
    if not rows.update(free_at=now + CLAIM_MS):
        return None
    return Channel.objects.select_related("workspace").filter(pk=pk).first()


def claim(pk: str, now: int) -> bool:
    """Take a notice for a minute; of two processes one gets it, on both databases."""
    rows = _due(now).filter(pk=pk)
    return bool(rows.update(available_at=now + CLAIM_MS, tries=F("tries") + 1))


def _parcels_of(channel: Channel, now: int) -> Iterator[Parcel]:
    """Yield what goes to a channel; what cannot be written keeps no other channel from its own."""
    most = POSTS if channel.kind == Channel.Kind.WEBHOOK else NOTICES
    rows = _due(now).filter(channel=channel.pk).order_by("at", "pk")
    keys = [pk for pk in rows.values_list("pk", flat=True)[:most] if claim(pk, now)]
    mine = list(ChannelNotice.objects.filter(pk__in=keys).order_by("at", "pk"))
    for row in mine:
        row.channel = channel
    try:
        left = settling.drop(mine, now)
        egress = egress_of(channel.workspace_id, "notice")
        yield from (
            Parcel(channel, told, what, egress) for told, what in parcels.made(channel, left, now)
        )
    except Exception as error:  # noqa: BLE001 - the others go out all the same
        tell(LOGGER, f"notices of the channel {channel.pk} could not be written", error)
        sorry = Verdict(Outcome.AGAIN, None, "it could not be written")
        settling.settle(channel, mine, sorry, now)
