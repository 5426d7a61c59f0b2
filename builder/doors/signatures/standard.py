"""Standard Webhooks: an id, a time and a signature in headers of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from builder.doors.signatures.call import Call, Scheme, fresh, header, matches
from engine.integrations import standard_webhooks as standard


def _verify(call: Call, secret: str, now_s: int, _options: Mapping[str, Any]) -> None:
    name, at = header(call, standard.ID), header(call, standard.TIMESTAMP)
    given = standard.signatures(header(call, standard.SIGNATURE))
    matches(standard.key_of(secret), standard.content(name, at, call.body), given)
    fresh(at, now_s)


def _id_of(call: Call, _body: Any, _options: Mapping[str, Any]) -> str | None:
    return call.headers.get(standard.ID) or None


STANDARD: Final = Scheme(_verify, _id_of, (standard.SIGNATURE,))
