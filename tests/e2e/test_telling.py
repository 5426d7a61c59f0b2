"""An approval arrives in a Slack-style receiver; its link opens the item and by itself decides nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.builder.doors.telling.receiver import Receiver, receiving
from tests.e2e.app import App, served, wait_until
from tests.e2e.documents import line

pytestmark = [pytest.mark.browser, pytest.mark.slow]
REFUNDS = line("refunds", [{"id": "ok", "type": "approval", "label": "Approve the refund"}])


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with receiving() as server:
        yield server


@pytest.fixture(scope="module")
def app(
    tmp_path_factory: pytest.TempPathFactory, receiver: Receiver, sqlite_template: Path
) -> Iterator[App]:
    """A server whose operator allows the receiver."""
    place = tmp_path_factory.mktemp("told")
    with served(place, sqlite_template, EGRESS_ALLOW=receiver.address) as running:
        yield running


def test_an_approval_is_told_and_its_link_decides_nothing(
    app: App, signed_in: Page, receiver: Receiver
) -> None:
    page, api = signed_in, app.api
    page.goto("/settings/channels")
    page.get_by_role("button", name="Add a channel").click()
    asked = page.get_by_role("dialog", name="New channel")
    asked.get_by_label("Name").fill("Slack #ops")
    asked.get_by_label("Address of the incoming webhook").fill(f"{receiver.address}/ops")
    asked.get_by_role("button", name="Add").click()
    row = page.get_by_role("list", name="Channels").get_by_role("listitem")
    expect(row).to_contain_text("Waits for a test")
    page.get_by_role("button", name="Test Slack #ops").click()
    expect(page.get_by_role("switch", name="Slack #ops is on")).to_be_visible()
    page.get_by_role("button", name="Add a rule").click()
    asked = page.get_by_role("dialog", name="New rule")
    asked.get_by_label("An approval waits").check()
    asked.get_by_role("button", name="Add").click()
    line_of_rule = "Approval waits → Slack #ops at once"
    expect(page.get_by_role("list", name="Rules")).to_contain_text(line_of_rule)

    run = api.start(api.make(REFUNDS, publish=True), "40 euros")
    item = api.open_interrupt(run)
    wait_until(lambda: len(receiver.came) == 2, "the word of the approval")
    said = receiver.came[1].json["text"]
    assert said.startswith("“Approve the refund” of “Refunds” waits for a decision")
    link = re.search(r"<(http[^|]+)\|", said)
    assert link is not None

    page.goto(link[1])
    expect(page.locator(f"article[data-request='{item['request_id']}']")).to_be_visible()
    assert api.run(run)["status"] == "waiting"
    page.goto("/settings/channels")
    told_list = page.get_by_role("list", name="What was told")
    expect(told_list).to_contain_text("Sent, answered 200")
    told_list.get_by_role("button", name="Again").click()
    wait_until(lambda: len(receiver.came) == 3, "the same once more")
    assert receiver.came[2].json == receiver.came[1].json

    page.get_by_role("button", name="Change Slack #ops").click()
    form = page.get_by_role("dialog", name="Change Slack #ops")
    form.get_by_role("switch", name="Quiet hours").press("Space")
    form.get_by_label("From").fill("00:00")
    form.get_by_label("Until").fill("23:59")
    form.get_by_role("button", name="Save").click()
    expect(row).to_contain_text("quiet 00:00–23:59")
    other = api.start(api.graph("refunds")["id"], "50 euros")
    held = told_list.locator('[data-state="waiting"]')
    expect(held).to_contain_text("due ")
    assert len(receiver.came) == 3

    page.get_by_role("button", name=re.compile("^Change: Approval waits")).click()
    form = page.get_by_role("dialog", name="Change the rule")
    form.get_by_role("combobox", name="When").click()
    page.get_by_role("option", name="Once a day, as one message").click()
    form.get_by_label("At, in UTC").fill("07:30")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_role("list", name="Rules")).to_contain_text("Slack #ops daily at 07:30")
    held.get_by_role("button", name="Again").click()
    wait_until(lambda: len(receiver.came) == 4, "what a person sends at once")
    assert api.run(other)["status"] == "waiting"
