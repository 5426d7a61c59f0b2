"""The gallery as a person uses it, and every template on a real server."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.e2e.editor import run_panel

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WAITS = {"approval": "approval", "form": "form"}
OFFLINE = {"http"}
"""Its example is on the network."""


def open_gallery(page: Page) -> Any:
    """Open the gallery and return its dialog."""
    page.goto("/workflows")
    page.get_by_role("button", name="Templates").click()
    return page.get_by_role("dialog", name="New workflow")


def test_a_template_is_found_looked_at_and_run_with_the_keyboard(signed_in: Page) -> None:
    page = signed_in
    gallery = open_gallery(page)
    search = gallery.get_by_label("Search templates")
    expect(gallery.get_by_role("button", name=re.compile("^Routing"))).to_be_visible()

    search.fill("voting")
    search.press("ArrowDown")
    page.keyboard.press("Enter")
    preview = gallery.get_by_role("region", name="Vote on a bug report")
    expect(preview).to_contain_text("Runs on the built-in model")
    page.keyboard.press("Escape")
    expect(gallery.get_by_role("button", name=re.compile("^Voting"))).to_be_focused()
    page.keyboard.press("Enter")
    preview.get_by_role("button", name="Run the sample").click()

    expect(page).to_have_url(re.compile(r"/runs/"))
    run = page.get_by_role("complementary", name="Run")
    expect(run).to_contain_text("reach: high")


def test_a_template_is_used_and_its_test_run_begins_with_the_sample(signed_in: Page) -> None:
    page = signed_in
    gallery = open_gallery(page)
    gallery.get_by_text("Teams", exact=True).click()
    gallery.get_by_role("button", name=re.compile("^Supervisor")).click()
    gallery.get_by_role("button", name="Use this").click()
    expect(page).to_have_url(re.compile(r"/workflows/"))

    page.get_by_role("button", name="Test run").click()
    panel = run_panel(page)
    box = panel.get_by_role("textbox", name="Input")
    expect(box).to_have_value(re.compile("forgot my password"))
    panel.get_by_role("button", name="Run", exact=True).click()

    expect(panel.get_by_role("tabpanel", name="Live")).to_contain_text("choose Forgot password")


def test_a_document_is_pasted_and_every_problem_is_listed(signed_in: Page, watch: Any) -> None:
    watch.expect("status of 422")
    page = signed_in
    page.goto("/workflows")
    expect(page.get_by_role("heading", name="Workflows", level=1)).to_be_visible()
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.setData('text', text);
            document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true}));
        }""",
        "id: pasted\nnodes:\n  - {id: a}\n  - {id: b, type: output, colour: red}\n",
    )
    dialog = page.get_by_role("dialog", name="New workflow")
    field = dialog.get_by_role("textbox", name="Document")
    expect(field).to_have_value(re.compile("id: pasted"))
    dialog.get_by_role("button", name="Import").click()

    problems = dialog.get_by_role("alert")
    expect(problems).to_contain_text("There are 2 problems in the document")
    expect(problems.get_by_role("listitem")).to_have_text(
        [re.compile(r"^nodes\[0\]\.type"), re.compile(r"^nodes\[1\]\.colour")]
    )
    field.fill("id: pasted\nnodes:\n  - {id: b, type: output}\n")
    expect(problems).to_have_count(0)
    dialog.get_by_role("button", name="Import").click()
    expect(page).to_have_url(re.compile(r"/workflows/"))


def test_every_template_that_says_so_runs_on_the_built_in_model(app: App, owner: Any) -> None:
    api = app.api
    started: dict[str, str] = {}
    for template in api.get("graph-templates/")["results"]:
        graph = api.post("graphs/", {"template": template["id"]})
        assert graph["problems"] == [], template["id"]
        if template["needs"] == "builtin" and template["id"] not in OFFLINE:
            started[template["id"]] = api.start(graph["id"], template["examples"][0], draft=True)

    assert len(started) >= 15
    for name, run_id in started.items():
        if name in WAITS:
            assert api.open_interrupt(run_id)["kind"] == WAITS[name]
        else:
            assert api.wait(run_id, "completed")["result"] is not None
