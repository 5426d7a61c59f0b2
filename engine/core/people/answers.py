"""Answers: every accepted shape, checked against its request before the pause is consumed."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from engine.core.budgets.money import usd_text
from engine.core.errors import RequestRefused
from engine.core.node_types.node_type import UNSET
from engine.core.people.asked_calls import is_asked_call, refuse_argument_edits
from engine.core.people.deciding import Deciding
from engine.core.people.editors import refuse_edits
from engine.core.people.references import refuse_references
from engine.core.people.start_fields import is_start_field
from engine.core.state.requests import Answer
from engine.core.state.run_state import OpenInterrupt, RunState
from engine.core.values.json import FrozenDict, InvalidJson, freeze
from engine.core.values.json_schema import schema_problem

APPROVAL_DECISIONS = ("approved", "rejected")
DOUBT_DECISIONS = ("happened", "retry", "skip")
BREAKPOINT_DECISIONS = ("continue", "step", "stop")


def refuse(message: str, **detail: object) -> RequestRefused:
    """Return the refusal of an answer that does not fit; its request stays open."""
    return RequestRefused("AnswerInvalid", message, detail=detail)


def typed_answer(
    state: RunState, opened: OpenInterrupt, answer: Answer, right: Deciding
) -> dict[str, Any]:
    """Return the fields of `InterruptResolved` for an answer. Raises `RequestRefused`."""
    if opened.kind == "approval":
        return _approval(state, opened, answer, right)
    if opened.kind == "budget":
        return _budget(opened, answer)
    if opened.kind == "breakpoint":
        _one_of(answer.decision, BREAKPOINT_DECISIONS)
        return {"decision": answer.decision, "answer": answer.decision}
    if opened.kind == "in_doubt":
        _one_of(answer.decision, DOUBT_DECISIONS)
        if answer.decision == "happened" and opened.request["reason"] != "unknown_outcome":
            raise refuse("only a call of unknown outcome can have happened: retry or skip")
        return {"decision": answer.decision, "answer": answer.decision}
    return {"answer": _frozen(_question(opened.request, answer))}


def _frozen(value: object) -> Any:
    try:
        return freeze(value)
    except InvalidJson as error:
        raise refuse(str(error)) from error


def _one_of(decision: str | None, allowed: tuple[str, ...]) -> None:
    if decision not in allowed:
        raise refuse(f"decision {decision!r} is none of {', '.join(allowed)}")


def _approval(
    state: RunState, opened: OpenInterrupt, answer: Answer, right: Deciding
) -> dict[str, Any]:
    _one_of(answer.decision, APPROVAL_DECISIONS)
    required = opened.request.get("require_reason", "never")
    needs = required == "always" or (required == "reject" and answer.decision == "rejected")
    if needs and not (answer.comment or "").strip():
        raise refuse("a reason is required: add a comment")
    data: dict[str, Any] = {"decision": answer.decision, "answer": answer.decision}
    edits = dict(answer.edits or {})
    if edits and answer.decision != "approved":
        raise refuse("edits go with an approval only")
    refuse_references(edits)
    if is_asked_call(opened):
        refuse_argument_edits(opened.request, {**opened.edits, **edits} if edits else {})
        return data | ({"edits": _frozen(edits)} if edits else {})
    allowed = opened.request.get("editable_keys", ())
    if "*" in allowed:
        allowed = [key for key in opened.request.get("data", {}) if not is_start_field(key)]
    for key, value in edits.items():
        if key not in allowed or is_start_field(key):
            raise refuse(f"{key!r} may not be edited; editable are {list(allowed)}", key=key)
        problem = state.program.typed_problem(key, value)
        if problem is not None:
            raise refuse(f"edits.{key}: {problem}", key=key)
    if edits:
        shown = {**opened.request.get("data", {}), **opened.edits}
        refuse_edits(opened.request, shown, edits, right.hands)
        data["edits"] = _frozen(edits)
    return data


def _budget(opened: OpenInterrupt, answer: Answer) -> dict[str, Any]:
    _one_of(answer.decision, ("raise", "stop"))
    if answer.decision == "stop":
        return {"decision": "stop", "answer": "stop"}
    request = opened.request
    usd, tokens = answer.max_cost_usd, answer.max_tokens
    add_usd = Decimal(0)
    if request.get("limit_usd") is not None:
        short = Decimal(request["short_usd"])
        add_usd = short if usd is None else usd - Decimal(request["limit_usd"])
    add_tokens = 0
    if request.get("limit_tokens") is not None:
        add_tokens = request["short_tokens"] if tokens is None else tokens - request["limit_tokens"]
    if add_usd < 0 or add_tokens < 0 or not (add_usd or add_tokens):
        raise refuse("the new limit must be above the old one")
    return {
        "decision": "raise",
        "answer": FrozenDict({"add_usd": usd_text(add_usd), "add_tokens": add_tokens}),
    }


def raw_answer(answer: Answer) -> Any:
    """Return the answer in its plain form: text, id, list of ids or object; None if there is none."""
    if answer.values is not UNSET:
        return answer.values
    for shape in (answer.selected, answer):
        found = _from_shape(shape)
        if found is not None:
            return found
    return None if answer.selected is UNSET else answer.selected


def _from_shape(shape: object) -> Any:
    if isinstance(shape, Mapping):
        choice, choices = shape.get("choice", UNSET), shape.get("choices", UNSET)
    elif isinstance(shape, Answer):
        choice, choices = shape.choice, shape.choices
    else:
        return None
    if choice is not UNSET:
        return _id_of(choice)
    if choices is not UNSET:
        if not isinstance(choices, list | tuple):
            raise refuse("choices must be a list of {id}")
        return [_id_of(item) for item in choices]
    return None


def _id_of(item: object) -> str:
    found = item.get("id") if isinstance(item, Mapping) else item
    if not isinstance(found, str):
        raise refuse("an option is named by {id}")
    return found


def _question(request: Mapping[str, Any], answer: Answer) -> Any:
    given = raw_answer(answer)
    kind = request["kind"]
    if kind == "text":
        if not isinstance(given, str) or not given.strip():
            raise refuse("the answer must be text that is not blank")
        return given
    if kind == "form":
        return _form(request["schema"], given)
    return _selection(request, kind, given)


def _form(schema: Mapping[str, Any], given: object) -> Any:
    if not isinstance(given, Mapping):
        raise refuse("a form is answered with an object of values")
    problem = schema_problem(schema, given, formats=True)
    if problem is not None:
        raise refuse(f"values: {problem}")
    return dict(given)


def _selection(request: Mapping[str, Any], kind: str, given: object) -> Any:
    ids = [given] if isinstance(given, str) else given
    if not isinstance(ids, list | tuple) or not all(isinstance(i, str) for i in ids):
        raise refuse("name the chosen options by their ids")
    options = request["options"]
    known = [option["id"] for option in options]
    unknown = [i for i in ids if i not in known]
    if unknown:
        raise refuse(f"{unknown[0]!r} is no option; options are {known}")
    if kind == "choice" and len(ids) != 1:
        raise refuse("choose exactly one option")
    if not ids:
        raise refuse("choose at least one option")
    chosen = [option.get("value", option["id"]) for option in options if option["id"] in ids]
    return chosen[0] if kind == "choice" else chosen
