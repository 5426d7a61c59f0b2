"""Who decides, and in whose place: a person, or a stand-in for somebody who is absent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.state.requests import Actor


@dataclass(frozen=True, slots=True)
class Deciding:
    """One decision's person, the `place` that it counts in, and the places that they could take."""

    actor: Actor
    place: Actor | None = None
    places: Sequence[Actor] = ()

    @property
    def stands_for(self) -> str | None:
        """The id of the absent person in whose place it is decided; None for one's own."""
        return None if self.place is None or self.place.id == self.actor.id else self.place.id

    @property
    def who(self) -> Actor:
        """Whose seats and rights count."""
        return self.place or self.actor

    @property
    def hands(self) -> Sequence[Actor]:
        """Everybody whose rights to edit the person has here: their own, and those they stand for."""
        return (self.actor, *self.places)
