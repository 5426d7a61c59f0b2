"""Changing a password, and getting a new one by mail. Whoever was signed in elsewhere is out then.

Hashes are made before a transaction begins: a hash that waits for its turn holds nobody up.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.contrib.auth.hashers import make_password
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.db.models import QuerySet

from builder.base.errors import Conflict, NotAllowed, NotFound, TooMany
from builder.models import User
from builder.services.mail import account_mail
from builder.services.people import accounts, attempts, sign_ins
from builder.services.people.attempts import Limit

HOUR: Final = timedelta(hours=1)
MAX_LETTERS: Final = 3
"""Mails to one address in an hour, whoever asks for them."""
MAX_ASKED: Final = 10
"""Mails that one origin asks for in an hour."""


def check(user: User, password: str) -> None:
    """Raise `NotAllowed` `WrongPassword` unless it is the person's."""
    if not user.check_password(password):
        raise NotAllowed("this is not your present password", code="WrongPassword")


def change(user: User, password: str) -> None:
    """Set another password. Raises `InvalidInput` for a weak one.

    Every session ends by it; the caller's own goes on if it gets the new hash.
    """
    accounts.check_password(password, user)
    encoded = make_password(password)
    with transaction.atomic():
        if not User.objects.filter(pk=user.pk, password=user.password).update(password=encoded):
            raise Conflict("the password was changed at this moment: look again", code="Changed")
        sign_ins.record(user, "password.changed")
    user.password = encoded


def ask_for_link(email: str, *, origin: str) -> None:
    """Let a link for a new password be sent, if the address is somebody's: nobody learns whether.

    Raises `TooMany` for the origin. An address that gets enough mail already gets no more.
    """
    who = email.strip().lower()
    attempts.take(Limit(f"reset-from:{origin}", MAX_ASKED, HOUR))
    try:
        attempts.take(Limit(f"reset-of:{who}", MAX_LETTERS, HOUR))
    except TooMany:
        return
    account_mail.ask_reset(who)


def reset(user_id: str, token: str, password: str) -> User:
    """Set a new password by a link's token and end every session.

    Raises `NotFound` `ResetLinkInvalid` for a link that is used, too old or made up, `InvalidInput`.
    """
    user = _of_link(User.objects.all(), user_id, token)
    accounts.check_password(password, user)
    encoded = make_password(password)
    with transaction.atomic():
        user = _of_link(User.objects.select_for_update(), user_id, token)
        user.password = encoded
        user.save(update_fields=["password"])
        sign_ins.record(user, "password.reset")
        sign_ins.end_others(user, None)
    return user


def _of_link(people: QuerySet[User], user_id: str, token: str) -> User:
    found = people.filter(pk=user_id, is_active=True).first()
    if found is None or not default_token_generator.check_token(found, token):
        raise NotFound(
            "this link was used, or is older than an hour: ask for another",
            code="ResetLinkInvalid",
        )
    return found
