"""What comes after steps whose outcome nobody knows: up to the next people, the unknown left open."""

from __future__ import annotations

from collections import deque

from pydantic import ValidationError

from engine.core.errors import NodeError
from engine.core.graph.document import EdgeSpec
from engine.core.graph.fields import END
from engine.core.node_types.form import read_config
from engine.core.state.lanes import build_view
from engine.core.state.program import NodePlan
from engine.core.state.run_state import Activation
from engine.runtime.foresight.foretelling import MOST, Foretelling, shown, unforeseen
from engine.runtime.foresight.rehearsal import rehearse
from engine.runtime.foresight.steps import PAUSES, Call, label_of, step_of
from engine.runtime.foresight.veils import Veils, veil


class Beyond:
    """The steps after the first ones of a look ahead."""

    def __init__(self, near: Foretelling) -> None:
        self._near = near
        self._program = near.state.program
        self._veils = Veils()
        self._seen = {plan.id for plan, _act, _call in near.waiting}
        self._line = deque(near.waiting)

    def look(self) -> None:
        """Add what follows to the steps that are told."""
        while self._line and len(self._near.steps) < MOST:
            plan, act, call = self._line.popleft()
            if call.does not in PAUSES | {"fails"} and act.parent is None:
                self._hide(plan)
                self._ways(plan, act, None)

    def _hide(self, plan: NodePlan) -> None:
        state = self._near.state
        state.memory.update(self._veils.draw(plan))
        state.outputs[plan.id] = veil(label_of(plan))

    def _ways(self, plan: NodePlan, act: Activation, only_if: str | None) -> None:
        edges = self._program.spec.edges_from(plan.id, "completed")
        chosen = any(edge.conditional or edge.trigger for edge in edges) or (
            plan.type.chooses and plan.pure and len(edges) > 1
        )
        for edge in edges:
            if edge.target == END or edge.target in self._seen or len(self._near.steps) >= MOST:
                continue
            self._seen.add(edge.target)
            condition = condition_of(edge, plan) if chosen else only_if
            self._step(edge.target, act, veil(label_of(plan)), condition)

    def _step(self, node: str, came: Activation, previous: str, only_if: str | None) -> None:
        near = self._near
        try:
            plan = self._program.plan(node)
        except NodeError:
            return
        act = Activation(
            f"{node}#0",
            node,
            0,
            attempt=1,
            previous=previous,
            metadata=came.metadata,
            started_at=near.tx.now,
        )
        act.view = build_view(near.state, plan, act)
        if plan.pure or plan.spec.disabled:
            self._hide(plan)
            self._ways(plan, act, only_if)
            return
        call, first = self._call(plan, act)
        why = None if first is None else f"it needs what {first} gives"
        near.steps.append(step_of(plan, near.known(call), shown(call), only_if, why))
        self._line.append((plan, act, call))

    def _call(self, plan: NodePlan, act: Activation) -> tuple[Call, str | None]:
        """Return what the step asks for, and the step without whose outcome that is not whole."""
        if not plan.type.foretold:
            return unforeseen(plan), None
        config, first = self._veils.over(plan.spec.config)
        try:
            found = rehearse(self._near.state, plan, act, read_config(plan.type, config))
        except (NodeError, ValidationError):
            return unforeseen(plan), first or "an earlier step"
        return (found, first) if isinstance(found, Call) else (unforeseen(plan), None)


def condition_of(edge: EdgeSpec, plan: NodePlan) -> str:
    """Return in words when an edge is taken."""
    if edge.label:
        return edge.label
    if edge.when is not None:
        return f"{label_of(plan)} says {edge.when}"
    if edge.condition is not None:
        return edge.condition
    return f"{label_of(plan)} chooses it" if edge.trigger else "nothing else fits"
