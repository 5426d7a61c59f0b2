"""What follows from a decision: the run's own rules and its nodes' own code, on a private copy."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from engine.core.budgets.ledger import Ledger
from engine.core.decide.interrupts import decide, supersede_changed
from engine.core.decide.outcomes import complete_node, fail_attempt
from engine.core.decide.scheduler import Claim, Env, advance
from engine.core.decide.transition import Transition
from engine.core.effects import EffectClass
from engine.core.errors import NodeError, RequestRefused
from engine.core.people.asked_calls import is_asked_call
from engine.core.state.breakers import MemoryBreakers
from engine.core.state.events import node_of
from engine.core.state.fold.waits import leave_line
from engine.core.state.program import NodePlan
from engine.core.state.requests import Answer, Supposed
from engine.core.state.run_state import Activation, OpenInterrupt, RunState
from engine.core.state.sent import masked, shown_request
from engine.runtime.execution.waits import InterruptEnded
from engine.runtime.foresight.rehearsal import rehearse
from engine.runtime.foresight.steps import (
    Call,
    Does,
    ForeseenStep,
    Foresight,
    label_of,
    step_of,
)

MOST: Final = 12
"""Steps that are told; what comes later is left out."""
ROUNDS: Final = 200


class Foretelling:
    """One look ahead. `state` is a private copy of the run's and is changed.

    `tools` are the effect classes of the tools that are known, by name and by `source/name`.
    """

    def __init__(self, state: RunState, now: int, tools: Mapping[str, EffectClass]) -> None:
        self.state = state
        self._tools = tools
        self.tx = Transition(state, now, Ledger(), MemoryBreakers(), None)
        self.steps: list[ForeseenStep] = []
        self._asked = ""
        """The key of the activation that asks."""
        self.waiting: list[tuple[NodePlan, Activation, Call]] = []
        """Steps whose outcome nobody knows: what follows them is told with veils."""
        self._env = Env(jitter=lambda: 0.0, stopwatch=lambda: 0.0)

    def suppose(self, supposed: Supposed) -> None:
        """Go from the decision to the first calls. Raises `RequestRefused` as a decision does.

        Where several must approve, it is the last of theirs.
        """
        self._moved()
        opened = self.state.interrupts.get(supposed.request_id)
        if opened is None or opened.kind != "approval":
            raise RequestRefused("InterruptClosed", "this is no open approval")
        opened.seats = ()
        self._asked = opened.key
        answer = Answer(
            "",
            decision=supposed.decision,
            comment=supposed.comment or "…",
            edits={**opened.edits, **(supposed.edits or {})}
            if supposed.decision == "approved"
            else None,
        )
        actor = replace(supposed.actor, kind="cli")  # who really may is judged when it is made
        verdict = decide(self.tx, supposed.request_id, answer, actor)
        if verdict.refused is not None:
            raise verdict.refused
        supersede_changed(self.tx)
        if is_asked_call(opened):
            self._tell_call(opened, supposed)
        self._follow(self._moved())

    def _tell_call(self, opened: OpenInterrupt, supposed: Supposed) -> None:
        """Tell an approved call as it would be sent. It goes on once all of its answer are decided."""
        act = self.state.activations[opened.key]
        if supposed.decision == "approved":
            edits = {**opened.edits, **(supposed.edits or {})}
            request = {
                "tool": opened.request["tool"],
                "arguments": {**opened.request["data"], **edits},
            }
            call = Call("tool", request, EffectClass(opened.request["effect"]))
            plan = self.state.program.plan(act.node)
            self.steps.append(step_of(plan, call, shown(call), None, None))
        if any(other.key == opened.key for other in self.state.interrupts.values()):
            leave_line(self.state, act)
            act.status, act.waiting_on = "waiting", "interrupt"

    def told(self) -> Foresight:
        """Return what was found."""
        ending = self.state.ending
        ends = self.state.status if self.state.terminal else None
        if ending is not None:
            ends = ending.status
        error = self.state.error or (None if ending is None else ending.error) or {}
        is_said = error.get("code") == "ApprovalRejected"  # that is what is looked ahead from
        why = None if is_said or not ends else error.get("message")
        return Foresight(tuple(self.steps), ends, why, self._passes())

    def _passes(self) -> tuple[str, ...]:
        """Return the names of the steps that were done at once, in their order."""
        done = [event for event in self.tx.emitted if event.type == "NodeCompleted"]
        keys = [event.key for event in done if event.key not in (None, self._asked)]
        plans = [self.state.program.plan(node_of(key)) for key in keys[-MOST:] if key]
        return tuple(label_of(plan) for plan in plans)

    def known(self, call: Call) -> Call:
        """Return a call with its effect class; a tool that nobody knows may do anything."""
        if call.effect is not None:
            return call
        return replace(call, effect=self._tools.get(call.request["tool"], EffectClass.UNSAFE))

    def _moved(self) -> list[Claim]:
        claims: list[Claim] = []
        for _round in range(ROUNDS):
            moved = advance(self.tx, self._env)
            claims += moved.claims
            if not moved.more:
                break
        return claims

    def _follow(self, claims: Iterable[Claim]) -> None:
        line = deque(claims)
        while line and len(self.steps) < MOST:
            claim = line.popleft()
            act = self.state.activations.get(claim.key)
            if act is not None and act.epoch == claim.epoch:
                self._execute(claim.plan, act)
                line.extend(self._moved())

    def _execute(self, plan: NodePlan, act: Activation) -> None:
        if act.undoes is not None:
            self._tell_undos(plan, act)
            return
        if not plan.type.foretold:
            self._note(plan, act, unforeseen(plan))
            return
        try:
            found = rehearse(self.state, plan, act, plan.config)
            if isinstance(found, Call):
                self._note(plan, act, found)
            else:
                complete_node(self.tx, plan, act, *found)
        except InterruptEnded as ended:
            fail_attempt(self.tx, plan, act, ended, 0.0, group=ended.group)
        except NodeError as error:
            self._note(plan, act, Call("fails", {"code": error.code}), why=error.message)

    def _note(self, plan: NodePlan, act: Activation, call: Call, why: str | None = None) -> None:
        self.steps.append(step_of(plan, self.known(call), shown(call), None, why))
        self.waiting.append((plan, act, call))

    def _tell_undos(self, plan: NodePlan, act: Activation) -> None:
        owed = list(reversed(self.state.compensations))
        for one in owed[: MOST - len(self.steps)]:
            node = self.state.program.plan(one.node)
            call = Call("undo", {"name": one.tool}, EffectClass.UNSAFE)
            self.steps.append(step_of(node, call, call.request, None, None))
        self.state.compensations.clear()


def unforeseen(plan: NodePlan) -> Call:
    """Return what is known of a node whose code tells nothing before it runs."""
    does: Does = "model" if plan.type.prompts else "other"
    config = plan.config
    if isinstance(getattr(config, "handler", None), str):
        return Call("function", {"name": config.handler}, plan.type.effect_of(config))
    named = getattr(config, "agent_id", None)
    return Call(does, {"name": named} if named else {}, plan.type.effect_of(config))


def shown(call: Call) -> dict[str, Any]:
    """Return a call as people are shown it: no secret by its name, no header, bounded."""
    if call.does != "http":
        found: dict[str, Any] = masked(call.request)
        return found
    request = call.request
    told = shown_request(request)
    return {**told, "credential": request["credential"]} if request.get("credential") else told
