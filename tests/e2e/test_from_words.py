"""From words: a workflow is drafted, taken in part, changed by words, taken back by one undo."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, model_server, served
from tests.e2e.editor import node, nodes, saved
from tests.e2e.test_pages import AT_ONCE, AXE, look_in_both

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NEW: dict[str, Any] = {
    "summary": "Drafts a reply to each mail and lets a person approve it before it is sent.",
    "document": {
        "name": "Answer mails",
        "interface": {
            "inputs": {"type": "object", "properties": {"mail": {"type": "string"}}},
        },
        "agents": [{"id": "writer", "system_prompt": "You write short, friendly replies."}],
        "nodes": [
            {
                "id": "reply",
                "type": "agent",
                "label": "Write a reply",
                "human_description": "Drafts the answer to the mail.",
                "read_keys": ["input.mail"],
                "config": {"agent_id": "writer", "prompt": "Answer: {{ input.mail }}"},
            },
            {
                "id": "send",
                "type": "http_request",
                "label": "Send it",
                "human_description": "Hands the reply to the mail service.",
                "read_keys": ["outputs.reply"],
                "config": {"method": "POST", "url": "https://mail.example.com/send"},
            },
        ],
        "edges": [
            {"source": "__start__", "target": "reply"},
            {"source": "reply", "target": "send"},
        ],
    },
}
CHANGE = {
    "summary": "Puts an approval before the mail is sent.",
    "set_nodes": [
        {
            "id": "look",
            "type": "approval",
            "label": "Look at the reply",
            "human_description": "A person reads the reply.",
        }
    ],
    "set_edges": [{"id": "e2", "target": "look"}, {"source": "look", "target": "send"}],
}
PLAN = [
    {"if": "Let Rita read it", "replies": [{"json": CHANGE}]},
    {"if": "Answer my mails", "replies": [{"json": {"document": {"nodes": []}}}, {"json": NEW}]},
]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[App]:
    """A server of its own: no other test connected a model."""
    with served(tmp_path_factory.mktemp("words"), sqlite_template) as running:
        yield running


def test_a_workflow_is_described_taken_changed_and_taken_back(
    app: App, signed_in: Page, tmp_path: Path
) -> None:
    page = signed_in
    page.context.add_init_script(path=AXE)
    page.goto("/workflows")
    page.evaluate(AT_ONCE)
    page.get_by_role("button", name="New workflow").click()
    page.get_by_role("tab", name="Describe it").click()
    dialog = page.get_by_role("dialog", name="New workflow")
    expect(dialog.get_by_text("No model here can write a workflow")).to_be_visible()
    assert look_in_both(page, "describe-no-model") == []

    with model_server(PLAN, tmp_path, "writer") as address:
        app.accept_models(writer=address)
        page.goto("/workflows")
        page.evaluate(AT_ONCE)
        page.get_by_role("button", name="New workflow").click()
        page.get_by_role("tab", name="Describe it").click()
        dialog.get_by_label("What should it do?").fill("Answer my mails")
        expect(dialog.get_by_text("Costs nothing")).to_be_visible()
        assert look_in_both(page, "describe-form") == []
        dialog.get_by_role("button", name="Draft it").click()
        parts = dialog.get_by_role("list", name="Parts of the draft")
        send = parts.locator('[data-part="node:send"]')
        expect(send).to_contain_text("mail.example.com")
        assert look_in_both(page, "describe-review") == []
        expect(nodes(page)).to_have_count(2)
        dialog.get_by_role("button", name="Make it").click()
        page.wait_for_url(re.compile("/workflows/.+"))
        expect(dialog).to_have_count(0)
        expect(nodes(page)).to_have_count(2)

        page.keyboard.press("w")
        drawer = page.get_by_role("dialog", name="Describe a change")
        expect(drawer.get_by_label("What should change?")).to_be_focused()
        page.keyboard.insert_text("Let Rita read it")
        drawer.get_by_role("button", name="Draft the change").click()
        parts = drawer.get_by_role("list", name="Parts of the draft")
        wire = parts.get_by_role("checkbox", name=re.compile("^Look at the reply → Send it"))
        step = parts.get_by_role("checkbox", name=re.compile("^Look at the reply node"))
        step.uncheck()
        expect(wire).not_to_be_checked()
        wire.check()
        expect(step).to_be_checked()
        assert look_in_both(page, "describe-change") == []
        parts.get_by_role("checkbox", name=re.compile("^Write a reply → Look")).check()
        drawer.get_by_role("button", name="Accept").click()
        expect(node(page, "look")).to_be_visible()
        saved(page)
        assert look_in_both(page, "describe-taken") == []
        page.keyboard.press("Control+z")
        expect(nodes(page)).to_have_count(2)
        saved(page)

    [graph] = app.api.get("graphs/?search=answer-mails")["results"]
    assert graph["published"] is None
    said = [entry for entry in app.api.get("audit/?limit=20")["results"]]
    assert [entry["action"] for entry in said if entry["action"].startswith("draft.")] == [
        "draft.taken",
        "draft.described",
        "draft.taken",
        "draft.described",
    ], json.dumps(said)
