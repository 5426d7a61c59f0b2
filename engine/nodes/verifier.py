"""The node type `verifier`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from pydantic import ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from engine.agents.refining.judging import judge
from engine.core.effects import EffectClass
from engine.core.errors import NodeError
from engine.core.expressions.cel import (
    ExpressionInvalid,
    MissingReference,
    check_pattern,
    compile_expression,
    safe_match,
    truthy,
)
from engine.core.expressions.jsonpath import compile_path
from engine.core.graph.fields import Id, Key
from engine.core.graph.problems import refusal
from engine.core.node_types.form import Hints, field
from engine.core.node_types.node_type import (
    FAILED,
    Handle,
    NodeConfig,
    NodeDefaults,
    NodeResult,
    NodeType,
    Refusal,
)
from engine.core.node_types.run_views import VERDICT
from engine.core.node_types.view import readable_at
from engine.core.state.events import iso
from engine.core.values.json import as_text, is_number, json_equal

if TYPE_CHECKING:
    from engine.core.node_types.context import NodeContext

REQUIRED: Final = {
    "llm_judge": ("target_key", "evaluator_agent_id"),
    "expression": ("expression",),
    "jsonpath": ("target_key", "path", "assertion"),
}
OPTIONAL: Final = {"llm_judge": ("pass_threshold", "evaluation_criteria")}
OF_ONE_KIND: Final = {name for names in (*REQUIRED.values(), *OPTIONAL.values()) for name in names}
COMPARISONS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}
ABSENT: Final = object()
JUDGED: Final[Hints] = {"when": ("type", "llm_judge")}
BY_PATH: Final[Hints] = {"when": ("type", "jsonpath"), "needed": True}
HOLDS: Final = "pass"
FAILS: Final = "fail"


class Assertion(NodeConfig):
    """What must hold for the first match of the path."""

    op: Literal["exists", "equals", "matches", "gt", "gte", "lt", "lte"] = field(
        description="How the match is compared; `exists` means it is there and not null."
    )
    value: Any = field(
        None, widget="json", description="Compared with; a pattern for `matches`, else a number."
    )

    @model_validator(mode="after")
    def _fits(self) -> Assertion:
        if self.op == "exists":
            return self
        if "value" not in self.model_fields_set:
            raise refusal("MissingField", f'"{self.op}" needs "value".', field="value")
        if self.op == "matches":
            if not isinstance(self.value, str):
                raise refusal("InvalidValue", '"matches" needs a pattern as text.', field="value")
            _check_pattern(self.value)
        elif self.op != "equals" and not is_number(self.value):
            raise refusal("InvalidValue", f'"{self.op}" needs a number.', field="value")
        return self


def _check_pattern(pattern: str) -> None:
    try:
        check_pattern(pattern)
    except ExpressionInvalid as error:
        raise refusal("ExpressionInvalid", error.message, field="value") from error


class VerifierConfig(NodeConfig):
    """What is judged, by which rule or agent, and what counts as passed."""

    type: Literal["llm_judge", "expression", "jsonpath"] = field(
        title="Kind", description="Who decides: an agent, an expression, or a path with a test."
    )
    target_key: Key | None = field(
        None,
        widget="key",
        hints={"reads": "may", "when": ("type", "llm_judge", "jsonpath"), "needed": True},
        description="The memory key that is judged; for `llm_judge` and `jsonpath`.",
    )
    evaluator_agent_id: Id | None = field(
        None,
        widget="agent",
        group="Judge",
        title="Evaluator",
        hints={**JUDGED, "needed": True},
        description="The agent that scores the value.",
    )
    pass_threshold: float = field(
        0.8, ge=0, le=1, group="Judge", hints=JUDGED, description="The least score that passes."
    )
    evaluation_criteria: str | None = field(
        None, group="Judge", hints=JUDGED, description="What the evaluator pays attention to."
    )
    expression: str | None = field(
        None,
        widget="expression",
        min_length=1,
        hints={"when": ("type", "expression"), "needed": True},
        description="True passes.",
    )
    path: str | None = field(
        None,
        widget="jsonpath",
        min_length=1,
        group="Path",
        hints=BY_PATH,
        description="Where to look in the value; its first match counts.",
    )
    assertion: Assertion | None = field(
        None, group="Path", hints=BY_PATH, description="What must hold for the match."
    )
    result_key: Key | None = field(
        None,
        widget="key",
        group="Result",
        description="Where the verdict is written; absent: `<id>_verification`.",
    )
    throw_on_fail: bool = field(
        False, group="Result", description="Fail the node instead of letting the wires decide."
    )

    @model_validator(mode="after")
    def _of_its_kind(self) -> VerifierConfig:
        needed = REQUIRED[self.type]
        errors = [_error("missing", name, None) for name in needed if getattr(self, name) is None]
        for name in sorted(OF_ONE_KIND - {*needed, *OPTIONAL.get(self.type, ())}):
            value, default = getattr(self, name), type(self).model_fields[name].default
            if name in self.model_fields_set and value != default:
                said = f'"{name}" has no effect in a verifier of type "{self.type}": remove it.'
                refused = PydanticCustomError("UnknownField", "{said}", {"said": said})
                errors.append(_error(refused, name, value))
        if errors:
            raise ValidationError.from_exception_data(type(self).__name__, errors)
        return self


def _error(kind: str | PydanticCustomError, name: str, value: object) -> InitErrorDetails:
    return InitErrorDetails(type=kind, loc=(name,), input=value)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether it passed, why, and what else the envelope holds."""

    passed: bool
    reasoning: str
    more: dict[str, Any] = attribute(default_factory=dict)


