"""Scripted tools: the `tools:` section of a script."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.effects import EffectClass
from engine.core.errors import NodeError, ToolFailed
from engine.scripted.script import Script
from engine.scripted.tools import ScriptedTools
from tests.engine.integrations.tools.origins import origin


def scripted(tools: dict[str, Any], **rest: Any) -> ScriptedTools:
    return ScriptedTools(Script.parse({"tools": tools, **rest}))


async def call(tools: ScriptedTools, name: str, arguments: dict[str, Any] | None = None) -> Any:
    tool = await tools.find(name)
    assert tool is not None
    return await tool.call(arguments or {}, origin())


async def test_results_errors_and_echo_come_in_order() -> None:
    """S18."""
    tools = scripted({"add": [{"result": 3}, {"error": {"message": "full"}}, {"echo": True}]})

    assert await call(tools, "add") == 3
    with pytest.raises(ToolFailed, match="full") as failed:
        await call(tools, "add")
    assert failed.value.retryable
    assert await call(tools, "add", {"a": 5}) == {"a": 5}


async def test_running_out_fails_and_is_not_retried() -> None:
    """C29."""
    tools = scripted({"add": [{"result": 3}]})
    await call(tools, "add")

    with pytest.raises(NodeError) as out:
        await call(tools, "add")

    assert out.value.code == "ScriptExhausted"
    assert not out.value.retryable


async def test_repeat_last_repeats() -> None:
    tools = scripted({"add": [{"result": 1}, {"result": 2}]}, repeat_last=True)

    assert [await call(tools, "add") for _ in range(4)] == [1, 2, 2, 2]


async def test_the_effect_class_stands_on_the_first_entry() -> None:
    tools = scripted({"send": [{"result": 1, "effect_class": "unsafe"}], "look": [{"result": 1}]})

    classes = {tool.spec.name: tool.spec.effect_class for tool in await tools.tools()}

    assert classes == {"send": EffectClass.UNSAFE, "look": EffectClass.READ}


async def test_delays_pass_on_the_given_clock() -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    script = Script.parse({"tools": {"slow": [{"result": 1, "delay_ms": 250}]}})

    assert await call(ScriptedTools(script, sleep=sleep), "slow") == 1
    assert slept == [0.25]


async def test_calls_are_recorded_with_their_origin() -> None:
    """S10."""
    tools = scripted({"add": [{"result": 1}, {"error": {"message": "no"}}]})
    await call(tools, "add", {"a": 1})
    with pytest.raises(ToolFailed):
        await call(tools, "add", {"a": 2})

    first, second = tools.calls

    assert (first.tool, first.arguments, first.reply) == ("add", {"a": 1}, "tools.add[0]")
    assert second.reply == "tools.add[1]"
    assert (first.origin.graph_id, first.origin.node_id) == ("support", "lookup")
    assert first.origin.context["tenant_id"] == "t1"
    assert first.origin.metadata == {"channel": "mail"}


async def test_a_script_cannot_offer_control_tools() -> None:
    """V11."""
    tools = scripted({"set_context": [{"result": 1}], "add": [{"result": 1}]})

    assert [tool.spec.name for tool in await tools.tools()] == ["add"]
    assert await tools.find("set_context") is None
