"""What doing something with many runs would do: shown before it is begun, its runs fixed."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final
from urllib.parse import urlsplit

from django.db import transaction

from builder.base import engine_door
from builder.base.clock import now_ms
from builder.base.errors import Unprocessable
from builder.models import BulkItem, BulkJob, GraphVersion, Membership, Run
from builder.models.querysets import RunQuerySet
from builder.reads.operations.retries import waiting_in_jobs
from builder.services.permissions import Right, require
from builder.services.runs.bulk.verdicts import IN_A_JOB, IN_DOUBT, NO_STEP, Verdict, verdicts
from engine.core.effects import EffectClass
from engine.core.errors import RequestRefused

MAX_RUNS: Final = 5_000
VALID_MS: Final = 600_000
LOOKED_AT: Final = 300
LOOK_SECONDS: Final = 4.0
"""How many logs are read for a preview, and for how long at most; the rest is judged at its turn."""
NAMED: Final = 5
"""Runs that are named of those that take part, and for each reason why others do not."""


@dataclass(slots=True)
class Again:
    """A step that runs again: how often, and what it cost the first time."""

    times: int = 0
    usd: Decimal = Decimal(0)
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """A call that would be made again; `consent`: it did not fail the first time.

    `unsafe`: nobody can tell whether it may happen twice.
    """

    node: str
    method: str
    target: str
    consent: bool
    unsafe: bool


@dataclass(slots=True)
class Preview:
    """What a job would do, as far as the logs of `looked_at` of its runs say."""

    job: BulkJob
    runs: int
    looked_at: int = 0
    resends: int = 0
    """How many of them would send again what was sent; without leave they are left out."""
    again: dict[str, Again] = field(default_factory=lambda: defaultdict(Again))
    calls: Counter[Call] = field(default_factory=Counter)
    left_out: dict[str, Verdict] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    """What people call the steps, by id."""
    first: Sequence[str] = ()
    """Some of the runs with which something is done."""

    @property
    def usd(self) -> Decimal:
        """What the steps cost the first time."""
        return sum((step.usd for step in self.again.values()), Decimal(0))


def preview(member: Membership, chosen: RunQuerySet, action: str) -> Preview:
    """Fix the runs and say what the action would do with them.

    Raises `Unprocessable` `NoRuns` and `TooManyRuns`.
    """
    require(member, Right.RUN)
    rows = chosen.defer("graph__header").order_by("started_at", "pk")
    runs = list(rows[: MAX_RUNS + 1])
    if not runs:
        raise Unprocessable("no run is chosen", code="NoRuns")
    if len(runs) > MAX_RUNS:
        message = f"more than {MAX_RUNS:,} runs: narrow the choice, by time or workflow"
        raise Unprocessable(message, code="TooManyRuns")
    job = BulkJob(workspace=member.workspace, by=member.user, action=action, made_at=now_ms())
    found = Preview(job, len(runs), left_out=verdicts(member, action, runs))
    if action == BulkJob.Action.RETRY:
        left = [run.pk for run in runs if run.pk not in found.left_out]
        waiting = waiting_in_jobs(member.workspace_id, left)
        found.left_out |= dict.fromkeys(waiting, IN_A_JOB)
        _look(found, [run for run in runs if run.pk not in found.left_out])
        found.labels = _labels(runs[:LOOKED_AT], {*found.again, *(one.node for one in found.calls)})
    found.first = [run.pk for run in runs if run.pk not in found.left_out][:NAMED]
    _keep(found, runs)
    return found


def doubtful(plan: Mapping[str, Any]) -> bool:
    """Return whether nobody knows of one of the plan's calls whether it happened."""
    return any(call["outcome"] == "unknown" for call in plan["resent"])


def _look(found: Preview, runs: Sequence[Run]) -> None:
    engine, until = engine_door.engine(), time.monotonic() + LOOK_SECONDS
    for run in runs[:LOOKED_AT]:
        if time.monotonic() > until:
            return
        found.looked_at += 1
        try:
            plan = engine.retry_plan(run.pk)
        except RequestRefused as refused:
            found.left_out[run.pk] = refusal(refused.code, str(refused))
            continue
        if doubtful(plan):
            found.left_out[run.pk] = IN_DOUBT
        else:
            _add(found, plan)
            found.resends += any(call["outcome"] != "failed" for call in plan["resent"])


def refusal(code: str, why: str) -> Verdict:
    """Return a verdict in the words of whoever refused."""
    if code == NO_STEP.code:
        return NO_STEP
    return Verdict(BulkItem.Result.REFUSED, code[:64], why[:500])


def _add(found: Preview, plan: Mapping[str, Any]) -> None:
    for step in plan["again"]:
        again = found.again[step["node"]]
        again.times += 1
        again.usd += Decimal(step["usd"])
        again.tokens += step["tokens"]
    for call in plan["resent"]:
        found.calls[_call(call)] += 1


def _call(call: Mapping[str, Any]) -> Call:
    request = call["arguments"]
    url = str(request.get("url") or "") if isinstance(request, Mapping) else ""
    method = str(request.get("method") or "") if url else ""
    return Call(
        call["node"],
        method,
        _host(url) or call["tool"],
        call["outcome"] != "failed",
        call.get("effect_class") == EffectClass.UNSAFE.value,
    )


def _labels(runs: Sequence[Run], nodes: Collection[str]) -> dict[str, str]:
    versions = {run.version_id for run in runs if run.version_id}
    documents = GraphVersion.objects.filter(pk__in=versions).values_list("document", flat=True)
    return {
        node["id"]: node["label"]
        for document in documents
        for node in document.get("nodes", ())
        if node["id"] in nodes and node.get("label")
    }


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return ""


def _keep(found: Preview, runs: Sequence[Run]) -> None:
    job = found.job
    with transaction.atomic():
        old = BulkJob.objects.filter(by=job.by_id, status=BulkJob.Status.PREVIEW)
        old.filter(made_at__lt=job.made_at - VALID_MS).delete()
        job.save(force_insert=True)
        items = [_item(job, n, run, found.left_out.get(run.pk)) for n, run in enumerate(runs)]
        BulkItem.objects.bulk_create(items, batch_size=500)


def _item(job: BulkJob, place: int, run: Run, left_out: Verdict | None) -> BulkItem:
    item = BulkItem(job=job, place=place, run=run.pk)
    if left_out is not None:
        note(item, left_out)
    return item


def note(item: BulkItem, verdict: Verdict) -> None:
    """Write into an item why its run is left out."""
    item.result, item.code, item.why = verdict.result, verdict.code, verdict.why
    item.new_run = verdict.new_run
