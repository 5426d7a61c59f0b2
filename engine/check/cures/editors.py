"""Who may edit a field of an approval: others, everybody who decides, or it becomes editable at all."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.cures.places import inside, put, there_at
from engine.check.subject import Subject
from engine.core.graph.cures import Cure
from engine.core.graph.problems import Problem

NARROWED = ("config", "editable_by")
EDITABLE = ("config", "editable_keys")


def others(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the others who are named; where there are none, everybody who decides."""
    steps = inside(problem)
    key, index = str(steps[-2]), steps[-1]
    named = there_at(subject, problem, (*NARROWED, key)) or []
    rest = [entry for place, entry in enumerate(named) if place != index]
    if rest:
        yield Cure(f"Leave it to {', '.join(rest)}", (put(subject, problem, rest, steps[:-1]),))
    yield _everybody(subject, problem, key)


def allow(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield that the field may be edited, and that nothing is said of it."""
    key = str(inside(problem)[-1])
    editable = there_at(subject, problem, EDITABLE) or []
    yield Cure(f"Let {key} be edited", (put(subject, problem, [*editable, key], EDITABLE),))
    yield _everybody(subject, problem, key, f"Say nothing of {key}")


def _everybody(subject: Subject, problem: Problem, key: str, label: str = "") -> Cure:
    narrowed = there_at(subject, problem, NARROWED) or {}
    rest = {name: entries for name, entries in narrowed.items() if name != key}
    said = label or f"Let everybody who decides edit {key}"
    return Cure(said, (put(subject, problem, rest or None, NARROWED),))
