"""Items of the inbox as lines of CSV: what was asked, who said what, and what they changed of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple

from builder.base.item_card import named_amount, title_of
from builder.models import Interrupt, Membership
from builder.reads.csv_lines import csv_lines
from builder.reads.figures import people
from builder.reads.inbox.changes import ABSENT, Change
from builder.reads.inbox.sums import with_sums
from builder.reads.inbox_items import Item, items_of
from builder.reads.reviews.approvals import words
from builder.reads.runs.titles import titles_of
from engine.core.budgets.money import usd
from engine.core.state.events import iso

MAX_ROWS: Final = 10_000
READ_AT_ONCE: Final = 200
HEAD: Final = (
    "item",
    "workflow",
    "step",
    "asked",
    "run",
    "run_title",
    "kind",
    "status",
    "decision",
    "decided_by",
    "comments",
    "opened",
    "closed",
    "seconds",
    "amount_before",
    "amount_after",
    "currency",
    "changes",
    "usd",
)


class _Said(NamedTuple):
    """What one person said, and in whose place."""

    by: str
    decision: str
    comment: str
    stands_for: str | None


def item_lines(rows: Iterable[Interrupt], member: Membership) -> Iterator[str]:
    """Yield items, in their order, as lines of CSV."""
    return csv_lines(HEAD, _cells(list(rows), member))


def _cells(rows: Sequence[Interrupt], member: Membership) -> Iterator[list[Any]]:
    for first in range(0, len(rows), READ_AT_ONCE):
        items = items_of(rows[first : first + READ_AT_ONCE], member)
        said = {item.row.pk: _said(item) for item in items}
        heard = [one for each in said.values() for one in each]
        names = people([*(one.by for one in heard), *(one.stands_for for one in heard)])
        titles = titles_of([item.run for item in items if item.run])
        for item in items:
            yield _line(item, said[item.row.pk], names, titles.get(item.row.run, ""))


def called_of(rows: Sequence[Interrupt], member: Membership) -> Mapping[str, list[Any]]:
    """Return by id what people call an item's workflow, step, question and run, and its amounts."""
    items = items_of(rows, member)
    titles = titles_of([item.run for item in items if item.run])
    return {
        item.row.pk: [
            *_called(item),
            titles.get(item.row.run, ""),
            *_amounts(item, item.request.get("data")),
        ]
        for item in items
    }


def _called(item: Item) -> list[str]:
    run = item.run
    workflow = (run.graph.name if run.graph else run.graph_slug) if run else ""
    return [workflow, item.label, _asked(item)]


def _asked(item: Item) -> str:
    """Return the question as the page has it, its sums with their currency."""
    if item.row.kind == "budget":
        return f"{item.label} needs more budget"
    request = item.request
    schema = request.get("edit_schema")
    given = schema.get("properties") if isinstance(schema, Mapping) else None
    declared = {name: {"x-unit": unit} for name, unit in item.currencies().items()}
    fields = {**declared, **(given if isinstance(given, Mapping) else {})}
    known = {"data": request.get("data"), "edit_schema": {"properties": fields}}
    return with_sums(title_of(request, item.label), known, with_units=True)


def _line(item: Item, said: Sequence[_Said], names: Mapping[str, str], title: str) -> list[Any]:
    row, run, asked = item.row, item.run, item.request
    closed = row.decided_at
    return [
        row.pk,
        *_called(item),
        row.run,
        title,
        row.kind,
        row.status,
        _decision(item),
        "; ".join(_who(one, names) for one in said),
        "; ".join(f"{names.get(one.by, one.by)}: {one.comment}" for one in said if one.comment),
        iso(row.opened_at),
        "" if closed is None else iso(closed),
        "" if closed is None else (closed - row.opened_at) // 1000,
        *_amounts(item, asked.get("data")),
        "; ".join(_change(one) for one in item.changes),
        Decimal(usd(run.spent_pico)) if run else "",
    ]


def _said(item: Item) -> list[_Said]:
    """Return what people said of it, who closed it last."""
    found = [_Said(one.by, one.decision, one.comment or "", one.stands_for) for one in item.said]
    by, last = item.row.decided_by, item.resolved
    if by is not None and by not in {one.by for one in found}:
        comment = str(last.get("comment") or "")
        found.append(_Said(by, _decision(item), comment, last.get("stands_for")))
    return found


def _decision(item: Item) -> str:
    if item.row.status == Interrupt.Status.OPEN:
        return ""
    answer = item.resolved.get("answer")
    said = answer.get("decision") if isinstance(answer, Mapping) else None
    return str(said or item.row.outcome or item.row.status)


def _who(one: _Said, names: Mapping[str, str]) -> str:
    absent = f" for {names.get(one.stands_for, one.stands_for)}" if one.stands_for else ""
    return f"{names.get(one.by, one.by)}{absent}: {one.decision}"


def _amounts(item: Item, data: Any) -> list[Any]:
    """Return the sum it was first about, the one that was decided, and its currency."""
    found = named_amount(data)
    if found is None:
        return ["", "", ""]
    name = found[0]
    changed = {one.key: one.before for one in item.changes}
    before = {key: each for key, each in {**data, **changed}.items() if each is not ABSENT}
    first = named_amount(before)
    # as it stands there: a number with many digits would be another one as a float
    was = "" if first is None else before[first[0]]
    return [was, data[name], item.currencies().get(name, "")]


def _change(one: Change) -> str:
    before = "" if one.before is ABSENT else words(one.before)
    after = "" if one.after is ABSENT else words(one.after)
    return f"{one.key}: {before} -> {after}"
