"""The node type `http_request`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from engine.agents.activation import gets_activation
from engine.core.effects import EffectClass
from engine.core.errors import NodeError
from engine.core.expressions.template_trees import render_tree
from engine.core.expressions.templates import compile_template
from engine.core.graph.fields import JsonMap
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig, NodeDefaults, NodeResult, NodeType, Undo
from engine.core.values.json import FrozenDict, freeze
from engine.integrations.egress import http_call

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.agents.activation import ActivationCalls

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class HttpCall(NodeConfig):
    """One HTTP request; texts are templates."""

    method: Literal["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] = field(
        "GET", description="HTTP method."
    )
    url: str = field(
        widget="template", min_length=1, title="URL", description="Absolute http or https address."
    )
    headers: JsonMap = field(
        default_factory=FrozenDict,
        widget="template",
        description="Header fields; never put a secret here.",
    )
    query: JsonMap = field(
        default_factory=FrozenDict, widget="template", description="Query parameters."
    )
    body: Any = field(
        None,
        widget="template",
        description="Text is sent as it is, other values as JSON.",
        hints={"sent_by": "method"},
    )
    credential: str | None = field(
        None,
        widget="credential",
        group="Security",
        description="A stored credential, attached only for the hosts it is bound to.",
    )
    effect_class: Literal["read", "keyed", "unsafe"] | None = field(
        None,
        group="Security",
        description="What a takeover may do: absent, GET and HEAD are `read`, others `unsafe`;"
        " `keyed`: the other side honours the Idempotency-Key header.",
    )


class HttpRequestConfig(HttpCall):
    """The request, and what undoes it."""

    compensation: HttpCall | None = field(
        None, group="Undo", description="The request that undoes this one when the run fails later."
    )


class HttpRequestNode(NodeType):
    """Send one HTTP request.

    Status, headers and body are the node's output and are kept in memory as `<id>_result`.
    Private addresses are refused unless the operator allows them.
    """

    type = "http_request"
    label = "HTTP request"
    icon = "world-www"
    category = "Tools"
    words = (
        "api",
        "rest",
        "webhook",
        "post",
        "get",
        "fetch",
        "call",
        "url",
        "e-mail",
        "email",
        "mail",
        "slack",
        "send",
        "request",
        "download",
        "integration",
    )
    effect_class = EffectClass.UNSAFE
    foretold = True
    chooses = False
    defaults = NodeDefaults(read_keys=("input",), config={"method": "GET"})
    result_keys = ("{id}_result",)
    writes_data: ClassVar[bool] = False
    reads_named = True

    Config = HttpRequestConfig

    def effect_of(self, config: HttpCall) -> EffectClass:
        """Return the configured class; without, READ for methods that only look, else UNSAFE."""
        if config.effect_class is not None:
            return EffectClass(config.effect_class)
        return EffectClass.READ if config.method in _SAFE_METHODS else EffectClass.UNSAFE

    def target_of(self, config: HttpCall) -> str:
        """Return where the request goes, without path and query; a template as it is written."""
        scheme, mark, rest = config.url.partition("://")
        host = rest.split("/", 1)[0].split("?", 1)[0]
        return f"{scheme}{mark}{host}" if host and "{{" not in scheme + host else config.url[:200]

    @gets_activation
    async def run(self, ctx: ActivationCalls, config: HttpRequestConfig) -> NodeResult:
        """Return status, headers and body of the answer.

        Raises `NodeError`: `MissingReference` before anything is sent, and what
        `engine.integrations.egress.http_call.send` raises.
        """
        answer = await _send(ctx, rendered_call(config, ctx.scope()))
        return NodeResult(output=answer, data={f"{ctx.node.id}_result": answer})

    def undo_of(self, config: HttpRequestConfig, scope: Mapping[str, Any]) -> Undo | None:
        """Return the request that undoes this one, rendered."""
        if config.compensation is None:
            return None
        call = rendered_call(config.compensation, scope)
        request = {"call": call.to_json(), "effect_class": config.compensation.effect_class}
        return Undo(f"{call.method} {call.url.partition('?')[0]}", freeze(request))

    @gets_activation
    async def undo(self, ctx: ActivationCalls, request: FrozenDict) -> Any:
        """Return the answer to the request that undoes it. Raises like `run`."""
        effect = request["effect_class"]
        return await _send(
            ctx,
            http_call.HttpCall(
                **request["call"], effect_class=None if effect is None else EffectClass(effect)
            ),
        )


async def _send(ctx: ActivationCalls, call: http_call.HttpCall) -> Any:
    egress = await ctx.egress()
    if egress is None:
        raise NodeError("EgressRefused", "HTTP requests are switched off here")
    resolver = ctx.credentials

    async def send(key: str) -> Any:
        return await http_call.send(egress, call, key, resolver)

    return await ctx.perform("http", call.to_json(), call.effect, send)


def rendered_call(config: HttpCall, scope: Mapping[str, Any]) -> http_call.HttpCall:
    """Return the request with its templates rendered. Raises `MissingReference`."""
    headers: Any = render_tree(config.headers, scope)
    query: Any = render_tree(config.query, scope)
    effect = config.effect_class
    return http_call.HttpCall(
        url=compile_template(config.url).render(scope),
        method=config.method,
        headers=headers,
        query=query,
        body=render_tree(config.body, scope),
        credential=config.credential,
        effect_class=None if effect is None else EffectClass(effect),
    )
