"""The official MCP client against a served Graphwright: tools, waits, refusals, a kill between."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from tests.e2e.called import House, house
from tests.e2e.server import wait_until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def called(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[House]:
    """A house for the tests of this file."""
    with house(tmp_path_factory.mktemp("called"), sqlite_template) as found:
        yield found


async def speak(
    house: House, token: str, act: Callable[[ClientSession], Awaitable[Any]], path: str = ""
) -> Any:
    """Return what `act` gives in a session of the official client."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=90) as http,
        streamable_http_client(path or house.mcp, http_client=http) as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        await session.initialize()
        return await act(session)


def use(
    house: House, token: str, name: str, arguments: dict[str, Any], key: str = ""
) -> CallToolResult:
    """Return what a tool answers."""

    async def act(session: ClientSession) -> CallToolResult:
        meta: Any = {"idempotencyKey": key} if key else None
        return await session.call_tool(name, arguments, meta=meta)

    found = asyncio.run(speak(house, token, act))
    assert isinstance(found, CallToolResult)
    return found


def text_of(answer: CallToolResult) -> str:
    """Return what a model reads of an answer."""
    [content] = answer.content
    assert isinstance(content, TextContent)
    return content.text


def test_a_tool_starts_its_workflow_and_tells_the_result(called: House) -> None:
    async def act(session: ClientSession) -> Any:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        return tools, await session.call_tool("greet", {"name": "Ada"})

    tools, answer = asyncio.run(speak(called, called.token("runs:start"), act))

    assert set(tools) == {*called.graphs, "run_status"}
    assert tools["greet"].description == "Greets somebody by name."
    assert tools["greet"].input_schema["required"] == ["name"]
    assert answer.structured_content["result"] == "Hello Ada"
    assert answer.content[0].text == "Hello Ada"
    [run] = called.runs("greet")
    assert (run["id"], run["source"]) == (answer.structured_content["run"], "mcp")


def test_what_a_workflow_refuses_is_a_result_that_says_so(called: House) -> None:
    token = called.token("runs:start")

    short = use(called, token, "greet", {"name": "A"})
    other = use(called, token, "echo", {"wrong": 1})
    broken = use(called, token, "broken", {"input": {}})
    unstorable = [use(called, token, "greet", {"name": name}) for name in ("Ada\0", 2**70)]

    for each in unstorable:
        assert each.is_error
        assert each.structured_content["error"]["code"] == "InputInvalid"
        assert each.structured_content["error"]["message"].startswith(("name", "integer"))
    assert short.is_error
    assert short.structured_content["error"]["code"] == "InputInvalid"
    assert other.is_error
    assert broken.is_error
    assert broken.structured_content["status"] == "failed"
    assert broken.structured_content["error"]["message"] in text_of(broken)


def test_a_run_that_waits_names_whom_and_a_link_and_is_not_decided_here(called: House) -> None:
    token = called.token("runs:start")
    waiting = use(called, token, "refund", {"input": "A1"})
    run = waiting.structured_content["run"]
    [wait] = waiting.structured_content["waiting"]

    assert not waiting.is_error
    assert wait["waits_for"] == ["Olga"]
    assert wait["link"].endswith(f":{called.server.port}/inbox/{wait['id']}")
    assert wait["link"] in text_of(waiting)
    answered = httpx.post(
        f"{called.address}/api/interrupts/{wait['id']}/answer/",
        headers={"Authorization": f"Bearer {called.token()}"},
        json={"decision": "approved"},
    )
    assert answered.status_code >= 400
    called.owner.answer(called.owner.wait_for_interrupt(run, "approval"), "approved")
    called.owner.wait_ended(run)

    over = use(called, token, "run_status", {"run": run})
    assert over.structured_content == {"run": run, "status": "completed", "result": "refunded"}


def test_the_same_key_is_the_same_run(called: House) -> None:
    token = called.token("runs:start")

    first, again = (use(called, token, "greet", {"name": "Grace"}, "k1") for _ in range(2))
    other = use(called, token, "greet", {"name": "Somebody else"}, "k1")

    assert first.structured_content == again.structured_content
    assert other.structured_content["error"]["code"] == "IdempotencyConflict"


def test_a_kill_between_start_and_answer_is_one_run(called: House) -> None:
    token = called.token("runs:start")

    def call() -> None:
        with pytest.raises(BaseException):  # noqa: B017, PT011  (whatever a client makes of it)
            use(called, token, "order", {"order": "K1"}, "kill-1")

    calling = threading.Thread(target=call)
    calling.start()
    wait_until(lambda: called.sleeps("order"), "the payment")
    called.server.kill()
    calling.join(30)
    called.server.start()
    answer = use(called, token, "order", {"order": "K1"}, "kill-1")

    assert answer.structured_content["status"] == "completed"
    assert [one["id"] for one in called.runs("order")] == [answer.structured_content["run"]]


def ask(house: House, token: str | None, **more: Any) -> httpx.Response:
    """Return the answer to a bare request for the tools."""
    headers = {
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        **({} if token is None else {"Authorization": f"Bearer {token}"}),
        **more.pop("headers", {}),
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    more = {"json": body} | more if "content" not in more else more
    return httpx.request(
        more.pop("method", "POST"), more.pop("url", house.mcp), headers=headers, **more
    )


def test_who_may_not_come_is_told_why(called: House) -> None:
    good = called.token("runs:start")
    revoked = called.owner.post("/api/tokens/", {"name": "x", "scopes": ["runs:start"]})
    called.owner.ok("DELETE", f"/api/tokens/{revoked['id']}/")
    large = b'{"x": "' + b"x" * 1024 * 1024 + b'"}'
    elsewhere = f"{called.address}/mcp/elsewhere/"

    def told(answer: httpx.Response) -> tuple[int, str]:
        return answer.status_code, answer.json()["code"]

    nobody = ask(called, None)
    assert told(nobody) == (401, "NotSignedIn")
    assert nobody.headers["WWW-Authenticate"].startswith("Bearer")
    assert told(ask(called, "gw_wrong")) == (401, "NotSignedIn")
    assert told(ask(called, revoked["token"])) == (401, "NotSignedIn")
    assert told(ask(called, called.token("workflows:read"))) == (403, "ScopeMissing")
    assert told(ask(called, good, url=elsewhere)) == (404, "NotFound")
    assert told(ask(called, good, content=large)) == (413, "InputTooLarge")
    assert told(ask(called, good, headers={"Origin": "http://evil.example"})) == (
        403,
        "OriginRefused",
    )
    assert told(ask(called, good, headers={"Host": "evil.example"})) == (403, "HostRefused")
    assert told(ask(called, good, method="GET")) == (405, "MethodNotAllowed")
    assert ask(called, good, headers={"Origin": called.address}).status_code == 200


def test_a_token_for_one_workflow_finds_no_other(called: House) -> None:
    token = called.token("runs:start", graphs=("greet",))
    foreign = use(called, called.token("runs:start"), "echo", {"input": "x"})

    async def act(session: ClientSession) -> Any:
        return [tool.name for tool in (await session.list_tools()).tools]

    assert asyncio.run(speak(called, token, act)) == ["greet", "run_status"]
    assert use(called, token, "greet", {"name": "Ada"}).structured_content["result"] == "Hello Ada"
    with pytest.raises(BaseExceptionGroup) as refused:
        use(called, token, "echo", {"input": "x"})
    assert "no tool 'echo'" in repr(refused.value)
    run = foreign.structured_content["run"]
    assert use(called, token, "run_status", {"run": run}).structured_content["error"]["code"] == (
        "RunNotFound"
    )
