"""Groups of nodes on common cycles, and how long a way without repetition can be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from engine.check.paths.reach import Successors


def cycles(ways: Successors) -> list[list[str]]:
    """Return the groups of nodes that lie on common cycles (Tarjan's algorithm, without recursion)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    groups: list[list[str]] = []
    for root in ways:
        if root in order:
            continue
        work = [(root, iter(ways[root]))]
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        while work:
            name, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == order[name]:
                    groups.append(_popped(stack, on_stack, name))
            elif following not in order:
                order[following] = low[following] = len(order)
                stack.append(following)
                on_stack.add(following)
                work.append((following, iter(ways.get(following, ()))))
            elif following in on_stack:
                low[name] = min(low[name], order[following])
    return [group for group in groups if len(group) > 1 or group[0] in ways[group[0]]]


def _popped(stack: list[str], on_stack: set[str], until: str) -> list[str]:
    group: list[str] = []
    while True:
        name = stack.pop()
        on_stack.discard(name)
        group.append(name)
        if name == until:
            return group


def longest(ways: Successors, starts: Iterable[str]) -> int:
    """Return the number of nodes on the longest way that repeats none, loops counted as one step."""
    step = {name: index for index, group in enumerate(cycles(ways)) for name in group}

    @cache
    def group_of(name: str) -> str | int:
        return step.get(name, name)

    following: dict[str | int, set[str | int]] = {}
    for name, targets in ways.items():
        here = group_of(name)
        following.setdefault(here, set()).update({group_of(t) for t in targets} - {here})
    return _deepest(following, {group_of(name) for name in starts})


def _deepest(following: Mapping[str | int, set[str | int]], starts: set[str | int]) -> int:
    depth: dict[str | int, int] = {}
    stack = [(name, False) for name in starts]
    while stack:
        name, ready = stack.pop()
        if ready:
            depth[name] = 1 + max((depth[n] for n in following.get(name, ())), default=0)
        elif name not in depth:
            stack.append((name, True))
            stack += [(n, False) for n in following.get(name, ()) if n not in depth]
    return max((depth[name] for name in starts), default=0)
