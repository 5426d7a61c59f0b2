"""Whether a run may take part in a bulk job, before it begins and again at its turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from builder.models import BulkItem, BulkJob, Interrupt, Membership, Run, RunFailure
from builder.models.runs.failures import was_rejected
from builder.reads import event_log as log
from builder.reads.runs.choice import IN_BULK
from builder.services.permissions import Right, may, may_cancel

Result = BulkItem.Result
READ_AT_ONCE: Final = 500
FAILED: Final = frozenset({Run.Status.FAILED, Run.Status.TIMEOUT})


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a run is left out; `new_run` is the run that went on for it before."""

    result: str
    code: str
    why: str
    new_run: str | None = None


GONE: Final = Verdict(Result.REFUSED, "RunNotFound", "The run is gone.")
IN_DOUBT: Final = Verdict(
    Result.REFUSED,
    "InDoubt",
    "Nobody knows whether a call of it happened: somebody has to look first.",
)
IN_A_JOB: Final = Verdict(
    Result.SKIPPED,
    "InAJob",
    "It waits in another retry that is not over: go on with that, or stop it.",
)
REJECTED: Final = Verdict(
    Result.REFUSED, "RunRejected", "A person rejected it: that is a decision, not a failure."
)
PART: Final = Verdict(
    Result.REFUSED, "PartOfAnother", "It is a part of another run: do it with that one."
)
NO_STEP: Final = Verdict(
    Result.REFUSED,
    "RunNotRetryable",
    "No step of it failed, so there is none to go on at: open it and fork it from a step, or start anew.",
)


def verdicts(member: Membership, action: str, runs: Sequence[Run]) -> dict[str, Verdict]:
    """Return which of the runs are left out, by id, in a fixed number of queries for 500 of them."""
    found: dict[str, Verdict] = {}
    for first in range(0, len(runs), READ_AT_ONCE):
        part = runs[first : first + READ_AT_ONCE]
        retry = action == BulkJob.Action.RETRY
        judged = _of_retries(member, part) if retry else _of_cancels(member, part)
        below, doubtful = _below(part), _in_doubt(part)
        whole = _no_step_failed(part) if retry else set()
        for run in part:
            of_all = (
                judged.get(run.pk),
                IN_DOUBT if run.pk in doubtful else None,
                PART if run.pk in below else None,
                NO_STEP if run.number in whole else None,
            )
            verdict = next((one for one in of_all if one is not None), None)
            if verdict is not None:
                found[run.pk] = verdict
    return found


def _of_retries(member: Membership, runs: Sequence[Run]) -> dict[str, Verdict | None]:
    retried, rejected = _retried(runs), _rejected(runs)
    return {
        run.pk: REJECTED
        if run.pk in rejected
        else _of_retry(member, run, retried.get(run.number or 0))
        for run in runs
    }


def _of_cancels(member: Membership, runs: Sequence[Run]) -> dict[str, Verdict | None]:
    return {run.pk: _of_cancel(member, run) for run in runs}


def _of_retry(member: Membership, run: Run, retried: tuple[str, bool] | None) -> Verdict | None:
    if run.status not in FAILED:
        return Verdict(Result.REFUSED, "RunNotRetryable", "It did not fail.")
    if not may(member, Right.RUN):
        return Verdict(Result.REFUSED, "NotAllowed", "Your role may not start runs.")
    if retried is not None:
        new, by_job = retried
        why = "Another job tried it again." if by_job else "It was tried again before."
        return Verdict(Result.SKIPPED, "AlreadyRetried", why, new)
    return None


def _of_cancel(member: Membership, run: Run) -> Verdict | None:
    if run.status in Run.ENDED:
        return Verdict(Result.SKIPPED, "AlreadyOver", "It was over before.")
    if not may_cancel(member, run):
        return Verdict(Result.REFUSED, "NotAllowed", "Operators cancel it, or who started it.")
    return None


def _retried(runs: Sequence[Run]) -> Mapping[int, tuple[str, bool]]:
    """Return which run went on for each that was tried again, and whether a job made it."""
    numbers = [run.number or 0 for run in runs]
    rows = RunFailure.objects.filter(number__in=numbers, retried_by__isnull=False)
    new = {number: by or "" for number, by in rows.values_list("number", "retried_by")}
    made = Run.objects.filter(IN_BULK, pk__in=new.values()) if new else Run.objects.none()
    by_job = set(made.values_list("pk", flat=True))
    return {number: (by, by in by_job) for number, by in new.items()}


def _no_step_failed(runs: Sequence[Run]) -> set[int]:
    """Return the numbers of those that ended between two steps, such as with no way to go."""
    return log.without("NodeFailed", [run.number for run in runs if run.number is not None])


def _rejected(runs: Sequence[Run]) -> set[str]:
    """Return those that ended as a person said no."""
    ended = Run.objects.filter(pk__in=[run.pk for run in runs if run.status in FAILED])
    return set(ended.filter(was_rejected()).values_list("pk", flat=True))


def _in_doubt(runs: Sequence[Run]) -> set[str]:
    open_ones = Interrupt.objects.open().filter(run__in=[run.pk for run in runs], kind="in_doubt")
    return set(open_ones.values_list("run", flat=True))


def _below(runs: Sequence[Run]) -> set[str]:
    """Return those that another run waits for; one that a run handed over to stands for itself."""
    children = [run for run in runs if run.parent_run is not None]
    started = log.data_at((run.pk, 1) for run in children)
    return {run.pk for run in children if _kind(started.get((run.pk, 1), {})) != "transition"}


def _kind(started: Mapping[str, Any]) -> Any:
    return (started.get("parent") or {}).get("kind")
