"""What runs are called in lists: the first line of what they were started with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from builder.base.run_text import BETWEEN, title_of
from builder.models import GraphVersion, Run
from builder.reads import event_log as log
from builder.reads.inbox.sums import is_money, priced

Money = Mapping[str, Mapping[str, Any]]
"""The start fields of a version that are money, by name."""
FIELDS: Final = "document__interface__inputs__properties"
AS_GIVEN: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
"""How a schedule writes when it was due."""
OF_SCHEDULES: Final = frozenset({"due", "missed"})
NONE: Final[Money] = {}
MAX_KNOWN: Final = 5_000
_known: Final[dict[str, Money]] = {}
"""What was read of versions, which never change: most pages list runs of the same few."""
_called: Final[dict[tuple[str, str | None], str]] = {}
"""Titles by run and version: a first event never changes, and lists are asked for again and again."""


def titles_of(runs: Sequence[Run]) -> dict[str, str]:
    """Return the titles of runs by id, in one query for those not asked for before.

    Of a run without input it is empty. Sums are spelled as the workflow declares them: a second
    query reads that of versions that no title was made of before.
    """
    told = {run.pk: _called.get((run.pk, run.version_id)) for run in runs}
    strange = [run for run in runs if told[run.pk] is None]
    started = log.starts_of(strange)
    money = _money_of({run.version_id for run in strange})
    found = {
        (run.pk, run.version_id): _title(started[run.pk], money.get(run.version_id or "", NONE))
        for run in strange
        if run.pk in started
    }
    if len(_called) + len(found) > MAX_KNOWN:
        _called.clear()
    _called.update(found)
    return {run.pk: found.get((run.pk, run.version_id), told[run.pk] or "") for run in runs}


def title_of_start(run: Run, started: Mapping[str, Any]) -> str:
    """Return the title of a run of which the first event is known."""
    return _title(started, _money_of({run.version_id}).get(run.version_id or "", NONE))


def _title(started: Mapping[str, Any], money: Money) -> str:
    given = started.get("input")
    if isinstance(given, Mapping) and given.keys() == OF_SCHEDULES and (due := _due(given)):
        return due
    if money and isinstance(given, Mapping):
        sums = {name: priced(given[name], money[name]) for name in money if name in given}
        given = {**given, **{name: said for name, said in sums.items() if said is not None}}
    return title_of(given)


def _due(given: Mapping[str, Any]) -> str | None:
    """Return what a schedule gave a run that nobody mapped otherwise: when it was due."""
    due = given["due"]
    if not isinstance(due, str) or not AS_GIVEN.fullmatch(due):
        return None  # a person writes a day, or a time of their own
    try:
        at = datetime.fromisoformat(due).astimezone(UTC)
    except ValueError:
        return None
    missed = given["missed"]
    more = f", {missed:,} missed before" if isinstance(missed, int) and missed > 0 else ""
    return f"Due {at:%Y-%m-%d %H:%M} UTC{more}"


def _money_of(versions: set[str | None]) -> Mapping[str, Money]:
    found = {version: _known.get(version) for version in versions if version}
    wanted = [version for version, money in found.items() if money is None]
    if wanted:
        rows = GraphVersion.objects.filter(pk__in=wanted).values_list("pk", FIELDS)
        read = {version: _money_in(fields) for version, fields in rows}
        if len(_known) > MAX_KNOWN:
            _known.clear()
        _known.update(read)
        found |= read
    return {version: money or NONE for version, money in found.items()}


def _money_in(fields: Any) -> Money:
    if not isinstance(fields, Mapping):
        return NONE
    return {
        name: field
        for name, field in fields.items()
        if isinstance(field, Mapping) and is_money(field)
    } or NONE


def titles_by_id(ids: Iterable[str]) -> dict[str, str]:
    """Return the titles of runs that are known by their ids, in two queries."""
    return titles_of(list(Run.objects.filter(pk__in=set(ids)).only("pk", "number", "version")))


def beside(title: str, said: str) -> str:
    """Return a run's title to stand beside other words, empty where they say it already."""
    spoken = said.casefold()
    told = all(_is_word(part, spoken) for part in title.casefold().split(BETWEEN))
    return "" if told else title


def _is_word(part: str, said: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", said) is not None
