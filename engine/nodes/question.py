"""The node type `question`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import model_validator

from engine.core.effects import EffectClass
from engine.core.expressions.templates import compile_template
from engine.core.graph.fields import JsonMap, Key
from engine.core.graph.problems import refusal
from engine.core.node_types.form import field
from engine.core.node_types.node_type import (
    COMPLETED,
    FAILED,
    Handle,
    NodeConfig,
    NodeDefaults,
    NodeResult,
    NodeType,
)

if TYPE_CHECKING:
    from engine.core.node_types.context import NodeContext


class Option(NodeConfig):
    """One thing to choose. `value` is what the node receives instead of the id."""

    id: str = field(min_length=1, max_length=128, description="Unique in the question.")
    label: str = field(min_length=1, description="What people see.")
    description: str | None = field(None, description="A second line.")
    value: Any = field(None, widget="json", description="Delivered instead of the id; never shown.")


class QuestionConfig(NodeConfig):
    """What a person is asked, in which form, and which key takes the answer."""

    kind: Literal["text", "choice", "multi-choice", "form"] = field(
        "text", description="The shape of the answer."
    )
    question: str = field(widget="prompt", min_length=1, description="What is asked.")
    options: tuple[Option, ...] = field(
        (),
        max_length=500,
        hints={"when": ("kind", "choice", "multi-choice"), "needed": True},
        description="What can be chosen; for the two kinds of choice.",
    )
    schema_: JsonMap | None = field(
        None,
        alias="schema",
        widget="json",
        hints={"when": ("kind", "form"), "needed": True},
        description="JSON Schema of the form's values; for the kind `form`.",
    )
    timeout_ms: int | None = field(
        None, ge=1, le=366 * 86_400_000, widget="duration", description="Absent: no deadline."
    )
    answer_key: Key | None = field(
        None, widget="key", description="The memory key that keeps the answer."
    )

    @model_validator(mode="after")
    def _complete(self) -> QuestionConfig:
        if self.kind in ("choice", "multi-choice") and not self.options:
            raise refusal(
                "MissingField",
                f'A question of kind "{self.kind}" needs "options".',
                field="options",
            )
        if self.kind == "form" and self.schema_ is None:
            raise refusal(
                "MissingField", 'A question of kind "form" needs "schema".', field="schema"
            )
        ids = [option.id for option in self.options]
        if len(set(ids)) < len(ids):
            raise refusal("DuplicateId", "Two options have the same id.", field="options")
        return self


class QuestionNode(NodeType):
    """Ask a person and go on with the answer.

    The answer is the node's output; with an answer key it is kept in memory too.
    """

    type = "question"
    label = "Question"
    icon = "message-question"
    category = "People"
    words = ("human", "ask", "form", "input", "choice", "choose", "person", "user")
    effect_class = EffectClass.READ
    foretold = True
    chooses = False
    asks_people = True
    handles = (COMPLETED, Handle("timed_out", "timed out", on="timed_out"), FAILED)
    defaults = NodeDefaults(read_keys=("input",))
    writes_data: ClassVar[bool] = False
    reads_named = True

    Config = QuestionConfig

    def own_keys(self, node_id: str, config: QuestionConfig) -> tuple[str, ...]:
        """Return the answer key."""
        return () if config.answer_key is None else (config.answer_key,)

    async def run(self, ctx: NodeContext, config: QuestionConfig) -> NodeResult:
        """Return the typed answer. Raises `NodeError` `MissingReference` before anyone is asked."""
        answer = await ctx.interrupt(_request(config, ctx.scope()))
        data = None if config.answer_key is None else {config.answer_key: answer}
        return NodeResult(output=answer, data=data)


def _request(config: QuestionConfig, scope: Mapping[str, Any]) -> dict[str, Any]:
    request: dict[str, Any] = {
        "kind": config.kind,
        "question": compile_template(config.question).render(scope),
    }
    if config.options:
        request["options"] = [
            option.model_dump(mode="json", exclude_unset=True) for option in config.options
        ]
    if config.schema_ is not None:
        request["schema"] = config.schema_
    if config.timeout_ms is not None:
        request["timeout_ms"] = config.timeout_ms
    return request
