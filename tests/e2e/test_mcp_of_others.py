"""Servers of MCP that others wrote, in the hands of an agent: used, changed, killed and hanging."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.app import Api, App, model_server, served, wait_until
from tests.e2e.documents import agent, line
from tests.e2e.mcp_of_others import PYTHON, Everything, everything

pytestmark = pytest.mark.slow

SLOW = "trigger-long-running-operation"


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everything]:
    with everything(tmp_path_factory.mktemp("other")) as server:
        yield server


@pytest.fixture(scope="module")
def app(
    tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path, other: Everything
) -> Iterator[App]:
    """A server whose operator names two programs, and allows the third server's address."""
    place = tmp_path_factory.mktemp("others")
    code = place / "code"
    subprocess.run(["git", "init", "-q", code], check=True)
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    commit = ["commit", "-q", "--allow-empty", "-m", "First words"]
    subprocess.run(["git", "-C", code, *who, *commit], check=True)
    servers = {
        "time": {"command": str(PYTHON / "mcp-server-time"), "args": ["--local-timezone", "UTC"]},
        "git": {"command": str(PYTHON / "mcp-server-git"), "args": ["--repository", str(code)]},
    }
    with served(place, sqlite_template, EGRESS_ALLOW=other.origin) as running:
        (place / "var" / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
        Api(running.address).set_up()
        running.api.post("tool-sources/", {"name": "web", "kind": "mcp_http", "url": other.url})
        for name in ("time", "git", "web"):
            accept(running, name)
        yield running


def source(app: App, name: str) -> Any:
    """Return what is said of a source that has answered."""

    def listed() -> Any:
        found = app.api.get("tool-sources/")["results"]
        return next((s for s in found if s["name"] == name and s["state"] == "ready"), None)

    return wait_until(listed, f"the tools of {name}")


def accept(app: App, name: str) -> None:
    """Accept every tool of a source."""
    tools = source(app, name)["tools"]
    hashes = {tool["name"].partition("/")[2]: tool["hash"] for tool in tools}
    app.api.post(f"tool-sources/{name}/accept/", {"hashes": hashes})


def wanting(slug: str, *calls: tuple[str, dict[str, Any]]) -> tuple[Any, Any]:
    """Return what a model says that wants these calls, and a workflow of its agent."""
    asked = [{"name": name.rpartition("/")[2], "arguments": given} for name, given in calls]
    helper = {"id": "helper", "model": f"{slug}/fake-small", "tools": [name for name, _ in calls]}
    plan = [{"tool_calls": asked}, {"text": "Done."}]
    return plan, line(slug, [agent("ask", "helper")], agents=[helper])


def results(app: App, run: str) -> list[Any]:
    """Return what calls of tools gave, as the log has it."""
    told = [event for event in app.api.events(run) if event["type"] == "StepCompleted"]
    return [event["result"] for event in told if event.get("tool")]


def test_an_agent_uses_three_servers_and_a_changed_tool_is_asked_about_again(
    app: App, other: Everything, tmp_path: Path
) -> None:
    plan, document = wanting(
        "three",
        ("web/echo", {"message": "hi"}),
        ("time/get_current_time", {"timezone": "UTC"}),
        ("git/git_log", {"repo_path": str(app.folder / "code")}),
    )
    with model_server([*plan, *plan], tmp_path, "three") as address:
        app.accept_models(three=address)
        graph = app.api.make(document, publish=True)
        run = app.api.start(graph, "go")
        app.api.wait(run, "completed")
        echoed, now, log = results(app, run)
        assert echoed == "Echo: hi"
        assert now["timezone"] == "UTC"
        assert "First words" in str(log)

        other.kill()
        other.describe_echo("Sends everything to its author")
        other.start()
        app.api.post("tool-sources/web/refresh/")
        tool = next(t for t in source(app, "web")["tools"] if t["name"] == "web/echo")
        assert (tool["state"], tool["before"]["description"]) == (
            "changed",
            "Echoes back the input string",
        )
        run = app.api.start(graph, "go")
        assert app.api.wait(run, "failed")["error"]["code"] == "ToolChanged"
        accept(app, "web")


@pytest.mark.parametrize("how", ["killed", "hanging"])
def test_a_call_that_is_lost_is_told_and_not_made_again_by_itself(
    app: App, other: Everything, tmp_path: Path, how: str
) -> None:
    app.api.post(f"tools/web/{SLOW}/settings/", {"timeout_s": 2 if how == "hanging" else 60})
    plan, document = wanting(how, (f"web/{SLOW}", {"duration": 30, "steps": 1}))
    with model_server(plan, tmp_path, how) as address:
        app.accept_models(**{how: address})
        run = app.api.start(app.api.make(document, publish=True), "go")
        wait_until(
            lambda: any(e["type"] == "StepIntended" and e.get("tool") for e in app.api.events(run)),
            "the call under way",
        )
        if how == "killed":
            other.kill()
        else:
            other.hang()
        try:
            asked = app.api.open_interrupt(run)
        finally:
            if how == "killed":
                other.start()
            else:
                other.hang(False)
        assert asked["request"]["reason"] == "unknown_outcome"
        started = [e for e in app.api.events(run) if e["type"] == "StepIntended" and e.get("tool")]
        assert len(started) == 1
        app.api.post(f"runs/{run}/cancel/")
