"""Any other sender that signs its body with an HMAC: the trigger says in which header and how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from builder.doors.signatures.call import (
    Call,
    Scheme,
    fresh,
    from_hex,
    header,
    matches,
)
from engine.integrations.standard_webhooks import from_base64


def _verify(call: Call, secret: str, now_s: int, options: Mapping[str, Any]) -> None:
    text = header(call, options["header"]).removeprefix(options["prefix"])
    given = from_hex(text) if options["encoding"] == "hex" else from_base64(text)
    at = header(call, options["timestamp_header"]) if options["timestamp_header"] else ""
    signed = at.encode() + b"." + call.body if at else call.body
    matches(secret.encode(), signed, [given], options["algorithm"])
    if at:
        fresh(at, now_s)


def _id_of(call: Call, _body: Any, options: Mapping[str, Any]) -> str | None:
    return call.headers.get(options["id_header"].lower()) or None


CUSTOM: Final = Scheme(_verify, _id_of, ())
