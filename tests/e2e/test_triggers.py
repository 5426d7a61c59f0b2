"""Triggers on their page and before the start: made, called as senders sign, repeated, switched."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect
from standardwebhooks.webhooks import Webhook

from tests.e2e.app import App
from tests.e2e.documents import line

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def called(address: str, secret: str, name: str, body: str) -> int:
    """Return the status that a signed call is answered with."""
    return told(address, secret, name, body)[0]


def told(address: str, secret: str, name: str, body: str) -> tuple[int, Any]:
    """Return the status that a signed call is answered with, and what it says."""
    now = datetime.now(UTC)
    headers = {
        "Content-Type": "application/json",
        "webhook-id": name,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign(name, now, body),
    }
    try:
        with urlopen(Request(address, body.encode(), headers)) as answer:
            return int(answer.status), json.load(answer)
    except HTTPError as refused:
        return refused.code, None


def newest(app: App, graph: str) -> list[Any]:
    """Return the newest run of a workflow."""
    found = app.api.get(f"runs/?graph={graph}&limit=1")["results"]
    return [app.api.get(f"runs/{run['id']}/") for run in found]


def test_what_a_trigger_may_spend_is_set_for_what_it_starts(app: App, signed_in: Page) -> None:
    page = signed_in
    wait = {"id": "wait", "type": "delay", "label": "Wait", "config": {"duration_ms": 1}}
    graph = app.api.make(line("metered", [wait]), publish=True)
    made = app.api.post(f"graphs/{graph}/triggers/", {"kind": "webhook", "name": "Flood"})
    page.goto("/settings/budgets")
    page.get_by_role("button", name="New budget").click()
    form = page.get_by_role("dialog", name="New budget")
    form.get_by_role("combobox", name="Limits").click()
    page.get_by_role("option", name="Metered").click()
    form.get_by_role("combobox", name="Of its runs").click()
    page.get_by_role("option", name="Those that Flood starts").click()
    form.get_by_label("USD").fill("2.50")
    form.get_by_role("button", name="Save").click()

    row = page.get_by_role("list", name="Budgets").get_by_role("listitem").filter(has_text="Flood")
    expect(row).to_contain_text("Metered, started by Flood")
    expect(row).to_contain_text("$2.50")
    budgets = app.api.get("budgets/")["results"]
    assert made["id"] in [(one["trigger"] or {}).get("id") for one in budgets]
    row.get_by_role("link", name="Metered, started by Flood").click()
    expect(page).to_have_url(re.compile(f"{graph}/triggers"))
    page.go_back()
    row.get_by_role("button", name="Delete the budget of Metered, started by Flood").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)


def test_a_webhook_is_made_and_called_and_tells_what_came(app: App, signed_in: Page) -> None:
    page = signed_in
    wait = {"id": "wait", "type": "delay", "label": "Wait", "config": {"duration_ms": 1}}
    graph = app.api.make(line("hooked", [wait]), publish=True)
    page.goto("/workflows")
    page.get_by_role("button", name="More for Hooked").click()
    page.get_by_role("menuitem", name="Triggers").click()
    expect(page).to_have_url(re.compile(f"{graph}/triggers"))

    page.get_by_role("button", name="Add a webhook").click()
    asked = page.get_by_role("dialog", name="New webhook")
    asked.get_by_label("Name").fill("Orders")
    asked.get_by_role("button", name="Add and switch on").click()
    card = page.get_by_role("list", name="Triggers").get_by_role("listitem").first
    secret = card.get_by_role("textbox", name="Secret").input_value()
    address = card.get_by_role("textbox", name="Address").input_value()
    card.get_by_role("button", name="Add a field").click()
    card.get_by_label("Field", exact=True).fill("order")
    card.get_by_label("Expression of order").fill("body.id")
    card.get_by_role("button", name="Save the fields").click()
    expect(card.get_by_role("button", name="Save the fields")).to_have_count(0)

    assert called(address, secret, "msg_1", '{"id": 7}') == 202
    assert called(address, secret, "msg_1", '{"id": 7}') == 200
    came = card.get_by_role("list", name="What came in at Orders")
    expect(came).to_contain_text("Started, came 1 more time")
    came.get_by_role("button", name="Again").click()
    expect(came.get_by_role("link", name="Open the run")).to_have_count(2)
    last = card.get_by_label("The last that came in")
    expect(last).to_have_value(re.compile('"id": 7'))
    last.fill('{"id": ')
    expect(card.get_by_text("This is no JSON")).to_be_visible()
    last.fill('{"id": 11}')
    card.get_by_role("button", name="Test: start a run with it").click()
    expect(came.get_by_role("link", name="Open the run")).to_have_count(3)
    assert [run["input"] for run in newest(app, graph)] == [{"order": 11}]

    card.get_by_role("switch", name="Orders is on").press("Space")
    expect(card.get_by_text("Off", exact=True)).to_be_visible()
    assert called(address, secret, "msg_2", '{"id": 8}') == 404

    page.get_by_role("link", name="Open the workflow").click()
    page.get_by_role("button", name="Orders, webhook, off, last started a run").press("Enter")
    panel = page.get_by_role("dialog", name="Trigger")
    panel.get_by_role("switch", name="Orders is on").press("Space")
    expect(panel.get_by_text("On", exact=True)).to_be_visible()
    panel.get_by_role("combobox", name="The caller is answered").click()
    page.get_by_role("option", name="within 25 seconds").click()
    expect(panel.get_by_text("Many senders give up")).to_be_visible()
    status, said = told(address, secret, "msg_3", '{"id": 9}')
    assert (status, said["status"], said["error"]) == (200, "completed", None)
    panel.press("Escape")
    page.get_by_role("button", name="Orders, webhook, on").click()
    panel.get_by_role("link", name="Open the run").last.click()
    expect(page.get_by_role("link", name="Started by the webhook “Orders”")).to_be_visible()


def test_an_event_of_another_workflow_starts_one_and_leads_back(app: App, signed_in: Page) -> None:
    page = signed_in
    wait = {"id": "wait", "type": "delay", "label": "Wait", "config": {"duration_ms": 1}}
    first = app.api.make(line("imported", [wait]), publish=True)
    graph = app.api.make(line("follows", [wait]), publish=True)
    page.goto(f"/workflows/{graph}/triggers")
    page.get_by_role("button", name="Add an event").click()
    asked = page.get_by_role("dialog", name="New event")
    asked.get_by_label("Name").fill("After the import")
    asked.get_by_role("combobox", name="It starts when").click()
    page.get_by_role("option", name="A run ended well").click()
    asked.get_by_role("combobox", name="It starts when").press("Escape")
    asked.get_by_role("combobox", name="Where").click()
    page.get_by_role("option", name="Imported").click()
    asked.get_by_role("button", name="Add and switch on").click()
    card = page.get_by_role("list", name="Triggers").get_by_role("listitem").first
    expect(card).to_contain_text("Event of “Imported”: A run failed, or: A run ended well")

    app.api.post(f"graphs/{first}/runs/", {"input": {}})
    came = card.get_by_role("list", name="What came in at After the import")
    expect(came).to_contain_text("A run ended well. Started", timeout=15_000)
    came.get_by_role("link", name="Open the run").click()
    expect(page.get_by_text("the event trigger “After the import”").first).to_be_visible()
    page.get_by_role("link", name="after another run").click()
    expect(page.get_by_role("heading", name="Imported")).to_be_visible()
