"""What an answer means for what was sent: done, once more later, never, or the receiver is gone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.core.errors import NodeError
from engine.core.values.limits import UnreadableInput, parse_json
from engine.integrations.egress import EgressRefused
from engine.integrations.egress.retry_after import retry_after_ms

RETRIED: Final = frozenset({408, 425, 429})
WAITS_MS: Final = tuple(1000 * seconds for seconds in (30, 120, 600, 1800, 7200, 21_600, 46_800))
"""Between the tries: eight of them within 22 hours."""
MOST_READ: Final = 4096
"""Bytes of an answer that are looked at."""
LONGEST_WAIT_MS: Final = 3_600_000
"""So long a receiver may ask to wait."""
TRIES: Final = len(WAITS_MS) + 1


class Outcome(StrEnum):
    """What becomes of a try."""

    DONE = "done"
    AGAIN = "again"
    FAILED = "failed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome, the status if there was an answer, why in words, and how long the receiver asks to wait."""

    outcome: Outcome
    status: int | None = None
    reason: str = ""
    wait_ms: int | None = None


def judged(status: int, headers: Mapping[str, str], beginning: bytes = b"") -> Verdict:
    """Return what an answer means; of its body nothing is kept."""
    if 200 <= status < 300:
        return Verdict(Outcome.DONE, status)
    if status == 410:
        return Verdict(Outcome.GONE, status, "the receiver says that this address is gone")
    if status in RETRIED or status >= 500:
        wait = retry_after_ms(headers)
        wait = _telegrams(beginning) if wait is None else min(wait, LONGEST_WAIT_MS)
        return Verdict(Outcome.AGAIN, status, f"answered {status}", wait)
    if 300 <= status < 400:
        why = f"answered {status}, a redirect, which is not followed"
        return Verdict(Outcome.FAILED, status, why)
    return Verdict(Outcome.FAILED, status, f"answered {status}")


def unanswered(trouble: NodeError) -> Verdict:
    """Return what it means that nothing was sent, or that what came back may not be read."""
    outcome = Outcome.FAILED if isinstance(trouble, EgressRefused) else Outcome.AGAIN
    return Verdict(outcome, None, trouble.message[:200])


def unreached() -> Verdict:
    """Return what it means that a connection broke, or that no answer came in time."""
    return Verdict(Outcome.AGAIN, None, "no answer came in time")


def _telegrams(beginning: bytes) -> int | None:
    """Return how long Telegram asks to wait, which says it in the body."""
    try:
        said = parse_json(beginning, max_bytes=MOST_READ)
    except UnreadableInput:
        return None
    asked = said.get("parameters") if isinstance(said, dict) else None
    seconds = asked.get("retry_after") if isinstance(asked, dict) else None
    return min(max(seconds, 0) * 1000, LONGEST_WAIT_MS) if type(seconds) is int else None
