"""Events of asking back: a reviewer's question to whom the work is from, and what comes of it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias

from engine.core.state.event_types.forms import OfActivation

AskedEnd: TypeAlias = Literal["answered", "withdrawn", "lapsed"]


class InterruptAskedBack(OfActivation):
    """A reviewer asks back: the clock of the approval stands still."""

    request_id: str
    """The interrupt."""
    by: str
    """Who asks."""
    to: str
    """Who is asked."""
    question: str
    """What."""
    until: int
    """When the clock runs on by itself, in milliseconds since the epoch."""
    left_ms: NotRequired[int]
    """How long was left until the deadline."""
    via: NotRequired[str]
    """The door: `page` or `token`."""


class InterruptAnsweredBack(OfActivation):
    """What was asked back is answered, or is no longer waited for: the clock goes on."""

    request_id: str
    """The interrupt."""
    outcome: AskedEnd
    """How it ended: `lapsed` is that nobody answered in time."""
    asked: int
    """The event that asked."""
    by: NotRequired[str]
    """Who answered, or took the question back."""
    reply: NotRequired[str]
    """The answer."""
    expires_at: NotRequired[int]
    """The deadline from now on, in milliseconds since the epoch."""
    via: NotRequired[str]
    """The door: `page` or `token`."""
