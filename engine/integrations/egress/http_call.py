"""The call of the `http_request` node: built, sent through the egress, its answer as JSON."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from http import HTTPStatus
from typing import Any

from engine.core.effects import EffectClass
from engine.core.errors import NodeError, OutcomeUnknown
from engine.core.state.sent import shown_answer, shown_request
from engine.core.values.json import InvalidJson, JsonObject, as_text, canonical, clean_text, freeze
from engine.core.values.limits import UnreadableInput, parse_json
from engine.integrations.egress import Egress, EgressResponse, HttpUnavailable
from engine.integrations.egress.retry_after import retry_after_ms

CredentialResolver = Callable[[str, str], Awaitable[Mapping[str, str]]]
"""`(name of a credential, url) -> headers`. Raises `NodeError` if it is unknown or not bound to
the URL's host."""

TIMEOUT = 30.0
"""Seconds of one call by default; the egress caps it at its own."""
MAX_REDIRECTS = 3
"""Followed for reads only: another method's redirect is an answer, with its `location`."""
MAX_EXCERPT = 500
"""Characters of an error's body that are kept."""

READING = frozenset({"GET", "HEAD", "OPTIONS"})
SAFE_HEADERS = frozenset(
    {
        "content-language",
        "content-length",
        "content-type",
        "date",
        "etag",
        "last-modified",
        "link",
        "location",
        "retry-after",
        "x-correlation-id",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "x-request-id",
        "x-total-count",
    }
)
"""Answer headers that a run keeps: no cookies, no challenges, nothing of the infrastructure."""

_RETRYABLE = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})
_SHORTEST_SECRET = 6


@dataclass(frozen=True, slots=True)
class HttpCall:
    """What the node's config says, rendered. `body` None sends none; text is sent as it is,
    any other JSON as JSON. In `headers` and `query` null entries are left out.
    """

    url: str
    method: str = "GET"
    headers: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    credential: str | None = None
    effect_class: EffectClass | None = None
    timeout_s: float = TIMEOUT

    @property
    def effect(self) -> EffectClass:
        """The declared effect class; by default reads are `read`, all else `unsafe`."""
        if self.effect_class is not None:
            return self.effect_class
        return EffectClass.READ if self.method.upper() in READING else EffectClass.UNSAFE

    def to_json(self) -> JsonObject:
        """Return the request as recorded and hashed: the credential by its name only."""
        return {
            "method": self.method.upper(),
            "url": self.url,
            "headers": dict(self.headers),
            "query": dict(self.query),
            "body": self.body,
            "credential": self.credential,
        }


async def send(
    egress: Egress,
    request: HttpCall,
    idempotency_key: str,
    credential_resolver: CredentialResolver | None = None,
) -> JsonObject:
    """Return `{status, headers, body, url}` of the answer: `body` as JSON if it is, else text.

    A method other than GET carries `Idempotency-Key`, the author's own if there is one. Known
    values of the credential are replaced by its name wherever the answer repeats them.

    Raises `NodeError`: `HttpUnavailable` (408, 429, 5xx, no connection; retryable, with what
    `Retry-After` asks for), `HttpRejected` (every other 4xx), `EgressRefused` (a target that is
    not allowed, an answer that is too large), `NodeConfigInvalid`, and `OutcomeUnknown` if the
    connection broke after sending and the call is not one that only reads.
    """
    method = request.method.upper()
    body, content_type = _body(request.body)
    headers = _headers(request, method, idempotency_key, content_type)
    secrets = await _credential(request, credential_resolver)
    try:
        answer = await egress.request(
            method,
            request.url,
            headers=headers,
            query=_query(request.query),
            body=body,
            timeout_s=request.timeout_s,
            follow_redirects=MAX_REDIRECTS if method in READING else 0,
            credential_headers=secrets,
        )
    except NodeError as error:
        shown = {"request": shown_request(request.to_json(), redactor(request.credential, secrets))}
        unread = isinstance(error, HttpUnavailable) and error.sent
        if unread and request.effect not in (EffectClass.PURE, EffectClass.READ):
            raise OutcomeUnknown(error.message, detail=shown) from error
        error.detail = {**error.detail, **shown}
        raise
    return _judged(request, answer, redactor(request.credential, secrets))


