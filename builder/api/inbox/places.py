"""In whose place an item is decided, who is away, and what only others may edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from builder.api.http.wire import Named, Wire
from builder.reads.inbox_items import Item
from engine.core.people.editors import not_theirs


class AwayOut(Wire):
    """Somebody asked who is away `until` that day included, and who decides for them.

    `why_not` says why that person may not decide this one.
    """

    absent: Named
    to: Named
    until: str
    why_not: str | None


def away_out(item: Item) -> list[AwayOut]:
    """Return who of those asked is away."""
    return [
        AwayOut(
            absent=Named(id=one.absent.id, name=one.absent.name),
            to=Named(id=one.to.id, name=one.to.name),
            until=one.until.isoformat(),
            why_not=one.why_not,
        )
        for one in item.away
    ]


def places_out(item: Item) -> list[Named]:
    """Return in whose place the viewer may decide; what is decided without a word is in the first."""
    return [Named(id=one.id, name=one.name) for one in item.places]


def not_theirs_out(item: Item) -> dict[str, list[str]]:
    """Return field → who may edit it, as people read them, of those that the viewer may not edit."""
    hands = [item.viewer, *item.places]
    found = not_theirs(item.request, hands)
    return {key: labels(item, entries) for key, entries in found.items()}


def labels(item: Item, entries: Sequence[str]) -> list[str]:
    """Return `user:x`, `group:y`, `role:z` as people read them."""
    known = {login: person.name for person in item.people for login in (person.login, person.id)}
    return [_label(entry, known) for entry in entries]


def _label(entry: str, known: Mapping[str, str]) -> str:
    kind, _, name = entry.partition(":")
    if kind == "user":
        return known.get(name, name)
    if kind == "role":
        return f"any {name}"
    return name if kind == "group" else "somebody who is not there"


def why_me(item: Item) -> str:
    """Return why the viewer is asked, as a sentence."""
    given = item.delegation
    if given is not None and given.to_id == item.viewer.id:
        return f"{given.by} asked you to decide."
    place = next(iter(item.places), item.viewer)
    if place.id != item.viewer.id:
        return f"You decide for {place.name}, who is away."
    entry = item.asking.why(item.viewer) or ""
    kind, _, name = entry.partition(":")
    if entry in item.asking.escalated:
        return "It was passed on to you, because it was not decided in time."
    if kind == "user":
        return "It asks you by name."
    if kind == "group":
        return f"You are in the group {name}."
    if item.asking.eligible is None:
        return "It names nobody: it asks everybody here who may decide."
    return f"It asks everybody with the role {name}." if kind == "role" else "You are asked."
