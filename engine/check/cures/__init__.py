"""What mends the problems that rules find: the edits behind the buttons, by the problem's code.

A rule that knows a cure while it looks adds it itself; here is what follows from the code and the
place alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from engine.check.cures import (
    editors,
    fallbacks,
    keys,
    missing,
    names,
    removals,
    settings,
    shapes,
    wires,
)
from engine.check.subject import Subject
from engine.core.graph.cures import Cure
from engine.core.graph.problems import Problem
from engine.core.values.effort import TooMuchWork, spare

Finder: TypeAlias = Callable[[Subject, Problem], Iterable[Cure]]

LOOKED_FOR: Final = 50
"""Units of looking for what mends one problem."""
MOST: Final = 4
"""Cures of one problem: each is a button."""

CURES: Final[Mapping[str, Finder]] = {
    "UnprovenReference": fallbacks.fall_back,
    "UnwrittenKey": keys.write,
    "UnreadableKey": keys.give,
    "ResultKeyNotWritable": keys.let_give,
    "ParallelWrites": keys.combine,
    "WildcardRead": keys.narrow_reads,
    "WildcardWrite": keys.narrow_writes,
    "WriteKeyUnused": removals.item,
    "ToolNotInDefaultSet": removals.item,
    "ReservedToolName": removals.item,
    "ToolOff": removals.item,
    "MemoryQueryIgnored": removals.field,
    "UnknownField": removals.field,
    "MissingField": missing.choose_step,
    "ExpressionInvalid": names.use_memory,
    "UnknownAgent": names.agent,
    "UnknownNode": names.use_near,
    "UnknownNodeType": names.use_near,
    "UnknownHandler": names.use_near,
    "ToolNotFound": names.use_near,
    "GraphNotFound": names.use_near,
    "SubgraphCycle": names.other_graph,
    "ReservedKey": names.rename_key,
    "InvalidValue": settings.default,
    "IterationLimitLow": settings.raise_limit,
    "UntaggedFacts": settings.tag,
    "CompensationMissing": settings.no_undo,
    "NobodyMayDecide": settings.ask_everybody,
    "NobodyMayEdit": editors.others,
    "NotEditable": editors.allow,
    "SchemaShape": shapes.as_fields,
    "UnreachableNode": wires.reach_or_delete,
    "EdgeNeverTaken": wires.behind_one,
    "CycleWithoutExit": wires.way_out,
    "LoopForks": wires.way_out,
    "SynthesizerNotReached": wires.to_synthesizer,
    "ManyAgentEdges": wires.router_after,
    "UnguardedEffect": wires.approval_before,
}
"""What to try for a problem's code. Codes that are missing are mended by the rule that finds them,
or by a person at the place: a sentence, a model, a decision about people."""

WALKS: Final = frozenset(
    [
        "MissingField",
        "UnreachableNode",
        "EdgeNeverTaken",
        "CycleWithoutExit",
        "LoopForks",
        "ManyAgentEdges",
        "UnguardedEffect",
    ]
)
"""Codes whose cures look at the whole drawing."""


def mended(subject: Subject, problem: Problem) -> Problem:
    """Return the problem with the cures of its code behind those that it has."""
    finder = CURES.get(problem.code)
    size = len(subject.nodes) + len(subject.spec.edges)
    cost = LOOKED_FOR + (size if problem.code in WALKS else 0)
    if finder is None or len(problem.fixes) >= MOST or not spare(cost):
        return problem
    labels = {cure.label for cure in problem.fixes}
    try:
        found = [cure for cure in finder(subject, problem) if cure.label not in labels]
    except TooMuchWork:
        return problem
    fixes = (*problem.fixes, *{cure.label: cure for cure in found}.values())
    return replace(problem, fixes=fixes[:MOST]) if found else problem
