"""What people set of a tool holds wherever the tool is looked up."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.core.effects import EffectClass
from engine.core.errors import NodeError, ToolFailed
from engine.integrations.tools.settled import SettledSource, ToolSettings
from engine.integrations.tools.toolset import Toolset, ToolSource
from tests.engine.integrations.tools.mcp_sources import local, opened
from tests.engine.integrations.tools.origins import origin


def toolset(source: ToolSource, settings: Mapping[str, ToolSettings]) -> Toolset:
    async def accepted(_workspace: str | None, _spec: object) -> bool:
        return True

    return Toolset([SettledSource(source, settings)], accepted=accepted)


async def test_a_tool_that_is_off_is_listed_but_neither_offered_nor_found() -> None:
    async with opened(local()) as source:
        tools = toolset(source, {"add": ToolSettings(on=False)})
        [listing] = await tools.listed(workspace_id=None)
        offered = await tools.expand(f"{source.name}/*", workspace_id=None)

        assert "add" in [spec.name for spec in listing.tools]
        assert "add" not in [spec.name for spec in offered]
        assert "say" in [spec.name for spec in offered]
        with pytest.raises(NodeError, match="switched off") as off:
            await tools.find("add", workspace_id=None)
        assert off.value.code == "ToolOff"


async def test_an_effect_that_was_set_leaves_the_definition_as_it_was_accepted() -> None:
    async with opened(local()) as source:
        tools = toolset(source, {"add": ToolSettings(effect=EffectClass.READ)})
        tool = await tools.find("add", workspace_id=None)

        assert tool is not None
        assert tool.spec.effect_class is EffectClass.READ
        found = await source.find("add")
        assert found is not None
        assert tool.spec.hash == found.spec.hash
        assert await tool.call({"a": 1, "b": 2}, origin()) == {"sum": 3}


async def test_a_patience_that_was_set_ends_the_call() -> None:
    async with opened(local()) as source:
        settings = ToolSettings(effect=EffectClass.READ, timeout_s=0.01)
        tool = await toolset(source, {"hang": settings}).find("hang", workspace_id=None)

        assert tool is not None
        with pytest.raises(ToolFailed, match=r"within 0\.01 s"):
            await tool.call({}, origin())
