"""From an empty folder, by screen alone: a model, an API, a channel, a webhook, a firm's sign-in, a call.

A webhook signed as GitHub does starts a run. Its agent wants to refund; people hear of it in a
Slack-style receiver, whose link decides nothing. Somebody of the firm edits the amount down and
approves, and the API is asked once, for the edited amount.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.builder.api.sign_in.firm import Firm, firm
from tests.builder.doors.telling.receiver import Receiver, receiving
from tests.e2e.app import looked, model_server, served, wait_until
from tests.e2e.conftest import Watch, open_context, set_up_owner
from tests.e2e.editor import inspector, quick_add, saved
from tests.e2e.test_draw import blank
from tests.engine.integrations.tools.openapi.shop import Recorder, recorded, text_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WANTED: list[dict[str, Any]] = [
    {"tool_calls": [{"name": "create_order", "arguments": {"body": {"amount": 250}}}]},
    {"text": "Refunded."},
]


@pytest.fixture
def others() -> Iterator[tuple[Firm, Receiver, Recorder]]:
    """Whoever is on the other side: a firm's provider, a chat room, an API."""
    with firm() as acme, receiving() as room, recorded() as shop:
        yield acme, room, shop


def add_model(page: Page, address: str) -> None:
    page.goto("/settings/models")
    page.get_by_role("button", name="Add a server").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Address", exact=True).fill(address.removesuffix("/v1"))
    dialog.get_by_role("button", name="Find models").click()
    dialog.get_by_label("Accept exactly this address").check()
    dialog.get_by_role("button", name="Find models").click()
    expect(page.get_by_text("2 models: fake-small, fake-large")).to_be_visible()
    dialog.get_by_role("button", name="Add", exact=True).click()
    model = page.get_by_role("list", name="Models").get_by_role("listitem")
    model = model.filter(has_text="my-server/fake-small")
    model.get_by_role("button", name="Make default").click()
    servers = page.get_by_role("list", name="Providers").get_by_role("listitem")
    expect(servers.filter(has_text="my-server")).to_contain_text("default")


def add_api(page: Page, address: str) -> None:
    page.goto("/settings/tools")
    page.get_by_role("button", name="Add a source").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("API with a document").click()
    dialog.get_by_label("Name").fill("shop")
    dialog.get_by_label("Or paste it").fill(text_of())
    dialog.get_by_role("button", name="Read the document").click()
    calls = dialog.get_by_role("list", name="Calls of the API")
    calls.get_by_role("checkbox", name="create_order").press("Space")
    dialog.get_by_label("Server").fill(address)
    dialog.get_by_role("button", name="Use 1 as a tool").click()
    expect(page.get_by_role("region", name="shop")).to_contain_text("accepted")


def add_channel(page: Page, address: str) -> None:
    page.goto("/settings/channels")
    page.get_by_role("button", name="Add a channel").click()
    asked = page.get_by_role("dialog", name="New channel")
    asked.get_by_label("Name").fill("Slack #ops")
    asked.get_by_label("Address of the incoming webhook").fill(f"{address}/ops")
    asked.get_by_role("button", name="Add").click()
    page.get_by_role("button", name="Test Slack #ops").click()
    expect(page.get_by_role("switch", name="Slack #ops is on")).to_be_visible()
    page.get_by_role("button", name="Add a rule").click()
    asked = page.get_by_role("dialog", name="New rule")
    asked.get_by_label("An approval waits").check()
    asked.get_by_role("button", name="Add").click()
    expect(page.get_by_role("list", name="Rules")).to_contain_text("Approval waits → Slack #ops")


def add_firm(page: Page, acme: Firm) -> None:
    page.goto("/settings/sign-in")
    page.get_by_role("button", name="Add a provider").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Acme")
    dialog.get_by_label("Issuer").fill(acme.issuer)
    dialog.get_by_label("Client ID").fill("graphwright")
    dialog.get_by_label("Client secret").fill("hush")
    dialog.get_by_role("button", name="Add a group").click()
    dialog.get_by_role("textbox", name="Group 1", exact=True).fill("finance")
    dialog.get_by_label("Role of group 1").click()
    page.get_by_role("option", name="Reviewer").click()
    dialog.get_by_role("button", name="Add it").click()
    expect(page.get_by_role("list", name="Providers")).to_contain_text("Acme")


