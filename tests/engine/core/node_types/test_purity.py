"""A pure type that reaches outside is told when it is registered, or by a typed error."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.decide.begin.pure import PureContext
from engine.core.node_types.rules.purity import IMPURE
from engine.runtime.execution.context import ActivationContext
from engine.sdk import (
    EffectClass,
    FunctionTools,
    Handlers,
    NodeConfig,
    NodeType,
    NodeTypes,
    RegistrationError,
    ToolNotRegistered,
)
from tests.contract.harness import doc, fn, node, run


class Plain(NodeConfig):
    """Nothing to say."""


def a_type(effect: Any, body: Any) -> type[NodeType]:
    class Made(NodeType):
        """Does something."""

        type = "made"
        label = "Made"
        effect_class = effect
        Config = Plain

        run = body

    return Made


async def calls_a_tool(self: Any, ctx: Any, config: Any) -> Any:
    return {"output": await ctx.call_tool("add", {})}


async def asks_inside(self: Any, context: Any, config: Any) -> Any:
    async def inner() -> Any:
        return await context.interrupt({"kind": "text", "question": "?"})

    return await inner()


async def hides_it(self: Any, ctx: Any, config: Any) -> Any:
    method = "call_tool"
    return await getattr(ctx, method)("add", {})


async def only_reads(self: Any, ctx: Any, config: Any) -> Any:
    return {"output": ctx.scope()["goal"]}


@pytest.mark.parametrize(
    ("body", "name"), [(calls_a_tool, "call_tool"), (asks_inside, "interrupt")]
)
def test_a_pure_type_that_plainly_reaches_outside_is_not_registered(body: Any, name: str) -> None:
    with pytest.raises(RegistrationError, match=rf"is pure.*ctx\.{name}.*effect_class"):
        NodeTypes().register(a_type(EffectClass.PURE, body))

    NodeTypes().register(a_type(EffectClass.READ, body))
    NodeTypes().register(a_type(EffectClass.PURE, only_reads))


def test_one_that_hides_it_fails_at_once_with_the_cure() -> None:
    types = NodeTypes(package="engine.nodes")
    types.register(a_type("pure", hides_it))

    done = run(doc([node("m", "made")]), types=types)

    error = done.of("NodeFailed")[0]["error"]
    assert error["code"] == "NodeConfigInvalid"
    assert "ctx.call_tool" in error["message"]
    assert done.of("NodeFailed")[0]["attempts"] == 1


def test_an_effect_class_may_be_named_and_an_unknown_one_is_told() -> None:
    types = NodeTypes()
    assert types.register(a_type("read", only_reads)).effect_class is EffectClass.READ
    with pytest.raises(RegistrationError, match="there are pure, read"):
        NodeTypes().register(a_type("reed", only_reads))

    tools = FunctionTools()

    @tools.tool(effect_class="read")
    def look() -> str:
        """Look."""
        return "seen"

    assert tools._tools["look"].spec.effect_class is EffectClass.READ
    with pytest.raises(ToolNotRegistered, match="there are pure, read"):
        tools.tool(effect_class="reed")(look)


def test_a_pure_handler_that_calls_a_tool_is_not_registered() -> None:
    async def handler(ctx: Any, params: Any) -> Any:
        return await ctx.call_tool("add", {})

    with pytest.raises(RegistrationError, match=r"ctx\.call_tool"):
        Handlers().register("h", effect_class="pure")(handler)
    Handlers().register("h")(handler)


def test_what_a_pure_type_is_refused_is_what_others_have_more() -> None:
    public = {name for name in dir(ActivationContext) if not name.startswith("_")}

    assert public - IMPURE == {name for name in dir(PureContext) if name in public}


def test_a_tool_with_a_named_effect_class_is_called() -> None:
    tools = FunctionTools()

    @tools.tool(effect_class="read")
    def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    async def use(ctx: Any, params: Any) -> Any:
        return {"output": await ctx.call_tool("add", {"a": 1, "b": 2})}

    done = run(doc([fn("use")]), handlers={"use": use}, functions=tools)

    assert done.outputs["use"] == 3
