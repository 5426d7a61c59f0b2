"""The events of a run's log: dense (`seq` 1..n) and append-only.

`key` names the activation an event is about (`review#1`, children `mapper#1/worker[0]#1`), None for
events of the run itself. The types are a closed set, one class each in `engine.core.state.event_types`;
`docs/events.md` is written from those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from engine.core.errors import ControlFlow, EngineError
from engine.core.values.json import FrozenDict, freeze

TERMINAL_EVENTS: Final = frozenset({"RunCompleted", "RunFailed", "RunCancelled", "RunTimedOut"})


@dataclass(slots=True)
class Event:
    """One fact. `at` is in milliseconds since the epoch; `seq` alone decides the order."""

    seq: int
    type: str
    at: int
    key: str | None = None
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def node(self) -> str | None:
        """The id of the node the event is about."""
        return None if self.key is None else node_of(self.key)


def node_of(key: str) -> str:
    """Return the node id in an activation key: `mapper#1/worker[0]#1` → `worker`."""
    last = key.rsplit("/", 1)[-1]
    return last.split("#", 1)[0].split("[", 1)[0]


BREAKPOINT_ID: Final = "break-"
"""What the id of a breakpoint's pause begins with; all others are questions to people."""


def is_breakpoint(data: Mapping[str, Any]) -> bool:
    """Return whether an event is about a breakpoint: the starter's own, in no inbox."""
    return str(data.get("request_id", "")).startswith(BREAKPOINT_ID)


def iso(ms: int) -> str:
    """Return milliseconds since the epoch as RFC 3339 in UTC."""
    return (
        datetime.fromtimestamp(ms / 1000, UTC)
        .isoformat(timespec="milliseconds")
        .replace("+00:00", "Z")
    )


def error_data(error: BaseException, node: str | None = None) -> FrozenDict:
    """Return an error as events carry it: code, message, detail, and the node where known."""
    if isinstance(error, EngineError) or (
        isinstance(error, ControlFlow) and hasattr(error, "code")
    ):
        data: dict[str, Any] = {"code": error.code, "message": str(error)}
        detail = getattr(error, "detail", None)
        if detail:
            data["detail"] = detail
    else:
        data = {"code": "HandlerFailed", "message": f"{type(error).__name__}: {error}"}
    if node is not None:
        data["node"] = node
    return freeze(data)  # type: ignore[no-any-return]
