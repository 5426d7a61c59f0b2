"""What marks runs in lists beside their own columns: tags, and since when they wait for somebody."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from django.db.models import Min, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce

from builder.base.failure_words import CALLED, REJECTED, is_rejection
from builder.models import Interrupt, Run, RunFailure, RunTag
from builder.models.prepared import Prepared, each_number_of, each_of
from builder.models.querysets import RunQuerySet
from builder.reads.runs import queue
from builder.reads.runs.asleep import asleep
from builder.reads.runs.kept import archived_at, kept_of
from builder.reads.runs.origins import triggers_of


@dataclass(frozen=True, slots=True)
class Marks:
    """Tags of a run, since when it waits for somebody and until when it sleeps (ms), None if not.

    `failed_at` is what people call the step at which it failed, `rejected` whether it ended there as
    a person said no, `rejected_by` who that was where the log names them, `trigger` is the name of
    what started it, empty where that is gone.
    """

    tags: Mapping[str, str] = field(default_factory=dict)
    waiting_since: int | None = None
    waits_until: int | None = None
    failed_at: str | None = None
    rejected: bool = False
    rejected_by: str | None = None
    trigger: str = ""
    archived_at: int | None = None
    kept: bool = False
    queued_behind: int | None = None
    """How many come before it while it waits for a place."""
    calls: Sequence[str] = ()
    """Which calls of it wait for their turn, in words."""


UNMARKED: Final = Marks()
NOT_FAILED: Final = ("", False)
TAGS: Final = Prepared(
    lambda numbers: (
        RunTag.objects.filter(number__in=each_number_of(numbers))
        .order_by("pk")
        .values_list("number", "name", "value")
    )
)
FAILURES: Final = Prepared(
    lambda numbers: RunFailure.objects.filter(number__in=each_number_of(numbers)).values_list(
        "number", "cause__label", "cause__code", "cause__sample"
    )
)
WAITING: Final = Prepared(
    lambda runs: (
        # the status as an expression: without figures SQLite reads all that is open rather than fifty runs
        Interrupt.objects.annotate(state=Coalesce("status", Value("")))
        .filter(run__in=each_of(runs), state=Interrupt.Status.OPEN)
        .order_by()
        .values_list("run")
        .annotate(first=Min("opened_at"))
    )
)
REFUSALS: Final = Prepared(
    lambda runs: (
        Interrupt.objects.filter(run__in=each_of(runs), outcome="rejected")
        .exclude(decided_by=None)
        .order_by("resolved_seq")
        .values_list("run", "workspace", "node", "decided_by")
    )
)
NEVER: Final = 2**62
MAX_STOREYS: Final = 3
"""How deep below a run that does not name what it called is looked for who said no."""
ENDS_WITHIN_MS: Final = 60_000
"""How long after a run that it called such a one ends: an index finds the former by that."""
WORDS: Final = {"timeout": "Timed out", "asleep": "Sleeping"}
"""What the screen calls a status, where its name is not the word."""


def status_words(told: str) -> str:
    """Return what the screen calls a status, `rejected` and `asleep` among them."""
    return WORDS.get(told) or told.capitalize()


def marks_of(rows: Sequence[Run]) -> dict[str, Marks]:
    """Return what marks each run beside its columns, by id, in a fixed number of queries."""
    tags, since, until, failed = tags_of(rows), waiting_since(rows), asleep(rows), failed_at(rows)
    triggers, archived, kept = triggers_of(rows), archived_at(rows), kept_of(rows)
    behind, calls = queue.before(rows), queue.calls_before(rows)
    refused = {
        **rejected_by([run for run in rows if failed.get(run.pk, NOT_FAILED)[1]]),
        **rejected_below(rows),
    }
    return {
        run.pk: Marks(
            tags.get(run.pk, {}),
            since.get(run.pk),
            until.get(run.pk),
            *failed.get(run.pk, NOT_FAILED),
            refused.get(run.pk),
            triggers.get(run.trigger or "", ""),
            archived.get(run.pk),
            run.pk in kept,
            behind.get(run.pk),
            calls.get(run.pk, ()),
        )
        for run in rows
    }


def tags_of(runs: Sequence[Run]) -> Mapping[str, dict[str, str]]:
    """Return the names and values that runs were started with, by the runs' ids, in one query."""
    ids = {run.number: run.pk for run in runs if run.number is not None}
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for number, name, value in TAGS.tuples(json.dumps(list(ids))):
        found[ids[number]][name] = value
    return found


def failed_at(runs: Sequence[Run]) -> Mapping[str, tuple[str, bool]]:
    """Return what people call the steps at which runs failed, and whether they said no there.

    By the runs' ids, in one query.
    """
    ids = {run.number: run.pk for run in runs if run.error and run.number is not None}
    if not ids:
        return {}
    return {
        ids[number]: (label, is_rejection(code, sample))
        for number, label, code, sample in FAILURES.tuples(json.dumps(list(ids)))
    }


