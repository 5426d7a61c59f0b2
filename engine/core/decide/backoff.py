"""Whether there is a next attempt, and how long to wait before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.errors import NodeError
from engine.core.graph.document import FailurePolicy
from engine.core.state.event_types.activations import NextAttempt
from engine.core.state.patience import is_slowed, pause_for_server

if TYPE_CHECKING:
    from engine.core.state.program import NodePlan
    from engine.core.state.run_state import Activation

MAX_RETRY_AFTER_MS = 3_600_000
"""A provider's Retry-After is honoured up to one hour (row C31)."""


def backoff_ms(
    policy: FailurePolicy, retry: int, jitter: float, retry_after_ms: int | None = None
) -> int:
    """Return the delay before retry number `retry` (1 for the first), in milliseconds.

    Exponential: initial x 2^(n-1); linear: initial x n; fixed: initial. The first two add up to
    10 % (`jitter` in [0, 1)); nothing exceeds `max_backoff_ms`, except a longer Retry-After.
    """
    initial = policy.initial_backoff_ms
    if policy.backoff_strategy == "fixed":
        delay = float(initial)
    else:
        factor = retry if policy.backoff_strategy == "linear" else 2 ** (retry - 1)
        delay = initial * factor * (1 + jitter / 10)
    wait = min(int(delay), policy.max_backoff_ms)
    if retry_after_ms is not None and retry_after_ms > wait:
        return min(retry_after_ms, MAX_RETRY_AFTER_MS)
    return wait


def next_attempt(
    plan: NodePlan, act: Activation, error: NodeError, jitter: float, now: int
) -> NextAttempt | None:
    """Return which attempt failed and when the next one is due, None where there is none.

    `waits_for` stands in it where a server is waited for, or as long as one asked; `uncounted` where
    that was a provider that is asked too often.
    """
    if not error.retryable or (error.reported and not plan.asks_for_retries):
        return None
    counted = act.attempt - act.away
    told: NextAttempt = {
        "attempt": act.attempt,
        "max_attempts": plan.max_attempts + act.away,
        "retry_at": now,
    }
    pause = pause_for_server(plan.policy, act, error, now)
    if pause is not None:
        told["max_attempts"] += 1
        told |= {"retry_at": now + pause, "waits_for": "server"}
        return told
    delay = backoff_ms(plan.policy, counted, jitter, error.retry_after_ms)
    if is_slowed(plan.policy, act, error, delay, now):
        told["max_attempts"] += 1
        told["uncounted"] = True
    elif counted >= plan.max_attempts:
        return None
    if error.retry_after_ms and delay >= error.retry_after_ms:
        told["waits_for"] = "retry_after"
    told["retry_at"] = now + delay
    return told
