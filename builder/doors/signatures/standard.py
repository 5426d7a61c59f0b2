"""Standard Webhooks: `v1,` and the base64 HMAC of `id.time.body`, under a secret in base64."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from builder.doors.signatures.call import Call, Scheme, fresh, from_base64, header, matches

PREFIX: Final = "whsec_"


def _verify(call: Call, secret: str, now_s: int, _options: Mapping[str, Any]) -> None:
    name, at = header(call, "webhook-id"), header(call, "webhook-timestamp")
    parts = [part.partition(",") for part in header(call, "webhook-signature").split(" ")]
    given = [from_base64(value) for version, _, value in parts if version == "v1"]
    signed = f"{name}.{at}.".encode() + call.body
    matches(from_base64(secret.removeprefix(PREFIX)), signed, given)
    fresh(at, now_s)


def _id_of(call: Call, _body: Any, _options: Mapping[str, Any]) -> str | None:
    return call.headers.get("webhook-id") or None


STANDARD: Final = Scheme(_verify, _id_of, ("webhook-signature",))
