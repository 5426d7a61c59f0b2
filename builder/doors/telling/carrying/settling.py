"""What became of notices: sent, dropped, to be tried again, given up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db import transaction

from builder.doors.telling.carrying.judging import why_dropped
from builder.doors.telling.channels.dropping import drop_waiting
from builder.models import Channel, ChannelNotice
from builder.services.audit import chain as audit
from engine.integrations.channels.verdict import TRIES, WAITS_MS, Outcome, Verdict

State = ChannelNotice.State
STATES: Final = {Outcome.DONE: State.SENT, Outcome.FAILED: State.FAILED, Outcome.GONE: State.FAILED}


def settle(channel: Channel, notices: Iterable[ChannelNotice], verdict: Verdict, now: int) -> None:
    """Write down what became of notices that this process had claimed."""
    for notice in notices:
        said = {"status": verdict.status, "reason": verdict.reason}
        state = STATES.get(verdict.outcome)
        if state is None and notice.tries < TRIES:
            wait = max(WAITS_MS[notice.tries - 1], verdict.wait_ms or 0)
            _mine(notice, available_at=now + wait, **said)
        else:
            _mine(notice, state=state or State.FAILED, done_at=now, **said)
    if verdict.outcome == Outcome.GONE:
        _switch_off(channel, verdict.reason, now)


def drop(notices: Iterable[ChannelNotice], now: int) -> list[ChannelNotice]:
    """Settle those that are not to be sent any more; return the others."""
    left = []
    for notice in notices:
        why = why_dropped(notice)
        if why is None:
            left.append(notice)
        else:
            _mine(notice, state=State.DROPPED, done_at=now, reason=why)
    return left


def _mine(notice: ChannelNotice, **fields: object) -> None:
    """Write to a notice unless somebody else has claimed it since, or it is done."""
    rows = ChannelNotice.objects.filter(pk=notice.pk, done_at__isnull=True, tries=notice.tries)
    rows.update(**fields)


def _switch_off(channel: Channel, why: str, now: int) -> None:
    """Switch a channel off whose address is gone, unless it was given another one meanwhile."""
    with transaction.atomic():
        same = Channel.objects.filter(pk=channel.pk, on=True, verified_at=channel.verified_at)
        if not same.update(on=False, off_why=why):
            return
        drop_waiting(channel, "the channel went off", now)
        detail = {"kind": channel.kind, "name": channel.name, "why": why}
        audit.record(channel.workspace_id, None, "channel.went_off", channel.pk, **detail)