class VerifierNode(NodeType):
    """Check a value before the run goes on.

    An agent, an expression or a path with a test decides whether it passes. The verdict is
    written to memory, and edges wait for `pass` or `fail`; or a fail fails the node.
    """

    type = "verifier"
    label = "Verifier"
    icon = "shield-check"
    category = "Quality"
    words = ("check", "test", "validate", "assert", "judge", "guard", "if", "quality")
    effect_class = EffectClass.LLM
    handles = (
        Handle(HOLDS, "pass", when=HOLDS),
        Handle(FAILS, "fail", when=FAILS),
        Handle("completed", "either"),
        FAILED,
    )
    defaults = NodeDefaults(
        read_keys=("previous",), config={"type": "expression", "expression": "previous != null"}
    )
    result_keys = ("{id}_verification", "{id}_verification_passed")
    views = (VERDICT,)
    writes_data: ClassVar[bool] = False
    reads_named = True

    Config = VerifierConfig

    def effect_of(self, config: VerifierConfig) -> EffectClass:
        """Return `llm` where an agent judges, else `pure`."""
        return EffectClass.LLM if config.type == "llm_judge" else EffectClass.PURE

    def own_keys(self, node_id: str, config: VerifierConfig) -> tuple[str, ...]:
        """Return the result key and its boolean."""
        key = _result_key(node_id, config)
        return (key, f"{key}_passed")

    def verdict_of(self, node_id: str, config: VerifierConfig) -> Refusal:
        """Return what is written where the value does not pass."""
        key, envelope = _result_key(node_id, config), {"type": config.type, "passed": False}
        memory = {key: envelope, f"{key}_passed": False}
        return Refusal(memory, envelope, FAILS, fails=config.throw_on_fail)

    async def run(self, ctx: NodeContext, config: VerifierConfig) -> NodeResult:
        """Return the verdict. Raises `NodeError` `VerificationFailed`, `ExpressionFailed`."""
        if config.type == "llm_judge":
            verdict, at = await _judged(ctx, config), iso(await ctx.now())
        else:
            verdict = (
                _expressed(ctx, config) if config.type == "expression" else _found(ctx, config)
            )
            at = ctx.scope()["now"]
        envelope = {
            "type": config.type,
            "passed": verdict.passed,
            "reasoning": verdict.reasoning,
            **verdict.more,
            "evaluated_at": at,
        }
        if config.throw_on_fail and not verdict.passed:
            raise NodeError(
                "VerificationFailed", verdict.reasoning, retryable=True, detail=envelope
            )
        key = _result_key(ctx.node.id, config)
        return NodeResult(
            data={key: envelope, f"{key}_passed": verdict.passed},
            output=envelope,
            condition=HOLDS if verdict.passed else FAILS,
        )


def _result_key(node_id: str, config: VerifierConfig) -> str:
    return config.result_key or f"{node_id}_verification"


def _target(ctx: NodeContext, config: VerifierConfig) -> Any:
    assert config.target_key is not None
    return readable_at(ctx.view, config.target_key, ABSENT)


def _nothing(config: VerifierConfig) -> str:
    return f'There is nothing to read at "{config.target_key}".'


async def _judged(ctx: NodeContext, config: VerifierConfig) -> Verdict:
    value, threshold = _target(ctx, config), config.pass_threshold
    if value is ABSENT:
        return Verdict(False, _nothing(config), {"threshold": threshold})
    assert config.evaluator_agent_id is not None
    said = await judge(ctx, config.evaluator_agent_id, value, config.evaluation_criteria)
    passed = said.score >= threshold
    reasoning = said.reasoning or (
        f"The score {said.score:g} is {'not below' if passed else 'below'} {threshold:g}."
    )
    return Verdict(passed, reasoning, {"score": said.score, "threshold": threshold})


def _expressed(ctx: NodeContext, config: VerifierConfig) -> Verdict:
    assert config.expression is not None
    try:
        value = compile_expression(config.expression).evaluate(ctx.scope())
    except MissingReference as missing:
        return Verdict(False, missing.message)
    passed = truthy(value)
    return Verdict(passed, f"{config.expression} gives {_short(value)}.")


def _found(ctx: NodeContext, config: VerifierConfig) -> Verdict:
    assert config.path is not None
    assert config.assertion is not None
    value = _target(ctx, config)
    if value is ABSENT:
        return Verdict(False, _nothing(config))
    path, asserted = compile_path(config.path), config.assertion
    if not path.exists(value):
        return Verdict(False, f"{config.path} matches nothing in {config.target_key}.")
    match = path.first(value)
    passed = _holds(asserted, match)
    wanted = asserted.op if asserted.op == "exists" else f"{asserted.op} {_short(asserted.value)}"
    reasoning = f"{config.path} is {_short(match)}: {wanted} {'holds' if passed else 'fails'}."
    return Verdict(passed, reasoning, {"extracted_value": match})


def _holds(asserted: Assertion, match: object) -> bool:
    """Say whether the assertion holds; wrong types do not pass (row C162)."""
    op, value = asserted.op, asserted.value
    if op == "exists":
        return match is not None
    if op == "equals":
        return json_equal(match, value)
    if op == "matches":
        return isinstance(match, str) and safe_match(value, match)
    if not is_number(match):
        return False
    return COMPARISONS[op](match, value)


def _short(value: object) -> str:
    text = as_text(value)
    return text if len(text) <= 120 else text[:119] + "…"
