"""A model server of one's own: added by its address and used, priced, tried and removed on screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, model_server
from tests.e2e.conftest import Watch
from tests.e2e.documents import agent, line, thinker
from tests.e2e.test_account import fine

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MOST_ACTIONS = 8
"""What a new user does from the settings until a model of an address is everybody's default."""


class Hand:
    """Does things and counts them: a click, a field that is filled in, a box that is ticked."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.actions = 0

    def press(self, name: str) -> None:
        self.actions += 1
        self.page.get_by_role("button", name=name, exact=True).click()

    def write(self, label: str, text: str) -> None:
        self.actions += 1
        self.page.get_by_role("dialog").get_by_label(label, exact=True).fill(text)

    def tick(self, label: str) -> None:
        self.actions += 1
        self.page.get_by_role("dialog").get_by_label(label).check()


def test_an_address_is_added_and_used_in_a_few_actions(
    app: App, signed_in: Page, watch: Watch, tmp_path: Path
) -> None:
    watch.expect("422 .*models/find")
    page, hand = signed_in, Hand(signed_in)
    default = app.api.get("models/")["default_model"]
    with model_server([{"text": "ready"}], tmp_path, "new") as base_url:
        page.goto("/settings/models")
        hand.press("Add a server")
        hand.write("Address", base_url.removesuffix("/v1"))
        hand.press("Find models")
        hand.tick("Accept exactly this address")
        hand.press("Find models")
        expect(page.get_by_text("2 models: fake-small, fake-large")).to_be_visible()
        hand.press("Add")
        servers = page.get_by_role("list", name="Providers")
        row = servers.get_by_role("listitem").filter(has_text="my-server")
        expect(row).to_contain_text("2 models")
        hand.press("Test My server")
        expect(row).to_contain_text("first token")
        models = page.get_by_role("list", name="Models")
        models.get_by_role("listitem").filter(has_text="my-server/fake-small").get_by_role(
            "button", name="Make default"
        ).click()
        hand.actions += 1
        expect(row).to_contain_text("default")

        asker = {**thinker("a", ""), "model": "local/default"}
        asks = line("asks-at-once", [agent("say", "a")], agents=[asker])
        assert app.api.wait(app.api.start(app.api.make(asks, publish=True), "hello"), "completed")
        page.reload()
        expect(row).to_contain_text("this month")
    app.api.patch("workspace/", {"settings": {"default_model": default}})

    assert hand.actions <= MOST_ACTIONS


def test_a_server_is_priced_by_day_and_removed_with_who_uses_it_in_view(
    app: App, signed_in: Page, watch: Watch, tmp_path: Path
) -> None:
    page = signed_in
    with model_server([{"text": "ready"}], tmp_path, "own") as base_url:
        app.api.post(
            "models/providers/",
            {"id": "ada", "label": "Ada's box", "base_url": base_url, "accept_address": True},
        )
        page.goto("/settings/models")
        page.get_by_role("button", name="Edit Ada's box").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Key", exact=True).fill("sk-ada")
        dialog.get_by_label("Say of a model what it can do").click()
        page.get_by_role("option", name="fake-large").click()
        dialog.get_by_label("fake-large calls tools").uncheck()
        dialog.get_by_role("button", name="Save").click()
        expect(dialog).to_have_count(0)

        page.get_by_role("button", name="Set a price").click()
        dialog.get_by_label("From").fill("2026-01-01")
        dialog.get_by_label("Input", exact=True).fill("0.5")
        dialog.get_by_label("Output").fill("2")
        dialog.get_by_role("button", name="Save").click()
        expect(page.get_by_role("list", name="Own prices")).to_contain_text("$2.00 out")
        priced = page.get_by_role("list", name="Models").get_by_role("listitem")
        expect(priced.filter(has_text="ada/fake-small")).to_contain_text("$2")
        assert "sk-ada" not in page.content()

        page.get_by_role("combobox", name="Provider or model").click()
        page.get_by_role("option", name="Ada's box, all its models").click()
        page.get_by_label("Calls at once", exact=True).last.fill("2")
        page.get_by_role("button", name="Limit it").click()
        limits = page.get_by_role("list", name="Calls at once")
        expect(limits).to_contain_text("2 calls at once")
        limits.evaluate("at => at.scrollIntoView()")
        fine(page, "models-limits")
        page.get_by_role("button", name="Let ada be called without limit").click()
        expect(page.get_by_text("Nothing is limited.")).to_be_visible()
        app.api.post("agents/", {"id": "boxed", "model": "ada/fake-small"})
        page.get_by_role("button", name="Remove Ada's box").click()
        expect(dialog.get_by_role("link", name="Agent boxed")).to_be_visible()
        expect(dialog.get_by_role("button", name="Remove")).to_be_disabled()
        dialog.get_by_label("Remove it all the same").check()
        dialog.get_by_role("button", name="Remove").click()
        expect(page.get_by_role("list", name="Providers")).not_to_contain_text("Ada's box")
        app.api.patch("agents/boxed/", {"model": "local/default"})
