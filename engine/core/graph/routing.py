"""Which edges a node's token takes next: pure, from the compiled graph and the node's outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.core.graph.compiled import CompiledEdge, CompiledGraph, Group

Evaluate = Callable[[CompiledEdge], tuple[bool, bool]]
"""Evaluates an edge's `condition`: (whether it counts as true, whether a reference was missing)."""


GAVE_CHARS: Final = 120
"""So much of an output is told where no wire fits it."""


class Outcome(NamedTuple):
    """What a finished node says about the way on.

    `group` is the edges' `on`; `next` an explicit list of targets (empty counts as not set);
    `agent_choice` the target an agent named as `_next_node`; `route` the text of a router's
    expression, "" where a reference was missing, None for everything that is no such router.
    """

    group: str = "completed"
    condition: str | None = None
    intent: str | None = None
    next: Sequence[str] | None = None
    agent_choice: str | None = None
    route: str | None = None


PASSED_ON: Final = Outcome()
"""The outcome of a disabled node."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One edge condition that was evaluated; `missing` tells a missing reference from false."""

    edge: int
    value: bool
    missing: bool


class Choice(NamedTuple):
    """The edges taken, the evaluations done on the way, or an error.

    `error` is `UndeclaredTarget` (then `target` is what was named), `NoTarget` or
    `NoMatchingEdge`. No edges and no error: the branch ends here; for a group other than
    `completed` it says that nothing is drawn for it.
    """

    edges: tuple[int, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()
    error: str | None = None
    target: str | None = None

    def told(self, node: str, gave: str = "") -> str:
        """Return what the error says of `node`; `gave` is its output as text, of which the start is told."""
        if self.error == "NoMatchingEdge":
            start = gave if len(gave) <= GAVE_CHARS else f"{gave[:GAVE_CHARS]}…"
            return f"no wire of node {node!r} fits what it gave: {start}"
        if self.error == "NoTarget":
            return f"node {node!r} has several agent edges and the answer names none (_next_node)"
        if not self.target:
            return f"node {node!r} chose nothing (what it reads is missing) and has no else edge"
        return f"node {node!r} chose {self.target!r}, which no edge of it declares"


_NOTHING: Final = Choice()


def choose_edges(
    compiled: CompiledGraph, node_id: str, outcome: Outcome, evaluate: Evaluate
) -> Choice:
    """Return the edges that `node_id` takes after `outcome`.

    Of conditional edges the first that matches is taken, or with `branching: all` each that does.
    `evaluate` is called only for the edges with a `condition` that are really tried, in order;
    what it raises passes through. A disabled node passes on by its `completed` edges, without
    routing tokens. `on_no_match: end` speaks for completed nodes only: it never hides a failure.
    """
    node = compiled.nodes[compiled.index[node_id]]
    if node.disabled:
        outcome = PASSED_ON
    group = node.groups.get(outcome.group)
    if group is None:
        return _explicit_without_edges(outcome)
    if outcome.agent_choice is not None:
        return _agent_choice(group, outcome.agent_choice)
    if outcome.next:
        return _declared(group, outcome.next)
    if outcome.route is not None:
        return _routed(group, outcome.route, takes_all=node.takes_all)
    if group.agent:
        return (
            Choice((group.agent[0].index,)) if len(group.agent) == 1 else Choice(error="NoTarget")
        )
    if not group.conditional:
        return Choice(group.plain_indices) if group.plain_indices else _else(group, ())
    choice = _matching(group, outcome, evaluate, takes_all=node.takes_all)
    ends = compiled.on_no_match == "end" and outcome.group == "completed"
    if choice.error == "NoMatchingEdge" and ends:
        return Choice(evaluations=choice.evaluations)
    return choice


def _explicit_without_edges(outcome: Outcome) -> Choice:
    """Return the end of the branch; a target named where nothing is declared is an error."""
    named = outcome.agent_choice
    if named is None and outcome.next:
        named = outcome.next[0]
    if named is None:
        named = outcome.route
    return _NOTHING if named is None else Choice(error="UndeclaredTarget", target=named)


def _agent_choice(group: Group, target: str) -> Choice:
    for edge in group.agent:
        if edge.target_id == target:
            return Choice((edge.index,))
    return Choice(error="UndeclaredTarget", target=target)


def _declared(group: Group, targets: Sequence[str]) -> Choice:
    taken: dict[int, None] = {}
    for target in targets:
        edge = group.by_target.get(target)
        if edge is None:
            return Choice(error="UndeclaredTarget", target=target)
        taken[edge.index] = None
    return Choice(tuple(taken))


def _routed(group: Group, text: str, *, takes_all: bool) -> Choice:
    """Return the edge whose token `text` is, else the one to that node, else the else (C62)."""
    meant = [edge.index for edge in group.conditional if edge.when == text]
    if meant:
        return Choice(tuple(meant) if takes_all else (meant[0],))
    named = group.by_target.get(text)
    if named is not None:
        return Choice((named.index,))
    if group.conditional and group.plain:
        return _else(group, (), takes_all=takes_all)
    return Choice(error="UndeclaredTarget", target=text)


def _matching(group: Group, outcome: Outcome, evaluate: Evaluate, *, takes_all: bool) -> Choice:
    """Return the conditional edges that match, the first or all, else the else (K24 to K28, C11)."""
    token = outcome.intent if outcome.condition is None else outcome.condition
    taken: list[int] = []
    evaluations: list[Evaluation] = []
    for edge in group.conditional:
        if edge.when is not None:
            matches = edge.when == token
        else:
            value, missing = evaluate(edge)
            matches = value and not missing
            evaluations.append(Evaluation(edge.index, matches, missing))
        if matches:
            taken.append(edge.index)
            if not takes_all:
                break
    if taken:
        return Choice(tuple(taken), tuple(evaluations))
    return _else(group, tuple(evaluations), takes_all=takes_all)


def _else(group: Group, evaluations: tuple[Evaluation, ...], *, takes_all: bool = False) -> Choice:
    if takes_all and group.plain:
        return Choice(group.plain_indices, evaluations)
    edge = group.plain[0] if group.plain else group.fallback
    if edge is None:
        return Choice(evaluations=evaluations, error="NoMatchingEdge")
    return Choice((edge.index,), evaluations)
