"""How long to wait before the next attempt."""

from __future__ import annotations

from engine.graph import FailurePolicy

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
