"""Who asks a browser for less motion gets none: what opens and closes is there at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WATCH = """() => {
    window.moved = new Set();
    const look = () => {
        for (const one of document.getAnimations()) {
            const time = one.effect?.getComputedTiming().duration;
            if (typeof time === 'number' && time > 1) {
                const name = one.transitionProperty ?? one.animationName ?? 'script';
                window.moved.add(`${name} of ${one.effect.target?.className}`);
            }
        }
        requestAnimationFrame(look);
    };
    look();
}"""
"""Notes every transition and animation that takes more than a millisecond."""


def moved_by(page: Page) -> list[str]:
    """Open and close what usually moves; return what did."""
    page.goto("/dashboard/alerts")
    add = page.get_by_role("button", name="New alert")
    expect(add).to_be_visible()
    page.evaluate(WATCH)
    add.hover()
    add.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Tell when")).to_be_focused()
    dialog.get_by_label("Tell when").click()
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("Escape")
    dialog.get_by_role("button", name="Close").or_(dialog.locator("header button")).first.click()
    expect(dialog).to_have_count(0)
    page.keyboard.press("Control+k")
    expect(page.get_by_role("textbox", name="Go to anything")).to_be_focused()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Workflows", exact=True).first.click()
    expect(page.get_by_role("heading", name="Workflows", level=1)).to_be_visible()
    found: list[str] = page.evaluate("[...window.moved]")
    return found


def test_nothing_moves_for_who_asks_for_less_motion(new_page: OpenPage) -> None:
    assert moved_by(new_page(reduced_motion="reduce")) == []


def test_what_is_watched_does_move_for_others(new_page: OpenPage) -> None:
    """Else the test above would see nothing whatever moved."""
    assert moved_by(new_page(reduced_motion="no-preference"))
