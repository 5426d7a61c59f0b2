"""Every page in both themes, three of them on a phone: it loads, is quiet, and axe finds nothing grave."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import ROOT, App
from tests.e2e.conftest import OpenPage

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE = """async () => {
    const found = await axe.run(document, {resultTypes: ['violations']});
    return found.violations
        .filter((each) => ['serious', 'critical'].includes(each.impact))
        .map((each) => `${each.id}: ${each.nodes.slice(0, 4).map((node) => node.html).join(' | ')}`);
}"""
MESSAGE = "I was charged 31 euros twice, please give me my money back!"
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def places(app: App, owner: Any) -> dict[str, str]:
    """The addresses of all pages, by name; there is a run that waits and one that is done."""
    api = app.api
    triage = api.graph("support-triage")["id"]
    open_items = api.get("interrupts/?state=open&kind=approval&graph=" + triage)["results"]
    asked = open_items[0] if open_items else api.open_interrupt(api.start(triage, MESSAGE))
    listed = api.get(f"runs/?graph={triage}&status=completed")["results"]
    done = listed[0]["id"] if listed else api.start(triage, "How do I reset my password?")
    api.wait(done, "completed")
    listed = api.get("facts/?search=bicycle")["results"]
    fact = {"text": "The bicycle is red.", "tags": ["colour"], "entities": ["Ada", "Bicycle"]}
    known = listed[0] if listed else api.post("facts/", fact)
    settings = ("agents", "models", "credentials", "members", "tokens", "workspace", "audit")
    return {
        "workflows": "/workflows",
        "editor": f"/workflows/{triage}",
        "runs": "/runs",
        "run-waiting": f"/runs/{asked['run']['id']}",
        "run-completed": f"/runs/{done}",
        "inbox": f"/inbox/{asked['request_id']}",
        "chat": f"/workflows/{triage}/chat",
        "form": f"/workflows/{triage}/form",
        "inbox-done": "/inbox?state=done",
        "memory": "/memory",
        "memory-fact": f"/memory/{known['id']}",
        "dashboard": "/dashboard",
        **{f"settings-{name}": f"/settings/{name}" for name in settings},
        "lost": "/no/such/page",
    }


def settled(page: Page) -> None:
    """Wait until nothing is loading and everything has been drawn."""
    expect(page.locator("main:visible, h1:visible").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".mantine-Skeleton-root:visible")).to_have_count(0)
    page.evaluate("document.fonts.ready.then(() => true)")


def look(page: Page, name: str) -> list[str]:
    """Return what axe finds grave on the page; keep a picture where one is asked for."""
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png")
    page.evaluate(AXE.read_text())
    return [f"{name}: {finding}" for finding in page.evaluate(RUN_AXE)]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_is_fit_to_be_read(
    theme: str, new_page: OpenPage, places: dict[str, str]
) -> None:
    page = new_page(color_scheme=theme)
    found = []
    for name, address in places.items():
        page.goto(address)
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280, name
        found += look(page, f"{name}-{theme}")

    assert "\n".join(found) == ""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_inbox_run_and_dashboard_fit_a_phone(
    theme: str, new_page: OpenPage, places: dict[str, str]
) -> None:
    page = new_page(color_scheme=theme, viewport=PHONE)
    found = []
    for name in ("inbox", "inbox-done", "run-waiting", "run-completed", "dashboard"):
        page.goto(places[name])
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name
        found += look(page, f"{name}-phone-{theme}")

    assert "\n".join(found) == ""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_door_is_fit_to_be_read(theme: str, new_page: OpenPage) -> None:
    page = new_page(color_scheme=theme, storage_state=None)
    page.goto("/runs")
    expect(page).to_have_url(re.compile("/sign-in"))
    settled(page)

    assert look(page, f"sign-in-{theme}") == []
