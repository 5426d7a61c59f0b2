"""Proves what can be proven about a graph before it runs.

`check` returns every problem at once: errors block a start, warnings and hints do not. Nothing
here knows a node type by name: what a config's fields stand for is told by their hints
(`engine.core.node_types.form`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.check.cures import mended
from engine.check.rules import (
    agents,
    expressions,
    flow,
    keys,
    names,
    schemas,
    tools,
    unsafe,
    writes,
)
from engine.check.rules.calls import bodies, credentials
from engine.check.rules.dangers import Danger, Way, dangers
from engine.check.rules.people import approvals, asks, deadlines, editors
from engine.check.rules.worst_case import WorstCase, worst_case
from engine.check.subject import Subject
from engine.check.words import worded
from engine.check.world import StaticWorld, World
from engine.core.graph.document import GraphSpec
from engine.core.graph.problems import Problem, too_much
from engine.core.values.effort import TooMuchWork, bounded

__all__ = [
    "Danger",
    "Report",
    "StaticWorld",
    "Way",
    "World",
    "WorstCase",
    "check",
    "examine",
]

_PARTS = (
    approvals,
    asks,
    deadlines,
    editors,
    keys,
    writes,
    expressions,
    agents,
    tools,
    credentials,
    bodies,
)


@dataclass(frozen=True, slots=True)
class Report:
    """What is proven about a graph: what is wrong, what is dangerous, what a run can spend.

    `dangers` have a way to each unguarded one; `worst_case` is None where it is too much to tell.
    """

    problems: tuple[Problem, ...]
    dangers: tuple[Danger, ...] = ()
    worst_case: WorstCase | None = None


def examine(spec: GraphSpec, world: World) -> Report:
    """Return everything that is proven about a graph in its world.

    What is too much to check is an error beside what was found until then.
    """
    found: dict[Problem, None] = {}
    risky: tuple[Danger, ...] = ()
    subject: Subject | None = None
    try:
        with bounded():
            subject = Subject(spec, world)
            risky = dangers(subject)
            for problem in _problems(subject, risky):
                found[worded(subject, mended(subject, problem))] = None
    except TooMuchWork:
        found = {too_much(): None, **found}
    return Report(tuple(found), risky, None if subject is None else _most(subject))


def _most(subject: Subject) -> WorstCase | None:
    try:
        with bounded():
            return worst_case(subject)
    except TooMuchWork:
        return None


def _problems(subject: Subject, risky: Sequence[Danger]) -> Iterator[Problem]:
    yield from subject.problems
    for early in (names, schemas, flow):
        yield from early.find(subject)
    yield from unsafe.find(subject, risky)
    for part in _PARTS:
        yield from part.find(subject)


def check(spec: GraphSpec, world: World) -> list[Problem]:
    """Return everything wrong with a graph in its world, in a stable order, each thing once."""
    return list(examine(spec, world).problems)
