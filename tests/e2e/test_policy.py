"""Who decides, in a sentence: two groups and an escalation in so many actions, told as it is written."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App
from tests.e2e.documents import line
from tests.e2e.editor import inspector, node
from tests.e2e.hand import Hand
from tests.e2e.test_author_hour import document
from tests.e2e.test_inbox import GRACE, member
from tests.e2e.test_pages import AT_ONCE, AXE, look_in_both

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RITA = {"name": "Rita Reviewer", "email": "rita.policy@example.com", "password": "correct horse 9"}
REVIEW = {"id": "review", "type": "approval", "label": "Review", "config": {}}


def reviewed(app: App, slug: str, **config: Any) -> str:
    """Return the id of a workflow with an approval, in a workspace with groups."""
    member(app)
    app.ensure_member(**RITA, role="reviewer")
    groups = {GRACE["email"]: ["finance"], RITA["email"]: ["legal", "leads"]}
    for each in app.api.get("members/")["results"]:
        mine = groups.get(each["user"]["email"])
        if mine and each["groups"] != sorted(mine):
            app.api.patch(f"members/{each['id']}/", {"groups": mine})
    fields = {"amount": {"type": "number"}, "customer": {"type": "string", "enum": ["new", "old"]}}
    more = {"state_schema": {"type": "object", "properties": fields}}
    return app.api.make(line(slug, [{**REVIEW, "config": config}], **more))


def sentence(page: Page) -> Locator:
    return inspector(page).get_by_role("group", name="Who decides")


def config_of(page: Page) -> Any:
    return document(page)["nodes"][0]["config"]


def opened(page: Page, graph: str) -> Locator:
    page.goto(f"/workflows/{graph}")
    node(page, "review").click()
    found = sentence(page)
    expect(found.get_by_role("status")).to_contain_text("Can decide today")
    return found


def test_two_groups_and_an_escalation_take_eight_actions(app: App, signed_in: Page) -> None:
    page = signed_in
    page.context.add_init_script(path=AXE)
    policy = opened(page, reviewed(app, "two-groups"))
    hand = Hand(page)

    hand.click(policy.get_by_role("button", name="all reviewers"))
    expect(policy.get_by_role("combobox", name="Who may decide")).to_be_focused()
    hand.type("finance, legal")
    hand.click(policy.get_by_role("button", name="Ask others later"))
    expect(policy.get_by_role("combobox", name="Who is asked too")).to_be_focused()
    hand.type("leads")
    hand.press("Enter")
    hand.actions += 1
    policy.get_by_role("textbox", name="If nobody decided for").click(click_count=3)
    hand.type("2 days 4 hours")
    hand.press("Enter")

    assert hand.actions <= 8, hand.actions
    expect(policy).to_contain_text("finance, legal agrees. Asks leads too after 2 days 4 hours.")
    expect(policy.get_by_role("status")).to_contain_text(
        "Can decide today Grace Second, Rita Reviewer"
    )
    page.evaluate(AT_ONCE)
    assert look_in_both(page, "policy") == []
    assert config_of(page) == {
        "policy": {
            "eligible": ["group:finance", "group:legal"],
            "escalation": {"after_ms": 187_200_000, "to": ["group:leads"]},
        }
    }


def test_by_keys_bad_words_leave_what_was_and_are_told(app: App, signed_in: Page) -> None:
    page = signed_in
    policy = {"veto": False, "rule": {"at_least": 2}, "four_eyes": ["starter"], "reminders": [5]}
    said = opened(page, reviewed(app, "by-keys", policy=policy, timeout_ms=86_400_001))
    expect(said).to_contain_text(
        "If nobody decides within 1 day 1 millisecond, it counts as rejected."
    )
    expect(said.get_by_role("status")).to_contain_text("Not Ada Owner, who started it")

    said.get_by_role("button", name="1 day 1 millisecond").focus()
    page.keyboard.press("Enter")
    late = said.get_by_role("textbox", name="If nobody decides for")
    expect(late).to_be_focused()
    late.fill("2 days soon")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("It stays 1 day 1 millisecond.")
    page.keyboard.press("Escape")
    expect(late).to_have_value("1 d 1 ms")
    page.keyboard.press("Escape")
    expect(late).to_have_count(0)
    expect(said.get_by_role("button", name="1 day 1 millisecond")).to_be_focused()

    said.get_by_role("button", name="all reviewers").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("finence")
    page.keyboard.press("Enter")
    expect(said.get_by_role("alert")).to_contain_text("called “finence”. Groups: finance, leads")
    assert config_of(page) == {"policy": policy, "timeout_ms": 86_400_001}


def test_a_risk_is_said_in_rows(app: App, signed_in: Page) -> None:
    page = signed_in
    opened(page, reviewed(app, "risky"))
    panel = inspector(page)
    panel.get_by_role("button", name="Say when it is risky").click()
    panel.get_by_role("combobox", name="Field", exact=True).click()
    page.get_by_role("option", name="amount", exact=True).click()
    panel.get_by_role("combobox", name="Operator", exact=True).click()
    page.get_by_role("option", name="is more than").click()
    panel.get_by_role("textbox", name="Value", exact=True).fill("1000")
    panel.get_by_role("textbox", name="Risk of case").fill("80")

    assert config_of(page)["risk"] == "memory.amount > 1000 ? 80 : 0"
