"""What a reader of documents raises, and under which of the two request codes."""

from __future__ import annotations

from typing import Literal

from engine.core.errors import RequestRefused

Code = Literal["InputInvalid", "UnreadableDocument"]
"""`InputInvalid` for what comes with a request, `UnreadableDocument` for a graph document."""


class UnreadableInput(RequestRefused):
    """What came in cannot be read as JSON or YAML.

    `path` is the place, empty when unknown; `reason` is the message without it.
    """

    def __init__(self, code: Code, path: str, message: str) -> None:
        super().__init__(code, f"{path}: {message}" if path else message, detail={"path": path})
        self.path = path
        self.reason = message


class LimitExceeded(UnreadableInput):
    """What came in is larger, deeper or wider than is taken."""
