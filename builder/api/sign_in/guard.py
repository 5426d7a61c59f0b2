"""The guard before allauth's views: who may, how often, in which form, and refusals in ours.

Nothing of allauth is reachable but what `routes.py` names, each through here. Guesses are counted
with those of passwords; beyond that by account, as who guesses a code knows the password already.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import get_adapter
from cryptography.exceptions import InvalidSignature
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse

from builder.api.http.parsers import TooLarge
from builder.api.http.problem import MEDIA_TYPE, problem_body
from builder.api.sign_in.refusals import confirm_first, over, refused
from builder.base.errors import Conflict, InvalidInput, NotAllowed, ServiceError, TooMany
from builder.models import User
from builder.services.people import attempts, doors, sign_ins
from builder.services.people.attempts import Limit
from builder.services.people.origins import address_of, remember_device
from builder.services.people.sign_in import steps
from builder.services.people.sign_in.shown import proved, shown_by
from engine.core.values.limits import UnreadableInput, parse_json

MAX_BODY: Final = 64 * 1024
MAX_VALUES: Final = 1_000
MOST_CODES: Final = 10
"""Wrong second factors of one account in a quarter of an hour, from wherever."""
CODE_LIVES: Final = timedelta(seconds=90)
"""A code is good for less; so long it is known as used, in all processes."""
MOST_ASKED: Final = 60
"""Challenges for strangers that one origin gets in a minute: each is a row."""
UNREADABLE: Final = (
    *(AttributeError, IndexError, KeyError, TypeError, ValueError, struct.error),
    *(InvalidSignature, NotImplementedError),
)
"""What the libraries raise on a hostile credential, beside what they refuse in words."""


class SignInFirst(ServiceError):
    """Nobody is signed in."""

    status = 401


View = Callable[..., HttpResponseBase]


@dataclass(frozen=True, slots=True)
class Guard:
    """One of allauth's views; `own`: for who is signed in, else for who is about to be."""

    view: View
    own: bool
    guesses: bool = False
    proves: bool = False
    """Whether a POST sets up a second factor, and so shows it."""
    confirmed: bool = False
    """Whether the password must have been shown again in the last minutes."""

    def __call__(self, request: HttpRequest, **named: Any) -> HttpResponseBase:
        """Return allauth's answer, or a refusal as `problem+json`."""
        try:
            body = _body(request)
            return self._answered(request, body, named)
        except ServiceError as error:
            return _said(error)

    def _answered(self, request: HttpRequest, body: Any, named: dict[str, Any]) -> HttpResponseBase:
        if self.own:
            user: User | None = _owner(request)
            if self.confirmed and not steps.is_confirmed(request):
                raise confirm_first()
        else:
            if request.user.is_authenticated:
                raise Conflict("you are signed in already", code="AlreadySignedIn")
            user = steps.waiting(request)
            if user is not None and not user.is_active:
                raise over()
        if request.method == "GET" and user is None:
            _ask_rarely(request)
        if request.method != "POST" or not self.guesses:
            answer = self._asked(request, named)
        else:
            with _guessing(request, user, body):
                answer = self._asked(request, named)
                if answer.status_code >= 400:
                    raise refused(answer)
        if self.proves and request.method == "POST" and answer.status_code < 400:
            assert user is not None
            proved(request, user)
        return _settled(request, answer)

    def _asked(self, request: HttpRequest, named: dict[str, Any]) -> HttpResponseBase:
        try:
            with transaction.atomic():
                return self.view(request, **named)
        except ImmediateHttpResponse as error:
            answer: HttpResponseBase = error.response
            return answer
        except UNREADABLE:
            raise InvalidInput("this is no answer of a passkey", path="credential") from None


@contextmanager
def _guessing(request: HttpRequest, user: User | None, body: Any) -> Iterator[None]:
    """Let the block try a second factor, or a passkey of whoever it belongs to. Raises `TooMany`."""
    limit = None if user is None else Limit(f"second-factor:{user.pk}", MOST_CODES, doors.QUARTER)
    if limit is not None:
        attempts.take(limit)
    with doors.passing(request, "" if user is None else user.email):
        _refuse_used(user, body)
        yield
    if limit is not None:
        attempts.forget(limit)


def _refuse_used(user: User | None, body: Any) -> None:
    """Raise `NotAllowed` `CodeWrong` for a code that was sent before: of two at once, one is let in."""
    code = body.get("code") if isinstance(body, dict) else None
    if user is None or not isinstance(code, str):
        return
    kept = sha256("".join(code.split()).encode()).hexdigest()
    try:
        attempts.take(Limit(f"code:{user.pk}:{kept}", 1, CODE_LIVES))
    except TooMany:
        message = "this code was used already: wait for the next one"
        raise NotAllowed(message, code="CodeWrong") from None


def _ask_rarely(request: HttpRequest) -> None:
    attempts.take(Limit(f"challenge:{address_of(request)}", MOST_ASKED, timedelta(minutes=1)))


def _owner(request: HttpRequest) -> User:
    """Return who is signed in by themselves. Raises `NotAllowed`."""
    user = request.user
    if not isinstance(user, User) or not user.is_active:
        raise SignInFirst("sign in first", code="NotSignedIn")
    if shown_by(request, user).provider is not None:
        raise NotAllowed(
            "you came in by your firm's sign-in, which decides about that: to change how else you"
            " sign in, sign in with your password or passkey first",
            code="CameByProvider",
        )
    return user


def _settled(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    """Return the answer in our form, once what follows from it is done."""
    if answer.status_code >= 400 and not _is_offer(answer):
        raise refused(answer)
    user = request.user
    if isinstance(user, User) and request.method != "GET":
        sign_ins.note_again(user, request)
        remember_device(request, answer, user.email)
    return _pictured(answer) if _is_offer(answer) else answer


def _is_offer(answer: HttpResponseBase) -> bool:
    """Return whether a secret is offered: allauth says 404 to that, as no code is set up yet."""
    return answer.status_code == 404 and b'"totp_url"' in getattr(answer, "content", b"")


def _pictured(answer: HttpResponseBase) -> HttpResponseBase:
    """Return the offered secret with its picture, made here: a secret is shown to no other host."""
    said = json.loads(getattr(answer, "content", b""))
    meta = said["meta"]
    meta["totp_svg"] = get_adapter().build_totp_svg(meta["totp_url"])
    pictured = JsonResponse({"status": 200, "meta": meta})
    pictured["Cache-Control"] = "no-store"
    return pictured


def _body(request: HttpRequest) -> Any:
    if request.method == "GET":
        return {}
    raw = request.body
    if len(raw) > MAX_BODY:
        raise TooLarge(f"the body is larger than {MAX_BODY} bytes", code="InputTooLarge")
    if not raw.strip():
        return {}
    try:
        body = parse_json(raw, max_bytes=MAX_BODY, max_values=MAX_VALUES)
    except UnreadableInput as error:
        raise InvalidInput(error.message, path=error.path) from None
    if not isinstance(body, dict):
        raise InvalidInput("an object", path="")
    if "\\u0000" in json.dumps(body):
        raise InvalidInput("text without the character NUL", path="")
    return body


def _said(error: ServiceError) -> HttpResponse:
    body = problem_body(
        error.status, error.code, error.message, problems=error.problems, extra=error.extra
    )
    answer = JsonResponse(body, status=error.status, content_type=MEDIA_TYPE)
    if isinstance(error, TooMany):
        answer["Retry-After"] = str(error.retry_after_s)
    answer["Cache-Control"] = "no-store"
    return answer
