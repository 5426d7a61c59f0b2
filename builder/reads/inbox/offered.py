"""By which of their values the open items of a workspace can be filtered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.db.models import Max

from builder.base.item_card import MAX_FIELDS
from builder.models import GraphVersion, Interrupt, InterruptCard, InterruptField, Run
from builder.reads.inbox.declared import currency_of, declared

MOST_STEPS: Final = 50
MOST_CHOICES: Final = 30
Kind = Literal["number", "text", "yes_no", "one_of"]
KINDS: Final[Mapping[str, Kind]] = {
    "number": "number",
    "integer": "number",
    "string": "text",
    "boolean": "yes_no",
}


@dataclass(frozen=True, slots=True)
class OfferedField:
    """A field that open items show, as their workflows declare it."""

    name: str
    kind: Kind
    title: str = ""
    unit: str = ""
    choices: tuple[str, ...] = ()


def offered(workspace_id: str) -> list[OfferedField]:
    """Return the fields in the order of their names; in five queries, each step read at one item.

    Only short values can be asked for, so long texts, lists and groups are left out.
    """
    found: dict[str, OfferedField] = {}
    for one in _declared(workspace_id):
        before = found.get(one.name)
        found[one.name] = one if before is None else _both(before, one)
    return [found[name] for name in sorted(found)]


def _declared(workspace_id: str) -> Iterator[OfferedField]:
    samples = _samples(workspace_id)
    shown: dict[str, list[str]] = {}
    for item, name in InterruptField.objects.filter(interrupt__in=samples).values_list(
        "interrupt", "name"
    ):
        shown.setdefault(item, []).append(name)
    items = Interrupt.objects.filter(pk__in=samples).values_list("pk", "run", "node")
    versions = dict(
        Run.objects.filter(pk__in=[run for _, run, _ in items]).values_list("pk", "version")
    )
    documents = dict(
        GraphVersion.objects.filter(pk__in=set(versions.values())).values_list("pk", "document")
    )
    for item, run, node in items:
        document = documents.get(versions.get(run) or "", {})
        schemas = declared(document)
        for name in {*shown.get(item, ()), *_reviewed(document, node)}:
            yield from _field(name, schemas.get(name))


def _samples(workspace_id: str) -> list[str]:
    """Return one open item of each step."""
    cards = InterruptCard.objects.filter(
        interrupt__workspace=workspace_id, interrupt__status=Interrupt.Status.OPEN
    )
    latest = cards.order_by().values("step").annotate(one=Max("interrupt"))
    return list(latest.values_list("one", flat=True)[:MOST_STEPS])


def _reviewed(document: Mapping[str, Any], node: str) -> Iterable[str]:
    """Return the keys that a step names, where all of them can be asked for."""
    nodes = document.get("nodes") or ()
    config = next((one.get("config") or {} for one in nodes if one.get("id") == node), {})
    keys = [key for key in config.get("review_keys") or () if isinstance(key, str)]
    return keys if len(keys) <= MAX_FIELDS else ()


def _field(name: str, schema: Any) -> Iterator[OfferedField]:
    if not isinstance(schema, Mapping) or schema.get("x-widget") == "text" or ":" in name:
        return
    said = schema.get("type")
    types = [one for one in (said if isinstance(said, list) else [said]) if one != "null"]
    kind = KINDS.get(types[0]) if len(types) == 1 and isinstance(types[0], str) else None
    if kind is None:
        return
    choices = _choices(schema.get("enum"))
    yield OfferedField(
        name,
        "one_of" if choices and kind == "text" else kind,
        str(schema.get("title") or ""),
        str(schema.get("x-unit") or currency_of(schema) or ""),
        choices if kind == "text" else (),
    )


def _choices(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or len(values) > MOST_CHOICES:
        return ()
    return tuple(str(one) for one in values if one is not None)


def _both(one: OfferedField, other: OfferedField) -> OfferedField:
    """Return a field that two steps declare: as text where they do not agree."""
    if one.kind != other.kind:
        return OfferedField(one.name, "text", one.title or other.title)
    choices = tuple(dict.fromkeys((*one.choices, *other.choices)))
    unit = one.unit if one.unit == other.unit else ""
    return OfferedField(one.name, one.kind, one.title or other.title, unit, choices)
