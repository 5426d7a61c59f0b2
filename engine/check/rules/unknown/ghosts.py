"""Answers of nodes that there are not: `outputs.ghost`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.check.mentions import called
from engine.check.rules.unknown.strangers import Place, nearest
from engine.check.subject import Subject
from engine.core.graph.cures import Cure, Edit
from engine.core.graph.problems import Problem, did_you_mean, one_of

_ROOT = "outputs"
CODE = "UnknownReference"


def ghosts(subject: Subject, named: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Yield the start of each path that leads to the answer of a node that there is not, once."""
    starts = dict.fromkeys(path[:2] for path in named if path[:1] == (_ROOT,) and len(path) > 1)
    yield from (path for path in starts if path[1] not in subject.by_id)


def is_ghost(subject: Subject, path: tuple[str, ...]) -> bool:
    """Return whether a path leads to the answer of a node that there is not."""
    return next(ghosts(subject, [path]), None) is not None


def no_node(subject: Subject, path: tuple[str, ...]) -> str:
    """Return what is said of such a path."""
    known = subject.by_id
    meant = did_you_mean(path[1], known) or f" There are: {one_of(known)}."
    return f'There is no node "{path[1]}".{meant}'


def told(subject: Subject, problem: Problem, path: tuple[str, ...], place: Place | None) -> Problem:
    """Return the problem with the node that was meant."""
    cures = []
    others = [name for name in subject.by_id if name != problem.node]
    near = nearest(path[1], others)
    if near is not None and place is not None:
        text = called(place.text, path[:2], (_ROOT, near))
        if text != place.text:
            edit = Edit(place.part, place.id, place.path, text)
            cures.append(Cure(f"Use {subject.by_id[near].label}", (edit,)))
    return problem.on(*path[:2]).mended(problem.message, *cures)
