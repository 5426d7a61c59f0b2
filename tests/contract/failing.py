"""Runs side by side and nodes that fail, for the tests of breakers, failure edges and undo."""

from __future__ import annotations

from typing import Any

from engine.core.errors import NodeError


class Target:
    """Something outside that fails when it is told to; `calls` counts who reached it."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.calls = 0

    def call(self, ctx: Any, params: Any) -> Any:
        self.calls += 1
        reply = self.replies.pop(0) if self.replies else "ok"
        if isinstance(reply, Exception):
            raise reply
        return {"output": reply}


def busy(*, retryable: bool = True) -> NodeError:
    return NodeError("Busy", "try later", retryable=retryable)
