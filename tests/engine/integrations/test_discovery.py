"""What is found without configuration."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.integrations.models.discovery import (
    LOCAL_SERVERS,
    LocalServer,
    environment_key,
    find_providers,
    http_probe,
)
from engine.integrations.models.servers.endpoint import Endpoint
from tests.fake_openai import FakeOpenAI

pytestmark = pytest.mark.asyncio


async def nothing(_url: str) -> Any:
    return None


async def test_keys_in_the_environment_are_found_and_never_shown() -> None:
    env = {
        "OPENAI_API_KEY": "sk-secret-1",
        "GEMINI_API_KEY": "g-secret-2",
        "ANTHROPIC_API_KEY": " ",
    }

    found = await find_providers(env, nothing)

    assert [f.id for f in found] == ["environment-google", "environment-openai"]
    wire = found[1].to_json(accepted=False)
    assert sorted(wire) == ["accepted", "base_url", "id", "label", "models", "provider", "source"]
    assert "gpt-4o-mini" in str(wire["models"])
    assert "secret" not in str([f.to_json(accepted=True) for f in found]) + repr(found)
    assert environment_key("google", env) == "g-secret-2"
    assert environment_key("anthropic", env) is None


async def test_all_known_ports_are_asked_at_the_same_time() -> None:
    asked: list[str] = []
    everyone = asyncio.Event()

    async def probe(url: str) -> Any:
        asked.append(url)
        if len(asked) == len(LOCAL_SERVERS):
            everyone.set()
        await everyone.wait()
        return {"data": [{"id": "llama3.2"}]} if ":11434/" in url else {"unexpected": 1}

    (found,) = await find_providers({}, probe)

    assert sorted(asked) == sorted(
        f"http://127.0.0.1:{port}/v1/models" for port in (1234, 8000, 8080, 11434)
    )
    assert (found.provider, found.models) == ("ollama", ("llama3.2",))
    assert found.price is not None


async def test_silent_server_costs_no_more_than_the_time_limit() -> None:
    async def probe(_url: str) -> Any:
        await asyncio.Event().wait()

    async with asyncio.timeout(5):
        assert await find_providers({}, probe) == []


async def test_real_server_is_asked_without_credentials() -> None:
    async with FakeOpenAI() as server:
        local = LocalServer("ollama", "Ollama", server.port)
        found = await find_providers({"OPENAI_API_KEY": "sk-x"}, http_probe, servers=[local])

    assert found[-1].models == ("fake-small", "fake-large")
    assert found[-1].base_url == server.base_url
    assert Endpoint.of(found[-1]).models == found[-1].models
    (seen,) = server.seen_paths
    assert sorted(seen[1]) == ["accept", "host"]


async def test_closed_port_and_other_programs_are_no_providers() -> None:
    async with FakeOpenAI() as server:
        gone = LocalServer("ollama", "Ollama", server.port)
        assert await http_probe(f"http://127.0.0.1:{server.port}/other") is None

    assert await find_providers({}, http_probe, servers=[gone]) == []
