"""How a workflow is called, on its page: offered, a token made in place, code that works as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
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
    page.get_by_role("tab", name="Python").click()
    code = page.get_by_label("Code for Python").inner_text()
    page.get_by_role("button", name="Make a token").click()
    form = page.get_by_role("dialog", name="New token")
    form.get_by_role("button", name="Make it").click()
    token = form.get_by_role("textbox", name="Token").input_value()
    form.get_by_role("button", name="Done").click()
    script = tmp_path / "call.py"
    script.write_text(code)
    environ = {**os.environ, "GRAPHWRIGHT_TOKEN": token}
    done = subprocess.run(
        [sys.executable, str(script)], env=environ, capture_output=True, text=True, check=False
    )

    assert done.stdout.strip() == "completed Hello Ada", done.stderr
    page.goto("/settings/tokens")
    row = page.get_by_role("list", name="API tokens").get_by_role("listitem").first
    expect(row).to_contain_text("start, read runs of “Greeting” · until")
    page.goto("/reference")
    page.get_by_label("Search operations").fill("start graphs runs")
    page.get_by_text("/api/graphs/{graph_id}/runs/").click()
    expect(page.get_by_label("Body")).to_contain_text("input?")
