"""How a workflow is called, on its page: offered, a token made in place, code that works as it stands."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.e2e.documents import line

pytestmark = [pytest.mark.browser, pytest.mark.slow]
GREET = {
    "id": "out",
    "type": "output",
    "label": "Out",
    "read_keys": ["input"],
    "config": {"value": "'Hello ' + input.name"},
}
FIELDS = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string", "examples": ["Ada"]}},
}


def run(name: str, code: str, token: str, folder: Path, *, fails: bool = False) -> str:
    """Run what a page shows, as it stands, and return what it says: where it fails, of what is wrong."""
    if name == "MCP":
        with ThreadPoolExecutor(1) as thread:  # the browser has the event loop of this one
            return thread.submit(asyncio.run, ask_as_tool(code, token)).result()
    if name == "curl":
        # the first line is where a person's token goes, and the id comes from the first answer
        code = code.partition("\n")[2].replace("RUN_ID", '$(cut -d\\" -f4 started.json)')
        code = code.replace("\n\n# the answer", " | tee started.json\n\n# the answer")
        begin = ["bash", "-euo", "pipefail", "-c", code]
    else:
        suffix, program = {"Python": (".py", sys.executable), "TypeScript": (".mjs", node())}[name]
        script = folder / f"call{suffix}"
        script.write_text(code)
        begin = [program, str(script)]
    environ = {**os.environ, "GRAPHWRIGHT_TOKEN": token}
    done = subprocess.run(
        begin, cwd=folder, env=environ, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode != 0) == fails, done.stderr
    return done.stdout + done.stderr if fails else done.stdout


def node() -> str:
    """Return the Node.js that builds the front end."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    found = shutil.which("node", path=path)
    assert found is not None
    return found


async def ask_as_tool(config: str, token: str) -> str:
    """Return what the one tool of a client's configuration says to Ada."""
    server = json.loads(config)["mcpServers"]["graphwright"]
    headers = {
        key: text.replace("${GRAPHWRIGHT_TOKEN}", token) for key, text in server["headers"].items()
    }
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        streamable_http_client(server["url"], http_client=http) as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        await session.initialize()
        [tool] = [
            one.name for one in (await session.list_tools()).tools if one.name != "run_status"
        ]
        answer = await session.call_tool(tool, {"name": "Ada"})
    return str((answer.structured_content or {})["result"])


def test_a_workflow_is_offered_and_its_code_works_as_it_stands(
    app: App, signed_in: Page, tmp_path: Path
) -> None:
    page = signed_in
    graph = app.api.make(line("greeting", [GREET], interface={"inputs": FIELDS}), publish=True)
    page.goto("/workflows")
    page.get_by_role("button", name="More for Greeting").click()
    page.get_by_role("menuitem", name="Use it from a program").click()
    expect(page).to_have_url(re.compile(f"{graph}/use"))

    page.get_by_role("tab", name="MCP").click()
    expect(page.get_by_text("Switch on “Offer as a tool”")).to_be_visible()
    page.get_by_label("Offer as a tool").click()
    expect(page.get_by_text("Switch on “Offer as a tool”")).to_be_hidden()
    expect(page.get_by_label("Code for MCP")).to_contain_text("/mcp/harbour/")
    codes = {}
    shell = ["curl"] if shutil.which("curl") else []  # a fresh machine may have none
    for name in (*shell, "Python", "TypeScript", "MCP"):
        page.get_by_role("tab", name=name).click()
        codes[name] = page.get_by_label(f"Code for {name}").inner_text()
    page.get_by_role("tab", name="Python").click()
    page.get_by_role("button", name="Make a token").click()
    form = page.get_by_role("dialog", name="New token")
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(form.get_by_role("button", name="Make it")).to_be_in_viewport(ratio=1)
    form.get_by_role("button", name="Make it").click()
    token = form.get_by_role("textbox", name="Token").input_value()
    form.get_by_role("button", name="Done").click()
    said = {name: run(name, code, token, tmp_path) for name, code in codes.items()}

    assert said["Python"].strip() == "completed Hello Ada"
    assert said["TypeScript"].strip() == "completed Hello Ada"
    for text in map(said.get, shell):
        started, end = json.JSONDecoder().raw_decode(str(text))
        assert json.loads(str(text)[end:])["id"] == started["id"]
    assert said["MCP"] == "Hello Ada"
    for name in (*shell, "Python", "TypeScript"):
        nameless = codes[name].replace("name", "nom").replace("order-4711", f"order-{name}")
        assert "is a required property" in run(name, nameless, token, tmp_path, fails=True)
        assert "unknown or revoked" in run(name, codes[name], "gw_nothing", tmp_path, fails=True), (
            name
        )
    runs = app.api.get(f"runs/?graph={graph}")["results"]
    assert len(runs) == 2, "the keys of the three programs are the same: they start one run"
    page.goto("/settings/tokens")
    row = page.get_by_role("list", name="API tokens").get_by_role("listitem").first
    expect(row).to_contain_text("start, read runs of “Greeting” · until")
    page.goto("/reference")
    page.get_by_label("Search operations").fill("start graphs runs")
    page.get_by_text("/api/graphs/{graph_id}/runs/").click()
    expect(page.get_by_label("Body")).to_contain_text("input?")
