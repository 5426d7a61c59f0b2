"""A budget of a workflow on the screen: set, met, raised, seen on the dashboard, taken away."""

from __future__ import annotations

import csv
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App
from tests.e2e.documents import agent, line, thinker

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LIMIT = 600


def settings(page: Page) -> Locator:
    """Return the row of the workflow's budget on the settings page."""
    page.goto("/settings/budgets")
    return page.get_by_role("list", name="Budgets").get_by_role("listitem").filter(has_text="Till")


def fill(page: Page, tokens: int) -> None:
    """Fill the open form and save it."""
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Tokens").fill(str(tokens))
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)


def make_budget(page: Page) -> None:
    """Limit the workflow Till to so many tokens a day."""
    page.goto("/settings/budgets")
    page.get_by_role("button", name="New budget").first.click()
    dialog = page.get_by_role("dialog", name="New budget")
    dialog.get_by_role("combobox", name="Limits").click()
    page.get_by_role("option", name="Till").click()
    dialog.get_by_role("combobox", name="Period").click()
    page.get_by_role("option", name="Each day").click()
    fill(page, LIMIT)


def test_a_workflows_budget_is_set_met_and_raised(app: App, models: Any, signed_in: Page) -> None:
    """C43, C45: The bar follows what runs spend; raising the limit lets the run go on by itself."""
    models()
    page = signed_in
    nodes = [agent(f"step{n}", "quick", budget={"on_breach": "ask"}) for n in (1, 2, 3)]
    graph = app.api.make(line("till", nodes, agents=[thinker("quick", "brisk")]), publish=True)
    make_budget(page)
    expect(settings(page)).to_contain_text("0 tokens used")

    run = app.api.wait(app.api.start(graph, "Go on."), "waiting")
    tightest = run["spend"]["tightest"]
    assert (tightest["level"], tightest["limit_tokens"]) == ("graph", LIMIT)
    assert tightest["used_tokens"] == run["spend"]["tokens"] > 0
    expect(settings(page)).to_contain_text(f"{tightest['used_tokens']} tokens used")
    page.goto(f"/runs/{run['id']}")
    expect(page.get_by_role("link", name=re.compile("^Workflow today · "))).to_be_visible()
    page.goto(f"/inbox/{run['interrupts'][0]['request_id']}")
    item = page.get_by_role("article", name=re.compile("^Budget: "))
    expect(item).to_contain_text("The budget of the workflow does not cover the next call")
    expect(item).to_contain_text("Other runs spend from it too")

    settings(page).get_by_role("button", name=re.compile("^Edit")).click()
    fill(page, 100 * LIMIT)
    done = app.api.wait(run["id"], "completed")
    expect(settings(page)).to_contain_text(re.compile(r"tokens used\s*.* left of 60k"))

    page.goto("/dashboard/spend")
    board = page.get_by_role("region", name="Spend by what")
    expect(board).to_contain_text("Till")
    board.get_by_text("Node", exact=True).click()
    expect(board).to_contain_text("step3")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    with download.value.path().open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["graph"] == "till"]
    assert sum(int(row["tokens"]) for row in rows) == done["spend"]["tokens"]

    settings(page).get_by_role("button", name=re.compile("^Delete")).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(settings(page)).to_have_count(0)
