"""The calls of one answer of a model where people decide on some of them before they are sent.

Which are asked about is recorded first, so that a replay asks about the same ones. Then those run
that need no asking, all questions open in one suspension, and once each is decided the approved
calls are sent in order: exactly what was approved, else it is asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from engine.agents.tool_offers import refusal_place
from engine.core.errors import NodeError
from engine.core.expressions.cel import ExpressionInvalid, compile_expression
from engine.core.graph.call_asks import NAMES, CallAsk, rule_for
from engine.core.people.asked_calls import AskedCall, CalledAt
from engine.core.values.json import FrozenDict, freeze
from engine.integrations.tools.protocol import ToolSpec

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls
    from engine.agents.pinning import ResolvedAgent
    from engine.agents.tool_offers import Toolbox
    from engine.core.node_types.conversation import ToolCall

LATE: Final = "refused: nobody decided in time"
ALWAYS: Final = "a person is asked before every such call"
FIRST: Final = "nobody has approved such a call in this run yet"
TRUE: Final = "a person is asked about calls with such values"
UNSURE: Final = "it cannot be told whether a person must be asked about these values"
NAMELESS: Final = "The agent"


async def use_all(
    ctx: ActivationCalls, agent: ResolvedAgent, toolbox: Toolbox, calls: Sequence[ToolCall]
) -> list[str]:
    """Make the calls of one answer and return what the model is told of each, in their order."""
    rules = [_rule(agent, toolbox, call) for call in calls]
    plainly = not any(rules) or _is_begun(ctx, len(calls))
    if plainly and not ctx.was_asked(f"{ctx.coming}/{len(calls)}/0"):
        return [await toolbox.use(ctx, call, index) for index, call in enumerate(calls)]
    return await _Batch(ctx, agent, toolbox, calls, rules).told()


def _is_begun(ctx: ActivationCalls, count: int) -> bool:
    """Return whether the calls were made or refused before a rule came to hold for their tools."""
    coming = ctx.coming
    refusals = (refusal_place(coming, index) for index in range(count))
    return ctx.was_begun() or any(ctx.noted(place) is not None for place in refusals)


def _rule(agent: ResolvedAgent, toolbox: Toolbox, call: ToolCall) -> CallAsk | None:
    """Return the rule by which a call may be asked about, None where it never is."""
    spec = toolbox.spec(call.name)
    rule = None if spec is None else ask_of(agent.ask, spec)
    return None if rule is None or rule.when == "never" else rule


def ask_of(asks: Mapping[str, CallAsk], spec: ToolSpec) -> CallAsk | None:
    """Return the rule of an agent for a tool, whichever of its names that is written under."""
    return rule_for(asks, spec.source, spec.names)


@dataclass(slots=True)
class _Batch:
    """One answer's calls under way. Each has a journal scope of its own, as parallel calls have."""

    ctx: ActivationCalls
    agent: ResolvedAgent
    toolbox: Toolbox
    calls: Sequence[ToolCall]
    rules: Sequence[CallAsk | None]

    async def told(self) -> list[str]:
        base = self.ctx.path()
        with self.ctx.apart(base, len(self.calls)):
            named = [[call.name, call.arguments] for call in self.calls]
            reasons = await self.ctx.recorded("asks", named, self._reasons)
        found: dict[int, str] = {}
        for index, call in enumerate(self.calls):
            if reasons[index] is None:
                with self.ctx.apart(base, index):
                    found[index] = await self.toolbox.use(self.ctx, call)
        asked = {i: self._asked(i, why) for i, why in enumerate(reasons) if why is not None}
        while asked:
            places = [(_place(base, i, call), call) for i, call in asked.items()]
            decisions = await self.ctx.decisions(places)
            for (index, wanted), said in zip(list(asked.items()), decisions, strict=True):
                told = await self._followed(base, index, wanted, said)
                if told is None:
                    asked[index] = replace(wanted, round=wanted.round + 1)
                else:
                    found[index] = told
                    del asked[index]
        return [found[index] for index in range(len(self.calls))]

    def _reasons(self) -> list[str | None]:
        return [self._why(*each) for each in zip(self.calls, self.rules, strict=True)]

    def _why(self, call: ToolCall, rule: CallAsk | None) -> str | None:
        """Return why people are asked about a call, None where they are not.

        A call whose arguments do not fit is told so by its tool's schema, without asking anybody.
        """
        spec = self.toolbox.spec(call.name)
        if rule is None or spec is None or self.toolbox.argument_problem(spec, call) is not None:
            return None
        if rule.when == "first":
            known = (self._name, spec.full_name, spec.binding)
            return None if known in self.ctx.run.allowed_calls else FIRST
        return ALWAYS if rule.expression is None else _holds(rule.expression, spec, call)

    @property
    def _name(self) -> str:
        return self.agent.id or NAMELESS

    def _asked(self, index: int, why: str) -> AskedCall:
        """Return a call that is asked about; its tool may be gone by now, then nothing is sent."""
        call, rule = self.calls[index], self.rules[index]
        spec = self.toolbox.spec(call.name) or ToolSpec(call.name, "", {})
        return AskedCall(
            rule or CallAsk(),
            self._name,
            call.name,
            spec.full_name,
            freeze(call.arguments),
            spec.effect_class,
            spec.binding,
            spec.parameters,
            why,
            CalledAt(spec.source, spec.kind, spec.host_name),
        )

    async def _followed(
        self, base: str, index: int, call: AskedCall, decision: dict[str, Any]
    ) -> str | None:
        """Follow a decision and return what the agent is told.

        None where it must be asked again: what would be sent is not what was approved.
        """
        if decision["outcome"] == "expired":
            return LATE
        if decision.get("decision") != "approved":
            return str(decision["told"])
        if self.ctx.was_asked(_place(base, index, replace(call, round=call.round + 1))):
            return None
        arguments = _approved(call, decision)
        with self.ctx.apart(base, index):
            return await self.toolbox.send(
                self.ctx, self.calls[index].name, arguments, str(decision["content_hash"])
            )


def _holds(expression: str, spec: ToolSpec, call: ToolCall) -> str | None:
    """Return why a condition asks, None where it surely does not hold."""
    scope = {"arguments": freeze(call.arguments), "tool": spec.full_name}
    try:
        found = compile_expression(expression, NAMES).evaluate(scope)
    except (NodeError, ExpressionInvalid):
        return UNSURE
    if found is False:
        return None
    return TRUE if found is True else UNSURE


def _place(base: str, index: int, call: AskedCall) -> str:
    """Return where a question stands in the journal: at the call's own path."""
    again = f".{call.round}" if call.round else ""
    return f"{base}/{index}/0!ask{again}"


def _approved(call: AskedCall, decision: dict[str, Any]) -> FrozenDict:
    """Return the arguments as they were approved, edits included."""
    return FrozenDict({**call.arguments, **(decision.get("edits") or {})})
