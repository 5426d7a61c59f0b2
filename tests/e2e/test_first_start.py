"""From an empty folder to a finished run, as the first person meets it; the demos on other inputs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.app import App, looked, served
from tests.e2e.conftest import Watch, open_context, set_up_owner
from tests.e2e.editor import run_draft

pytestmark = [pytest.mark.browser, pytest.mark.slow]

REFUND = "You billed me 72 dollars for a plan that I cancelled. I want my money back."


def test_a_refund_is_approved_minutes_after_an_empty_folder(
    browser: Browser, tmp_path: Path
) -> None:
    watch = Watch()
    with served(tmp_path, DJANGO_SETTINGS_MODULE="builder.project.settings") as app:
        context = open_context(browser, app, watch)
        page = context.new_page()
        set_up_owner(page)

        page.get_by_role("link", name="Support triage").click()
        standing = run_draft(page, REFUND).get_by_role("status", name="This run")
        expect(standing).to_contain_text("Waiting")
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Inbox").click()
        item = page.get_by_role("article", name=re.compile("^Approval: Refund this customer"))
        expect(item).to_contain_text("72")
        looked(item)
        item.get_by_role("button", name=re.compile("^Approve")).click()
        expect(item).to_contain_text("Ada Owner approved this")
        item.get_by_role("link", name="Support triage").click()

        header = page.locator("header").filter(has=page.get_by_role("heading", level=1))
        expect(header).to_contain_text("Completed")
        result = (
            page.get_by_role("complementary", name="Run")
            .locator("section")
            .filter(has=page.get_by_role("heading", name="Result"))
        )
        expect(result).to_contain_text("Your refund was approved.")
        context.close()

        assert watch.unexpected() == []
        assert "Traceback" not in app.logged(), app.logged()[-6000:]


TRIAGE: list[tuple[str, str, str]] = [
    ("How do I reset my password?", "account", "Forgot password"),
    ("The app crashes as soon as I start it.", "technical", "install the latest version"),
    ("Where do I find the invoice of last month?", "billing", "download every invoice"),
    ("My bank took the money two times", "billing", "reservation of your bank"),
    ("Thank you for your great service!", "other", "None of our help articles"),
    ("hi", "other", "None of our help articles"),
]


@pytest.mark.parametrize(("message", "topic", "passage"), TRIAGE)
def test_triage_answers_from_the_right_article(
    app: App, owner: Any, message: str, topic: str, passage: str
) -> None:
    api = app.api

    run = api.wait(api.start(api.graph("support-triage")["id"], message), "completed")

    assert run["result"]["topic"] == topic
    assert passage in run["result"]["answer"]


CONTRACTS: list[tuple[str, str, float, str, dict[str, str]]] = [
    (
        (
            "Consulting agreement between Brightwater Ltd. and Jonas Weber. Either party may terminate "
            "with two weeks notice. The fee of 900 USD is due within 30 days. Liability is limited to "
            "the fees paid."
        ),
        "Brightwater Ltd",
        900,
        "low",
        {
            "term": "two weeks notice",
            "payment": "fee of 900",
            "liability": "is limited to the fees",
        },
    ),
    (
        (
            "Hosting contract between Cloudpeak Inc. and Mira Stone. The contract renews automatically "
            "each year unless notice is given six months before. Payment of 4000 USD is due at once; "
            "late fees are charged every month. Liability is limited to 10000 USD."
        ),
        "Cloudpeak Inc",
        4000,
        "medium",
        {"term": "renews automatically", "payment": "at once", "liability": "limited to 10000 USD"},
    ),
    (
        (
            "Licence agreement between Deep Field AG and Rosa Nkemi.\n"
            "The licence cannot be terminated and lasts forever.\n"
            "The licensee pays 80000 EUR in advance, which is not refundable.\n"
            "The licensee shall indemnify the licensor against all damages without limit.\n"
            "The law of Spain applies."
        ),
        "Deep Field AG",
        80000,
        "high",
        {"term": "lasts forever", "payment": "in advance", "liability": "without limit"},
    ),
]


@pytest.mark.parametrize(("text", "party", "amount", "risk", "quotes"), CONTRACTS)
def test_a_contract_is_read_voted_on_quoted_and_shown_to_a_person_unless_harmless(
    app: App, owner: Any, text: str, party: str, amount: float, risk: str, quotes: dict[str, str]
) -> None:
    api = app.api
    run_id = api.start(api.graph("contract-review")["id"], text)

    if risk != "low":
        asked = api.open_interrupt(run_id)
        assert asked["request"]["data"]["risk_consensus"] == risk
        api.answer(asked, decision="approved")
    brief = api.wait(run_id, "completed")["result"]

    assert brief["risk"] == risk
    assert len(brief["votes"]) == 3
    assert party in brief["parties"]
    assert amount in brief["amounts"]
    assert brief["looked_again"] == {}
    for point, words in quotes.items():
        assert len(brief["quotes"][point]) == 1
        assert words in brief["quotes"][point][0]
        assert brief["quotes"][point][0] in text


def test_a_contract_without_liability_is_read_again_and_never_passes_alone(
    app: App, owner: Any
) -> None:
    text = (
        "Cleaning contract between Sparkle GmbH and Leo Brandt.\n"
        "The price is 300 EUR per month, payable within 14 days.\n"
        "Either party may terminate with 30 days notice.\n"
        "The windows are cleaned twice a year."
    )
    api = app.api
    run_id = api.start(api.graph("contract-review")["id"], text)

    asked = api.open_interrupt(run_id)
    checks = [
        event["output"]["passed"]
        for event in api.events(run_id)
        if event["type"] == "NodeCompleted" and event["node"] == "check"
    ]
    api.answer(asked, decision="approved", edits={"risk_consensus": "medium"})
    brief = api.wait(run_id, "completed")["result"]

    assert checks == [False, True]
    assert asked["request"]["data"]["risk_consensus"] == "low"
    assert brief["risk"] == "medium"
    assert brief["quotes"]["liability"] == []
    assert "30 days notice" in brief["looked_again"]["term_quote"]


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
    (
        "I paid the rent yesterday.\nRemember to lock the door tonight.\nThe train was late.",
        ["remark", "task", "remark"],
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
