"""What is told of the steps that a decision would lead to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from engine.core.effects import EffectClass
from engine.core.state.program import NodePlan

Does: TypeAlias = Literal[
    "http",
    "tool",
    "graph",
    "approval",
    "ask",
    "wait",
    "model",
    "function",
    "undo",
    "fails",
    "other",
]
PAUSES: Final = frozenset({"approval", "ask"})
"""What waits for people: nobody can tell what follows."""
MARK: Final = "dangerous"
"""The key of a node's `metadata` by which an author marks it."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a node asks for first: its kind, what is handed over, and how safe it is to repeat.

    `effect` is None where only the tool itself says it.
    """

    does: Does
    request: Any
    effect: EffectClass | None = EffectClass.READ


@dataclass(frozen=True, slots=True)
class ForeseenStep:
    """One step: `call` is what is sent, without secrets; `why_unknown` says why that is not whole.

    `only_if` is the condition under which it comes at all; `at_most_usd` the cap of its spend;
    `undo` whether the workflow takes it back itself should the run fail later.
    """

    node: str
    label: str
    does: Does
    call: dict[str, Any] = field(default_factory=dict)
    effect: EffectClass | None = None
    dangerous: bool = False
    undo: bool = False
    at_most_usd: str | None = None
    only_if: str | None = None
    why_unknown: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the form that the API sends."""
        return {
            "node": self.node,
            "label": self.label,
            "does": self.does,
            "call": self.call,
            "effect_class": None if self.effect is None else self.effect.value,
            "dangerous": self.dangerous,
            "undo": self.undo,
            "at_most_usd": self.at_most_usd,
            "only_if": self.only_if,
            "why_unknown": self.why_unknown,
        }


@dataclass(frozen=True, slots=True)
class Foresight:
    """The steps in the order in which they come, and how the run ends if it ends with them.

    `passes` names what is done at once beside them: steps that only work with values, as an output.
    """

    steps: tuple[ForeseenStep, ...]
    ends: str | None = None
    why: str | None = None
    passes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the form that the API sends."""
        return {
            "steps": [step.to_json() for step in self.steps],
            "ends": self.ends,
            "why": self.why,
            "passes": list(self.passes),
        }


def step_of(
    plan: NodePlan, call: Call, shown: dict[str, Any], only_if: str | None, why: str | None
) -> ForeseenStep:
    """Return a step of a node with what its document says of it."""
    spec = plan.spec
    cap = None if spec.budget is None else spec.budget.max_cost_usd
    return ForeseenStep(
        spec.id,
        label_of(plan),
        call.does,
        shown,
        call.effect,
        spec.metadata.get(MARK) is True,
        spec.requires_compensation and getattr(plan.config, "compensation", None) is not None,
        None if cap is None else str(cap),
        only_if,
        why,
    )


def label_of(plan: NodePlan) -> str:
    """Return what people call a node."""
    return plan.spec.label or plan.id
