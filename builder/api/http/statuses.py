"""Which code has which HTTP status, and what people are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from rest_framework import exceptions

STATUS: Final[Mapping[str, int]] = {
    "InputInvalid": 400,
    "NotEligible": 403,
    "NotYoursToEdit": 403,
    "NotAllowed": 403,
    "GraphNotFound": 404,
    "RunNotFound": 404,
    "InterruptNotFound": 404,
    "NotFound": 404,
    "AlreadyAskedBack": 409,
    "AlreadyDecided": 409,
    "NotAskedBack": 409,
    "ContentChanged": 409,
    "InterruptClosed": 409,
    "RunEnded": 409,
    "RunNotRetryable": 409,
    "RunNotEnded": 409,
    "ForkPointNotFound": 404,
    "ForkAfterApproval": 409,
    "ForkAfterUndo": 409,
    "ForkNotPossible": 409,
    "RunTooLong": 409,
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
