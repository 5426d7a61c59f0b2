"""Errors of the services, beside `engine.core.errors.RequestRefused`. Each has a stable code:

ServiceError
├── NotAllowed           the person's role does not include this (403)
├── NotFound             no such thing, or in another workspace (404)
├── InvalidInput         the request is malformed; `problems` says where (400)
├── Conflict             somebody else was there before (409); `extra` says who and what
├── Unprocessable        well-formed, but cannot be done as things are (422)
├── TooMany              too often, or too many at once: later (429)
└── NotYet               it is kept, and has its effect later (202)

BackupError              a backup cannot be made or taken, for the commands; its text says the cure
"""

from __future__ import annotations

from typing import Any


class BackupError(Exception):
    """A backup cannot be made, or what is given as one cannot be restored."""


class ServiceError(Exception):
    """Base of the errors that services raise. `extra` is merged into the answer."""

    status = 400

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        problems: list[dict[str, Any]] | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).__name__
        self.problems = problems
        self.extra = extra or {}


class NotAllowed(ServiceError):
    """The person's role does not include this."""

    status = 403


class NotFound(ServiceError):
    """No such thing here."""

    status = 404


class InvalidInput(ServiceError):
    """The request is malformed."""

    def __init__(
        self, message: str, *, path: str = "", problems: list[dict[str, Any]] | None = None
    ) -> None:
        found = problems or [problem("InputInvalid", path, message)]
        super().__init__(message, code="InputInvalid", problems=found)


class Conflict(ServiceError):
    """Somebody else was there before."""

    status = 409


class Unprocessable(ServiceError):
    """Well-formed, but it cannot be done as things are."""

    status = 422


class TooMany(ServiceError):
    """Too often, or too many at once; in `retry_after_s` seconds it is worth another try."""

    status = 429

    def __init__(self, message: str, *, code: str, retry_after_s: int) -> None:
        super().__init__(message, code=code, extra={"retry_after_s": retry_after_s})
        self.retry_after_s = retry_after_s


class ArchiveDamaged(ServiceError):
    """The file of an archived run is not there, not the one that was written, or cannot be read."""

    status = 503

    def __init__(self, message: str) -> None:
        super().__init__(f"{message}: restore the folder of archived runs", code="ArchiveDamaged")


class NotYet(ServiceError):
    """It is durable and has its effect later; nothing has to be sent again."""

    status = 202


def problem(code: str, path: str, message: str) -> dict[str, Any]:
    """Return one entry of `problems`."""
    return {"severity": "error", "code": code, "path": path, "message": message}
