"""What somebody else answered to the call at which a run failed, in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from django.db.models import OuterRef, Subquery

from builder.models import FailureCause, Run, RunFailure
from builder.reads.event_log import data_at

MAX_LINE: Final = 200
SAYING: Final = ("message", "error", "detail", "title", "reason", "description")
"""Fields of an answer in which services say what is wrong."""


def line_of(error: Mapping[str, Any]) -> str:
    """Return the first line of the answer's body, or what it says is wrong; "" without one.

    The body was cut and freed of secrets when it was recorded.
    """
    detail = error.get("detail")
    answer = detail.get("answer") if isinstance(detail, Mapping) else None
    body = answer.get("body") if isinstance(answer, Mapping) else None
    if not isinstance(body, str):
        return ""
    said = _said(body) or body
    line = next((line.strip() for line in said.splitlines() if line.strip()), "")
    return line if len(line) <= MAX_LINE else f"{line[: MAX_LINE - 1]}…"


def _said(body: str) -> str:
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        return ""
    for _ in range(2):
        if not isinstance(found, dict):
            break
        found = next((found[name] for name in SAYING if found.get(name)), None)
    return found if isinstance(found, str) else ""


def lines_of(causes: Sequence[FailureCause]) -> dict[str, str]:
    """Return, by cause, what the latest of its runs was answered; nothing where that was no answer."""
    latest = RunFailure.objects.filter(cause=OuterRef("pk")).order_by("-at", "-number")
    rows = FailureCause.objects.filter(pk__in=[one.pk for one in causes])
    numbers = dict(
        rows.annotate(number=Subquery(latest.values("number")[:1])).values_list("pk", "number")
    )
    runs = Run.objects.filter(number__in=[one for one in numbers.values() if one is not None])
    ends = {run.number: (run.pk, run.seq) for run in runs.only("pk", "number")}
    told = data_at(ends.values())
    found = {
        cause: line_of((told.get(ends[number]) or {}).get("error") or {})
        for cause, number in numbers.items()
        if number in ends
    }
    return {cause: line for cause, line in found.items() if line}
