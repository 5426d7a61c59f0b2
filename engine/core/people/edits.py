"""What people changed of what an approval shows: each change, and the message as it then reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from engine.core.errors import NodeError
from engine.core.node_types.view import View, value_at
from engine.core.people.answers import refuse
from engine.core.people.asked_calls import is_asked_call
from engine.core.people.start_fields import parted
from engine.core.state.event_types.waits import Changed
from engine.core.state.events import node_of
from engine.core.state.lanes import build_view, expression_scope
from engine.core.state.run_state import OpenInterrupt, RunState
from engine.core.values.json import FrozenDict, FrozenList, deep_merge, freeze

MAX_CHANGES: Final = 8
"""Changes of one key that are told apart; above it the oldest two become one."""

_ABSENT: Final = object()


def recorded_edits(
    state: RunState,
    opened: OpenInterrupt,
    data: Mapping[str, Any],
    edits: Mapping[str, Any],
    by: str,
) -> Changed:
    """Return `changes` and `prompt` of an event that records `edits` of the reviewed `data`.

    `changes` is every change so far, the oldest first: `{key, before?, after, by, seq}`. A key that
    goes back to what it was is changed too. Empty where nothing changes.
    Raises `RequestRefused` `AnswerInvalid` where the message cannot be written with the edits.
    """
    shown, then = {**data, **opened.edits}, {**data, **edits}
    seq = state.seq + 1
    new: list[dict[str, Any]] = []
    for key in dict.fromkeys((*opened.edits, *edits)):
        before, after = value_at(shown, key, _ABSENT), value_at(then, key, _ABSENT)
        if before is not _ABSENT and before == after:
            continue
        was = {} if before is _ABSENT else {"before": before}
        now = {} if after is _ABSENT else {"after": after}
        new.append({"key": key, **was, **now, "by": by, "seq": seq})
    if not new:
        return {}
    found: Changed = {"changes": freeze(_bounded([*opened.changes, *new]))}
    prompt = _message(state, opened, data, edits)
    if prompt is not None:
        found["prompt"] = prompt
    return found


def reviewed_names(
    view: View, started_at: int, reviewed: Mapping[str, Any], edits: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the names that an approval's message may use: the view, and what is reviewed."""
    shown, start = parted(reviewed)
    memory = {**deep_merge(view.memory, shown), **edits}
    scope = {**expression_scope(view, started_at), "memory": FrozenDict(memory)}
    if start:
        given = scope.get("input")
        scope["input"] = freeze(deep_merge(given if isinstance(given, Mapping) else {}, start))
    return scope


def edited_request(opened: OpenInterrupt) -> Mapping[str, Any]:
    """Return a request as it is shown now: with what approvers have edited."""
    if not opened.changes and not opened.edits:
        return opened.request
    told = {} if opened.prompt is None else {"prompt": opened.prompt}
    return {**opened.request, **told, "data": {**opened.request["data"], **opened.edits}}


def _bounded(changes: Sequence[Mapping[str, Any]]) -> FrozenList:
    """Return the changes with at most `MAX_CHANGES` of each key; none of the ends is lost."""
    kept: list[Mapping[str, Any]] = []
    for _key, group in groupby(sorted(changes, key=_key_of), key=_key_of):
        mine = list(group)
        while len(mine) > MAX_CHANGES:
            first, second, *rest = mine
            after = {name: value for name, value in second.items() if name != "before"}
            was = {"before": first["before"]} if "before" in first else {}
            mine = [{**after, **was}, *rest]
        kept += mine
    return FrozenList(sorted(kept, key=lambda one: one["seq"]))


def _key_of(change: Mapping[str, Any]) -> str:
    return str(change["key"])


def _message(
    state: RunState, opened: OpenInterrupt, data: Mapping[str, Any], edits: Mapping[str, Any]
) -> str | None:
    """Return the message written over the edited data, None where it is not the node's own."""
    if "approval" in opened.request or is_asked_call(opened):
        return None
    act = state.activations[opened.key]
    plan = state.program.plan(node_of(opened.key))
    view = act.view or build_view(state, plan, act)
    names = reviewed_names(view, act.started_at, data, edits)
    try:
        return plan.type.message_of(plan.config, names)
    except NodeError as error:
        raise refuse(f"with these edits the message cannot be written: {error.message}") from error
