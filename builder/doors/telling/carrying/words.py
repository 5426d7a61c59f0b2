"""What a notice says, by the names of workflow and step: nothing that a model wrote."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Final

from builder.base import address
from builder.doors.telling.rules.audience import item_of
from builder.models import BudgetLimit, ChannelNotice, Interrupt, Run
from builder.reads.money.budget_words import budget_name, used_words
from engine.integrations.channels.message import Line

LONGEST: Final = 80
"""Characters of a name."""
ENDS: Final[Mapping[str, str]] = {
    "run.completed": "completed",
    "run.failed": "failed",
    "run.cancelled": "was cancelled",
    "run.timeout": "ran out of time",
}
REJECTED: Final = "was rejected"
"""Instead of `failed` where a person said no."""
ASKS: Final[Mapping[str, str]] = {
    "approval": "waits for a decision",
    "question": "waits for an answer",
    "budget": "waits for more budget",
    "doubt": "is in doubt: somebody has to say whether it happened",
}
GONE: Final = {"graph": "workflow", "trigger": "trigger"}
"""What a budget was of that is no longer there."""
DECIDED: Final[Mapping[str, str]] = {"approved": "was approved", "rejected": "was rejected"}


def line_of(notice: ChannelNotice) -> Line:
    """Return the line of a notice, with a link to what it is about: opening it decides nothing."""
    kind = notice.kind
    if kind == "budget.mark":
        return _mark(notice)
    if kind in ENDS:
        return Line(_ended(notice), f"{address.public()}/runs/{notice.run}")
    return Line(_item(notice), f"{address.public()}/inbox/{notice.ref}")


def named(text: str) -> str:
    """Return a name in one line, without signs that are not seen, cut where it is too long."""
    seen = "".join(sign for sign in text if unicodedata.category(sign)[0] != "C" or sign in "\n\t")
    line = " ".join(seen.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def _ended(notice: ChannelNotice) -> str:
    run = Run.objects.select_related("graph", "version").filter(pk=notice.run).first()
    said = _said(notice)
    node, how = said.get("node"), REJECTED if said.get("rejected") else ENDS[notice.kind]
    at = f" at “{_label(run, str(node))}”" if node and notice.kind == "run.failed" else ""
    return f"A run of “{_workflow(run)}” {how}{at}"


def _item(notice: ChannelNotice) -> str:
    row = Interrupt.objects.filter(pk=notice.ref).first()
    item = None if row is None else item_of(row)
    if row is None or item is None:
        return "An item of the inbox that is gone"
    where = f"“{named(item.label)}” of “{_workflow(item.run)}”"
    noun, _, what = notice.kind.partition(".")
    return f"{where} {_WORDS[what](noun, _said(notice))}"


def _mark(notice: ChannelNotice) -> Line:
    said = _said(notice)
    whose, percent = _whose(notice.ref, str(said.get("level"))), int(said.get("percent", 0))
    text = f"{whose} is used to {percent} %"
    if much := used_words(said):
        text += f": {much}"
    return Line(text, f"{address.public()}/dashboard/spend")


def _whose(row_id: str, level: str) -> str:
    """Return what a budget is of: its row is `{level}:{limit}:{period}`."""
    _level, _, rest = row_id.partition(":")
    rows = BudgetLimit.objects.select_related("graph", "trigger")
    limit = rows.filter(pk=rest.partition(":")[0]).first()
    if limit is None:
        return f"The budget of the {GONE.get(level, 'workspace')}"
    return budget_name(limit, named)


def _long(minutes: int) -> str:
    """Return minutes as people say them, in the largest unit that fits."""
    for size, unit in ((24 * 60, "day"), (60, "hour")):
        if minutes and minutes % size == 0:
            count = minutes // size
            return f"{count} {unit}" + ("" if count == 1 else "s")
    return f"{minutes} minute" + ("" if minutes == 1 else "s")


def _workflow(run: Run | None) -> str:
    if run is None:
        return "a workflow"
    return named(run.graph.name if run.graph else run.graph_slug)


def _label(run: Run | None, node: str) -> str:
    drawn = run.version.document.get("nodes", ()) if run and run.version else ()
    labels = {one["id"]: one.get("label") or one["id"] for one in drawn}
    return named(str(labels.get(node, node)))


def _said(notice: ChannelNotice) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(notice.data)
    return found


_WORDS: Final[Mapping[str, Callable[[str, Mapping[str, Any]], str]]] = {
    "opened": lambda noun, _: ASKS[noun],
    "decided": lambda _, said: DECIDED.get(str(said.get("decision")), "was decided"),
    "answered": lambda _noun, _said: "was answered",
    "expired": lambda _noun, _said: "was not decided in time",
    "reminded": lambda _noun, _said: "still waits: a reminder",
    "waiting": lambda _noun, said: f"has waited for {_long(int(said.get('minutes', 0)))}",
    "escalated": lambda _noun, _said: "was escalated, and still waits",
}
