"""Who decides in which way: a line for each person and each step, with plain warnings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from builder.models import Graph
from builder.reads.csv_lines import csv_lines
from builder.reads.figures import people
from builder.reads.reviews.judged import FLAGS, QUICK_MS, Among, told

ENOUGH: Final = 20
"""Below so many decisions a share says nothing: one more or less moves it by five in a hundred."""
NEARLY_ALL: Final = 0.95
"""From this share of approvals on one may ask whether a rejection ever comes."""
MOSTLY: Final = 0.5
"""From this share of quick approvals on they are a habit, not a few plain cases."""
OVERTURNED_OFTEN: Final = 0.2
"""One in five: others would have decided otherwise too often for chance."""
OVERTURNED_LEAST: Final = 3


@dataclass(frozen=True, slots=True)
class Warned:
    """What somebody should look into: a sentence, and the flag of the decisions that it is about."""

    about: Literal["quick", "overturned"]
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """What one person decided, or what was decided of one step; times are milliseconds."""

    who: str
    graph: str
    node: str
    name: str
    decided: int
    approved: int
    seen: int
    quick: int
    unopened: int
    edited: int
    back: int
    overturned: int
    median_ms: int | None
    median_seen_ms: int | None

    @property
    def approved_share(self) -> float:
        """Approved of decided."""
        return round(self.approved / self.decided, 4)

    @property
    def is_rubber_stamp(self) -> bool:
        """Whether nearly everything is approved, and mostly at once."""
        enough = self.decided >= ENOUGH and self.seen >= ENOUGH
        return enough and self.approved_share >= NEARLY_ALL and self.quick >= MOSTLY * self.seen

    @property
    def is_often_overturned(self) -> bool:
        """Whether others often decide otherwise afterwards."""
        share = self.overturned / self.decided
        return self.overturned >= OVERTURNED_LEAST and share >= OVERTURNED_OFTEN

    @property
    def warnings(self) -> list[Warned]:
        """What somebody should look into."""
        found = []
        if self.is_rubber_stamp:
            share, quick = (round(100 * one) for one in (self.approved_share, self.quick_share))
            text = (
                f"{share} % of {self.decided} approved; of the {self.seen} with a known time on "
                f"screen, {quick} % within {QUICK_MS // 1000} s: may be a rubber stamp."
            )
            found.append(Warned("quick", text))
        if self.is_often_overturned:
            text = f"{self.overturned} of {self.decided} were overturned."
            found.append(Warned("overturned", text))
        return found

    @property
    def quick_share(self) -> float:
        """Quick ones of the approvals that are known to have been on screen."""
        return self.quick / self.seen if self.seen else 0.0


@dataclass(slots=True)
class _Pile:
    """Decisions of one line, while they are counted."""

    masks: Counter[int] = field(default_factory=Counter)
    took: list[int] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)

    def line(self, **where: str) -> Line:
        counts: Any = {
            flag: sum(n for mask, n in self.masks.items() if mask >> bit & 1)
            for bit, flag in enumerate(FLAGS)
        }
        place: Any = {"who": "", "graph": "", "node": "", **where}
        medians = (_median(self.took), _median(self.seen))
        return Line(**place, **counts, median_ms=medians[0], median_seen_ms=medians[1])


def _median(times: list[int]) -> int | None:
    return sorted(times)[(len(times) - 1) // 2] if times else None


def lines(among: Among) -> tuple[list[Line], list[Line]]:
    """Return a line for everybody who decided and one for every step, the busiest first."""
    by_person: dict[str, _Pile] = defaultdict(_Pile)
    by_step: dict[tuple[str, str], _Pile] = defaultdict(_Pile)
    for who, graph, node, took, ms, mask in told(among):
        for pile in (by_person[who], by_step[graph or "", node]):
            pile.masks[mask] += 1
            pile.took.append(took)
            if ms is not None:
                pile.seen.append(ms)
    called = people(by_person)
    found = Graph.objects.filter(pk__in={graph for graph, _ in by_step})
    names = dict(found.values_list("pk", "name"))
    persons = [pile.line(who=who, name=called.get(who, who)) for who, pile in by_person.items()]
    steps = [
        pile.line(graph=graph, node=node, name=names.get(graph, ""))
        for (graph, node), pile in by_step.items()
    ]
    return _sorted(persons), _sorted(steps)


def _sorted(found: list[Line]) -> list[Line]:
    return sorted(found, key=lambda line: (-line.decided, line.name, line.node, line.who))


HEAD: Final = (
    "person",
    "person_id",
    "workflow",
    "step",
    *FLAGS,
    "median_seconds",
    "median_seconds_on_screen",
    "warnings",
)


def as_csv(among: Among) -> Iterator[str]:
    """Yield a line of CSV for every person and step."""
    persons, steps = lines(among)
    return csv_lines(HEAD, (_cells(line) for line in (*persons, *steps)))


def _cells(line: Line) -> list[Any]:
    person, workflow = (line.name, "") if line.who else ("", line.name)
    figures = [getattr(line, flag) for flag in FLAGS]
    medians = [_seconds(line.median_ms), _seconds(line.median_seen_ms)]
    where = [person, line.who, workflow, line.node]
    return [*where, *figures, *medians, " ".join(one.text for one in line.warnings)]


def _seconds(ms: int | None) -> float | None:
    return None if ms is None else round(ms / 1000, 1)
