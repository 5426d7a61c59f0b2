"""Who may try a password, how often, and from where: one rule for every door that hashes.

Guesses are counted by account and by address of origin. A browser in which the person has signed in
before is counted by itself: a crowd at the same address does not keep them out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from django.http import HttpRequest

from builder.base.errors import ServiceError, TooMany
from builder.services.people import attempts
from builder.services.people.attempts import Limit
from builder.services.people.origins import address_of, device
from builder.services.people.places import place

MAX_FAILURES: Final = 10
"""Wrong guesses for one account from one origin in a quarter of an hour."""
MAX_FROM_ORIGIN: Final = 15
"""Attempts from one origin in twenty seconds that led to nothing, whatever the account: so many
cost a quarter of a core, and who shares the address waits no longer than that."""
QUARTER: Final = timedelta(minutes=15)
MOMENT: Final = timedelta(seconds=20)


@contextmanager
def passing(request: HttpRequest, account: str = "") -> Iterator[None]:
    """Let the block try a password of `account`; what it raises counts as a wrong guess.

    Raises `TooMany`: `TooManyAttempts`, or `Busy` while others from the same origin are inside.
    """
    who = account.strip().lower()
    origin = device(request, who) or address_of(request)
    with place(origin):
        limits = [Limit(f"origin:{origin}", MAX_FROM_ORIGIN, MOMENT)]
        if who:
            limits.append(Limit(f"account:{origin}:{who}", MAX_FAILURES, QUARTER))
        _take(limits)
        try:
            yield
        except TooMany:  # nothing was compared
            _give_back(limits)
            raise
        attempts.give_back(limits[0])
        for limit in limits[1:]:
            attempts.forget(limit)


def _take(limits: Sequence[Limit]) -> None:
    taken: list[Limit] = []
    try:
        for limit in limits:
            attempts.take(limit)
            taken.append(limit)
    except ServiceError:
        _give_back(taken)
        raise


def _give_back(limits: Sequence[Limit]) -> None:
    for limit in limits:
        attempts.give_back(limit)
