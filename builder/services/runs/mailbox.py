"""What people want of runs: written beside the facts of who asks, then waited for."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, Final

from builder.base import engine_door
from builder.base.clock import now_ms
from builder.base.errors import NotYet
from builder.models import RunRequest
from engine.runtime.stores import requests
from engine.runtime.stores.requests import Wish

PATIENCE_SECONDS: Final = 10.0
"""How long somebody waits to hear what became of a request; it has its effect all the same."""


def ask(run_id: str, wish: Wish) -> RunRequest:
    """Write a wish in the caller's transaction: it counts with what else is written there."""
    return RunRequest.objects.create(
        run_id=run_id,
        kind=wish.kind,
        payload=json.dumps(wish.payload),
        by=wish.by,
        created=now_ms(),
    )


def carry_out(request: RunRequest) -> None:
    """Ring for a request that nobody refuses, and wait a while for its effect."""
    with suppress(NotYet):
        outcome(request.run_id, request.pk)


def outcome(run_id: str, number: int) -> dict[str, Any]:
    """Ring for a request that is committed, and return what was granted.

    Raises `RequestRefused` as the engine does, and `NotYet` where that takes too long.
    """
    told = engine_door.engine().answer_to(run_id, number, PATIENCE_SECONDS)
    if told is None:
        raise NotYet(
            "this is kept, and counts as soon as the server gets to it: no need to send it again",
            extra={"request": number, "address": f"/api/runs/{run_id}/requests/{number}/"},
        )
    return requests.outcome(told)
