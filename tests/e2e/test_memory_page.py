"""The memory page, as a person uses it: what a run learned is found, corrected and forgotten."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App
from tests.e2e.conftest import OpenPage

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GRAPH = {
    "graphwright": 1,
    "id": "night-school",
    "name": "Night school",
    "nodes": [
        {
            "id": "learn",
            "type": "reflection",
            "read_keys": ["notes", "who"],
            "config": {
                "source_keys": ["notes"],
                "extractor": {"type": "rule_based"},
                "tags": ["lesson"],
                "entity_keys": ["who"],
            },
        }
    ],
    "edges": [{"id": "a", "source": "__start__", "target": "learn"}],
}
NOTES = "The login page rejects long passwords. Parcels to Norway take nine days."


@pytest.fixture
def learned(app: App, owner: Any) -> str:
    """The id of a run that learned two facts; they are there once a server."""
    api = app.api
    known = [g for g in api.get("graphs/?search=night-school")["results"]]
    graph = known[0] if known else api.post("graphs/", {"document": GRAPH})
    memory = {"notes": NOTES, "who": ["ACME", "Norway"]}
    run: str = api.post(f"graphs/{graph['id']}/runs/", {"draft": True, "memory": memory})["id"]
    api.wait(run, "completed")
    return run


def facts_of(page: Page) -> Any:
    return page.get_by_role("list", name="Facts").get_by_role("listitem")


def test_what_a_run_learned_is_found_in_other_words_and_corrected(
    learned: str, signed_in: Page
) -> None:
    """C173, C177: Facts carry their tags in the memory browser and say where they are from."""
    page = signed_in
    page.goto(f"/memory?run={learned}")
    expect(facts_of(page)).to_have_count(2)
    expect(facts_of(page).first).to_contain_text("lesson")

    page.keyboard.press("/")
    page.keyboard.type("how long does shipping take")
    expect(page).to_have_url(re.compile("search=how"))
    expect(facts_of(page).first).to_contain_text("Parcels to Norway")

    page.keyboard.press("Tab")
    facts_of(page).first.get_by_role("link").click()
    panel = page.get_by_role("complementary", name="Fact")
    expect(panel.get_by_role("link", name="Open the run")).to_have_attribute(
        "href", f"/runs/{learned}"
    )
    expect(panel.get_by_role("link", name="Night school")).to_be_visible()
    expect(panel.get_by_role("region", name="About")).to_contain_text("ACME")

    panel.get_by_role("heading", name="Fact").click()
    page.keyboard.press("e")
    box = panel.get_by_label("Fact", exact=True)
    expect(box).to_be_focused()
    box.fill("Parcels to Norway take ten days.")
    page.keyboard.press("Control+Enter")
    expect(panel.get_by_role("region", name="Said before")).to_contain_text("take nine days")
    expect(panel.get_by_role("region", name="Where it is from")).to_contain_text(
        "Corrected by Ada Owner"
    )
    expect(facts_of(page).filter(has_text="ten days")).to_have_count(1)


def test_a_fact_is_written_found_by_its_entity_and_forgotten(
    app: App, learned: str, signed_in: Page
) -> None:
    page = signed_in
    page.goto("/memory")
    expect(facts_of(page).first).to_be_visible()
    page.keyboard.press("n")
    form = page.get_by_role("form", name="Write a fact")
    form.get_by_label("Fact", exact=True).fill("Zoe repairs the old clock.")
    form.get_by_label("Tags").fill("hobby")
    page.keyboard.press("Enter")
    form.get_by_label("About").fill("Zoe")
    page.keyboard.press("Enter")
    form.get_by_role("button", name="Save").click()

    panel = page.get_by_role("complementary", name="Fact")
    expect(panel).to_contain_text("Written by Ada Owner")
    panel.get_by_role("button", name="Zoe").click()
    expect(facts_of(page)).to_have_count(1)
    expect(page).to_have_url(re.compile("entity=Zoe"))

    panel.get_by_role("button", name="Forget").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("This cannot be undone")
    expect(dialog).to_contain_text("Logs of finished runs keep what they showed")
    dialog.get_by_role("button", name="Cancel").click()
    expect(panel).to_be_visible()
    panel.get_by_role("button", name="Forget").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget").click()
    expect(panel).to_have_count(0)
    expect(page.get_by_role("heading", name="No fact matches")).to_be_visible()
    page.get_by_role("button", name="Clear the filters").click()
    expect(facts_of(page).filter(has_text="Parcels").first).to_be_visible()
    assert app.api.get("facts/?search=clock&tag=hobby")["results"] == []
    assert app.api.get("entities/?search=zoe")["results"] == []


def test_the_list_is_walked_with_the_keyboard(learned: str, signed_in: Page) -> None:
    page = signed_in
    page.goto(f"/memory?run={learned}")
    expect(facts_of(page)).to_have_count(2)

    page.keyboard.press("j")
    expect(facts_of(page).nth(0).locator("[aria-current]")).to_be_visible()
    page.keyboard.press("j")
    expect(facts_of(page).nth(1).locator("[aria-current]")).to_be_visible()
    page.keyboard.press("k")
    expect(facts_of(page).nth(0).locator("[aria-current]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("complementary", name="Fact")).to_have_count(0)


def test_who_may_only_look_is_offered_nothing_else(
    app: App, learned: str, new_page: OpenPage
) -> None:
    person = {"email": "vic@example.org", "name": "Vic", "role": "viewer"}
    app.ensure_member(**person, password="a calm lake 42")
    page = new_page(storage_state=None)
    page.goto("/sign-in")
    page.get_by_label("E-mail").fill(person["email"])
    page.get_by_label("Password", exact=True).fill("a calm lake 42")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Workflows", level=1)).to_be_visible()
    page.get_by_role("link", name="Memory").click()
    facts_of(page).first.get_by_role("link").click()

    panel = page.get_by_role("complementary", name="Fact")
    expect(panel.get_by_role("region", name="Where it is from")).to_be_visible()
    expect(panel.get_by_role("button", name="Forget")).to_have_count(0)
    expect(page.get_by_role("button", name="Write a fact")).to_have_count(0)
