"""One shape for every refusal (RFC 9457) and one table from code to HTTP status."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response

from builder.base.database_trouble import trouble_of
from builder.base.engine_door import EngineNotStarted
from builder.base.errors import ServiceError, TooMany
from engine.core.errors import EngineError, GraphHasErrors, RequestRefused, StoreError

logger = logging.getLogger(__name__)

STATUS: Final[Mapping[str, int]] = {
    "InputInvalid": 400,
    "NotEligible": 403,
    "NotAllowed": 403,
    "GraphNotFound": 404,
    "RunNotFound": 404,
    "InterruptNotFound": 404,
    "NotFound": 404,
    "AlreadyDecided": 409,
    "ContentChanged": 409,
    "InterruptClosed": 409,
    "RunEnded": 409,
    "RunNotRetryable": 409,
    "RunNotEnded": 409,
    "ForkPointNotFound": 404,
    "ForkAfterApproval": 409,
    "ForkAfterUndo": 409,
    "ForkNotPossible": 409,
    "ForkResends": 409,
    "IdempotencyConflict": 409,
    "AnswerInvalid": 422,
    "StorageFull": 507,
    "StoreUnavailable": 503,
    "GraphHasErrors": 422,
}
"""Codes of `RequestRefused` and other engine errors; what is not listed is a 422."""

FRAMEWORK: Final[tuple[tuple[type[Exception], int, str], ...]] = (
    (Http404, 404, "NotFound"),
    (exceptions.NotFound, 404, "NotFound"),
    (exceptions.NotAuthenticated, 401, "NotSignedIn"),
    (exceptions.AuthenticationFailed, 401, "NotSignedIn"),
    (exceptions.PermissionDenied, 403, "NotAllowed"),
    (PermissionDenied, 403, "NotAllowed"),
    (exceptions.MethodNotAllowed, 405, "MethodNotAllowed"),
    (exceptions.NotAcceptable, 406, "NotAcceptable"),
    (exceptions.UnsupportedMediaType, 415, "UnsupportedMediaType"),
    (exceptions.ParseError, 400, "InputInvalid"),
    (exceptions.Throttled, 429, "TooManyRequests"),
    (RequestDataTooBig, 413, "InputTooLarge"),
)
WORDS: Final[Mapping[str, str]] = {
    "StorageFull": "the server's disk is full, nothing was recorded: free some space, then repeat",
    "StoreUnavailable": "the database does not answer, nothing was recorded: repeat in a moment",
}
"""What people are told; the database's own words stay in the log."""
MEDIA_TYPE: Final = "application/problem+json"


def handle_exception(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the answer to an error; unknown ones stay with Django, which logs and hides them."""
    if isinstance(error, ServiceError):
        answer = problem_response(
            error.status, error.code, error.message, problems=error.problems, extra=error.extra
        )
        if isinstance(error, TooMany):
            answer["Retry-After"] = str(error.retry_after_s)
        return answer
    if isinstance(error, GraphHasErrors):
        found = [item.to_json() for item in error.problems]
        return problem_response(422, error.code, "the graph has errors", problems=found)
    if (trouble := trouble_of(error)) is not None:
        return _no_database(trouble)
    if isinstance(error, EngineError):
        return _engine_error(error)
    if isinstance(error, EngineNotStarted):
        return problem_response(503, "EngineNotStarted", str(error))
    for kind, status, code in FRAMEWORK:
        if isinstance(error, kind):
            return _framework_error(error, status, code)
    return None


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


def _no_database(trouble: StoreError) -> Response:
    logger.warning("a request met a database in trouble: %s", trouble.message)
    status, body, headers = trouble_body(trouble)
    return Response(body, status=status, headers=headers, content_type=MEDIA_TYPE)


def _engine_error(error: EngineError) -> Response | None:
    status = STATUS.get(error.code)
    if status is None and not isinstance(error, RequestRefused):
        logger.error("the engine failed a request: %s: %s", error.code, error.message)
        return problem_response(500, error.code, "the engine could not do this")
    problems = error.detail.get("problems")
    extra = {key: value for key, value in error.detail.items() if key != "problems"}
    return problem_response(
        status or 422, error.code, error.message, problems=problems, extra=extra
    )


def _framework_error(error: Exception, status: int, code: str) -> Response:
    detail = HTTPStatus(status).phrase
    if isinstance(error, exceptions.APIException):
        detail = str(error.detail)
        given = error.get_codes()
        code = given if isinstance(given, str) and given[:1].isupper() else code
    answer = problem_response(status, code, detail)
    if isinstance(error, exceptions.NotAuthenticated | exceptions.AuthenticationFailed):
        answer["WWW-Authenticate"] = "Bearer"
    return answer
