"""The inbox with several people: approvals that need two, claims, snoozes and questions."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, looked
from tests.e2e.conftest import OpenPage
from tests.e2e.documents import line, question
from tests.e2e.test_inbox import GRACE, member, open_item, sign_in, waiting
from tests.e2e.test_inbox_rhythm import HUGO, payments

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("empty_inbox")]


def payment(slug: str, **policy: Any) -> dict[str, Any]:
    config = {
        "prompt_message": "Pay this?",
        "review_keys": ["amount"],
        "editable_keys": ["amount"],
        "policy": policy,
    }
    review = {"id": "check", "type": "approval", "label": "Check the sum", "config": config}
    result = {
        "id": "done",
        "type": "output",
        "read_keys": ["amount"],
        "config": {"value": "memory.amount"},
    }
    schema = {"type": "object", "properties": {"amount": {"type": "number"}}}
    return line(slug, [review, result], state_schema=schema, initial_memory={"amount": 40})


def test_two_people_approve_and_each_sees_the_other(
    app: App, signed_in: Page, new_page: OpenPage
) -> None:
    """C96: The first approval is shown to the second person, whose approval runs."""
    member(app)
    graces = new_page(storage_state=None)
    sign_in(graces, GRACE)
    run_id, interrupt = waiting(app, payment("both", rule={"at_least": 2}))
    hers = open_item(graces, interrupt)
    ours = open_item(signed_in, interrupt, "?view=all")
    expect(ours).to_contain_text("Grace Second has this open too")
    expect(hers).to_contain_text("Ada Owner has this open too")
    shown = ours.get_by_role("definition").first
    assert shown.evaluate("(each) => each.getBoundingClientRect().bottom") < 400

    looked(ours)
    ours.get_by_role("button", name=re.compile("^Approve")).click()
    expect(hers).to_contain_text("Ada Owner is deciding this just now")
    signed_in.locator(f'[data-item="{interrupt["request_id"]}"]').click()
    expect(ours).to_contain_text("You approved. It waits for one more approval.")
    listed = signed_in.get_by_role("list", name="Items")
    expect(listed).to_contain_text("you approved")
    expect(hers).to_contain_text("1 of 2 approved")
    so_far = hers.get_by_role("region", name="Approved so far")
    expect(so_far).to_contain_text("Ada Owner approved")
    top = "(each) => each.getBoundingClientRect().top"
    amount = hers.get_by_role("definition").first
    assert so_far.evaluate(top) < amount.evaluate(top)  # before what was approved, above the fold
    looked(hers)
    hers.get_by_role("button", name=re.compile("^Approve")).click()

    expect(hers).to_contain_text("Grace Second approved this")
    expect(ours).to_contain_text("2 of 2 approved")
    assert app.api.wait(run_id, "completed")["result"] == 40


def test_a_no_is_told_to_those_who_could_still_approve(
    app: App, signed_in: Page, new_page: OpenPage
) -> None:
    """C96: One of three says no to what two approve: the others see it before they decide."""
    member(app)
    app.ensure_member(**HUGO, role="reviewer")
    graces = new_page(storage_state=None)
    sign_in(graces, GRACE)
    _, interrupt = waiting(app, payment("a-no", rule={"at_least": 2}))
    ours, hers = open_item(signed_in, interrupt), open_item(graces, interrupt)

    looked(hers)
    graces.keyboard.press("r")
    graces.keyboard.type("Paid in May")
    graces.keyboard.press("Control+Enter")

    there = ours.get_by_role("list", name="Who is at it")
    expect(there).to_contain_text(re.compile("Grace Second rejected this.*Paid in May"))
    row = signed_in.locator(f'[data-item="{interrupt["request_id"]}"]')
    expect(row).to_contain_text("Grace Second rejected")


def test_an_edit_asks_the_first_again(app: App, signed_in: Page, new_page: OpenPage) -> None:
    """C95: Who approved before an edit sees what was edited, and approves that."""
    member(app)
    graces = new_page(storage_state=None)
    sign_in(graces, GRACE)
    run_id, interrupt = waiting(app, payment("edited-by-two", rule={"at_least": 2}))
    ours, hers = open_item(signed_in, interrupt), open_item(graces, interrupt)

    looked(ours)
    ours.get_by_role("button", name=re.compile("^Approve")).click()
    signed_in.goto(f"/inbox/{interrupt['request_id']}")
    expect(hers).to_contain_text("1 of 2 approved")
    hers.get_by_role("button", name=re.compile("^Edit")).click()
    hers.get_by_label("amount", exact=False).first.fill("25")
    looked(hers)
    hers.get_by_role("button", name=re.compile("^Approve with 1 edit")).click()

    expect(ours).to_contain_text("Grace Second edited what is shown")
    changed = ours.get_by_role("region", name="Changed since you approved it: you are asked again")
    expect(changed.locator("del")).to_have_text("40.00")
    expect(changed.locator("ins")).to_have_text("25.00")
    listed = signed_in.get_by_role("list", name="Items")
    expect(listed).to_contain_text("asked again")
    expect(listed).not_to_contain_text("you approved")
    expect(ours).to_contain_text("This changed while you looked at it")
    ours.get_by_role("button", name=re.compile("^I have looked")).click()
    looked(ours)
    ours.get_by_role("button", name=re.compile("^Approve")).click()
    assert app.api.wait(run_id, "completed")["result"] == 25
    expect(ours).to_contain_text("approved this with edits by Grace Second: Amount 40.00 → 25.00")

    signed_in.goto(f"/runs/{run_id}")
    signed_in.get_by_role("tab", name="Events").click()
    log = signed_in.get_by_role("list", name="Events")
    expect(log).to_contain_text("approved by Grace Second with edits: amount 40 → 25")
    expect(log).to_contain_text("Ada Owner: the content was edited since")
    signed_in.goto(f"/inbox/{interrupt['request_id']}")
    path = signed_in.get_by_role("navigation", name="Path of this run")
    expect(path).to_contain_text(re.compile("^Check the sum"))


def test_a_question_goes_to_the_starter_and_the_answer_comes_back(
    app: App, signed_in: Page, new_page: OpenPage
) -> None:
    """C93: The clock stands still until the answer, which decides nothing, and tells whom it names."""
    member(app)
    app.ensure_member(**HUGO, role="reviewer")
    graces, hugos = new_page(storage_state=None), new_page(storage_state=None)
    sign_in(graces, GRACE)
    sign_in(hugos, HUGO)
    hugos.goto("/runs")  # in the inbox the item would lie open
    expect(hugos.get_by_role("heading", name="Runs", level=1)).to_be_visible()
    run_id, interrupt = waiting(app, payment("asked-back"))
    hers = open_item(graces, interrupt)
    graces.keyboard.press("i")
    dialog = graces.get_by_role("dialog", name="Ask before you decide")
    expect(dialog.get_by_label("To whom")).to_have_value("Ada Owner, who started it")
    expect(dialog.get_by_label("Question", exact=True)).to_be_focused()
    graces.keyboard.type("Which bank is it?")
    graces.keyboard.press("Control+Enter")
    expect(hers).to_contain_text(re.compile("Waits for Ada Owner since .* clock stopped at 23 h 5"))
    expect(dialog).to_have_count(0)
    listed = graces.get_by_role("list", name="Items")
    expect(listed).to_contain_text("waits for Ada Owner")  # though it left this list
    graces.get_by_role("group", name="Views").get_by_role("button", name="More").click()
    graces.get_by_role("menuitem", name="Asked").click()
    expect(graces.get_by_role("list", name="Items")).to_contain_text("waits for Ada Owner")

    ours = open_item(signed_in, interrupt)
    expect(signed_in.get_by_role("list", name="Items")).to_contain_text("asks you")
    called = signed_in.get_by_role("region", name="Inbox").get_by_role("link")
    expect(called.filter(has_text="Grace Second asks you before they decide")).to_be_visible()
    expect(ours).to_contain_text("Which bank is it?")
    answer = ours.get_by_label("Your answer to Grace Second")
    answer.press_sequentially("The old one, says @hug")
    expect(ours.get_by_role("option", name=HUGO["name"])).to_be_visible()
    answer.press("Enter")
    expect(ours).to_contain_text(f"{HUGO['name']} is told of it too")
    ours.get_by_role("button", name="Send the answer").click()

    expect(hers).to_contain_text("Ada Owner answered")
    expect(hers).to_contain_text("The old one")
    told = hugos.get_by_role("alert").filter(has_text="Ada Owner named you in an answer")
    expect(told).to_contain_text("The old one")
    told.get_by_role("button", name="Open").click()
    expect(hugos).to_have_url(re.compile(f"/inbox/{interrupt['request_id']}"))
    expect(hugos.get_by_role("article")).to_contain_text("The old one")
    expect(hugos.get_by_role("button", name=re.compile("menu$"))).to_be_visible()  # it is read
    assert app.api.run(run_id)["status"] == "waiting"
    graces.goto(f"/inbox/{interrupt['request_id']}")
    expect(graces.get_by_role("list", name="Items")).to_contain_text("Ada Owner answered")
    looked(hers)
    hers.get_by_role("button", name=re.compile("^Approve")).click()
    assert app.api.wait(run_id, "completed")["result"] == 40


def test_claiming_snoozing_and_asking_without_a_mouse(app: App, signed_in: Page) -> None:
    member(app)
    run_id, interrupt = waiting(app, payment("by-keys"))
    pane = open_item(signed_in, interrupt)

    signed_in.keyboard.press("c")
    expect(pane).to_contain_text("You claimed this")
    signed_in.keyboard.press("i")
    expect(signed_in.get_by_label("Question", exact=True)).to_be_focused()
    signed_in.keyboard.press("Tab")
    signed_in.keyboard.press("Enter")
    expect(pane.get_by_label("Ask, or answer")).to_be_focused()
    signed_in.keyboard.type("Which invoice is it?")
    signed_in.keyboard.press("Control+Enter")
    expect(pane).to_contain_text("Which invoice is it?")
    expect(pane.get_by_label("Ask, or answer")).to_have_count(0)  # the list may be first to hear
    assert app.api.run(run_id)["status"] == "waiting"
    signed_in.keyboard.press("z")
    signed_in.get_by_role("menuitem", name="In an hour").click()
    expect(pane).to_contain_text("You snoozed this")

    views = signed_in.get_by_role("group", name="Views")
    views.get_by_role("button", name="More").click()
    signed_in.get_by_role("menuitem", name="Snoozed").click()
    expect(views.get_by_role("button", name="Snoozed")).to_be_visible()
    listed = signed_in.get_by_role("list", name="Items")
    expect(listed).to_contain_text("By keys")
    views.get_by_role("button", name="Groups").click()
    expect(listed.get_by_text("By keys")).to_have_count(0)


def test_what_somebody_else_claimed_asks_before_any_decision(
    app: App, signed_in: Page, new_page: OpenPage
) -> None:
    """An approval, a rejection and an answer alike, and many at once."""
    member(app)
    graces = new_page(storage_state=None)
    sign_in(graces, GRACE)
    _, interrupt = waiting(app, payment("claimed"))
    run_id, asked = waiting(app, question("claimed-too", "text"))
    for each in (interrupt, asked):
        hers = open_item(graces, each)
        graces.keyboard.press("c")
        expect(hers).to_contain_text("You claimed this")

    ours = open_item(signed_in, interrupt)
    looked(ours)
    signed_in.keyboard.press("a")
    expect(ours.get_by_role("alert")).to_have_text("Grace Second is at it. Approve anyway?")
    ours.get_by_role("button", name="Back").click()
    signed_in.keyboard.press("r")
    expect(ours.get_by_role("alert")).to_have_text("Grace Second is at it. Reject anyway?")
    expect(ours.get_by_role("button", name="Reject anyway")).to_be_visible()
    ours.get_by_role("button", name="Back").click()

    signed_in.get_by_role("checkbox", name=re.compile("Pay this")).check()
    signed_in.keyboard.press("a")
    dialog = signed_in.get_by_role("dialog")
    expect(dialog).to_contain_text("One of them is claimed by Grace Second")
    dialog.get_by_role("button", name="Cancel").click()

    ours = open_item(signed_in, asked)
    looked(ours)
    ours.get_by_role("textbox", name="Your answer").fill("blue")
    ours.get_by_role("button", name="Answer").click()
    dialog = signed_in.get_by_role("dialog", name="Grace Second is at it")
    dialog.get_by_role("button", name="Cancel").click()
    assert app.api.run(run_id)["status"] == "waiting"
    ours.get_by_role("button", name="Answer").click()
    dialog.get_by_role("button", name="Go on anyway").click()
    assert app.api.wait(run_id, "completed")["result"] == "blue"


def test_many_are_claimed_at_once_but_what_somebody_has(
    app: App, signed_in: Page, new_page: OpenPage
) -> None:
    """One request claims all that is picked; what Grace has is named and stays picked."""
    member(app)
    graces = new_page(storage_state=None)
    sign_in(graces, GRACE)
    asked = payments(app, "together", 3)
    hers = open_item(graces, asked[1])
    graces.keyboard.press("c")
    expect(hers).to_contain_text("You claimed this")

    sent: list[str] = []
    signed_in.on("request", lambda one: sent.append(one.url) if "/claim/" in one.url else None)
    signed_in.goto("/inbox?ordering=opened")
    rows = signed_in.locator("[data-item]")
    expect(rows).to_have_count(3)
    for pick in signed_in.get_by_role("checkbox", name=re.compile("^Pick:")).all():
        pick.check()
    bar = signed_in.get_by_role("group", name="Picked items")
    expect(bar).to_contain_text("3 picked $63.75")
    signed_in.keyboard.press("c")
    signed_in.get_by_role("dialog").get_by_role("button", name="Claim").click()
    told = signed_in.get_by_role("dialog", name="2 items claimed")
    expect(told).to_contain_text("Grace Second has claimed this")
    told.get_by_role("button", name="Close").last.click()

    expect(bar).to_contain_text("1 picked")
    expect(rows.nth(0)).to_contain_text("Ada Owner")
    expect(rows.nth(1)).to_contain_text("Grace Second")
    heights = {box["height"] for row in rows.all() if (box := row.bounding_box())}
    assert len(heights) == 1, heights  # a mark more makes no row higher
    assert [url.rpartition("/api/")[2] for url in sent] == ["interrupts/claim/"]
    signed_in.keyboard.press("z")
    signed_in.get_by_role("button", name="In an hour").click()
    expect(rows).to_have_count(2)
