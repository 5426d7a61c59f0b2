"""What a template or an expression gives over an input, and over what a test run has left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from django.utils import timezone

from builder.base import engine_door
from builder.base.errors import NotFound
from builder.models import Graph, Membership, Run
from builder.services.permissions import Right, require
from engine.check.rules.unknown.strangers import in_words, value_instead
from engine.core.errors import EngineError
from engine.core.expressions.cel import (
    ExpressionInvalid,
    MissingReference,
    compile_expression,
    truthy,
)
from engine.core.expressions.templates import compile_template
from engine.core.values.effort import bounded
from engine.core.values.json import as_text

Language: TypeAlias = Literal["template", "expression"]
SHOWN: Final = 2_000
"""Characters of a value that are told: it stands below a field."""
LONGEST_RUN: Final = 5_000
"""Events of a run that are folded for it; what a longer one has left is not looked at."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a text gives: `text`, cut after `SHOWN`, and whether it counts as true.

    `lacks` names what has no value here, `problem` says in plain words why there is none.
    """

    text: str | None = None
    cut: bool = False
    holds: bool = False
    lacks: str | None = None
    problem: str | None = None


def evaluate(
    member: Membership,
    graph: Graph,
    language: Language,
    text: str,
    *,
    value: Any,
    run: Run | None = None,
) -> Given:
    """Return what `text` gives where the graph is started with `value`; nothing is written.

    Memory and answers are those that `run` has left. It is for those who write the text. Raises
    `NotFound` for a run of another graph.
    """
    require(member, Right.EDIT)
    scope = _scope(graph, value, run)
    try:
        if language == "template":
            found: Any = compile_template(text).render(scope)
        else:
            found = compile_expression(text).evaluate(scope)
    except ExpressionInvalid as error:
        with bounded():
            said = value_instead(error.message, _fields(graph, value), scope["memory"])
        return Given(problem=in_words(said, text))
    except MissingReference as error:
        return Given(lacks=error.reference) if error.reference else Given(problem=error.message)
    except EngineError as error:
        return Given(problem=error.message)
    shown = as_text(found)
    return Given(shown[:SHOWN], cut=len(shown) > SHOWN, holds=truthy(found))


def _fields(graph: Graph, value: Any) -> set[str]:
    """Return the fields that the start asks for, and those that are given here."""
    declared: Any = graph.header
    for part in ("interface", "inputs", "properties"):
        declared = declared.get(part) if isinstance(declared, Mapping) else None
    return {str(name) for lane in (declared, value) if isinstance(lane, Mapping) for name in lane}


def _scope(graph: Graph, value: Any, run: Run | None) -> Mapping[str, Any]:
    if run is not None and run.graph_id != graph.pk:
        raise NotFound("no such run of this workflow", code="RunNotFound")
    header = graph.header
    state: Mapping[str, Any] = {}
    if run is not None and run.seq <= LONGEST_RUN:
        state = engine_door.engine().state_at(run.pk, None)
    left = {lane: state.get(lane, {}) for lane in ("outputs", "metadata", "context")}
    return {
        "goal": header.get("goal", ""),
        "constraints": header.get("constraints", []),
        "now": timezone.now(),
        "memory": {**header.get("initial_memory", {}), **state.get("memory", {})},
        **({} if value is None else {"input": value}),
        **left,
    }
