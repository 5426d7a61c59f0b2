"""An agent's call that people decide on: through `kill -9`, and as author and reviewer see it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, model_server
from tests.e2e.conftest import Watch
from tests.e2e.documents import agent, line
from tests.e2e.model import fake_model
from tests.e2e.server import lines, serving, wait_until
from tests.e2e.test_kill import add_graph, ready

pytestmark = pytest.mark.slow


def plan(*calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the model says: it wants these calls, and then is done."""
    return [{"tool_calls": [{"name": n, "arguments": a} for n, a in calls]}, {"text": "Done."}]


def test_a_killed_server_sends_an_edited_and_approved_call_once(
    tmp_path: Path, sqlite_template: Path
) -> None:
    """I5, I7: the model is paid once for wanting it, and the tool sees only what was approved."""
    wanted = plan(("ship", {"order": "250"}), ("pay", {"order": "9"}))
    with (
        fake_model(tmp_path, 10, wanted) as model,
        serving(tmp_path, template=sqlite_template, GRAPHWRIGHT_TEST_SECONDS="60") as server,
    ):
        client = ready(server, model)
        rules = {"ship": {"when": "always", "editable": ["order"]}, "pay": {"when": "first"}}
        refunder = {"id": "x", "model": "fake/fake-small", "tools": ["ship", "pay"], "ask": rules}
        graph = add_graph(client, line("refunds", [agent("buy", "x")], agents=[refunder]))
        run_id = client.start_run(graph, {"input": "go"})
        client.wait_for_interrupt(run_id, "approval")
        server.kill()

        server.start()
        items = client.get(f"/api/interrupts/?state=open&run={run_id}")["results"]
        ship, pay = sorted(items, key=lambda item: item["request"]["tool"], reverse=True)
        client.answer(pay, "rejected", comment="not today")
        client.answer(ship, "approved", edits={"order": "200"})
        wait_until(lambda: lines(server.world / "ship.done"), "the call under way")
        server.kill()

        server.environ["GRAPHWRIGHT_TEST_SECONDS"] = "0"
        server.start()
        run = client.wait_ended(run_id)

        assert run["status"] == "completed", run["error"]
        assert [fact["order"] for fact in lines(server.world / "ship.done")] == ["200"]
        assert {fact["order"] for fact in lines(server.world / "ship.sent")} == {"200"}
        assert lines(server.world / "pay.sent") == []
        first, second = (call["request"]["messages"] for call in model.charged)
        assert not any(message["role"] == "tool" for message in first)
        read = [message["content"] for message in second if message["role"] == "tool"]
        assert read[1].startswith("refused by ")
        assert read[1].endswith(": not today")


@pytest.mark.browser
@pytest.mark.usefixtures("empty_inbox")
def test_an_author_says_when_and_a_reviewer_edits_the_call(
    app: App, signed_in: Page, watch: Watch, tmp_path: Path
) -> None:
    page = signed_in
    wanted = plan(("calculate", {"expression": "250 + 1"}))
    helper = {"id": "helper", "model": "teller/fake-small", "tools": ["calculate"]}
    document = line("asked-calls", [agent("buy", "helper", label="Refund it")], agents=[helper])
    with model_server(wanted, tmp_path, "teller") as address:
        app.accept_models(teller=address)
        graph = app.api.make(document)
        page.goto(f"/workflows/{graph}")
        page.locator('.react-flow__node[data-id="buy"]').click()
        rules = page.get_by_role("group", name="Ask a person before")
        rules.get_by_label("Ask before calculate").select_option("always")
        editable = rules.get_by_role("combobox", name="What they may edit")
        editable.fill("expression")
        editable.press("Enter")
        expect(page.get_by_text("Saved", exact=True)).to_be_visible()

        run = app.api.start(graph, "go", draft=True)
        item = app.api.open_interrupt(run)
        page.goto(f"/inbox/{item['request_id']}")
        expect(page.get_by_role("heading", level=2)).to_have_text(
            "helper wants to use “calculate”, which only looks something up"
        )
        expect(page.get_by_label("What will happen")).to_contain_text("250 + 1")
        page.get_by_role("button", name="Edit").click()
        page.get_by_label("Expression").fill("200 + 1")
        page.get_by_role("button", name="Approve with 1 edit").click()

        app.api.wait(run, "completed")
    told = [event for event in app.api.events(run) if event["type"] == "StepCompleted"]
    assert [event["result"] for event in told if event.get("tool")] == [201]
    assert app.api.run(run)["status"] == "completed"
