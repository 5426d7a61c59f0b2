"""MCP servers as their authors ship them: accepted by the API, called by the engine."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from builder.adapters.tools.operator_sources import OperatorSources
from builder.adapters.tools.toolset import WorkspaceTools, listed_sources
from engine.core.errors import NodeError, ToolFailed
from engine.integrations.egress import Egress
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor
from tests.engine.integrations.tools.origins import origin

ROOT = Path(__file__).parents[3]
PYTHON = ROOT / ".cache" / "mcp" / "bin"
NODE = ROOT / "tests" / "servers" / "node_modules" / ".bin"

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    place = tmp_path / "code"
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    subprocess.run(["git", "init", "-q", place], check=True)
    commit = ["commit", "-q", "--allow-empty", "-m", "First words"]
    subprocess.run(["git", "-C", place, *who, *commit], check=True)
    return place


@pytest.fixture
def share(tmp_path: Path) -> Path:
    place = tmp_path / "share"
    place.mkdir()
    (place / "a.txt").write_text("hello")
    return place


def servers(repository: Path, share: Path) -> dict[str, Any]:
    return {
        "time": {"command": str(PYTHON / "mcp-server-time"), "args": ["--local-timezone", "UTC"]},
        "git": {
            "command": str(PYTHON / "mcp-server-git"),
            "args": ["--repository", str(repository)],
            "effects": {"git_log": "read"},
        },
        "files": {"command": str(NODE / "mcp-server-filesystem"), "args": [str(share)]},
        "everything": {"command": str(NODE / "mcp-server-everything")},
    }


async def test_four_servers_are_accepted_and_used(
    olga: Api, people: People, door: FakeDoor, tmp_path: Path, repository: Path, share: Path
) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"mcpServers": servers(repository, share)}))
    workspace = people.olga.workspace_id
    operator = OperatorSources(path, Egress())
    tools = WorkspaceTools(operator)

    async def call(name: str, **arguments: Any) -> Any:
        tool = await tools.find(name, workspace_id=workspace)
        assert tool is not None, name
        return await tool.call(arguments, origin())

    try:
        found = await listed_sources(tools, workspace, patience_s=60)
        assert found.unreachable == {}
        door.tool_specs = found.specs
        with pytest.raises(NodeError, match="Settings, Tools"):
            await call("git/git_log", repo_path=str(repository))

        listed = (await sync_to_async(olga.get)("tool-sources/")).json()["results"]
        for source in listed:
            if source["kind"] == "functions":
                continue
            cut = len(source["name"]) + 1
            hashes = {tool["name"][cut:]: tool["hash"] for tool in source["tools"]}
            accepted = await sync_to_async(olga.post)(
                f"tool-sources/{source['name']}/accept/", {"hashes": hashes}
            )
            assert accepted.status_code == 204

        assert "First words" in str(await call("git/git_log", repo_path=str(repository)))
        assert (await call("time/get_current_time", timezone="UTC"))["timezone"] == "UTC"
        assert "hello" in str(await call("files/read_text_file", path=str(share / "a.txt")))
        assert await call("echo", message="hi") == "Echo: hi"

        with pytest.raises(ToolFailed, match="denied") as denied:
            await call("files/read_text_file", path="/etc/hostname")
        with pytest.raises(ToolFailed, match="-32602") as wrong:
            await call("everything/echo", message=5)
        assert denied.value.reported
        assert not wrong.value.retryable
    finally:
        await operator.aclose()
