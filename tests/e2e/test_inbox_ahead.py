"""What an approval would lead to, what it is like, and the gesture that a dangerous step takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, looked, wait_until
from tests.e2e.documents import Document, line

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("empty_inbox")]


@pytest.fixture
def at_once(app: App, signed_in: Page) -> Iterator[None]:
    """Decisions are not held."""
    app.api.patch("deciding/", {"seconds": 0})
    yield
    app.api.patch("deciding/", {"seconds": 8})


def payment(slug: str, confirm: str) -> Document:
    """Return a graph that pays what was approved, to an address that nobody answers at."""
    approval = {
        "id": "check",
        "type": "approval",
        "label": "Check the payment",
        "config": {
            "prompt_message": "Pay {{ memory.amount }} to {{ memory.customer }}?",
            "review_keys": ["amount", "customer"],
            "editable_keys": ["amount"],
            "policy": {"confirm": confirm},
            "risk": "memory.amount > 1000.0 ? 90.0 : 10.0",
            "reasons": ["The sum is wrong", "Not our customer"],
        },
    }
    pay = {
        "id": "pay",
        "type": "http_request",
        "label": "Pay the money",
        "read_keys": ["amount", "customer"],
        "failure_policy": {"max_retries": 0},
        "config": {
            "method": "POST",
            "url": "https://pay.invalid/pay",
            "body": {"amount": "{{ memory.amount }}", "to": "{{ memory.customer }}"},
        },
    }
    money = {"type": "number", "title": "Amount", "format": "money", "x-unit": "USD"}
    schema = {"type": "object", "properties": {"amount": money, "customer": {"type": "string"}}}
    memory = {"amount": 81.5, "customer": "Nora Marsh"}
    return line(slug, [approval, pay], state_schema=schema, initial_memory=memory)


def asked(app: App, graph: str, amount: float) -> tuple[str, dict[str, Any]]:
    memory = {"amount": amount, "customer": "Nora Marsh"}
    run_id = app.api.start(graph, "go", draft=True, memory=memory)
    return run_id, app.api.open_interrupt(run_id)


@pytest.mark.usefixtures("at_once")
def test_what_follows_is_told_and_then_sent_and_danger_takes_a_gesture(
    app: App, signed_in: Page
) -> None:
    page = signed_in
    graph = app.api.make(payment("ahead", "dangerous"))
    _, before = asked(app, graph, 81.5)
    app.api.answer(before, decision="approved", confirmed="approve")
    run_id, item = asked(app, graph, 2087.7)

    page.goto(f"/inbox/{item['request_id']}?ordering=-risk")
    pane = page.get_by_role("article")
    ahead = pane.get_by_role("region", name="What will happen")
    expect(ahead).to_contain_text(re.compile(r"If you approve.*Pay the money.*sends", re.DOTALL))
    expect(ahead).to_contain_text('{"amount":2087.7,"to":"Nora Marsh"}')
    expect(ahead).to_contain_text("Cannot be taken back")
    expect(ahead).to_contain_text("If you rejectNothing is sent; the run ends.")
    alike = pane.get_by_role("region", name="What it is like")
    expect(alike).to_contain_text("$2,006.20 more than the last approved, $81.50.")
    expect(alike).to_contain_text(re.compile("1 more with customer Nora Marsh"))
    row = page.locator("[data-item][aria-current]")
    expect(row.get_by_role("img", name="high risk")).to_be_visible()
    expect(row.get_by_title("go", exact=True)).to_be_visible()
    expect(alike.get_by_role("link", name="$81.50 · go")).to_have_count(2)
    box = row.bounding_box()
    assert box is not None
    assert box["height"] <= 68

    page.get_by_role("button", name="Save this view").click()
    page.get_by_label("Name of the view").fill("Risky first")
    page.get_by_role("button", name="Save", exact=True).click()
    views = page.get_by_role("group", name="Saved views")
    expect(views.get_by_role("button", name="Risky first 1")).to_have_attribute(
        "aria-pressed", "true"
    )
    alike.get_by_role("link", name="1 more with customer").click()
    expect(page.get_by_text("Customer: Nora Marsh")).to_be_visible()
    views.get_by_role("button", name="Risky first 1").click()
    expect(page.get_by_text("Customer: Nora Marsh")).to_be_hidden()

    looked(pane)
    page.keyboard.press("e")
    pane.get_by_label("Amount").first.fill("300")
    expect(ahead).to_contain_text('{"amount":300,"to":"Nora Marsh"}')
    pane.get_by_role("button", name=re.compile("^Approve with 1 edit")).click()
    expect(pane.get_by_role("alert")).to_contain_text(
        "What follows cannot be taken back: Pay the money sends POST to pay.invalid."
    )
    assert app.api.get(f"interrupts/{item['request_id']}/")["status"] == "open"
    page.keyboard.press("Control+Enter")

    app.api.wait(run_id, "failed")
    [sent] = [one["request"] for one in app.api.events(run_id) if one["type"] == "StepIntended"]
    assert sent["url"] == "https://pay.invalid/pay"
    assert sent["body"] == {"amount": 300, "to": "Nora Marsh"}


@pytest.mark.usefixtures("at_once")
def test_a_sum_is_typed_where_the_policy_says_so(app: App, signed_in: Page) -> None:
    page = signed_in
    run_id, item = asked(app, app.api.make(payment("typed", "type")), 2087.7)

    page.goto(f"/inbox/{item['request_id']}")
    pane = page.get_by_role("article")
    expect(pane).to_be_visible()
    looked(pane)
    field = pane.get_by_label("Type 2087.7 to approve")

    def asks() -> bool:
        """Press as people do: again, where the page refused a press and said why."""
        if not field.count():
            page.keyboard.press("a")
        return field.count() > 0

    wait_until(asks, "the sum to be asked for")
    expect(field).to_be_focused()
    field.fill("20.87")
    page.keyboard.press("Control+Enter")
    expect(pane).to_contain_text("Type 2087.7 to approve.")
    assert app.api.get(f"interrupts/{item['request_id']}/")["status"] == "open"
    field.fill("$2,087.70")
    page.keyboard.press("Control+Enter")

    assert app.api.wait(run_id, "failed")["error"]["code"] == "HttpUnavailable"


@pytest.mark.parametrize(
    ("key", "width", "height"), [("a", 1280, 720), ("r", 1280, 720), ("a", 390, 844)]
)
def test_a_bulk_of_two_steps_shows_what_follows_from_each(
    app: App, signed_in: Page, key: str, width: int, height: int
) -> None:
    """Also on a low screen and on a phone: neither is below what is in sight, nor under the comment."""
    for name in ("north", "south"):
        graph = app.api.make(payment(f"bulk-{name}-{key}-{width}", "never"))
        for amount in (20, 30, 40, 50):
            asked(app, graph, amount)
    page = signed_in
    page.set_viewport_size({"width": width, "height": height})
    page.goto("/inbox")
    expect(page.locator("[data-item]")).to_have_count(8)
    page.keyboard.press("Control+a")
    page.keyboard.press(key)
    dialog = page.get_by_role("dialog")
    ahead = dialog.get_by_role("region", name="What will happen")
    expect(ahead.get_by_text("Looking ahead")).to_have_count(0)
    for name in ("north", "south"):
        expect(ahead).to_contain_text(f"4 × Bulk {name} {key} {width}, Check the payment.")

    edge = "(each) => each.getBoundingClientRect()"
    field = dialog.get_by_role("textbox", name=re.compile("Comment|Reason"))
    above = dialog.get_by_role("group", name="Reasons") if key == "r" else field
    end = ahead.evaluate(edge)["bottom"]
    assert end <= above.evaluate(edge)["top"]
    table = dialog.get_by_role("region", name="What is decided").evaluate(edge)
    assert table["bottom"] - table["top"] > 150  # and rows are in sight
