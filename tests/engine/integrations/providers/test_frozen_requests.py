"""Schemas of the engine cannot change; the libraries of providers get copies that can."""

from __future__ import annotations

import pytest

from engine.core.values.json import freeze
from engine.integrations.models.chat import ToolOffer
from engine.nodes.supervisor.delegation import routing_schema
from tests.engine.integrations.providers.calls import ask
from tests.engine.integrations.providers.test_compatible import ADD, reach, say
from tests.fake_openai import FakeOpenAI

pytestmark = pytest.mark.asyncio


async def test_a_frozen_schema_is_sent() -> None:
    """C71: A supervisor's routing schema, with a list inside, reaches the server."""
    async with FakeOpenAI([{"json": {"next_node": "w"}}]) as server:
        response = await say(reach(server), ask("q", schema=routing_schema(("w", "__done__"))))

    assert response.structured == {"next_node": "w"}


async def test_a_frozen_tool_is_sent() -> None:
    offer = ToolOffer(ADD.name, ADD.description, freeze(ADD.parameters))
    async with FakeOpenAI([{"text": "ok"}]) as server:
        response = await say(reach(server), ask("q", tools=(offer,)))

    assert response.text == "ok"
