"""What is special to a node type, seen on the run page: items, votes, a verdict, a child run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.app import App, model_server
from tests.e2e.conftest import OpenPage, Watch, owner_state
from tests.e2e.documents import agent, line, question, thinker
from tests.e2e.editor import inspector, node, saved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLAN = [
    {"if": "Weigh clause", "replies": [{"json": {"risk": "low"}}]},
    {"if": "garbled", "replies": [{"error": {"status": 400, "message": "unreadable clause"}}]},
    {"if": "Refund or escalate", "replies": [{"json": {"vote": v}} for v in ("refund", "wait")]},
    {"if": "Judge the value", "replies": [{"json": {"score": 0.9, "reasoning": "It is fair."}}]},
]
VOTERS = ("careful", "bold")
JUDGED = {"type": "llm_judge", "target_key": "vote_consensus", "evaluator_agent_id": "judge"}


@pytest.fixture(scope="module")
def panel(
    browser: Browser, app: App, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Any]]:
    """A graph of a map, a vote and a verifier, whose models answer by what they are asked."""
    owner_state(browser, app, Watch())
    with model_server(PLAN, tmp_path_factory.mktemp("panel"), "panel") as address:
        app.accept_models(panel=address)
        yield panel_document()


def panel_document() -> dict[str, Any]:
    """Return the graph: every clause is weighed, two agents vote, a judge verifies."""
    each = {"items_path": "$.input", "worker_node_id": "weigh"}
    weigh = agent("weigh", "clerk", "{{ memory.map_item }}", failure_policy={"max_retries": 0})
    weigh |= {"label": "Weigh", "read_keys": ["map_item"], "position": {"x": 220, "y": 420}}
    reads = ["each_results", "vote_consensus"]
    vote = {"voter_agent_ids": list(VOTERS), "prompt": "Refund or escalate?"}
    nodes: list[dict[str, Any]] = [
        {"id": "each", "type": "map", "label": "Each clause", "config": each},
        {"id": "vote", "type": "voting", "label": "Vote", "config": vote},
        {"id": "check", "type": "verifier", "label": "Check", "config": JUDGED},
    ]
    for entry in nodes:
        entry["read_keys"] = ["input", *reads] if entry["id"] == "each" else reads
    names = ("clerk", "judge", *VOTERS)
    document = line("panel", nodes, agents=[thinker(name, "panel") for name in names])
    document["nodes"].append(weigh)
    return document


def open_node(page: Page, run_id: str, at: str) -> Locator:
    """Show one node of a run and return its panel."""
    page.goto(f"/runs/{run_id}?at={quote(at)}")
    return page.get_by_role("complementary", name="Node")


def test_items_votes_and_verdict_are_seen(panel: dict[str, Any], app: App, signed_in: Page) -> None:
    """C106, C116, C163: Each special result has its view, and an item leads to its child."""
    clauses = ["Weigh clause one.", "garbled", "Weigh clause three."]
    run_id = app.api.start(app.api.make(panel), clauses, draft=True)
    app.api.wait(run_id, "completed")

    side = open_node(signed_in, run_id, "each")
    items = side.get_by_role("list", name="Items").get_by_role("listitem")
    expect(items).to_have_count(3)
    expect(items.nth(1)).to_contain_text("unreadable clause")
    side.get_by_role("group", name="Show only").get_by_role("button", name="failed").click()
    expect(items).to_have_count(1)

    items.get_by_role("button").click()
    expect(side.get_by_role("heading", name="Weigh")).to_be_visible()
    expect(side).to_contain_text("unreadable clause")
    side.get_by_role("button", name="Part of Each clause, item 2").click()
    expect(side.get_by_role("heading", name="Each clause")).to_be_visible()

    side = open_node(signed_in, run_id, "vote")
    votes = side.get_by_role("region", name="Votes")
    expect(votes.get_by_role("list", name="Count").get_by_role("listitem")).to_have_count(2)
    expect(votes.get_by_role("row")).to_have_count(1 + len(VOTERS))

    side = open_node(signed_in, run_id, "check")
    verdict = side.get_by_role("region", name="Verdict")
    expect(verdict).to_contain_text("Passed")
    expect(verdict).to_contain_text("0.9 of at least 0.8")
    expect(verdict).to_contain_text("It is fair.")


def test_the_past_shows_what_was_known_then(
    panel: dict[str, Any], app: App, signed_in: Page
) -> None:
    """C46: At the moment of the first vote there is one vote and no count yet."""
    run_id = app.api.start(app.api.make(panel), ["Weigh clause one."], draft=True)
    app.api.wait(run_id, "completed")
    seq = next(e["seq"] for e in app.api.events(run_id) if e["type"] == "RowShown")

    side = open_node(signed_in, run_id, "vote")
    expect(side.get_by_role("region", name="Votes")).to_contain_text("Consensus")
    signed_in.get_by_role("tab", name="Events").click()
    signed_in.get_by_label("Search the events").fill("RowShown")
    signed_in.get_by_role("button", name=re.compile(f"^{seq} ")).click()

    expect(side.get_by_role("region", name="Votes")).to_contain_text("One voter has answered.")
    expect(side.get_by_role("list", name="Count")).to_have_count(0)


def test_a_child_run_and_its_parent_lead_to_each_other(
    app: App, signed_in: Page, new_page: OpenPage
) -> None:
    """C86: The parent waits with the child, each page leads to the other."""
    child = question("asked-below", "text")
    app.api.make(child, publish=True)
    config = {"subgraph_id": "asked-below"}
    below = {"id": "below", "type": "subgraph", "label": "Ask below", "config": config}
    run_id = app.api.start(app.api.make(line("above", [below])), None, draft=True)
    app.api.wait(run_id, "waiting")

    side = open_node(signed_in, run_id, "below")
    started = side.get_by_role("region", name="Child run")
    expect(started).to_contain_text("Asked below")
    expect(started).to_contain_text("Waiting")
    started.get_by_role("link", name="Open the run").click()
    expect(signed_in.get_by_role("heading", name="Asked below")).to_be_visible()
    expect(signed_in.get_by_text("Waiting · text: Ask")).to_be_visible()

    above = signed_in.get_by_role("link", name="parent run")
    expect(above).to_have_attribute("href", re.compile("at=below"))
    above.click()
    expect(signed_in.get_by_role("heading", name="Above")).to_be_visible()
    expect(side.get_by_role("heading", name="Ask below")).to_be_visible()


def test_a_form_shows_what_counts_for_the_kind_that_is_chosen(app: App, signed_in: Page) -> None:
    """C163: Fields of the other kinds are not in the way, and handles are named."""
    config = {"type": "expression", "expression": "input != null"}
    check = {"id": "check", "type": "verifier", "read_keys": ["input"], "config": config}
    graph = app.api.make(line("checked", [check]))
    signed_in.goto(f"/workflows/{graph}")
    for port in ("pass", "fail"):
        handle = node(signed_in, "check").locator(f'[data-handleid="when:{port}"]')
        expect(handle).to_have_attribute("title", port)

    node(signed_in, "check").click()
    form = inspector(signed_in)
    expect(form.get_by_label("Evaluator", exact=True)).to_have_count(0)
    form.get_by_text("LLM judge", exact=True).click()

    expect(form.get_by_label("Evaluator", exact=True)).to_be_visible()
    expect(form.get_by_role("textbox", name="Expression")).to_have_count(0)
    expect(form.get_by_text("This is required.").first).to_be_visible()
    saved(signed_in)
    assert app.api.get(f"graphs/{graph}/")["document"]["nodes"][0]["config"] == {
        "type": "llm_judge"
    }
