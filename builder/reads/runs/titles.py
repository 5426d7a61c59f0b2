"""What runs are called in lists: the first line of what they were started with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeGuard
from zoneinfo import ZoneInfo

from builder.base.clock import is_zone
from builder.base.run_text import BETWEEN, title_of
from builder.models import GraphVersion, Run, Trigger
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
    query reads that of versions that no title was made of before. When a schedule was due stands in
    its own time zone, which a third query reads.
    """
    told = {run.pk: _called.get((run.pk, run.version_id)) for run in runs}
    strange = [run for run in runs if told[run.pk] is None]
    started = log.starts_of(strange)
    money = _money_of({run.version_id for run in strange})
    zones = _zones_of((run, started[run.pk]) for run in strange if run.pk in started)
    found = {
        (run.pk, run.version_id): _title(
            started[run.pk], money.get(run.version_id or "", NONE), zones.get(run.pk)
        )
        for run in strange
        if run.pk in started
    }
    if len(_called) + len(found) > MAX_KNOWN:
        _called.clear()
    _called.update(found)
    return {run.pk: found.get((run.pk, run.version_id), told[run.pk] or "") for run in runs}


def title_of_start(run: Run, started: Mapping[str, Any]) -> str:
    """Return the title of a run of which the first event is known."""
    money = _money_of({run.version_id}).get(run.version_id or "", NONE)
    return _title(started, money, _zones_of([(run, started)]).get(run.pk))


def _title(started: Mapping[str, Any], money: Money, zone: str | None) -> str:
    given = started.get("input")
    if _is_of_schedule(given) and (due := _due(given, zone)):
        return due
    if money and isinstance(given, Mapping):
        sums = {name: priced(given[name], money[name]) for name in money if name in given}
        given = {**given, **{name: said for name, said in sums.items() if said is not None}}
    return title_of(given)


def _is_of_schedule(given: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(given, Mapping) and given.keys() == OF_SCHEDULES


def _zones_of(starts: Iterable[tuple[Run, Mapping[str, Any]]]) -> dict[str, str]:
    """Return the time zones of the schedules that started runs, by run; without those that are gone."""
    by = {run.pk: run.trigger for run, started in starts if _is_of_schedule(started.get("input"))}
    if not by:
        return {}
    read = Trigger.objects.filter(pk__in={one for one in by.values() if one})
    zones = dict(read.values_list("pk", "config__zone"))
    return {run: zones[one] for run, one in by.items() if one in zones and is_zone(zones[one])}


def _due(given: Mapping[str, Any], zone: str | None) -> str | None:
    """Return what a schedule gave a run that nobody mapped otherwise: when it was due, in its time zone."""
    due = given["due"]
    if not isinstance(due, str) or not AS_GIVEN.fullmatch(due):
        return None  # a person writes a day, or a time of their own
    try:
        at = datetime.fromisoformat(due).astimezone(ZoneInfo(zone) if zone else UTC)
    except (ValueError, OverflowError):
        return None
    missed = given["missed"]
    more = f", {missed:,} missed before" if isinstance(missed, int) and missed > 0 else ""
    return f"Due {at:%Y-%m-%d %H:%M} {zone or 'UTC'}{more}"


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
    read = Run.objects.filter(pk__in=set(ids)).only("pk", "number", "version", "trigger")
    return titles_of(list(read))


def beside(title: str, said: str) -> str:
    """Return a run's title to stand beside other words, empty where they say it already."""
    spoken = said.casefold()
    told = all(_is_word(part, spoken) for part in title.casefold().split(BETWEEN))
    return "" if told else title


def _is_word(part: str, said: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", said) is not None
