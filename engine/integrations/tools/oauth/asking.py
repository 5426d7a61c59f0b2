"""What is asked of the other side: bounded in size and time, JSON objects only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.core.values.limits import UnreadableInput, parse_json
from engine.integrations.egress import Egress, EgressRefused, EgressResponse

MAX_ANSWER: Final = 256 * 1024
MAX_VALUES: Final = 20_000
TIMEOUT_S: Final = 10.0
"""Seconds of one request."""
MAX_WORDS: Final = 300
"""Characters of what the other side says of an error."""


class ConsentRefused(Exception):
    """The other side does not play its part. `code` is the error of OAuth that it gave, or empty."""

    def __init__(self, words: str, code: str = "") -> None:
        super().__init__(words)
        self.words = words
        self.code = code


async def ask(
    egress: Egress,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    secret: Mapping[str, str] | None = None,
    body: bytes | None = None,
) -> EgressResponse:
    """Return an answer, whatever its status. Raises `EgressRefused`, `HttpUnavailable`."""
    return await egress.request(
        method,
        url,
        headers={"Accept": "application/json", **(headers or {})},
        body=body,
        timeout_s=TIMEOUT_S,
        credential_headers=secret,
    )


def object_of(answer: EgressResponse) -> Mapping[str, Any]:
    """Return the JSON object of an answer. Raises `ConsentRefused`."""
    try:
        found = parse_json(answer.body, max_bytes=MAX_ANSWER, max_values=MAX_VALUES)
    except UnreadableInput:
        found = None
    if not isinstance(found, Mapping):
        raise ConsentRefused(f"{answer.url[:200]} gives no JSON object")
    return found


def refusal_of(what: str, answer: EgressResponse) -> ConsentRefused:
    """Return what a refusing answer says, as OAuth writes it."""
    try:
        said = object_of(answer)
    except ConsentRefused:
        said = {}
    code = text_of(said, "error")[:60]
    words = text_of(said, "error_description") or code or f"it answered {answer.status}"
    return ConsentRefused(f"{what}: {words[:MAX_WORDS]}", code)


def text_of(said: Mapping[str, Any], name: str) -> str:
    """Return a member that is a text without control characters; else empty."""
    found = said.get(name)
    return found if isinstance(found, str) and found.isprintable() else ""


def texts_of(said: Mapping[str, Any], name: str) -> list[str]:
    """Return the texts of a member that is a list."""
    found = said.get(name)
    return (
        [each for each in found if isinstance(each, str)] if isinstance(found, list | tuple) else []
    )


async def judged(egress: Egress, url: str, what: str) -> str:
    """Return an address that the other side names, once the egress would go there.

    Raises `ConsentRefused`, and `HttpUnavailable` for a name that is not resolved.
    """
    try:
        await egress.vet(url)
    except EgressRefused as refused:
        raise ConsentRefused(f"{what} {url[:200]!r} is not allowed: {refused.message}") from refused
    return url
