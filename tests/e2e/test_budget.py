"""Budgets on the screen: the three numbers while a run spends, the question, the raise."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, looked
from tests.e2e.documents import agent, line, thinker
from tests.e2e.editor import run_draft, run_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

METER = re.compile(
    r"([\d,]+) tokens used(?: · \S+ USD and ([\d,]+) tokens held for calls under way)?"
    r" · no limit in USD · ([\d,]+) tokens left of ([\d,]+)"
)
RECORD = """() => {
    window.meterTexts = [];
    const note = () => {
        const text = document.querySelector('header [aria-label^="Spend: "]')?.getAttribute('aria-label');
        if (text && window.meterTexts.at(-1) !== text) window.meterTexts.push(text);
    };
    new MutationObserver(note).observe(document.body, {subtree: true, childList: true, attributes: true});
}"""
LINES = (
    "Call the plumber today.\nThe sky was blue.\nSend the invoice by Friday.\n"
    "We saw a film.\nFix the roof immediately!"
)


def read_meter(text: str) -> tuple[int, int, int, int]:
    """Return used, held, left and the limit, in tokens."""
    found = METER.search(text)
    assert found, text
    used, held, left, limit = (int((part or "0").replace(",", "")) for part in found.groups())
    return used, held, left, limit


def meter(page: Page) -> tuple[int, int, int, int]:
    """Return the numbers in the head of the run page."""
    group = page.locator("header").get_by_role("group", name=re.compile("^Spend: "))
    return read_meter(group.get_attribute("aria-label") or "")


def raise_in_the_inbox(page: Page, run: dict[str, Any]) -> None:
    """Take the budget question of a run in the inbox and raise the limit as proposed."""
    page.get_by_role("navigation", name="Main").get_by_role(
        "link", name=re.compile("Inbox")
    ).click()
    request_id = run["interrupts"][0]["request_id"]
    page.locator(f'[data-item="{request_id}"]').click()
    item = page.get_by_role("article", name=re.compile("^Budget: "))
    expect(item).to_contain_text(re.compile(r"may take up to [\d.k]+ tokens"))
    proposed = item.get_by_label("New token limit").input_value()
    assert int(proposed) > run["spend"]["limit_tokens"]
    item.get_by_label("New token limit").fill(str(int(proposed) + 4000))
    looked(item)
    item.get_by_role("button", name="Raise the limit").click()
    expect(item).to_contain_text("raised the budget")


def test_the_spend_guard_meets_its_budget_and_goes_on_after_a_raise(
    app: App, signed_in: Page
) -> None:
    page = signed_in
    graph = app.api.graph("spend-guard")["id"]
    run_id = app.api.start(graph, LINES)
    asked = app.api.wait(run_id, "waiting")

    page.goto(f"/runs/{run_id}")
    expect(page.locator("header").filter(has_text="Spend guard")).to_contain_text("Waiting")
    spend = asked["spend"]
    used, held, left, limit = meter(page)
    assert (used, held, limit) == (spend["tokens"], spend["held_tokens"], spend["limit_tokens"])
    assert used + held + left == limit

    raise_in_the_inbox(page, asked)
    done = app.api.wait(run_id, "completed")

    page.goto(f"/runs/{run_id}")
    expect(page.locator("header").filter(has_text="Spend guard")).to_contain_text("Completed")
    assert meter(page)[0] == done["spend"]["tokens"] > used
    assert [todo["text"] for todo in done["result"]] == LINES.split("\n")


def test_used_held_and_left_move_while_the_run_spends(
    app: App, slow_models: None, signed_in: Page
) -> None:
    page = signed_in
    nodes = [agent(f"step{n}", "quick", budget={"on_breach": "ask"}) for n in (1, 2, 3)]
    document = line(
        "purse", nodes, agents=[thinker("quick", "brisk")], limits={"max_token_budget": 600}
    )
    graph = app.api.make(document)
    page.goto(f"/workflows/{graph}")
    page.evaluate(RECORD)
    header = run_draft(page, "Go on.").get_by_role("status", name="This run")
    expect(header).to_contain_text("Waiting")
    run_id = run_of(page)
    asked = app.api.wait(run_id, "waiting")
    spend = asked["spend"]
    expect(header.get_by_role("group", name=re.compile("^Spend: "))).to_have_attribute(
        "aria-label", re.compile(f" {spend['tokens']} tokens used")
    )

    seen = [read_meter(text) for text in page.evaluate("window.meterTexts")]
    assert all(used + held + left == limit == 600 for used, held, left, limit in seen)
    assert any(held > 0 for _, held, _, _ in seen), seen
    order = list(dict.fromkeys(used for used, *_ in seen))
    assert order == sorted(order)
    assert len(order) >= 2, seen
    assert len({left for _, _, left, _ in seen}) >= 2, seen
    assert meter(page)[:2] == (spend["tokens"], spend["held_tokens"])

    raise_in_the_inbox(page, asked)
    done = app.api.wait(run_id, "completed")
    page.goto(f"/runs/{run_id}")
    expect(page.locator("header").filter(has_text="Purse")).to_contain_text("Completed")
    assert meter(page)[0] == done["spend"]["tokens"]
    by_node = done["spend"]["by_node"].values()
    assert sum(node["tokens"] for node in by_node) == done["spend"]["tokens"]
