"""Settings, Tools: what the operator's file names is seen, accepted, withdrawn and seen to fail."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.engine.integrations.tools.mcp_sources import PROGRAM

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def name_servers(app: App, servers: dict[str, object]) -> Path:
    path = app.folder / "var" / "mcp.json"
    path.write_text(json.dumps({"mcpServers": servers}))
    return path


def test_tools_are_accepted_and_withdrawn_and_a_failing_source_says_why(
    app: App, signed_in: Page
) -> None:
    page = signed_in
    small = {"command": sys.executable, "args": [PROGRAM]}
    path = name_servers(app, {"small": small, "gone": {"command": "/no/such/program"}})
    try:
        page.goto("/settings/tools")
        gone = page.get_by_role("region", name="gone")
        expect(gone.get_by_role("alert")).to_contain_text("/no/such/program")
        source = page.get_by_role("region", name="small")
        expect(source).to_contain_text("small/add")

        source.get_by_role("button", name="Accept small/add").click()
        expect(source.get_by_role("button", name="Withdraw small/add")).to_be_visible()
        source.get_by_role("button", name="Accept all").click()
        expect(source.get_by_role("button", name="Accept all")).to_have_count(0)

        source.get_by_role("button", name="Withdraw small/add").click()
        page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
        expect(source).to_contain_text("withdrawn")
        source.get_by_text("small/add", exact=True).click()

        name_servers(app, {"small": {**small, "effects": {"pid": "read"}}})
        page.get_by_role("button", name="Look again").click()
        expect(source.get_by_label("What changed since it was accepted")).to_contain_text("unsafe")
        expect(gone).to_have_count(0)
        source.get_by_role("button", name="Accept the change of small/pid").click()
        expect(source.get_by_role("button", name="Withdraw small/pid")).to_be_visible()

        path.write_text("{")
        page.get_by_role("button", name="Look again").click()
        expect(page.get_by_text("The file of servers cannot be read")).to_be_visible()
    finally:
        path.unlink(missing_ok=True)