def redactor(name: str | None, headers: Mapping[str, str]) -> Callable[[str], str]:
    """Return what replaces the values of a credential's headers in a text by its name.

    The scheme of an `Authorization` value is no secret: the token after it is looked for too.
    """
    values = {part for text in headers.values() for part in (text, text.partition(" ")[2])}
    found = sorted((v for v in values if len(v) >= _SHORTEST_SECRET), key=len, reverse=True)

    def hide(text: str) -> str:
        for value in found:
            text = text.replace(value, f"[{name}]")
        return text

    return hide


async def _credential(request: HttpCall, resolver: CredentialResolver | None) -> Mapping[str, str]:
    if request.credential is None:
        return {}
    if resolver is None:
        raise NodeError("NodeConfigInvalid", f"no credential {request.credential!r} is known here")
    return await resolver(request.credential, request.url)


def _headers(
    request: HttpCall, method: str, idempotency_key: str, content_type: str | None
) -> dict[str, str]:
    headers = {name: as_text(value) for name, value in request.headers.items() if value is not None}
    given = {name.lower() for name in headers}
    if content_type is not None and "content-type" not in given:
        headers["Content-Type"] = content_type
    if "accept" not in given:
        headers["Accept"] = "application/json, */*;q=0.5"
    if method != "GET" and "idempotency-key" not in given:
        headers["Idempotency-Key"] = idempotency_key
    return headers


def _query(query: Mapping[str, Any]) -> dict[str, Any]:
    sent: dict[str, Any] = {}
    for name, value in query.items():
        if isinstance(value, list):
            sent[name] = [as_text(item) for item in value if item is not None]
        elif value is not None:
            sent[name] = as_text(value)
    return sent


def _body(body: object) -> tuple[bytes | None, str | None]:
    if body is None:
        return None, None
    if isinstance(body, str):
        return body.encode(), "text/plain; charset=utf-8"
    try:
        return canonical(freeze(body)), "application/json"
    except InvalidJson as error:
        raise NodeError("NodeConfigInvalid", f"body: {error}") from error


def _judged(request: HttpCall, answer: EgressResponse, hide: Callable[[str], str]) -> JsonObject:
    status = answer.status
    if status < 400:
        return {
            "status": status,
            "headers": {
                name: clean_text(hide(text))
                for name, text in sorted(answer.headers.items())
                if name in SAFE_HEADERS
            },
            "body": _content(answer, hide),
            "url": hide(answer.url),
        }
    where = hide(answer.url.partition("?")[0])
    message = f"{request.method.upper()} {where} answered {status} {_phrase(status)}".rstrip()
    content = _content(answer, hide)
    answered = shown_answer(status, content)
    detail = {**answered, "request": shown_request(request.to_json(), hide), "answer": answered}
    if status in _RETRYABLE or status >= 500:
        raise NodeError(
            "HttpUnavailable",
            message,
            retryable=True,
            retry_after_ms=retry_after_ms(answer.headers),
            detail=detail,
        )
    raise NodeError("HttpRejected", message, detail=detail)


def _content(answer: EgressResponse, hide: Callable[[str], str]) -> Any:
    header = Message()
    header["content-type"] = answer.headers.get("content-type", "")
    try:
        text = answer.body.decode(header.get_content_charset("utf-8"), "replace")
    except LookupError:
        text = answer.body.decode("utf-8", "replace")
    text = hide(text.removeprefix("\ufeff"))
    kind = header.get_content_type()
    declared = kind == "application/json" or kind.endswith("+json")
    if text and (declared or "content-type" not in answer.headers):
        try:
            return freeze(parse_json(text, max_bytes=len(text.encode())))
        except (UnreadableInput, InvalidJson):
            pass
    return clean_text(text)


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
