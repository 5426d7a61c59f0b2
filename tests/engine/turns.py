"""Places for runs of a lab: so many, given in the order of `known`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.core.decide.begin.places import rests
from engine.runtime.runner import Runner


class Turns:
    """A `PlaceKeeper` of one process: what the rows of runs say is read off their states."""

    def __init__(self, runner: Runner, places: int, known: Collection[str]) -> None:
        self.places = places
        self._runner = runner
        self._known = known
        runner.env.limited = self.limited
        runner.services.places = self

    def limited(self, _workspace_id: str | None) -> bool:
        """Return True."""
        return True

    async def admitted(self) -> Sequence[str]:
        """Return as many of those that stand as there are places."""
        found = [s for r in self._known if (s := self._runner.store.peek(r)) is not None]
        moving = [s for s in found if s.status in ("running", "ending") and not rests(s)]
        standing = [s.run_id for s in found if s.status == "queued"]
        return standing[: max(self.places - len(moving), 0)]
