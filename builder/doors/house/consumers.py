"""All who hear of what happens in the house."""

from __future__ import annotations

from typing import Final

from builder.doors.house.consumer import Consumer
from builder.doors.telling.rules import hearing
from builder.doors.triggers import house_events

CONSUMERS: Final[tuple[Consumer, ...]] = (
    house_events.CONSUMER,
    Consumer(hearing.NAME, hearing.KINDS, hearing.hear, hearing.waits, hearing.listening),
)