def draw(page: Page) -> None:
    """Draw an agent that may refund, after people were asked each time; publish it."""
    blank(page, "Refunds")
    quick_add(page, "agent")
    panel = inspector(page)
    panel.get_by_role("combobox", name="Tools").click()
    page.get_by_role("option", name=re.compile("create_order")).click()
    page.keyboard.press("Escape")
    rules = panel.get_by_role("group", name="Ask a person before")
    rules.get_by_label(re.compile("^Ask before .*create_order")).select_option("always")
    editable = rules.get_by_role("combobox", name="What they may edit")
    editable.fill("body")
    editable.press("Enter")
    saved(page)
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Publish")).click()
    expect(page.get_by_text("v1 live")).to_be_visible()


def add_webhook(page: Page) -> tuple[str, str]:
    """Add a webhook that GitHub calls; return its address and its secret."""
    page.goto(re.sub("/workflows/([^/]+).*", r"/workflows/\1/triggers", page.url))
    page.get_by_role("button", name="Add a webhook").click()
    asked = page.get_by_role("dialog", name="New webhook")
    asked.get_by_label("Name").fill("Issues")
    asked.get_by_role("combobox", name="Who calls it").click()
    page.get_by_role("option", name="GitHub").click()
    asked.get_by_role("button", name="Add and switch on").click()
    card = page.get_by_role("list", name="Triggers").get_by_role("listitem").first
    address = card.get_by_role("textbox", name="Address").input_value()
    return address, card.get_by_role("textbox", name="Secret").input_value()


def sent_as_github(address: str, secret: str, body: bytes) -> int:
    """Return the status that a delivery is answered with, signed and named as GitHub does."""
    signed = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    headers = {
        "Content-Type": "application/json",
        "X-GitHub-Delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
        "X-GitHub-Event": "issues",
        "X-Hub-Signature-256": f"sha256={signed}",
    }
    with urlopen(Request(address, body, headers)) as answer:
        return int(answer.status)


def test_a_new_users_refund_goes_through_every_door(
    browser: Browser, tmp_path: Path, others: tuple[Firm, Receiver, Recorder]
) -> None:
    acme, room, shop = others
    watch = Watch()
    acme.knows("u1", email="fay@acme.example", name="Fay Firm", groups=["finance"])
    allowed = f"{acme.issuer},{room.address},{shop.url}"
    with (
        served(tmp_path, EGRESS_ALLOW=allowed) as app,
        model_server(WANTED, tmp_path, "new") as address,
    ):
        watch.expect("status of (401|403|422) |net::ERR|favicon")
        page = open_context(browser, app, watch).new_page()
        set_up_owner(page)
        add_model(page, address)
        add_api(page, shop.url)
        add_channel(page, room.address)
        add_firm(page, acme)
        draw(page)
        hook, secret = add_webhook(page)

        body = b'{"action": "opened", "issue": {"title": "Please refund"}}'
        assert sent_as_github(hook, secret, body) == 202
        wait_until(lambda: len(room.came) == 2, "the word of the approval")
        said = room.came[1].json["text"]
        link = re.search(r"<(http[^|]+)\|", said)
        assert link is not None, said

        fay = open_context(browser, app, watch).new_page()
        fay.goto(link[1])
        fay.get_by_role("button", name="Continue with Acme").click()
        fay.get_by_placeholder("sub").fill("u1")
        fay.get_by_role("button", name=re.compile("^Authorize")).click()
        item = fay.locator("article[data-request]")
        expect(item).to_be_visible()
        expect(item.get_by_role("heading", level=2)).to_contain_text("create_order")
        assert shop.calls == []

        looked(item)
        item.get_by_role("button", name="Edit").click()
        fay.get_by_role("group", name="Body").get_by_label("Amount").fill("200")
        item.get_by_role("button", name="Approve with 1 edit").click()
        expect(item).to_contain_text("Fay Firm approved this")

        wait_until(lambda: shop.calls, "the refund")
        page.get_by_role("link", name="Open the run").click()
        header = page.locator("header").filter(has=page.get_by_role("heading", level=1))
        expect(header).to_contain_text("Completed")
        assert [call["body"] for call in shop.calls] == ['{"amount":200}']
        assert sent_as_github(hook, secret, body) == 200
        assert len(app.api.get("runs/")["results"]) == 1
        assert watch.unexpected() == []
