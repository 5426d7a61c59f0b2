"""Stripe: `Stripe-Signature: t=…,v1=…` over the time, a dot and the body; the event's id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from builder.doors.signatures.call import Call, Scheme, fresh, from_hex, header, matches

SIGNATURE: Final = "Stripe-Signature"


def _verify(call: Call, secret: str, now_s: int, _options: Mapping[str, Any]) -> None:
    parts = [part.strip().partition("=") for part in header(call, SIGNATURE).split(",")]
    at = next((value for name, _, value in parts if name == "t"), "")
    given = [from_hex(value) for name, _, value in parts if name == "v1"]
    matches(secret.encode(), at.encode() + b"." + call.body, given)
    fresh(at, now_s)


def _id_of(_call: Call, body: Any, _options: Mapping[str, Any]) -> str | None:
    found = body.get("id") if isinstance(body, dict) else None
    return found if isinstance(found, str) and found else None


STRIPE: Final = Scheme(_verify, _id_of, ("stripe-signature",))
