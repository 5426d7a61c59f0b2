"""Who of a workspace may decide: looked up once for all items of a page that ask the same."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.core.people.eligibility import Asking
from engine.core.people.quorum import Fills
from engine.core.state.requests import Actor


@dataclass(frozen=True)
class Verdicts:
    """What `Asking` says of each of `people`; of what only a run knows, that they may."""

    asking: Asking
    people: Sequence[Actor]

    @cached_property
    def open_to_all(self) -> bool:
        """Whether only a run knows whom it asks."""
        return any(entry.startswith("=") for entry in self.asking.eligible or ())

    @cached_property
    def may(self) -> Sequence[Actor]:
        """Who may decide, in whatever place."""
        if self.open_to_all:
            return self.people
        return [one for one in self.people if self.asking.why_not(one) is None]

    @cached_property
    def oneself(self) -> Mapping[str, Fills]:
        """Who may decide in their own place, and the seats that they can fill."""
        return {
            one.id: self.asking.fills(one)
            for one in self.people
            if self.open_to_all or self.asking.why_not_oneself(one) is None
        }

    def places(self, viewer: Actor) -> Sequence[Actor]:
        """Return in whose place somebody may decide: first in their own, where they may."""
        found = self._places.get(viewer)
        if found is None:
            found = [viewer] if self.open_to_all else self.asking.as_whom(viewer)
            self._places[viewer] = found
        return found

    @cached_property
    def _places(self) -> dict[Actor, Sequence[Actor]]:
        return {}


class VerdictsOfPage:
    """Gives items that ask the same people the same verdicts."""

    def __init__(self, people: Sequence[Actor]) -> None:
        self.people = people
        self._known: dict[Hashable, Verdicts] = {}

    def of(self, asking: Asking) -> Verdicts:
        """Return what is said of everyone."""
        key = (
            asking.kind,
            None if asking.eligible is None else tuple(asking.eligible),
            tuple(asking.escalated),
            tuple(asking.seats),
            tuple((rule, frozenset(out)) for rule, out in asking.excluded.items()),
            tuple(asking.spoken.items()),
        )
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Verdicts(asking, self.people)
        return found
