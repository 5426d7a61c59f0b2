"""People who leave pages open while something happens, and every error that those pages show."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from itertools import cycle

from playwright.sync_api import Browser, BrowserContext, Page, Response

from tests.browser import chromium
from tests.e2e.server import Client

PATIENCE_MS = 60_000
LOOK_MS = 250
KEPT = """
window.shownAlerts = [];
new MutationObserver(() => {
  for (const alert of document.querySelectorAll('[role=alert]')) {
    const text = alert.innerText.trim();
    if (text && !window.shownAlerts.includes(text)) window.shownAlerts.push(text);
  }
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
"""Keeps in a page each text of an alert, also of one that is soon gone."""


@dataclass
class Onlookers:
    """Pages of one person that stay open, and one on which that person goes to and fro.

    `runs` are looked at by id, one page each; `places` are other addresses, one page each.
    """

    client: Client
    runs: list[str]
    places: tuple[str, ...]
    unvisited: str = "Memory"
    """The page to which one goes at the end, whose code nobody fetched before; empty for none."""
    looking: threading.Event = field(default_factory=threading.Event)
    """Set once every page is there."""
    alerts: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    uncaught: list[str] = field(default_factory=list)
    visited: int = 0
    completed: int = 0
    """How many pages of runs say in the end that their run completed."""

    def look(self, over: threading.Event) -> None:
        """Look on until it is over, then wait until each page of a run tells its end."""
        try:
            with chromium() as browser:
                self._look(self._context(browser), over)
        finally:
            self.looking.set()

    def _context(self, browser: Browser) -> BrowserContext:
        address = f"http://127.0.0.1:{self.client.port}"
        context = browser.new_context(base_url=address, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE_MS)
        context.add_cookies(
            [{"name": n, "value": v, "url": address} for n, v in self.client.cookies.items()]
        )
        context.add_init_script(KEPT)
        context.on("response", self._answered)
        context.on("weberror", lambda error: self.uncaught.append(str(error.error)))
        return context

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.refused.append(f"{response.status} {response.request.method} {response.url}")

    def _look(self, context: BrowserContext, over: threading.Event) -> None:
        at_runs = [self._opened(context, f"/runs/{run}") for run in self.runs]
        elsewhere = [self._opened(context, place) for place in self.places]
        goer = self._opened(context, "/workflows")
        self.looking.set()
        for name in cycle(("Runs", "Inbox", "Dashboard", "Workflows")):
            if over.is_set():
                break
            self._go(goer, name)
            goer.wait_for_timeout(LOOK_MS)
        if self.unvisited:
            self._go(goer, self.unvisited)
        for page in at_runs:
            page.locator("header").get_by_text("Completed").first.wait_for()
            self.completed += 1
        for page in [*at_runs, *elsewhere, goer]:
            self.alerts += [f"{page.url}: {text}" for text in page.evaluate("shownAlerts")]

    def _go(self, page: Page, name: str) -> None:
        page.get_by_role("navigation").get_by_role("link", name=name).first.click()
        page.get_by_role("heading", level=1, name=name).wait_for()
        self.visited += 1

    def _opened(self, context: BrowserContext, path: str) -> Page:
        page = context.new_page()
        page.goto(path)
        page.get_by_role("heading", level=1).first.wait_for()
        return page
