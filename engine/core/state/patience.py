"""How long a node waits for a model server that is away, or that asks to be left alone for a while.

A refused connection costs nothing and heals by itself, and so does an answer 429 that says when to
ask again. Such attempts do not count against the author's `max_retries`; when the patience is over
they do. Where the author wants no retries at all, nothing is waited for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.core.errors import NodeError, ProviderError
from engine.core.graph.document import FailurePolicy

if TYPE_CHECKING:
    from engine.core.state.run_state import Activation

PATIENCE_MS = 120_000
"""How long a server may be away, from the first attempt that did not reach it."""
PAUSES_MS = (2_000, 4_000, 8_000, 15_000)
"""Between attempts to reach it; the last one repeats."""

TOO_MANY: Final = 429
SLOWED_MS: Final = 900_000
MOST_SLOWED: Final = 20
"""How long, and how often in a row, a provider may say when to ask again before its answers count."""


def is_slowed(
    policy: FailurePolicy, act: Activation, error: NodeError, wait_ms: int, now: int
) -> bool:
    """Return whether a provider said when to ask again, `wait_ms` from now, and is waited for."""
    if not isinstance(error, ProviderError) or error.status != TOO_MANY or not error.retry_after_ms:
        return False
    since = now if act.slowed_since is None else act.slowed_since
    in_time = act.slowed_tries < MOST_SLOWED and now + wait_ms <= since + SLOWED_MS
    return in_time and policy.max_retries > 0


def pause_for_server(
    policy: FailurePolicy, act: Activation, error: NodeError, now: int
) -> int | None:
    """Return how many ms to wait for a server that is away, None where nothing is waited for."""
    if not isinstance(error, ProviderError) or error.sent or policy.max_retries == 0:
        return None
    pause = PAUSES_MS[min(act.away_tries, len(PAUSES_MS) - 1)]
    since = now if act.away_since is None else act.away_since
    return pause if now + pause <= since + PATIENCE_MS else None
