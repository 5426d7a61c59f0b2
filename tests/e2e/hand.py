"""A hand that counts what it does: one action is a click, a key, a choice in a list, or a text typed."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


class Hand:
    """Acts on a page and counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.actions = 0

    def click(self, target: Locator) -> None:
        """Click."""
        self.actions += 1
        target.click()

    def type(self, words: str) -> None:
        """Type where the cursor is."""
        self.actions += 1
        self.page.keyboard.type(words)

    def press(self, key: str) -> None:
        """Press one key, or several at once."""
        self.actions += 1
        self.page.keyboard.press(key)

    def choose(self, target: Locator, label: str) -> None:
        """Open a list and choose: two actions."""
        self.actions += 2
        target.select_option(label=label)

    def drag_to(self, what: Locator, where: Locator, x: int, y: int) -> None:
        """Drag something to a place on something else."""
        self.actions += 1
        what.drag_to(where, target_position={"x": x, "y": y})
