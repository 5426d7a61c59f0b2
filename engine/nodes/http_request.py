"""The node type `http_request`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from engine.effects import EffectClass
from engine.fields import JsonMap
from engine.form import field
from engine.node import NodeConfig, NodeDefaults, NodeType
from engine.values import FrozenDict

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
        None, widget="template", description="Text is sent as it is, other values as JSON."
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
    """Config of `http_request`."""

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
    effect_class = EffectClass.UNSAFE
    defaults = NodeDefaults(read_keys=("input",), config={"method": "GET"})
    result_keys = ("{id}_result",)
    writes_data: ClassVar[bool] = False

    Config = HttpRequestConfig

    def effect_of(self, config: HttpCall) -> EffectClass:
        """Return the configured class; without, READ for methods that only look, else UNSAFE."""
        if config.effect_class is not None:
            return EffectClass(config.effect_class)
        return EffectClass.READ if config.method in _SAFE_METHODS else EffectClass.UNSAFE
