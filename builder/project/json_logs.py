"""Log lines for machines: one JSON object a line, with the run, node and request that it is about."""

from __future__ import annotations

import logging
import traceback
from datetime import UTC, datetime
from typing import Any, Final

import orjson

MAX_TEXT: Final = 20_000
"""Characters of a message or a traceback that are kept: a line is read whole by whoever collects it."""


class JsonLines(logging.Formatter):
    """Writes `at`, `level`, `logger`, `message`, and where they are known `run`, `node`, `request`,
    `error`: the id of a run, the key of the activation, the id of a request, a traceback.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; what cannot be said in JSON is said as text."""
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _cut(_message(record)),
            **_where(),
        }
        if record.exc_info and record.exc_info[0] is not None:
            told["error"] = _cut("".join(traceback.format_exception(*record.exc_info)))
        return orjson.dumps(_utf8(told)).decode()


def _where() -> dict[str, str]:
    from builder.project.middleware import REQUEST
    from engine.runtime.execution.journal import ACTIVATION

    activation, request = ACTIVATION.get(), REQUEST.get()
    found = {} if activation is None else {"run": activation[0], "node": activation[1]}
    return {**found, "request": request} if request else found


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # noqa: BLE001  (a log line never breaks who writes it)
        return f"{record.msg} {record.args!r}"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}… ({len(text)} characters)"


def _utf8(told: dict[str, str]) -> dict[str, str]:
    """Return text that JSON can carry: half of a pair of surrogates cannot be written."""
    return {name: text.encode("utf-8", "replace").decode() for name, text in told.items()}
