"""Takes the pictures of the README: `PYTHONPATH=.ci python -m tests.e2e.screenshots` writes docs/images/."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import chromium
from tests.e2e.app import ROOT, served
from tests.e2e.conftest import Watch, open_context, set_up_owner

IMAGES = ROOT / "docs" / "images"
MESSAGE = "I was charged 49 euros twice for October, please give me my money back!"
MORE = ("Your plan cost me 120 dollars by mistake. Refund it, please.", MESSAGE)


def take(page: Page, name: str) -> None:
    """Write the picture of a page at rest."""
    page.wait_for_load_state("networkidle")
    expect(page.locator(".mantine-Skeleton-root:visible")).to_have_count(0)
    page.mouse.move(640, 799)
    page.screenshot(path=IMAGES / f"{name}.png", animations="disabled")


def main() -> None:
    """Serve an empty folder, do a little work in it, and take the pictures."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as app,
        chromium() as browser,
    ):
        page = open_context(browser, app, Watch()).new_page()
        set_up_owner(page)
        api = app.api
        triage = api.graph("support-triage")["id"]
        runs = [api.start(triage, message) for message in MORE]
        asked = [api.open_interrupt(run) for run in runs][-1]
        page.goto(f"/workflows/{triage}")
        page.locator('.react-flow__node[data-id="classify"]').click()
        page.get_by_role("button", name="Zoom out").click()
        expect(page.get_by_title("Zoom to 100 %")).to_have_text("77 %")
        page.mouse.move(640, 200)
        page.mouse.wheel(222, 0)
        take(page, "editor")
        page.goto(f"/runs/{runs[-1]}")
        expect(page.locator('[aria-label*="Waiting"]').first).to_be_visible()
        take(page, "run")
        page.goto(f"/inbox/{asked['request_id']}")
        take(page, "inbox")


if __name__ == "__main__":
    main()
