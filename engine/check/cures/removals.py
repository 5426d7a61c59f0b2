"""What has no effect is taken out."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.cures.places import inside, put, there_at
from engine.check.subject import Subject
from engine.core.graph.cures import Cure
from engine.core.graph.problems import Problem


def item(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the removal of one item of a list."""
    *above, last = inside(problem) or ("",)
    listed = there_at(subject, problem, tuple(above))
    if isinstance(last, int) and isinstance(listed, (list, tuple)) and last < len(listed):
        rest = [each for index, each in enumerate(listed) if index != last]
        yield Cure(f"Remove {listed[last]}", (put(subject, problem, rest, tuple(above)),))


def field(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the removal of a field."""
    steps = inside(problem)
    if steps and not isinstance(steps[-1], int):
        yield Cure(f"Remove {steps[-1]}".replace("_", " "), (put(subject, problem, None),))
