"""Settings, Tools: an API is brought by its document, used by a run, and asked about when it changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, served
from tests.e2e.conftest import Watch
from tests.e2e.documents import line
from tests.e2e.test_account import fine
from tests.engine.integrations.tools.openapi.shop import Recorder, recorded, text_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def shop() -> Iterator[Recorder]:
    """The API on the other side."""
    with recorded() as recorder:
        yield recorder


@pytest.fixture(scope="module")
def app(
    tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path, shop: Recorder
) -> Iterator[App]:
    """A server whose operator allows the API on this machine."""
    place = tmp_path_factory.mktemp("tools")
    with served(place, sqlite_template, EGRESS_ALLOW=shop.url) as running:
        yield running


def test_an_api_is_brought_used_and_asked_about_when_it_changes(
    app: App, signed_in: Page, shop: Recorder, watch: Watch
) -> None:
    watch.expect("status of (409|422) .*/tool-sources/")
    page = signed_in
    page.goto("/settings/tools")
    fine(page, "tools-empty")
    page.get_by_role("button", name="Add a source").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("API with a document").click()
    dialog.get_by_label("Name").fill("shop")
    dialog.get_by_label("Or paste it").fill("<html>")
    dialog.get_by_role("button", name="Read the document").click()
    expect(dialog.get_by_role("alert")).to_contain_text("openapi.json")
    fine(page, "tools-add")
    dialog.get_by_label("Or paste it").fill(text_of())
    dialog.get_by_role("button", name="Read the document").click()

    calls = dialog.get_by_role("list", name="Calls of the API")
    expect(calls).to_contain_text("POST /orders")
    fine(page, "tools-choose")
    calls.get_by_role("checkbox", name="create_order").press("Space")
    dialog.get_by_label("Server").fill(shop.url)
    dialog.get_by_role("button", name="Use 1 as a tool").click()
    card = page.get_by_role("region", name="shop")
    expect(card).to_contain_text("accepted")

    node = {"id": "order", "type": "tool", "label": "Order", "read_keys": ["input"],
            "config": {"tool_id": "shop/create_order", "arguments": {"body": {"amount": 7}}}}  # fmt: skip
    graph = app.api.make(line("buying", [node]), publish=True)
    app.api.wait(app.api.start(graph, "x"), "completed")
    assert [(call["method"], call["path"], call["body"]) for call in shop.calls] == [
        ("POST", "/orders", '{"amount":7}')
    ]

    changed = text_of().replace('"note"', '"remark"')
    app.api.patch("tool-sources/shop/", {"document": changed})
    failed = app.api.wait(app.api.start(graph, "x"), "failed")
    assert failed["error"]["code"] == "ToolChanged"
    page.get_by_role("button", name="Look again").click()
    expect(card.get_by_label("What changed since it was accepted")).to_contain_text("remark")
    expect(card).to_contain_text("Buying")
    card.get_by_label("What it does outside").click()
    page.get_by_role("option", name="safe to send again").click()
    fine(page, "tools-changed")
    card.get_by_role("button", name="Save").click()
    expect(card).to_contain_text("(keyed)")
    card.get_by_role("button", name="Accept the change of shop/create_order").click()
    expect(card.get_by_role("button", name="Withdraw shop/create_order")).to_be_visible()
    app.api.wait(app.api.start(graph, "x"), "completed")
    assert len(shop.calls) == 2

    page.get_by_role("button", name="More about shop").click()
    page.get_by_role("menuitem", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("its tools are used by Buying")).to_be_visible()
