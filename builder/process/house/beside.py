"""What works beside an engine, in threads of its own."""

from __future__ import annotations

from django.conf import settings

from builder.process.house.alert_thread import alert_thread
from builder.process.house.bulk_thread import bulk_thread
from builder.process.house.door_thread import door_thread
from builder.process.house.hold_thread import hold_thread
from builder.process.house.mail_thread import mail_thread
from builder.process.house.telling_thread import telling_thread
from builder.process.rounds import Rounds
from builder.process.watch.trace_thread import trace_thread


def threads_beside() -> list[Rounds]:
    """Return what works beside an engine, not yet started: decisions, bulk jobs, alerts, doors, notices, mail."""
    beside = [hold_thread(), bulk_thread(), alert_thread(), door_thread(), telling_thread()]
    if settings.MAIL:
        beside.append(mail_thread())
    return beside


def watching() -> list[Rounds]:
    """Return what tells the outside of the runs that this process executes, not yet started."""
    return [trace_thread(settings.TRACES_TO)] if settings.TRACES_TO else []
