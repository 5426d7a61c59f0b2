"""The arguments of a call as an HTTP request: path, query, headers and body, encoded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from engine.core.effects import EffectClass
from engine.core.values.json import as_text, canonical, freeze, thaw
from engine.integrations.egress.http_call import HttpCall
from engine.integrations.tools.openapi.form_body import form_of, is_form
from engine.integrations.tools.openapi.operation import BODY, Operation
from engine.integrations.tools.openapi.parameters import Parameter
from engine.integrations.tools.sources import not_retryable


def request_of(
    operation: Operation,
    server: str,
    arguments: Mapping[str, Any],
    *,
    headers: Mapping[str, str],
    credential: str | None,
    effect: EffectClass,
    timeout_s: float,
) -> HttpCall:
    """Return the request of one call. Raises `ToolFailed`, not retryable, for wrong arguments."""
    given = _given(operation, arguments)
    query: dict[str, list[str]] = {}
    sent = dict(headers)
    path = operation.path
    for parameter in operation.parameters:
        if parameter.argument not in given:
            continue
        value = given[parameter.argument]
        if parameter.place == "path":
            path = path.replace(f"{{{parameter.name}}}", _in_path(operation, parameter, value))
        elif parameter.place == "header":
            sent[parameter.name] = _in_header(operation, parameter, value)
        else:
            for name, texts in _in_query(parameter, value).items():
                query.setdefault(name, []).extend(texts)
    _refuse_dots(operation, path)
    body = None
    if operation.media is not None and BODY in given:
        # Text, so that it is sent as it is, also where the body is itself a text.
        if is_form(operation.media):
            body = form_of(given[BODY], operation.deep)
        else:
            body = canonical(freeze(given[BODY])).decode()
        sent["Content-Type"] = operation.media
    return HttpCall(
        url=f"{server}{path}",
        method=operation.method,
        headers=sent,
        query={name: texts[0] if len(texts) == 1 else texts for name, texts in query.items()},
        body=body,
        credential=credential,
        effect_class=effect,
        timeout_s=timeout_s,
    )


def _given(operation: Operation, arguments: Mapping[str, Any]) -> dict[str, Any]:
    known = {each.argument for each in operation.parameters}
    needed = {each.argument for each in operation.parameters if each.required}
    if operation.media is not None:
        known.add(BODY)
        needed |= {BODY} if operation.body_required else set()
    odd = sorted(set(arguments) - known)
    if odd:
        takes = ", ".join(sorted(known)) or "none"
        raise not_retryable(f"there is no argument {odd[0][:60]!r}; it takes {takes}")
    given = {
        name: thaw(value) for name, value in arguments.items() if value is not None or name == BODY
    }
    missing = sorted(needed - set(given))
    if missing:
        raise not_retryable(f"the argument {missing[0]!r} is required")
    return given


def _in_path(operation: Operation, parameter: Parameter, value: Any) -> str:
    text = ",".join(quote(each, safe="") for each in _simple(parameter, value))
    if not text:
        raise not_retryable(f"{parameter.argument!r} is empty, and {operation.path} needs it")
    return text


def _refuse_dots(operation: Operation, path: str) -> None:
    """A part of a path that is `.` or `..` would lead to another operation."""
    if any(part in (".", "..") for part in path.split("/")):
        raise not_retryable(f"'.' and '..' are no values for a part of {operation.path}")


def _in_header(operation: Operation, parameter: Parameter, value: Any) -> str:
    text = ",".join(_simple(parameter, value))
    if not text.isascii() or not text.isprintable():
        raise not_retryable(f"{parameter.argument!r} has characters that no header takes")
    return text


def _in_query(parameter: Parameter, value: Any) -> dict[str, list[str]]:
    name = parameter.name
    if parameter.as_json:
        return {name: [canonical(freeze(value)).decode()]}
    if isinstance(value, list):
        texts = [as_text(each) for each in value if each is not None]
        return {name: texts if parameter.explode else [",".join(texts)]} if texts else {}
    if not isinstance(value, dict):
        return {name: [as_text(value)]}
    fields = {key: _texts(each) for key, each in value.items() if each is not None}
    if parameter.deep:
        return {f"{name}[{key}]": texts for key, texts in fields.items()}
    if parameter.explode:
        return fields
    return {name: [",".join(part for key, texts in fields.items() for part in (key, *texts))]}


def _texts(value: Any) -> list[str]:
    return [as_text(each) for each in value] if isinstance(value, list) else [as_text(value)]


def _simple(parameter: Parameter, value: Any) -> list[str]:
    if parameter.as_json:
        return [canonical(freeze(value)).decode()]
    if isinstance(value, list):
        return [as_text(each) for each in value if each is not None]
    if not isinstance(value, dict):
        return [as_text(value)]
    fields = {key: as_text(each) for key, each in value.items() if each is not None}
    if parameter.explode:
        return [f"{key}={text}" for key, text in fields.items()]
    return [part for pair in fields.items() for part in pair]
