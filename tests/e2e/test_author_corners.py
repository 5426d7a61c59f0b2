"""What lies in the way of nobody: offers, dialogs and keys of the editor where there is little room."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.e2e.documents import line
from tests.e2e.test_editor_tools import delay

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_buttons_below_a_long_difference_stay_in_sight(app: App, signed_in: Page) -> None:
    page = signed_in
    page.set_viewport_size({"width": 1280, "height": 720})
    graph = app.api.make(line("long-change", [delay("a")]), publish=True)
    draft = app.api.get(f"graphs/{graph}/")
    fresh = [delay(f"n{number}", position={"x": 0, "y": 100 * number}) for number in range(20)]
    app.api.patch(f"graphs/{graph}/draft/", {"revision": draft["revision"], "set_nodes": fresh})
    page.goto(f"/workflows/{graph}")
    page.get_by_role("button", name="Publish", exact=True).click()

    dialog = page.get_by_role("dialog", name="Publish")
    expect(dialog.get_by_text("Wait n19")).to_be_attached()
    expect(dialog.get_by_text("Publishing needs another person's approval")).to_be_attached()
    dialog.get_by_label("What changed").fill("It waits longer.\n" * 12)
    for name in ("Publish", "Cancel"):
        expect(dialog.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
