"""What can be reached in a graph, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

Successors = Mapping[str, tuple[str, ...]]


def reach(
    ways: Successors, starts: Iterable[str], passes: Callable[[str], bool] = lambda _name: True
) -> set[str]:
    """Return what can be reached from `starts`, these included; `passes` tells what leads on."""
    seen = set(starts)
    stack = list(seen)
    while stack:
        name = stack.pop()
        if not passes(name):
            continue
        for following in ways.get(name, ()):
            if following not in seen:
                seen.add(following)
                stack.append(following)
    return seen


def in_order(ways: Successors, starts: Iterable[str]) -> list[str]:
    """Return the reachable nodes in reverse postorder, so that most ways are walked forwards."""
    order: list[str] = []
    seen: set[str] = set()
    for start in starts:
        if start in seen:
            continue
        seen.add(start)
        stack = [(start, iter(ways[start]))]
        while stack:
            name, rest = stack[-1]
            following = next((n for n in rest if n not in seen), None)
            if following is None:
                order.append(name)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(ways[following])))
    return order[::-1]


def leaves(leads: Successors, group: Iterable[str]) -> bool:
    """Return whether a way leads out of a group of nodes."""
    inside = set(group)
    return any(name not in inside for member in inside for name in leads.get(member, ()))
