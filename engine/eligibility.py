"""Who may decide an interrupt, at the moment of deciding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import NodeError, RequestRefused
from engine.expressions import ExpressionInvalid, compile_expression
from engine.ledger import SHARED
from engine.requests import Actor
from engine.state import OpenInterrupt, RunState

DECIDING_ROLES = frozenset({"reviewer", "operator", "admin"})
"""Roles that may decide where a policy names nobody."""

ANSWERING_ROLES = DECIDING_ROLES | {"author"}
"""Roles that may answer a question: it asks for knowledge, not for a permission."""

RAISING_ROLES = frozenset({"admin"})
"""Roles that may edit budgets: they alone may raise one that other runs spend from as well."""

QUESTIONS = frozenset({"text", "choice", "multi-choice", "form"})


def may_decide(state: RunState, opened: OpenInterrupt, actor: Actor) -> None:
    """Raise `NotEligible` unless `actor` may decide `opened` now. `cli` always may."""
    if actor.kind == "cli":
        return
    policy: Mapping[str, Any] = opened.request.get("policy") or {}
    eligible = policy.get("eligible")
    if eligible is None:
        roles = ANSWERING_ROLES if opened.kind in QUESTIONS else DECIDING_ROLES
        allowed = bool(actor.roles & roles)
    else:
        allowed = any(_names(state, entry, actor) for entry in eligible)
    if not allowed:
        raise RequestRefused("NotEligible", "you are not among those who may decide this")
    for rule in policy.get("four_eyes", ()):
        if actor.id in _excluded(state, rule):
            raise RequestRefused(
                "NotEligible", f"four eyes: the {rule} of this may not decide it as well"
            )


def may_raise(opened: OpenInterrupt, actor: Actor) -> None:
    """Raise `NotEligible` unless `actor` may raise the budget that `opened` asks about.

    A cap of the run or of a node concerns this run alone: who may decide may raise it.
    """
    level = opened.request.get("level")
    if level in SHARED and actor.kind != "cli" and not actor.roles & RAISING_ROLES:
        raise RequestRefused(
            "NotEligible",
            f"other runs spend from the {level}'s budget too: raising it takes the right to edit "
            "budgets",
        )


def _excluded(state: RunState, rule: str) -> set[str]:
    started = state.started
    if rule == "starter":
        return {str(started.get("started_by"))}
    people = started.get("people") or {}
    return {str(person) for person in people.get(rule, ())}


def _names(state: RunState, entry: str, actor: Actor) -> bool:
    if entry.startswith("="):
        return any(_names(state, name, actor) for name in computed(state, entry[1:]))
    kind, _, name = entry.partition(":")
    if kind == "user":
        return name in (actor.id, actor.name)
    if kind == "group":
        return name in actor.groups
    return kind == "role" and name in actor.roles


def computed(state: RunState, expression: str) -> list[str]:
    """Return the entries that a policy's `=expression` yields over memory and context."""
    scope = {"memory": state.memory, "context": state.context, "metadata": state.metadata,
             "goal": state.goal, "outputs": state.outputs}  # fmt: skip
    try:
        value = compile_expression(expression).evaluate(scope)
    except (NodeError, ExpressionInvalid):
        return []
    values = value if isinstance(value, list) else [value]
    return [v for v in values if isinstance(v, str) and not v.startswith("=")]
