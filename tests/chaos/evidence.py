"""What others saw of the product, sorted by what it is about, and what the workflows owe."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tests.chaos.facts import Fact


@dataclass(frozen=True, slots=True)
class Rules:
    """What the workflows owe, and what may be spent."""

    owes: Mapping[str, Sequence[str]]
    run_tokens: int
    board: str = "board"
    """The workflow in which two people must agree."""
    desk: str = "refunds"
    """The workflow whose agent's calls are decided on."""
    purse: str = "purse"
    """The workflow whose runs share a budget."""
    purse_tokens: int = 10**9
    purse_booked: int = 10**9


class Evidence:
    """The facts, sorted by what they are about."""

    def __init__(self, recorded: Sequence[Fact], answered: Sequence[Fact], rules: Rules) -> None:
        self.rules = rules
        self.started = _of(answered, "started")
        self.runs = {fact["run"]: fact for fact in self.started}
        self.ended = {fact["run"]: fact for fact in _of(answered, "ended")}
        self.watched = _of(answered, "watched")
        self.decided = _of(answered, "decided")
        self.gone = _of(answered, "gone")
        self.effects = _of(recorded, "effect")
        self.charges = _of(recorded, "charged")

    def by_step(self, kind: str) -> dict[tuple[str, str], list[Fact]]:
        """Return what the service was asked of this kind, by tag and step, in order."""
        found: dict[tuple[str, str], list[Fact]] = defaultdict(list)
        for fact in self.effects:
            if fact["kind"] == kind:
                found[fact["tag"], fact["step"]].append(fact)
        return found


def _of(facts: Iterable[Fact], what: str) -> list[Fact]:
    return [fact for fact in facts if fact["what"] == what]
