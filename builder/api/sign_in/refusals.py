"""allauth's refusals in the product's form: a code that stays, and a sentence that helps."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpResponseBase

from builder.base.errors import Conflict, InvalidInput, NotAllowed, NotFound, ServiceError

WRONG_CODE: Final = "this code is not right: wait for the next one, or use a recovery code"
WRONG_KEY: Final = "this passkey is not known here: sign in another way"


def refused(answer: HttpResponseBase) -> ServiceError:
    """Return what an answer of status 400 and more says, as an error of ours."""
    said = _read(answer)
    status = answer.status_code
    if status == 401:
        return _unauthorised(said)
    if status == 404:
        return NotFound("nothing is set up here yet", code="NotSetUp")
    if status == 409:
        return Conflict("this was done already: look again", code="Changed")
    if status == 405:
        return NotFound("this route does not do that")
    return _misfit(said)


def confirm_first() -> NotAllowed:
    """Return the refusal of a change before the password was shown again."""
    return NotAllowed("show your password again first", code="ConfirmFirst")


def over() -> NotAllowed:
    """Return the refusal of a step that nobody has begun, or too long ago."""
    return NotAllowed(
        "nobody is half signed in here, or it was too long ago: begin again", code="SignInOver"
    )


def _unauthorised(said: Mapping[str, Any]) -> ServiceError:
    meta = said.get("meta")
    if isinstance(meta, dict) and meta.get("is_authenticated"):
        return confirm_first()
    return over()


def _misfit(said: Mapping[str, Any]) -> ServiceError:
    errors = said.get("errors")
    first = errors[0] if isinstance(errors, list) and errors else {}
    code, field = str(first.get("code", "")), str(first.get("param", ""))
    if code == "incorrect_code":
        message = WRONG_CODE if field == "code" else WRONG_KEY
        return NotAllowed(message, code="CodeWrong")
    return InvalidInput(str(first.get("message", "")) or "this cannot be read", path=field)


def _read(answer: HttpResponseBase) -> Mapping[str, Any]:
    try:
        said = json.loads(getattr(answer, "content", b""))
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
