"""A model server of one's own: added by its address, tried, priced and removed on screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, model_server
from tests.e2e.conftest import Watch

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_server_is_added_tried_priced_and_removed(
    app: App, signed_in: Page, watch: Watch, tmp_path: Path
) -> None:
    watch.expect("422 .*models/providers")
    page = signed_in
    with model_server([{"text": "ready"}], tmp_path, "own") as base_url:
        page.goto("/settings/models")
        page.get_by_role("button", name="Add a server").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name").fill("Ada's box")
        dialog.get_by_label("Address").fill(base_url)
        dialog.get_by_label("Key", exact=True).fill("sk-ada")
        dialog.get_by_role("button", name="Add").click()
        dialog.get_by_label("Accept exactly this address").check()
        dialog.get_by_role("button", name="Add").click()
        servers = page.get_by_role("list", name="Providers")
        expect(servers).to_contain_text("fake-small, fake-large")

        page.get_by_role("button", name="Test ada-s-box/fake-small").click()
        expect(page.get_by_role("status").filter(has_text="It works and answered")).to_contain_text(
            "first token"
        )

        page.get_by_role("button", name="Edit Ada's box").click()
        dialog.get_by_label("Input price of fake-small").fill("0.5")
        dialog.get_by_label("Output price of fake-small").fill("2")
        dialog.get_by_role("button", name="Save").click()
        models = page.get_by_role("list", name="Models")
        priced = models.get_by_role("listitem").filter(has_text="ada-s-box/fake-small")
        expect(priced).to_contain_text("$2")
        assert "sk-ada" not in page.content()

        app.api.post("agents/", {"id": "boxed", "model": "ada-s-box/fake-small"})
        page.get_by_role("button", name="Remove Ada's box").click()
        expect(dialog).to_contain_text("Used by agent boxed")
        dialog.get_by_role("button", name="Remove").click()
        expect(servers).not_to_contain_text("ada-s-box")
        app.api.patch("agents/boxed/", {"model": "local/default"})
