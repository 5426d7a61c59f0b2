"""The one shape of every refusal (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from rest_framework.response import Response

from builder.api.http.statuses import STATUS, WORDS
from engine.core.errors import StoreError

MEDIA_TYPE: Final = "application/problem+json"


def problem_response(
    status: int,
    code: str,
    detail: str,
    *,
    problems: list[dict[str, Any]] | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Response:
    """Return a `problem+json` answer."""
    body = problem_body(status, code, detail, problems=problems, extra=extra)
    return Response(body, status=status, content_type=MEDIA_TYPE)


def problem_body(
    status: int,
    code: str,
    detail: str,
    *,
    problems: list[dict[str, Any]] | None = None,
    extra: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the body of a refusal."""
    body: dict[str, Any] = {
        **(extra or {}),
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
    }
    if problems:
        body["problems"] = problems
    return body


def trouble_body(trouble: StoreError) -> tuple[int, dict[str, Any], dict[str, str]]:
    """Return status, body and headers of the answer to a database that cannot be used now."""
    status = STATUS[trouble.code]
    return status, problem_body(status, trouble.code, WORDS[trouble.code]), {"Retry-After": "10"}
