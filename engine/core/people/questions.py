"""What is asked of a person: the request of a question, written by code or by a model (row I2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.core.errors import NodeError
from engine.core.values.json import FrozenDict, InvalidJson, freeze
from engine.core.values.json_schema import validator

QUESTION_KINDS: Final = frozenset({"text", "choice", "multi-choice", "form"})
MAX_TIMEOUT_MS: Final = 366 * 86_400_000
FIELDS: Final = ("kind", "question", "options", "schema")
OPTION_FIELDS: Final = ("id", "label", "description", "value")


def check_request(request: object) -> FrozenDict:
    """Return a question's request, checked. Raises `NodeError` `NodeConfigInvalid`."""
    if not isinstance(request, Mapping):
        raise _invalid("it must be an object {kind, question, options?, schema?}")
    _known(request, FIELDS, "fields")
    kind = request.get("kind")
    if kind not in QUESTION_KINDS:
        raise _invalid(f"kind {kind!r} is none of {sorted(QUESTION_KINDS)}")
    question = request.get("question")
    if not isinstance(question, str) or not question.strip():
        raise _invalid("a question needs text")
    if kind in ("choice", "multi-choice"):
        _check_options(request.get("options"))
    if kind == "form":
        _check_form(request.get("schema"))
    try:
        return freeze(dict(request))  # type: ignore[no-any-return]
    except InvalidJson as error:
        raise _invalid(str(error)) from error


def check_timeout(timeout_ms: object) -> int | None:
    """Return a question's deadline in ms. Raises `NodeError` `NodeConfigInvalid`."""
    if timeout_ms is None:
        return None
    whole = isinstance(timeout_ms, int) and not isinstance(timeout_ms, bool)
    if not whole or not 1 <= timeout_ms <= MAX_TIMEOUT_MS:  # type: ignore[operator]
        raise _invalid(f"timeout_ms must be from 1 to {MAX_TIMEOUT_MS} ms, not {timeout_ms!r}")
    return timeout_ms  # type: ignore[return-value]


def _check_options(options: object) -> None:
    if not isinstance(options, Sequence) or isinstance(options, str) or not options:
        raise _invalid("a choice needs at least one option")
    for option in options:
        if not isinstance(option, Mapping):
            raise _invalid("an option must be an object {id, label}")
        _known(option, OPTION_FIELDS, "fields of an option")
        for name in ("id", "label"):
            if not isinstance(option.get(name), str) or not option[name].strip():
                raise _invalid(f"every option needs {name}, as text")
    ids = [option["id"] for option in options]
    if len(set(ids)) != len(ids):
        raise _invalid("option ids must be unique")


def _check_form(schema: object) -> None:
    if not isinstance(schema, Mapping):
        raise _invalid("a form needs a schema")
    try:
        validator(schema)
    except ValueError as error:
        raise _invalid(f"the form's schema is none: {error}") from error


def _known(given: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    unknown = [name for name in given if name not in known]
    if unknown:
        raise _invalid(f"unknown {what} {unknown}; known are {list(known)}")


def _invalid(message: str) -> NodeError:
    return NodeError("NodeConfigInvalid", f"interrupt request: {message}")