def rejected_by(rejected: Sequence[Run]) -> Mapping[str, str]:
    """Return who said no to runs that ended there, by the runs' ids, in one query.

    An earlier no, which led another way, is none of it: what counts is the step of the error.
    """
    steps = {run.pk: orjson.loads(run.error or "{}").get("node") for run in rejected}
    return _deciders(
        {run.pk: _Refusal(run.pk, run.workspace_id, steps[run.pk]) for run in rejected}
    )


@dataclass(frozen=True, slots=True)
class _Refusal:
    """In which run a person said no, in which workspace, and at which step, None for any."""

    run: str
    workspace: str | None
    node: str | None


def _deciders(refused: Mapping[str, _Refusal]) -> Mapping[str, str]:
    """Return who said no, by what the refusals are given by, in one query."""
    ids = {one.run for one in refused.values()}
    said: dict[str, list[Sequence[str]]] = defaultdict(list)
    for run, *where in REFUSALS.tuples(json.dumps(sorted(ids))) if ids else ():
        said[run].append(where)
    return {
        key: by
        for key, one in refused.items()
        for workspace, node, by in said[one.run]
        if workspace == one.workspace and one.node in (None, node)
    }


def rejected_below(rows: Sequence[Run]) -> Mapping[str, str]:
    """Return who said no in a run that one of these had called, and which failed with it.

    By the ids of these runs: in one query, in none where no run ended in that way. Those that ended
    before errors named what was called are looked for, in two queries a storey.
    """
    refused = [run for run in rows if _is_refused_below(run)]
    below = {run.pk: found for run in refused if (found := _called_by(run)) is not None}
    unknown = [run for run in refused if run.pk not in below]
    return {**_deciders(below), **_looked_for(unknown, MAX_STOREYS)}


def _called_by(run: Run) -> _Refusal | None:
    """Return where a person said no, of a run that failed with it; None where its error names none."""
    error, found = orjson.loads(run.error or "{}"), None
    while _part(error, "code") == CALLED:
        detail = _part(error, "detail")
        found, error = _part(detail, "run_id"), _part(detail, "error")
    if not found or _part(error, "code") != REJECTED:
        return None
    return _Refusal(str(found), run.workspace_id, _part(error, "node"))


def _part(value: Any, name: str) -> Any:
    """Return a part of an error, None without one: what stands in its detail may be a function's own."""
    return value.get(name) if isinstance(value, Mapping) else None


def _looked_for(rows: Sequence[Run], storeys: int) -> Mapping[str, str]:
    above = {run.pk: _told(run) for run in rows if storeys and _is_refused_below(run)}
    if not above:
        return {}
    called = Q()
    for run in rows:
        if run.pk in above and run.ended_at is not None:
            ended = (run.ended_at - ENDS_WITHIN_MS, run.ended_at)
            called |= Q(workspace=run.workspace_id, ended_at__range=ended, parent_run=run.pk)
    below = [run for run in Run.objects.filter(called) if run.error] if called else []
    own = [run for run in below if _told(run)[0] == REJECTED]
    by = {**rejected_by(own), **_looked_for(below, storeys - 1)}
    return {
        run.parent_run: by[run.pk]
        for run in below
        if run.pk in by and run.parent_run and above[run.parent_run][1].endswith(_told(run)[1])
    }


def _told(run: Run) -> tuple[str, str]:
    """Return the code and the message with which a run failed."""
    error = orjson.loads(run.error or "{}")
    return str(error.get("code", "")), str(error.get("message", ""))


def _is_refused_below(run: Run) -> bool:
    """Return whether a run failed as one that it called was not approved."""
    code, message = _told(run) if run.error and REJECTED in run.error else ("", "")
    return code == CALLED and f": {REJECTED}: " in message


def waiting_since(runs: Sequence[Run]) -> Mapping[str, int]:
    """Return since when runs wait for somebody, by id, in milliseconds since the epoch."""
    alive = [run.pk for run in runs if run.status not in Run.ENDED]
    return dict(WAITING.tuples(json.dumps(alive))) if alive else {}


def with_wait(rows: RunQuerySet) -> RunQuerySet:
    """Return runs with `wait_sorted`: the longer one has waited for somebody, the larger it is.

    Those that wait for nobody come last.
    """
    mine = Interrupt.objects.open().filter(run=OuterRef("pk")).order_by("opened_at")
    first = Subquery(mine.values("opened_at")[:1])
    return rows.annotate(wait_sorted=-Coalesce(first, NEVER))
