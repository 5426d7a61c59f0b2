"""Ids in a raw document: which are used twice, and which node or edge a place belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from engine.core.graph.problems import Problem

_PLACE = re.compile(r"(nodes|edges)\[(\d+)\]")


def duplicates(raw: Mapping[str, Any]) -> list[Problem]:
    """Return a problem for every id that an earlier item of the same list already has."""
    return [
        problem
        for part in ("agents", "nodes", "edges", "notes")
        for problem in _duplicates_in(part, _items(raw.get(part)))
    ]


def _duplicates_in(part: str, items: list[Any]) -> Iterable[Problem]:
    first: dict[str, int] = {}
    for index, item in enumerate(items):
        name = _text(item, "id")
        if name is None:
            continue
        if name in first:
            message = f'"{name}" is already the id of {part}[{first[name]}]: rename one of them.'
            yield Problem.of("DuplicateId", f"{part}[{index}].id", message)
        first.setdefault(name, index)


def with_ids(problems: list[Problem], raw: Mapping[str, Any]) -> list[Problem]:
    """Return the problems with the ids of the nodes and edges that their places lie in."""
    return [_with_id(problem, raw) for problem in problems]


def _with_id(problem: Problem, raw: Mapping[str, Any]) -> Problem:
    found = _PLACE.match(problem.path)
    if not found:
        return problem
    items = _items(raw.get(found[1]))
    index = int(found[2])
    item = items[index] if index < len(items) else None
    if found[1] == "nodes":
        return replace(problem, node=_text(item, "id"))
    source, target = _text(item, "source"), _text(item, "target")
    return replace(
        problem, edge=_text(item, "id") or (f"{source}->{target}" if source and target else None)
    )


def _items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(item: object, name: str) -> str | None:
    value = item.get(name) if isinstance(item, Mapping) else None
    return value if isinstance(value, str) else None
