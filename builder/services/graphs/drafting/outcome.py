"""Where a draft stands: being written, ready to be judged, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final, Literal

import orjson
from django.utils import timezone

from builder.models import DraftProposal, Run
from builder.reads import event_log

Status = Literal["writing", "ready", "refused", "failed", "stopped"]
STARTS_WITHIN: Final = timedelta(seconds=60)
"""A row whose run is not there after that was left by a process that died between the two."""
NOT_STARTED: Final = "It did not start: the server was stopped at that moment. Ask again."
PLAIN: Final = {
    "timeout": "The model did not answer in time. Try again, or choose a faster model.",
    "BudgetExceeded": "The money for this draft is used up. Nothing was changed.",
    "PriceUnknown": "Nobody knows what this model costs, and this workspace refuses such calls.",
}
"""What people read for codes whose message speaks of runs and nodes."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a draft. `message` says why there is none, `wrong` what did not pass."""

    status: Status
    message: str = ""
    summary: str = ""
    document: dict[str, Any] | None = None
    problems: tuple[dict[str, Any], ...] = ()
    wrong: tuple[str, ...] = ()
    rounds: int = 0
    spent_pico: int = 0
    spent_tokens: int = 0


def outcome_of(proposal: DraftProposal) -> Outcome:
    """Return where the draft stands now, by its run."""
    run = Run.objects.filter(pk=proposal.run).first()
    if run is None:
        young = timezone.now() - proposal.created_at < STARTS_WITHIN
        return Outcome("writing") if young else Outcome("failed", NOT_STARTED)
    return replace(_of_run(run), spent_pico=run.spent_pico, spent_tokens=run.spent_tokens)


def _of_run(run: Run) -> Outcome:
    if run.status not in Run.ENDED:
        return Outcome("writing")
    if run.status == Run.Status.CANCELLED:
        return Outcome("stopped", "It was stopped. Nothing was changed.")
    if run.status != Run.Status.COMPLETED:
        return Outcome("failed", _why(run))
    _first, last = event_log.first_and_last(run.pk, run.seq)
    result = last.get("result")
    return _ended(result if isinstance(result, dict) else {})


def _ended(result: Mapping[str, Any]) -> Outcome:
    rounds = int(result.get("rounds") or 0)
    summary = str(result.get("summary") or "")
    if result.get("cannot"):
        return Outcome("refused", summary, rounds=rounds)
    if not isinstance(result.get("document"), dict):
        wrong = tuple(str(each) for each in result.get("wrong") or ())
        tries = "once" if rounds == 1 else f"{rounds} times"
        why = f"The model answered {tries}, and no answer passed the check. Nothing was changed."
        return Outcome("refused", why, wrong=wrong, rounds=rounds)
    problems = tuple(result.get("problems") or ())
    return Outcome("ready", "", summary, result["document"], problems, rounds=rounds)


def _why(run: Run) -> str:
    error = orjson.loads(run.error) if run.error else {}
    code, message = str(error.get("code") or run.status), str(error.get("message") or "")
    if run.status == Run.Status.TIMEOUT or "imeout" in code:
        code = "timeout"
    if code.endswith("BudgetExceeded"):
        code = "BudgetExceeded"
    return PLAIN.get(code) or f"The model could not be asked: {message}"
