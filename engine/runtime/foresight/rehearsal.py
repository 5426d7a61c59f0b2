"""Node code on a context that notes what it is asked for and does nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any, NoReturn

from engine.core.decide.interrupts import reviewed_slice
from engine.core.decide.outcomes import Finish
from engine.core.effects import EffectClass
from engine.core.errors import ControlFlow
from engine.core.node_types.node_type import NodeConfig, NodeResult
from engine.core.people.edits import reviewed_names
from engine.core.state.lanes import build_view, expression_scope
from engine.core.state.program import NodePlan
from engine.core.state.run_state import Activation, RunState
from engine.runtime.foresight.steps import Call


class Noted(ControlFlow):
    """Node code came to its first call: what it would send."""

    def __init__(self, call: Call) -> None:
        super().__init__()
        self.call = call


class Rehearsal:
    """What node types that can be foretold (`NodeType.foretold`) get in place of a context.

    The very code that sends renders what is sent; nothing leaves, as its first call ends it.
    """

    def __init__(self, state: RunState, plan: NodePlan, act: Activation) -> None:
        self._state = state
        self._act = act
        self._plan = plan
        self.node = plan.spec
        self.view = act.view if act.view is not None else build_view(state, plan, act)
        self.finish = Finish()
        self.credentials = None

    def scope(self) -> dict[str, Any]:
        """The names an expression of the node may use."""
        return expression_scope(self.view, self._act.started_at)

    def reviewed_view(self, keys: Sequence[str]) -> dict[str, Any]:
        """The names an approval's message may use."""
        reviewed = reviewed_slice(self._state, keys, self._act.key)
        return reviewed_names(self.view, self._act.started_at, reviewed, {})

    def edit_schema(self, keys: Sequence[str]) -> dict[str, Any]:
        """No form is shown."""
        return {}

    async def egress(self) -> object:
        """Something that nothing is sent by."""
        return self

    async def review(
        self, request: Mapping[str, Any], review_keys: Sequence[str]
    ) -> dict[str, Any]:
        """Return the decision that is supposed to be made, or note that one is asked for."""
        act = self._act
        for (attempt, _path), step in act.steps.items():
            if attempt == act.attempt and step.kind == "interrupt" and step.status == "done":
                result: dict[str, Any] = step.result
                return result
        raise Noted(Call("approval", {"prompt": request["prompt"]}))

    async def interrupt(self, request: Mapping[str, Any]) -> NoReturn:
        """Note a question."""
        raise Noted(Call("ask", {"prompt": request["question"]}))

    async def sleep(self, duration_ms: int) -> NoReturn:
        """Note a wait."""
        raise Noted(Call("wait", {"duration_ms": duration_ms}))

    async def call_tool(self, name: str, arguments: Mapping[str, Any]) -> NoReturn:
        """Note a call of a tool."""
        raise Noted(Call("tool", {"tool": name, "arguments": dict(arguments)}, None))

    async def run_graph(self, graph_id: str, **given: Any) -> NoReturn:
        """Note a run of another graph."""
        request = {"graph": graph_id, "arguments": dict(given.get("input") or {})}
        raise Noted(Call("graph", request, EffectClass.KEYED))

    async def perform(
        self,
        kind: str,
        request: Any,
        effect: EffectClass,
        call: Callable[[str], Awaitable[object]],
    ) -> NoReturn:
        """Note an outside call."""
        raise Noted(Call("http" if kind == "http" else "other", request, effect))


def rehearse(
    state: RunState, plan: NodePlan, act: Activation, config: NodeConfig
) -> tuple[NodeResult, Finish] | Call:
    """Return a node's result with what its context adds, or what it would ask for first.

    Raises `NodeError` as the node does, and RuntimeError for code that awaits something else.
    """
    context: Any = Rehearsal(state, plan, act)
    try:
        return NodeResult.of(_driven(plan.type.run(context, config))), context.finish
    except Noted as noted:
        return noted.call


def _driven(coroutine: Coroutine[Any, Any, Any]) -> Any:
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    coroutine.close()
    raise RuntimeError("node code that is foretold must not await anything of its own")
