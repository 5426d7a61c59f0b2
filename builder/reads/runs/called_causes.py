"""What causes of failures are called: of several addresses how many there are, not one of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import orjson
from django.db.models import OuterRef, Q, Subquery

from builder.base.failure_words import is_breach, is_rejection
from builder.models import FailureCause, Run, RunFailure

LATEST: Final = 40
"""Failures of a cause whose messages are compared; where all of them differ there may be more."""
AT_ONCE: Final = 50
VARIES: Final = "…"
REFUSED: Final = "Rejected by a person"
LISTED: Final = 3
"""Hosts that the name of a cause lists."""
_SCHEME: Final = "://"
_HOSTS: Final = re.compile(r"(port \d+ of |)('[^' ]+') (leads to an address .+|is not on .+)")
"""Refusals of an address: its port, its host, why."""


def names_of_causes(causes: Sequence[FailureCause]) -> dict[str, str]:
    """Return, by cause, what its latest failures say in common; three queries for `AT_ONCE` causes."""
    said: dict[str, list[str]] = {}
    named = {one.pk: _own_name(one.code, one.sample) for one in causes}
    several = [one for one in causes if one.count > 1 and named[one.pk] is None]
    for first in range(0, len(several), AT_ONCE):
        said |= _messages(several[first : first + AT_ONCE])
    return {
        one.pk: named[one.pk] or called([one.sample, *said.get(one.pk, ())], one.count)
        for one in causes
    }


def _own_name(code: str, sample: str) -> str | None:
    """Return what a cause is called whose messages are not compared: they differ in amounts alone."""
    if is_rejection(code, sample):
        return REFUSED
    return sample.partition(":")[0] if is_breach(code) else None


def called(messages: Sequence[str], count: int) -> str:
    """Return messages alike as one of `count` runs; the first where they do not fit together."""
    different = list(dict.fromkeys(messages))
    if len(different) > 1 and (hosts := _hosts(different)):
        return hosts
    words = [message.split(" ") for message in different]
    if len(words) == 1 or len({len(one) for one in words}) > 1:
        return messages[0]
    return " ".join(_common(column, count) for column in zip(*words, strict=True))


def _common(column: Sequence[str], count: int) -> str:
    found = list(dict.fromkeys(column))
    if len(found) == 1:
        return found[0]
    if not all(_SCHEME in one for one in found):
        return VARIES
    at_least = "over " if len(found) >= LATEST < count else ""
    start = _shared(min(found), max(found)).rpartition("/")[0]
    under = f" under {start}/" if start.partition(_SCHEME)[2] else ""
    return f"{at_least}{len(found)} addresses{under}"


def _hosts(messages: Sequence[str]) -> str:
    """Return which hosts were refused and why; nothing where messages say anything else."""
    refused = [found for message in messages if (found := _HOSTS.fullmatch(message))]
    if len(refused) < len(messages) or len({found[3] for found in refused}) > 1:
        return ""
    return f"{_listed(list(dict.fromkeys(found[2] for found in refused)))} {refused[0][3]}"


def _listed(names: Sequence[str]) -> str:
    """Return each of a few names, else the first ones."""
    if len(names) == 1:
        return names[0]
    if len(names) <= LISTED:
        return " or ".join([", ".join(names[:-1]), names[-1]])
    return f"{', '.join(names[: LISTED - 1])} or {len(names) - LISTED + 1} others"


def _shared(one: str, other: str) -> str:
    """Return how both begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return one[: next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))]


def _messages(causes: Sequence[FailureCause]) -> dict[str, list[str]]:
    """Return the messages of the latest failures by cause, the latest first."""
    latest = RunFailure.objects.filter(cause=OuterRef("pk")).order_by("-at").values("at")
    rows = FailureCause.objects.filter(pk__in=[one.pk for one in causes])
    since = rows.annotate(since=Subquery(latest[LATEST - 1 : LATEST])).values_list("pk", "since")
    asked = Q()
    for pk, at in since:
        asked |= Q(cause=pk) if at is None else Q(cause=pk, at__gte=at)
    failures = RunFailure.objects.filter(asked).order_by("-at", "-number")
    causes_of = dict(failures.values_list("number", "cause")[: LATEST * len(causes)])
    errors = dict(Run.objects.filter(number__in=list(causes_of)).values_list("number", "error"))
    found: dict[str, list[str]] = {}
    for number, cause in causes_of.items():
        message = _message(errors.get(number))
        if message:
            found.setdefault(cause, []).append(message)
    return found


def _message(error: str | None) -> str:
    said = orjson.loads(error) if error else None
    message = said.get("message") if isinstance(said, dict) else None
    return message if isinstance(message, str) else ""
