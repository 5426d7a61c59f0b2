"""GitHub: the body's HMAC in `X-Hub-Signature-256`; it signs neither a time nor its own id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from builder.doors.signatures.call import Call, Scheme, from_hex, header, matches

SIGNATURE: Final = "X-Hub-Signature-256"


def _verify(call: Call, secret: str, _now_s: int, _options: Mapping[str, Any]) -> None:
    given = header(call, SIGNATURE).removeprefix("sha256=")
    matches(secret.encode(), call.body, [from_hex(given)])


def _id_of(call: Call, _body: Any, _options: Mapping[str, Any]) -> str | None:
    return call.headers.get("x-github-delivery") or None


GITHUB: Final = Scheme(_verify, _id_of, ("x-hub-signature-256", "x-hub-signature"))
