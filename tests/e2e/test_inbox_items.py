"""Items of the inbox as somebody finds them who has read nothing: told apart, and never blind."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, looked, wait_until
from tests.e2e.conftest import OpenPage
from tests.e2e.documents import Document, line, question
from tests.e2e.test_inbox import open_item, review, waiting
from tests.e2e.test_inbox_rhythm import payments

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("empty_inbox")]


def blind(slug: str) -> Document:
    """Return a graph whose approval shows the memory, which is empty, and asks the same of every run."""
    config = {"prompt_message": "Approve this invoice?"}
    return line(slug, [{"id": "check", "type": "approval", "label": "Check", "config": config}])


def test_items_of_one_step_are_told_apart_by_what_their_runs_started_with(
    app: App, signed_in: Page
) -> None:
    """C92: what an approval does not show of the start stands beside it, where it decides nothing."""
    page = signed_in
    graph = app.api.make(blind("alike"))
    for number in (1700, 1701):
        run = app.api.start(graph, {"invoice": f"K-{number}", "note": "x" * 90}, draft=True)
        app.api.open_interrupt(run)
    page.goto("/inbox")
    rows = page.locator("[data-item]")
    expect(rows.filter(has_text="K-1700")).to_have_count(1)
    rows.filter(has_text="K-1701").click()
    pane = page.get_by_role("article")
    expect(pane.locator("header")).to_contain_text("K-1701")
    start = pane.get_by_role("group").filter(has_text="What the run started with")
    expect(start.get_by_role("definition").first).to_have_text("K-1701")
    fits = "(each) => each.scrollWidth <= each.parentElement.clientWidth || each.clientHeight < 20"
    about = rows.filter(has_text="K-1701").get_by_text(re.compile("^K-1701"))
    assert about.evaluate(fits)
    gap = """(each) => {
      const words = document.createRange();
      words.selectNodeContents(each.previousElementSibling);
      return each.getBoundingClientRect().left - words.getBoundingClientRect().right;
    }"""
    assert about.evaluate(gap) < 12  # a short name leaves no hole before it

    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("approve this")
    expect(page.get_by_text("waits in the inbox").filter(has_text="K-1700")).to_be_visible()


def test_a_reason_to_reject_does_not_go_with_an_approval(app: App, signed_in: Page) -> None:
    page = signed_in
    run_id, interrupt = waiting(app, review("turned"))
    pane = open_item(page, interrupt)
    page.keyboard.press("r")
    page.keyboard.type("The sum is wrong")
    page.keyboard.press("Escape")
    expect(pane).to_contain_text("It does not go with an approval.")
    page.keyboard.press("r")
    expect(pane.get_by_role("textbox", name="Reason")).to_have_value("The sum is wrong")
    page.keyboard.press("Escape")
    looked(page)
    page.keyboard.press("a")
    assert app.api.wait(run_id, "completed")["result"] == {"amount": 40, "note": None}


def test_a_reason_of_the_workflow_is_put_in_by_a_click(app: App, signed_in: Page) -> None:
    page, document = signed_in, review("preset")
    reasons = ["Not the agreed sum", "Paid already"]
    next(one for one in document["nodes"] if one["id"] == "check")["config"]["reasons"] = reasons
    run_id, interrupt = waiting(app, document)
    pane = open_item(page, interrupt)
    page.keyboard.press("r")
    offered = pane.get_by_role("group", name="Reasons")
    expect(offered.get_by_role("checkbox")).to_have_count(2)
    reason = pane.get_by_role("textbox", name="Reason")
    offered.get_by_text("Paid already").click()
    expect(reason).to_have_value("Paid already")
    offered.get_by_text("Not the agreed sum").click()
    expect(reason).to_have_value("Not the agreed sum")
    reason.press("End")
    page.keyboard.type(", it was 30")
    reason.press("Control+Enter")

    assert app.api.wait(run_id, "failed")["rejected"]
    decided = app.api.get(f"interrupts/{interrupt['request_id']}/")["decided"]
    assert decided["comment"] == "Not the agreed sum, it was 30"


def test_a_phone_decides_with_a_thumb(app: App, new_page: OpenPage) -> None:
    """Every verb is a target of 44 pixels at the foot, and the next item opens by itself."""
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    asked = payments(app, "thumb", 3)
    page.goto("/inbox?ordering=opened")
    row = page.get_by_role("link", name=re.compile("Nora 0")).bounding_box()
    assert row is not None
    page.touchscreen.tap(row["x"] + 4, row["y"] + row["height"] - 36)  # beside the box itself
    expect(page.get_by_role("checkbox", name=re.compile("Nora 0"))).to_be_checked()
    page.get_by_role("button", name="Clear").tap()
    page.get_by_role("button", name="Filters").tap()
    for filtered in ("Kind", "Step", "Field"):
        box = page.get_by_role("combobox", name=filtered, exact=True).bounding_box()
        assert box is not None and box["height"] >= 44, (filtered, box)
    page.get_by_role("button", name="Filters").tap()
    page.get_by_role("link", name=re.compile("Nora 0")).tap()
    pane = page.get_by_role("article")
    looked(page)
    verbs = pane.locator("footer").get_by_role("button")
    labels = [verb for verb in verbs.all() if verb.is_visible()]
    assert len(labels) >= 3
    tools = pane.get_by_role("group", name="Without deciding").get_by_role("button").all()
    for tool in tools:  # a finger finds no tooltip: what it does stands there
        word = tool.get_attribute("aria-label") or ""
        expect(tool.get_by_text(word, exact=True)).to_be_visible()
    for target in [*labels, *tools, page.get_by_role("link", name="Back to the list")]:
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, (target, box)
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390, (target, box)
    foot = pane.get_by_role("button", name=re.compile("^Approve")).bounding_box()
    assert foot is not None and foot["y"] > 844 / 2
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    pane.get_by_role("button", name=re.compile("^Approve")).tap()
    expect(page.get_by_role("article")).to_contain_text("Ivo 1")
    looked(page)
    page.get_by_role("article").get_by_role("button", name=re.compile("^Reject")).tap()
    page.get_by_role("textbox", name="Reason").fill("Too dear")
    page.get_by_role("article").get_by_role("button", name=re.compile("^Reject")).last.tap()
    expect(page.get_by_role("article")).to_contain_text("Tess 2")

    def now(place: int) -> dict[str, Any]:
        found: dict[str, Any] = app.api.get(f"interrupts/{asked[place]['request_id']}/")
        return found

    wait_until(lambda: now(0)["decided"] and now(1)["decided"], "both decisions to be sent")
    assert now(0)["decided"]["decision"] == "approved"
    assert now(1)["decided"]["comment"] == "Too dear"
    assert now(2)["status"] == "open"
    pane.get_by_role("button", name="Edit").tap()
    pane.get_by_label("amount", exact=False).first.fill("3")
    page.keyboard.press("Escape")
    kept = pane.locator("footer").get_by_text("Your edits are kept")
    expect(kept).to_have_text("Nothing is decided yet. Your edits are kept.", use_inner_text=True)


def test_a_question_that_is_picked_alone_is_opened(app: App, signed_in: Page) -> None:
    page = signed_in
    waiting(app, blind("before"))
    _, asked = waiting(app, question("colours", "text"))
    page.goto("/inbox")
    row = page.locator(f"[data-item='{asked['request_id']}']")
    page.get_by_role("checkbox", name=re.compile("Which way")).check()
    page.keyboard.press("a")
    expect(page.get_by_text("This is a question: it needs an answer").first).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(row).to_have_attribute("aria-current", "true")
    expect(page.get_by_role("article").get_by_role("textbox", name="Your answer")).to_be_visible()


def test_a_saved_view_is_renamed_and_updated_by_keys(app: App, signed_in: Page) -> None:
    page = signed_in
    query = {"state": "open", "ordering": "deadline"}
    app.api.post("inbox-views/", {"name": "Late ones", "query": query})
    page.goto("/inbox")
    saved = page.get_by_role("group", name="Saved views")
    saved.get_by_role("button", name=re.compile("^Late ones")).click()
    expect(saved.get_by_role("button", name="Rename the view Late ones")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name of the view")).to_be_focused()
    page.keyboard.type("Early ones")
    page.keyboard.press("Enter")
    expect(saved.get_by_role("button", name=re.compile("^Early ones"))).to_be_visible()
    page.get_by_role("combobox", name="Order").click()
    page.get_by_role("option", name="Newest first").click()
    saved.get_by_role("button", name="Update the view Early ones").press("Enter")
    expect(page.get_by_text("The view Early ones shows this from now on.")).to_be_visible()
    views = app.api.get("inbox-views/")["results"]
    [view] = [each for each in views if each["name"] == "Early ones"]
    assert (view["name"], view["query"]["ordering"]) == ("Early ones", "-opened")
    saved.get_by_role("button", name="Delete the view Early ones").click()
    expect(saved.get_by_role("button", name=re.compile("Early ones"))).to_have_count(0)


def test_long_names_leave_what_is_decided_in_sight(app: App, new_page: OpenPage) -> None:
    """Of many at once: neither a column's name nor a run's title takes the room of the values."""
    config = {
        "prompt_message": "Sign the appendix of {{ memory.contract }}?",
        "review_keys": ["amount", "contract"],
    }
    step = {"id": "check", "type": "approval", "label": "Check the appendix", "config": config}
    title = "Customer reference number of the main contract as it was signed"
    fields = {"contract": {"type": "string", "title": title}, "amount": {"type": "number"}}
    memory = {"contract": "", "amount": 1}
    schema = {"type": "object", "properties": fields}
    graph = app.api.make(line("long-names", [step], state_schema=schema, initial_memory=memory))
    for n in (1, 2):
        name = f"DE-2026-000{n}-HARBOUR-LOGISTICS-AND-WAREHOUSING-INTERNATIONAL-GMBH-KG"
        more = {"contract": name, "amount": 7.25 + n}
        title = f"Appendix {n} of the framework agreement between the parties of the first part"
        run = app.api.start(graph, title, draft=True, memory=more)
        app.api.open_interrupt(run)

    for size in ({"width": 1280, "height": 720}, {"width": 390, "height": 844}):
        page = new_page(viewport=size)
        page.goto("/inbox")
        expect(page.locator("[data-item]")).to_have_count(2)
        for box in page.get_by_role("checkbox", name=re.compile("^Pick")).all():
            box.check()
        page.get_by_role("group", name="Picked items").get_by_role(
            "button", name=re.compile("^Approve")
        ).click()
        table = page.get_by_role("dialog").get_by_role("table")
        head = table.get_by_role("row").first.bounding_box()
        assert head is not None and head["height"] < 70, head
        expect(table.get_by_role("cell", name="8.25")).to_be_in_viewport(ratio=1)
        expect(table.get_by_role("cell", name="9.25")).to_be_in_viewport()
        page.context.close()
