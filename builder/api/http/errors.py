"""Which error is told how: one table from code to HTTP status, one shape for every refusal."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from rest_framework import exceptions
from rest_framework.response import Response

from builder.api.http.problem import MEDIA_TYPE, problem_response, trouble_body
from builder.api.http.statuses import FRAMEWORK, STATUS
from builder.base.database_trouble import trouble_of
from builder.base.engine_door import EngineNotStarted
from builder.base.errors import ServiceError, TooMany
from engine.core.errors import EngineError, GraphHasErrors, RequestRefused, StoreError

logger = logging.getLogger(__name__)


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
        return problem_response(422, error.code, "the workflow has errors", problems=found)
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
