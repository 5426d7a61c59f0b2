"""The author's first hour: what it takes to say what goes in, what comes out, and what is read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.e2e.editor import inspector, node, saved
from tests.e2e.hand import Hand
from tests.e2e.test_draw import blank

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def document(page: Page) -> dict[str, Any]:
    """Return the draft as the server has it."""
    saved(page)
    graph = page.url.split("/workflows/")[1].split("/")[0]
    answer = page.request.get(f"/api/graphs/{graph}/")
    found: dict[str, Any] = json.loads(answer.text())["document"]
    return found


def test_five_start_fields_take_at_most_twelve_actions(app: App, signed_in: Page) -> None:
    page = signed_in
    blank(page, "Applications")
    hand = Hand(page)
    panel = inspector(page)

    hand.click(node(page, "__start__"))
    hand.click(panel.get_by_role("textbox", name="Add start fields"))
    hand.type("name, cv, role, salary, remote")
    hand.press("Enter")
    hand.choose(panel.get_by_role("combobox", name="Type of cv"), "Long text")
    hand.choose(panel.get_by_role("combobox", name="Type of salary"), "Money")
    hand.choose(panel.get_by_role("combobox", name="Type of remote"), "Yes/no")

    assert hand.actions <= 12, hand.actions
    expect(node(page, "__start__")).to_contain_text("name, cv, role +2")
    assert document(page)["interface"]["inputs"] == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "name": {"type": "string"},
            "cv": {"type": "string", "x-widget": "text"},
            "role": {"type": "string"},
            "salary": {"type": "number", "format": "money", "x-unit": "USD"},
            "remote": {"type": "boolean"},
        },
        "required": ["name", "cv", "role", "salary", "remote"],
    }
