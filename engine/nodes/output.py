"""The node type `output`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import model_validator

from engine.agents.activation import gets_activation
from engine.core.effects import EffectClass
from engine.core.expressions.cel import compile_expression
from engine.core.expressions.template_trees import render_tree
from engine.core.expressions.templates import compile_template
from engine.core.graph.fields import JsonMap
from engine.core.graph.problems import refusal
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig, NodeDefaults, NodeResult, NodeType
from engine.core.values.json import Json

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls


class OutputConfig(NodeConfig):
    """What the run gives: an expression or a text with values in it, and metadata beside it."""

    value: str | None = field(
        None,
        widget="expression",
        min_length=1,
        hints={"must_have": True, "beside": ("text",), "template_in": "text"},
        description="What the run gives; empty: what the node before left.",
    )
    text: str | None = field(
        None,
        widget="template",
        min_length=1,
        description="The run's result as a text with values between `{{` and `}}`; a value alone "
        "stays what it is.",
    )
    metadata: JsonMap | None = field(
        None, widget="template", description="Added to the metadata that flows on."
    )

    @model_validator(mode="after")
    def _one_result(self) -> OutputConfig:
        if self.value is not None and self.text is not None:
            message = "An output has an expression or a text, not both."
            raise refusal("InvalidValue", message, field="text")
        return self


class OutputNode(NodeType):
    """Say what the run gives in the end.

    Left empty, it gives what the node before left. Where several outputs run, the last one counts.
    """

    type = "output"
    label = "Output"
    icon = "flag-check"
    category = "Flow"
    words = (
        *("end", "result", "return", "finish", "done", "answer"),
        *("template", "letter", "document", "report", "text", "e-mail", "email", "mail"),
    )
    rank = 4
    effect_class = EffectClass.PURE
    chooses = False
    defaults = NodeDefaults(read_keys=("previous",))
    writes_data: ClassVar[bool] = False
    reads_named = True
    always_reads: ClassVar[tuple[str, ...]] = ("previous",)

    Config = OutputConfig

    @gets_activation
    async def run(self, ctx: ActivationCalls, config: OutputConfig) -> NodeResult:
        """Return the value as output. Raises `NodeError` `MissingReference`, `ExpressionFailed`."""
        scope = ctx.scope()
        ctx.finish.is_result = True
        value = _result(config, scope)
        metadata: Any = None if config.metadata is None else render_tree(config.metadata, scope)
        return NodeResult(output=value, metadata=metadata)


def _result(config: OutputConfig, scope: Mapping[str, Any]) -> Json:
    if config.text is not None:
        return compile_template(config.text).render_value(scope)
    return compile_expression(config.value or "previous").evaluate(scope)
