"""A call as people are shown it: what was sent, what came back, and no secret by its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from engine.core.effects import idempotency_key
from engine.core.errors import NodeError, RequestRefused
from engine.core.state.events import iso
from engine.core.state.run_state import Step
from engine.core.values.json import FrozenDict, as_text, clean_text, freeze
from engine.core.values.limits import parse_json

MAX_SHOWN: Final = 1024
"""Characters of a body that are shown, each way."""
MAX_PLACES: Final = 10_000
"""Values of a body that are looked at for secrets; what is larger is not shown at all."""
MAX_PARSED: Final = 65_536
"""Characters of a text that is read as JSON or as a form; a longer one is shown as it begins."""
MASK: Final = "[hidden]"

_SECRET: Final = re.compile(
    r"authorization|cookie|api-?_?key|token|secret|passw|credential|private-?_?key|signature",
    re.IGNORECASE,
)


def is_secret_name(name: str) -> bool:
    """Return whether a field of this name is likely to hold a secret."""
    return _SECRET.search(name[:200]) is not None


def shown_request(request: Mapping[str, Any], hide: Callable[[str], str] = str) -> dict[str, Any]:
    """Return method, address and body of an HTTP request: one kilobyte, without known secrets.

    `request` has `method`, `url`, `query` and `body`, as the journal keeps it; `hide` replaces the
    values of a credential.
    """
    shown = {"method": str(request["method"]), "url": hide(_address(request))}
    if request.get("body") is not None:
        shown["body"] = _excerpt(request["body"], hide)
    return shown


def shown_answer(status: int, body: object) -> dict[str, Any]:
    """Return status and body of an HTTP answer: one kilobyte, without secrets by name."""
    return {"status": status, "body": _excerpt(body, str)}


def shown_call(kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what people are shown of a `StepIntended`: tool and arguments, or the request."""
    if kind == "http":
        return shown_request(data["request"])
    return {name: data[name] for name in ("tool", "arguments") if name in data}


def masked(value: object) -> Any:
    """Return a JSON value without what its name says is a secret; a very large one as a word."""
    left = [MAX_PLACES]
    found = _masked(value, left)
    return found if left[0] >= 0 else {"…": "a very large value"}


def doubt_of(run_id: str, key: str, step: Step, why: str) -> dict[str, Any]:
    """Return what a person needs to find out whether a call happened."""
    sent = {} if not step.sent_at else {"sent_at": iso(step.sent_at)}
    return {
        "message": why,
        "effect_class": step.effect.value,
        "attempt": step.attempt,
        "idempotency_key": idempotency_key(run_id, key, step.attempt, step.path),
        **sent,
        **step.described,
    }


def kept_failure(error: NodeError, data: FrozenDict) -> FrozenDict:
    """Return a failure as its step keeps it: `data`, and whether a new attempt is no use."""
    if error.reported:
        return freeze({**data, "reported": True})  # type: ignore[no-any-return]
    return data if error.retryable else freeze({**data, "retryable": False})


def failure_again(kept: Mapping[str, Any] | None) -> NodeError:
    """Return the error that a step's recorded failure stands for."""
    data = kept or {}
    error = NodeError(
        data.get("code", "HandlerFailed"),
        data.get("message", ""),
        retryable=data.get("retryable", True),
        detail=data.get("detail"),
    )
    error.reported = bool(data.get("reported"))
    return error


def _address(request: Mapping[str, Any]) -> str:
    """Return the URL with the values of secret query parameters, and its password, left out."""
    url = str(request["url"])
    try:
        parts = urlsplit(url)
        pairs = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=200)
    except ValueError:
        return url.partition("?")[0][:MAX_SHOWN]
    given = request.get("query") or {}
    pairs += [(name, as_text(value)) for name, value in given.items() if value is not None]
    query = _form(pairs)
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, place, parts.path, query, ""))[: 2 * MAX_SHOWN]


def _excerpt(body: object, hide: Callable[[str], str]) -> str:
    left = [MAX_PLACES]
    text = hide(_text(body, left) if isinstance(body, str) else as_text(_masked(body, left)))
    if left[0] < 0:
        return "[a body of very many values]"
    cut = clean_text(text[:MAX_SHOWN])
    return cut if len(text) <= MAX_SHOWN else f"{cut}… ({len(text)} characters)"


def _text(body: str, left: list[int]) -> str:
    """Return a text, its fields looked at where it is JSON or a form."""
    if len(body) > MAX_PARSED:
        return body
    if body.lstrip()[:1] in ("{", "["):
        try:
            return as_text(_masked(parse_json(body, max_bytes=4 * MAX_PARSED), left))
        except RequestRefused:
            return body
    if "=" in body and not any(mark.isspace() for mark in body):
        try:
            return _form(parse_qsl(body, keep_blank_values=True, max_num_fields=200))
        except ValueError:
            return body
    return body


def _form(pairs: Iterable[tuple[str, str]]) -> str:
    return urlencode([(n, MASK if is_secret_name(n) else v) for n, v in pairs], safe="[]/:,")


def _masked(value: object, left: list[int]) -> Any:
    left[0] -= 1
    if left[0] < 0:
        return None
    if isinstance(value, Mapping):
        return {n: MASK if is_secret_name(n) else _masked(v, left) for n, v in value.items()}
    if isinstance(value, list | tuple):
        return [_masked(item, left) for item in value]
    return value
