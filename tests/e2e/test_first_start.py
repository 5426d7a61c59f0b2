"""From an empty folder to a finished run, as the first person meets it; the demos on other inputs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.app import App, served
from tests.e2e.conftest import Watch, open_context, set_up_owner

pytestmark = [pytest.mark.browser, pytest.mark.slow]

REFUND = "You billed me 72 dollars for a plan that I cancelled. I want my money back."


def run_draft(page: Page, text: str) -> None:
    """Start a test run of the open workflow with a text."""
    page.get_by_role("button", name="Test run").click()
    dialog = page.get_by_role("dialog", name="Test run")
    dialog.get_by_label("Input", exact=True).fill(text)
    dialog.get_by_role("button", name="Run the draft").click()
    expect(page).to_have_url(re.compile(r"/runs/"))


def test_a_refund_is_approved_minutes_after_an_empty_folder(
    browser: Browser, tmp_path: Path
) -> None:
    watch = Watch()
    with served(tmp_path) as app:
        context = open_context(browser, app, watch)
        page = context.new_page()
        set_up_owner(page)

        page.get_by_role("link", name="Support triage").click()
        run_draft(page, REFUND)
        header = page.locator("header").filter(has=page.get_by_role("heading", level=1))
        expect(header).to_contain_text("Waiting")
        page.get_by_role("navigation", name="Main").get_by_role(
            "link", name="Inbox, 1 open"
        ).click()
        item = page.get_by_role("article", name=re.compile("^Approval: Refund this customer"))
        expect(item).to_contain_text("72")
        item.get_by_role("button", name=re.compile("^Approve")).click()
        expect(item).to_contain_text("Ada Owner approved this")
        item.get_by_role("link", name="Support triage").click()

        expect(header).to_contain_text("Completed")
        result = page.get_by_role("complementary", name="Run").locator("section").filter(
            has=page.get_by_role("heading", name="Result")
        )  # fmt: skip
        expect(result).to_contain_text("Your refund was approved.")
        context.close()

        assert watch.unexpected() == []
        assert "Traceback" not in app.logged(), app.logged()[-6000:]


TRIAGE: list[tuple[str, str, str]] = [
    ("How do I reset my password?", "account", "Forgot password"),
    ("The app crashes as soon as I start it.", "technical", "install the latest version"),
    ("Where do I find the invoice of last month?", "billing", "download every invoice"),
]


@pytest.mark.parametrize(("message", "topic", "passage"), TRIAGE)
def test_triage_answers_from_the_right_article(
    app: App, owner: Any, message: str, topic: str, passage: str
) -> None:
    api = app.api

    run = api.wait(api.start(api.graph("support-triage")["id"], message), "completed")

    assert run["result"]["topic"] == topic
    assert passage in run["result"]["answer"]


CONTRACTS: list[tuple[str, str, str, str]] = [
    (
        (
            "Consulting agreement between Brightwater Ltd. and Jonas Weber. Either party may terminate "
            "with two weeks notice. The fee of 900 USD is due within 30 days. Liability is limited to "
            "the fees paid."
        ),
        "Brightwater",
        "900 USD",
        "low",
    ),
    (
        (
            "Hosting contract between Cloudpeak Inc. and Mira Stone. The contract renews automatically "
            "each year unless notice is given six months before. Payment of 4000 USD is due at once; "
            "late fees are charged every month. Liability is limited to 10000 USD."
        ),
        "Cloudpeak",
        "4000 USD",
        "medium",
    ),
    (
        (
            "Supply agreement between Ironhill GmbH and Paul Ferris. This agreement cannot be "
            "terminated. The buyer pays 25000 USD in advance. The buyer bears unlimited liability for "
            "all damages and pays a penalty for each day of delay."
        ),
        "Ironhill",
        "25000 USD",
        "high",
    ),
]


@pytest.mark.parametrize(("text", "party", "sum_named", "risk"), CONTRACTS)
def test_a_contract_is_quoted_rated_and_shown_to_a_person_unless_harmless(
    app: App, owner: Any, text: str, party: str, sum_named: str, risk: str
) -> None:
    api = app.api
    run_id = api.start(api.graph("contract-review")["id"], text)

    if risk != "low":
        asked = api.open_interrupt(run_id)
        assert asked["request"]["data"]["risk"] == risk
        api.answer(asked, decision="approved")
    brief = api.wait(run_id, "completed")["result"]

    assert brief["risk"] == risk
    assert any(party in name for name in brief["parties"])
    assert sum_named in brief["quotes"]["payment"]
    assert all(quote in text for quote in brief["quotes"].values())


NOTES: list[tuple[str, list[str]]] = [
    (
        "Pay the electricity bill today.\nThe concert was lovely.",
        ["task", "remark"],
    ),
    (
        "We had a nice walk by the lake.\nBook the train to Vienna by Friday.",
        ["remark", "task"],
    ),
    (
        "Write to the landlord about the heating.\nCall the dentist immediately!",
        ["task", "task"],
    ),
]


@pytest.mark.parametrize(("notes", "kinds"), NOTES)
def test_the_guard_sorts_every_line(app: App, owner: Any, notes: str, kinds: list[str]) -> None:
    api = app.api
    run_id = api.start(api.graph("spend-guard")["id"], notes)

    run = api.wait(run_id, "completed", "waiting")
    while run["status"] == "waiting":
        interrupt = api.open_interrupt(run_id)
        limit = interrupt["request"]["limit_tokens"]
        api.answer(interrupt, decision="raise", max_tokens=limit * 2)
        run = api.wait(run_id, "completed", "waiting")

    assert [todo["kind"] for todo in run["result"]] == kinds
    assert [todo["text"] for todo in run["result"]] == notes.split("\n")
