"""Slack: `v0=` and the HMAC of `v0:time:body`; the id of the event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from builder.doors.signatures.call import Call, Scheme, fresh, from_hex, header, matches


def _verify(call: Call, secret: str, now_s: int, _options: Mapping[str, Any]) -> None:
    at = header(call, "X-Slack-Request-Timestamp")
    given = from_hex(header(call, "X-Slack-Signature").removeprefix("v0="))
    matches(secret.encode(), b"v0:" + at.encode() + b":" + call.body, [given])
    fresh(at, now_s)


def _id_of(_call: Call, body: Any, _options: Mapping[str, Any]) -> str | None:
    found = body.get("event_id") if isinstance(body, dict) else None
    return found if isinstance(found, str) and found else None


SLACK: Final = Scheme(_verify, _id_of, ("x-slack-signature",))
