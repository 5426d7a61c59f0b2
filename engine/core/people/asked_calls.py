"""A call of a tool that people decide on: what they are shown, what they may change, what it binds.

Such an interrupt is an approval whose `approval_type` is `tool_call`: who decides, deadlines,
reminders and quorums are those of any approval. What is reviewed is the call's arguments, not memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.core.effects import EffectClass
from engine.core.errors import RequestRefused
from engine.core.graph.call_asks import CallAsk
from engine.core.state.run_state import OpenInterrupt
from engine.core.values.json import FrozenDict, JsonObject, digest, freeze
from engine.core.values.json_schema import schema_problem

TOOL_CALL: Final = "tool_call"
EVERY: Final = "*"
LONGEST_NAME: Final = 80
LONGEST_REASON: Final = 2_000
"""Characters of who refused and of why, as the agent reads it."""

_SAYS: Final[Mapping[EffectClass, str]] = {
    EffectClass.UNSAFE: "may change something outside",
    EffectClass.KEYED: "changes something outside",
    EffectClass.PROBE: "changes something outside",
    EffectClass.READ: "only looks something up",
    EffectClass.PURE: "only works with the values it is given",
    EffectClass.LLM: "asks a model",
}


@dataclass(frozen=True, slots=True)
class CalledAt:
    """Where a tool is called: the name of its source, what that is, and the host; empty: unknown.

    `kind` is `function`, `program`, `mcp` or `api`. None of it is bound: `definition` is.
    """

    source: str = ""
    kind: str = ""
    host: str = ""


@dataclass(frozen=True, slots=True)
class AskedCall:
    """A call that an agent wants to make; `name` is what the model calls the `tool`.

    `definition` is what the decision binds of the tool: `ToolSpec.binding`.

    `round` counts how often it is asked again because the tool has changed since it was approved.
    """

    rule: CallAsk
    agent: str
    name: str
    tool: str
    arguments: FrozenDict
    effect: EffectClass
    definition: str
    parameters: JsonObject
    why: str
    at: CalledAt = CalledAt()
    round: int = 0

    @property
    def request_hash(self) -> str:
        """What makes it the same question on a replay: never what may change meanwhile."""
        return digest([TOOL_CALL, self.name, self.arguments, self.round])

    def request(self, node: str) -> FrozenDict:
        """Return what people are shown, and what the decision is held against."""
        shown = {
            "kind": "approval",
            "approval_type": TOOL_CALL,
            "node": node,
            "prompt": self._prompt(),
            "agent": self.agent,
            "tool": self.tool,
            "source": self.at.source,
            "source_kind": self.at.kind,
            "host": self.at.host,
            "effect": self.effect.value,
            "definition": self.definition,
            "why": self.why,
            "data": self.arguments,
            "edit_schema": self.parameters,
            "editable_keys": list(self.rule.editable),
            "require_reason": self.rule.require_reason,
            "policy": self.rule.policy,
            "timeout_ms": self.rule.timeout_ms,
        }
        return freeze(shown)  # type: ignore[no-any-return]

    def _prompt(self) -> str:
        name = self.tool.removeprefix(f"{self.at.source}/")
        of = "" if self.at.kind in ("", "function") else f" of {self.at.source}"
        wants = f"{self.agent} wants to use “{name}”{of}, which {_SAYS[self.effect]}"
        if self.round:
            return f"{wants}. The tool has changed since the call was approved: approve it as it is now?"
        return wants


def is_asked_call(opened: OpenInterrupt) -> bool:
    """Return whether an interrupt asks about a call of a tool."""
    return opened.kind == "approval" and opened.request.get("approval_type") == TOOL_CALL


def call_hash(tool: str, definition: str, arguments: object) -> str:
    """Return the hash that binds a decision to one call: tool, its definition, its arguments."""
    return digest([TOOL_CALL, tool, definition, arguments])


def bound_hash(opened: OpenInterrupt, arguments: Mapping[str, Any]) -> str:
    """Return the hash of an asked call with these arguments."""
    request = opened.request
    return call_hash(request["tool"], request["definition"], FrozenDict(arguments))


def refuse_argument_edits(request: Mapping[str, Any], edits: Mapping[str, Any]) -> None:
    """Raise `RequestRefused` `AnswerInvalid` where a call's arguments may not be changed so.

    `request` is any approval's: one of no call is not looked at.
    """
    if edits and request.get("approval_type") == TOOL_CALL:
        problem = _edits_problem(request, edits)
        if problem is not None:
            raise problem


def _edits_problem(request: Mapping[str, Any], edits: Mapping[str, Any]) -> RequestRefused | None:
    """Return why arguments may not be changed so, None if they may."""
    allowed = list(request.get("editable_keys", ()))
    if EVERY in allowed:
        properties = request["edit_schema"].get("properties")
        named = properties if isinstance(properties, Mapping) else {}
        allowed = list(dict.fromkeys((*request["data"], *named)))
    for key in edits:
        if key not in allowed:
            message = f"{key!r} may not be edited; editable are {allowed}"
            return _refused(message, key=key)
    try:
        problem = schema_problem(request["edit_schema"], {**request["data"], **edits})
        problem = problem or _format_problem(request["edit_schema"], edits)
    except ValueError as error:
        return _refused(f"the tool's schema cannot be read: {error}")
    return None if problem is None else _refused(f"edits: {problem}")


def _format_problem(schema: Mapping[str, Any], edits: Mapping[str, Any]) -> str | None:
    """Return which edit has not the format that it should; what is left as it was may have another."""
    parts = {key: schema[key] for key in ("$defs", "definitions", "properties") if key in schema}
    try:
        return schema_problem(parts, edits, formats=True)
    except ValueError:  # it refers to another part of the whole, which fits already
        return None


def _refused(message: str, **detail: object) -> RequestRefused:
    return RequestRefused("AnswerInvalid", message, detail=detail)


def refusal_text(name: str, comment: str | None) -> str:
    """Return what the agent reads of a refusal."""
    who = " ".join(name.split())[:LONGEST_NAME] or "a person"
    reason = (comment or "").strip()[:LONGEST_REASON] or "no reason given"
    return f"refused by {who}: {reason}"
