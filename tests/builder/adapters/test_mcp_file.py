"""The operator's file of MCP servers: broken, changed, with credentials and headers."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from builder.adapters.tools.mcp_file import read_mcp_file
from builder.adapters.tools.operator_sources import OperatorSources
from builder.adapters.tools.toolset import WorkspaceTools, listed_sources
from builder.base.tool_sources import ListedSources
from builder.services import catalogue
from builder.services.tools.acceptance import accept_tools
from engine.core.errors import NodeError
from engine.integrations.egress import AllowList, Egress
from engine.integrations.tools.mcp import HttpServer, SecretHeader
from tests.builder.conftest import People
from tests.builder.fakes import FakeDoor
from tests.engine.integrations.tools.mcp_sources import PROGRAM, a_server
from tests.engine.integrations.tools.origins import origin
from tests.engine.integrations.tools.test_mcp_http import loopback

SMALL = {"command": sys.executable, "args": [PROGRAM]}


def write(path: Path, servers: dict[str, Any] | str) -> Path:
    path.write_text(servers if isinstance(servers, str) else json.dumps({"mcpServers": servers}))
    return path


@asynccontextmanager
async def opened(path: Path, *allowed: str) -> AsyncIterator[WorkspaceTools]:
    operator = OperatorSources(path, Egress(AllowList.of(list(allowed))))
    try:
        yield WorkspaceTools(operator)
    finally:
        await operator.aclose()


def headers_seen(seen: list[dict[str, str]]) -> Any:
    """Return a server as an app that notes the headers of each request."""
    app = a_server().streamable_http_app()

    async def noting(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            seen.append({name.decode(): text.decode() for name, text in scope["headers"]})
        await app(scope, receive, send)

    return noting


async def listed(tools: WorkspaceTools, workspace_id: str | None = None) -> ListedSources:
    return await listed_sources(tools, workspace_id, patience_s=20)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not readable as JSON"),
        ("[]", "mcpServers"),
        ('{"mcpServers": []}', "mcpServers"),
        ("[" * 200_000, "not readable as JSON"),
        ("\udcff", "not readable as JSON"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_problem_and_no_traceback(
    tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))

    found = read_mcp_file(path)

    assert found.entries == ()
    assert said in (found.problem or "")


@pytest.mark.parametrize(
    ("name", "entry", "said"),
    [
        ("a", {}, '"command"'),
        ("a", {"command": "x", "url": "http://x"}, '"command"'),
        ("a", {"command": "x", "comand": 1}, "known are command"),
        ("a", {"command": 5}, "command: "),
        ("a", {"url": "http://u:p@x/"}, "password"),
        ("a", {"url": "ftp://x/"}, "http or https"),
        ("a", {"command": "x", "headers": {}}, '"url"'),
        ("a", {"url": "http://x", "headers": {"X\n": "1"}}, "headers"),
        ("a", {"url": "http://x", "headers": {"X": "a\r\nb: c"}}, "headers"),
        ("a", {"command": "x", "effects": {"t": "harmless"}}, "effects.t"),
        ("a", 3, "dictionary"),
        ("python", {"command": "x"}, "cannot name"),
        ("a/b", {"command": "x"}, "cannot name"),
        ("a__b", {"command": "x"}, "cannot name"),
    ],
)
def test_a_wrong_entry_says_what_is_wrong_and_leaves_the_others(
    tmp_path: Path, name: str, entry: Any, said: str
) -> None:
    path = write(tmp_path / "mcp.json", {name: entry, "fine": {"command": "x"}})

    broken, fine = read_mcp_file(path).entries

    assert said in (broken.problem or "")
    assert broken.server is None
    assert fine.problem is None


def test_what_is_written_in_a_wrong_entry_is_not_repeated(tmp_path: Path) -> None:
    secret = {"command": "x", "env": {"TOKEN": ["s3cr3t-value"]}}

    [broken] = read_mcp_file(write(tmp_path / "mcp.json", {"a": secret})).entries

    assert "env.TOKEN" in (broken.problem or "")
    assert "s3cr3t" not in (broken.problem or "")


def test_headers_are_texts_or_credentials(tmp_path: Path) -> None:
    given = {
        "url": "https://crm.example/mcp?key=1",
        "headers": {"X-Team": "blue", "X-Token": {"credential": "crm"}},
    }

    [entry] = read_mcp_file(write(tmp_path / "mcp.json", {"crm": given})).entries

    assert isinstance(entry.server, HttpServer)
    assert entry.server.headers == {"X-Team": "blue", "X-Token": SecretHeader("crm")}
    assert entry.server.has_secrets
    assert entry.where == "https://crm.example/mcp"


@pytest.mark.django_db(transaction=True)
async def test_the_file_is_read_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    async with opened(path) as tools:
        assert [s.name for s in (await listed(tools)).sources] == ["python"]

        write(path, {"small": SMALL, "gone": {"command": "/no/such/program"}, "odd": {}})
        found = await listed(tools)
        by_name = {source.name: source for source in found.sources}
        assert "add" in [spec.name for spec in by_name["small"].tools]
        assert "/no/such/program" in (by_name["gone"].problem or "")
        assert '"command"' in (by_name["odd"].problem or "")

        path.write_text("{")
        found = await listed(tools)
        assert "not readable" in (found.file_problem or "")
        assert "small" in [source.name for source in found.sources]

        write(path, {"other": SMALL})
        found = await listed(tools)
        assert found.file_problem is None
        assert [source.name for source in found.sources] == ["python", "other"]


@pytest.mark.django_db(transaction=True)
async def test_an_accepted_tool_is_called_under_every_name(
    tmp_path: Path, people: People, door: FakeDoor
) -> None:
    path = write(tmp_path / "mcp.json", {"small": SMALL, "twin": SMALL})
    workspace = people.olga.workspace_id
    async with opened(path) as tools:
        with pytest.raises(NodeError, match="new or has changed") as refused:
            await tools.find("small/add", workspace_id=workspace)
        assert refused.value.detail["tool"] == "small/add"
        found = await listed(tools, workspace)
        door.tool_specs = found.specs
        add = next(spec for spec in found.specs if spec.full_name == "small/add")

        await sync_to_async(accept_tools)(people.olga, {"small/add": add.hash})

        for name in ("small/add", "add", "small__add"):
            tool = await tools.find(name, workspace_id=workspace)
            assert tool is not None
            assert await tool.call({"a": 1, "b": 2}, origin()) == {"result": 3}
        with pytest.raises(NodeError, match="twin/add"):
            await tools.find("twin/add", workspace_id=workspace)


@pytest.mark.django_db(transaction=True)
async def test_each_workspace_sends_its_own_credential(tmp_path: Path, people: People) -> None:
    seen: list[dict[str, str]] = []
    async with loopback(headers_seen(seen)) as url:
        served = {
            "url": url,
            "credential": "crm",
            "headers": {"X-Team": "blue", "X-Token": {"credential": "other"}},
        }
        path = write(tmp_path / "mcp.json", {"crm": served})
        async with opened(path, url) as tools:
            workspace = people.olga.workspace_id
            missing = (await listed(tools, workspace)).unreachable
            assert "no credential 'other'" in missing["crm"]
            for name, kind, value in (("crm", "bearer", "s3cr3t-1"), ("other", "api_key", "s3-2")):
                await sync_to_async(catalogue.create_credential)(
                    people.olga,
                    name=name,
                    kind=kind,
                    hosts=["127.0.0.1"],
                    value=value,
                )

        async with opened(path, url) as tools:
            found = await listed(tools, workspace)
            assert not found.unreachable
            assert "add" in [spec.name for spec in found.specs]
            assert "no credential" in (await listed(tools, None)).unreachable["crm"]

    assert seen
    for headers in seen:
        assert headers["authorization"] == "Bearer s3cr3t-1"
        assert headers["x-token"] == "s3-2"
        assert headers["x-team"] == "blue"
