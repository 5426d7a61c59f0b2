"""Evaluating nodes of `pure` types on the spot: no claim, no journal, no executor."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from engine.core.decide.outcomes import Finish, complete_node, fail_attempt
from engine.core.decide.transition import Transition
from engine.core.errors import NodeError
from engine.core.node_types.node_type import NodeResult
from engine.core.node_types.rules.purity import IMPURE
from engine.core.node_types.view import View
from engine.core.state.lanes import expression_scope
from engine.core.state.program import NodePlan, Program
from engine.core.state.run_state import Activation, RunState
from engine.core.values.json import FrozenList

if TYPE_CHECKING:
    from engine.core.decide.scheduler import Env


class PureContext:
    """What a `pure` node type gets: its view and its place; every effect is refused."""

    __slots__ = ("_state", "act", "attempt", "finish", "node", "now_ms", "view")

    def __init__(self, state: RunState, plan: NodePlan, act: Activation, now: int) -> None:
        self._state = state
        self.view: View = act.view  # type: ignore[assignment]
        self.node = plan.spec
        self.act = act
        self.attempt = act.attempt
        self.now_ms = now
        self.finish = Finish()

    @property
    def messages(self) -> list[Any]:
        """The earlier messages of a chat (row K12)."""
        return FrozenList(self._state.runtime.get("messages", ()))

    @property
    def program(self) -> Program:
        """The graph this run runs."""
        return self._state.program

    @property
    def run_id(self) -> str:
        """Which run these decisions are for."""
        return self._state.run_id

    def scope(self) -> dict[str, Any]:
        """The names an expression of this node may use, with the log's time as `now`."""
        return expression_scope(self.view, self.now_ms)

    def __getattr__(self, name: str) -> Any:
        """Refuse what only other types have. Raises `NodeError` `NodeConfigInvalid`."""
        if name not in IMPURE:
            raise AttributeError(name)
        raise NodeError(
            "NodeConfigInvalid",
            f"a node of the pure type {self.node.type!r} asked for ctx.{name}: a pure type only "
            "computes from what it reads; its effect_class must be another one",
        )


def evaluate_pure(tx: Transition, env: Env, plan: NodePlan, act: Activation) -> None:
    """Run a pure node now and record how it ended."""
    context = PureContext(tx.state, plan, act, tx.now)
    try:
        result = NodeResult.of(_drive(plan.type.run(context, plan.config)))
        complete_node(tx, plan, act, result, context.finish)
    except NodeError as error:
        fail_attempt(tx, plan, act, error, env.jitter())
    except Exception as error:  # noqa: BLE001  node code may raise anything: it is the node's failure
        failure = NodeError("HandlerFailed", f"{type(error).__name__}: {error}", retryable=True)
        fail_attempt(tx, plan, act, failure, env.jitter())


def _drive(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Return what a coroutine returns without ever suspending. Raises RuntimeError if it does."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    coroutine.close()
    raise RuntimeError("a pure node type must not await anything")
