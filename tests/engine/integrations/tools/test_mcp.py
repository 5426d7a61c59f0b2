"""MCP sources against real servers, in this process and on standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest
from mcp.server.mcpserver import MCPServer

from engine.core.effects import EffectClass
from engine.core.errors import NodeError, OutcomeUnknown, ToolFailed
from engine.integrations.tools.mcp import LocalServer, McpSource, StdioServer
from tests.engine.integrations.tools.mcp_sources import Clock, a_server, call, local, opened, stdio
from tests.engine.integrations.tools.origins import origin

READS = dict.fromkeys(("hang", "die", "huge"), EffectClass.READ)


async def test_tools_are_listed_with_schema_and_hash() -> None:
    async with opened(local()) as source:
        tools = {tool.spec.name: tool.spec for tool in await source.tools()}

    assert tools["add"].description == "Add two numbers."
    assert tools["add"].source == "local"
    assert tools["add"].parameters["required"] == ["a", "b"]
    assert len({spec.hash for spec in tools.values()}) == len(tools)


@pytest.mark.parametrize(
    ("trusted", "expected"), [(True, EffectClass.READ), (False, EffectClass.UNSAFE)]
)
async def test_a_read_only_hint_counts_from_a_trusted_source_only(
    trusted: bool, expected: EffectClass
) -> None:
    async with opened(local(trusted=trusted, effects={"say": EffectClass.KEYED})) as source:
        classes = {tool.spec.name: tool.spec.effect_class for tool in await source.tools()}

    assert classes["add"] is expected
    assert classes["say"] is EffectClass.KEYED
    assert classes["hang"] is EffectClass.UNSAFE


async def test_structured_content_is_preferred_to_text() -> None:
    async with opened(local()) as source:
        assert await call(source, "add", a=5, b=3) == {"sum": 8}
        assert await call(source, "say", text="hello") == "hello"


async def test_the_idempotency_key_travels_with_the_call() -> None:
    async with opened(local()) as source:
        assert await call(source, "key") == "key-1"


async def test_a_reported_error_fails_the_tool_and_is_retryable() -> None:
    """S18."""
    async with opened(local()) as source:
        with pytest.raises(ToolFailed, match="local/fail: the shelf is empty") as failed:
            await call(source, "fail")

    assert failed.value.retryable


async def test_control_tools_of_a_server_are_not_there() -> None:
    """V11."""
    async with opened(local()) as source:
        assert await source.find("retry_node") is None
        assert "retry_node" not in [tool.spec.name for tool in await source.tools()]


async def test_a_hung_tool_ends_by_its_class() -> None:
    """C24."""
    async with opened(local(timeout_s=0.1)) as source:
        with pytest.raises(OutcomeUnknown, match="did not answer within"):
            await call(source, "hang")
        assert await call(source, "say", text="still here") == "still here"
    async with opened(local(timeout_s=0.1, effects=READS)) as source:
        with pytest.raises(ToolFailed, match="did not answer within"):
            await call(source, "hang")


async def test_a_cancelled_call_is_cancelled_on_the_server() -> None:
    began, ended = asyncio.Event(), asyncio.Event()
    server = MCPServer("local", log_level="CRITICAL")

    @server.tool()
    async def wait() -> str:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ""

    async with opened(local(server)) as source:
        task = asyncio.create_task(call(source, "wait"))
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(ended.wait(), 5)


async def test_the_list_is_kept_and_refreshed_when_due() -> None:
    clock, server = Clock(), a_server()
    async with opened(local(server, clock=clock)) as source:
        before = {tool.spec.name for tool in await source.tools()}
        server.add_tool(lambda: "new", name="fresh", description="New.")
        assert {tool.spec.name for tool in await source.tools()} == before
        clock.now += 61
        assert {tool.spec.name for tool in await source.tools()} == before | {"fresh"}


async def test_a_definition_that_changes_between_look_up_and_call_is_not_called() -> None:
    clock, server = Clock(), a_server()
    async with opened(local(server, clock=clock)) as source:
        tool = await source.find("say")
        assert tool is not None
        server.remove_tool("say")
        server.add_tool(lambda text: text, name="say", description="Something else.")
        clock.now += 61
        with pytest.raises(ToolFailed, match="changed on its server"):
            await tool.call({"text": "x"}, origin())


async def test_a_real_program_is_started_once_and_kept(tmp_path: Path) -> None:
    async with opened(stdio(tmp_path)) as source:
        assert not (tmp_path / "starts").exists()
        assert await call(source, "add", a=1, b=2) == {"result": 3}
        assert await call(source, "environment", variable="GREETING") == "hello there"
        await asyncio.gather(*(call(source, "pid") for _ in range(5)))
        pids = (tmp_path / "starts").read_text().split()

    assert len(pids) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(int(pids[0]), 0)


async def test_an_impatient_caller_does_not_stop_the_start_for_others(tmp_path: Path) -> None:
    async with opened(stdio(tmp_path)) as source:
        waiting = asyncio.create_task(call(source, "add", a=1, b=2))
        for _ in range(3):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(source.find("add"), 0.001)
        assert await waiting == {"result": 3}

    assert len((tmp_path / "starts").read_text().split()) == 1


async def test_a_program_does_not_inherit_secrets_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    async with opened(stdio()) as source:
        assert await call(source, "environment", variable="OPENAI_API_KEY") == ""


async def test_a_dying_server_fails_the_call_and_is_started_again(tmp_path: Path) -> None:
    async with opened(stdio(tmp_path, effects=READS, timeout_s=20)) as source:
        with pytest.raises(ToolFailed, match="out of ideas") as failed:
            await call(source, "die")
        assert "s3cr3t-value" not in failed.value.message
        assert await call(source, "add", a=1, b=2) == {"result": 3}

    assert len((tmp_path / "starts").read_text().split()) == 2


async def test_a_server_that_dies_in_an_unsafe_call_leaves_it_in_doubt() -> None:
    async with opened(stdio(timeout_s=20)) as source:
        with pytest.raises(OutcomeUnknown):
            await call(source, "die")


async def test_garbage_between_messages_does_no_harm() -> None:
    async with opened(stdio()) as source:
        assert await call(source, "garbage") == "clean"


async def test_a_server_that_says_its_tools_changed_is_asked_again() -> None:
    async with opened(stdio()) as source:
        assert await source.find("fresh") is None
        await call(source, "learn")
        assert await source.find("fresh") is not None


async def test_a_huge_result_is_refused_and_not_retried() -> None:
    async with opened(stdio(effects=READS)) as source:
        assert len(await call(source, "huge", size=1_000_000)) == 1_000_000
        with pytest.raises(ToolFailed, match="bytes") as failed:
            await call(source, "huge", size=11_000_000)

    assert not failed.value.retryable


async def test_a_hung_program_is_replaced(tmp_path: Path) -> None:
    async with opened(stdio(tmp_path, effects=READS, timeout_s=1)) as source:
        first = await call(source, "pid")
        with pytest.raises(ToolFailed, match="did not answer"):
            await call(source, "hang")
        assert await call(source, "pid") != first

    assert len((tmp_path / "starts").read_text().split()) == 2


@pytest.mark.parametrize(
    ("server", "said"),
    [
        (StdioServer("no-such-program-anywhere"), "no-such-program-anywhere"),
        (
            StdioServer(sys.executable, ("-c", "raise SystemExit('the licence is missing')")),
            "licence",
        ),
        (StdioServer(sys.executable, ("-c", "print('hello'); input(); print('{]')")), "reached"),
    ],
)
async def test_a_server_that_does_not_start_says_why(server: StdioServer, said: str) -> None:
    async with opened(McpSource("broken", server, start_timeout_s=5)) as source:
        with pytest.raises(ToolFailed, match=said) as failed:
            await source.find("add")

    assert "'broken' cannot be reached" in failed.value.message
    assert failed.value.retryable


async def test_a_server_that_never_answers_does_not_hang_anyone() -> None:
    clock = Clock()
    server = StdioServer(sys.executable, ("-c", "import time; time.sleep(60)"))
    async with opened(McpSource("mute", server, start_timeout_s=0.2, clock=clock)) as source:
        for _ in range(3):  # the second and third ask nobody
            with pytest.raises(ToolFailed, match=r"no answer within 0\.2 s"):
                await source.find("add")
        assert len(source._holders) <= 1

    assert source._holders == set()


def test_source_names_are_plain() -> None:
    for name in ("a/b", "a__b", "", "x" * 33):
        with pytest.raises(ValueError, match="no source name"):
            McpSource(name, LocalServer(None))


async def test_lost_calls_carry_stable_codes() -> None:
    async with opened(local(timeout_s=0.05)) as source:
        with pytest.raises(NodeError) as lost:
            await call(source, "hang")
    assert lost.value.code == "OutcomeUnknown"
