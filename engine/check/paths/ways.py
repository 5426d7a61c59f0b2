"""Ways through a graph: what leads to what, and where a run enters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from engine.check.subject import Subject
from engine.core.graph.fields import START

Successors = Mapping[str, tuple[str, ...]]


def successors(subject: Subject) -> dict[str, tuple[str, ...]]:
    """Return where each node can lead: by edges and by what its config names."""
    known = subject.spec.nodes_by_id
    ways: dict[str, tuple[str, ...]] = {}
    for node in subject.nodes:
        targets = [edge.target for edge in subject.spec.edges_from(node.id)]
        found = dict.fromkeys((*targets, *node.children))
        ways[node.id] = tuple(name for name in found if name in known)
    return ways


def moves(subject: Subject) -> dict[str, tuple[str, ...]]:
    """Return where a token can go from each node; what a composite runs itself has none (C74)."""
    ways = successors(subject)
    return {
        node.id: tuple(name for name in ways[node.id] if name not in node.run_children)
        for node in subject.nodes
    }


def entries(subject: Subject) -> tuple[str, ...]:
    """Return where a run starts (row C191): none when it cannot be told."""
    known = subject.spec.nodes_by_id
    drawn = [e.target for e in subject.spec.edges_from(START) if e.target in known]
    if drawn:
        return tuple(dict.fromkeys(drawn))
    led_to = {edge.target for edge in subject.spec.edges if edge.source != edge.target}
    led_to |= {name for node in subject.nodes for name in node.children if name != node.id}
    loose = [node.id for node in subject.nodes if node.id not in led_to]
    return tuple(loose) if len(loose) == 1 else ()


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


def leaves(leads: Successors, group: Iterable[str]) -> bool:
    """Return whether a way leads out of a group of nodes."""
    inside = set(group)
    return any(name not in inside for member in inside for name in leads.get(member, ()))
