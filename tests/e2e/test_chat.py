"""A workflow that is used: as a chat that streams and asks, and as a form."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App
from tests.e2e.conftest import WORDS, OpenPage
from tests.e2e.documents import Document, agent, line, thinker

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TOPICS = [
    {"id": "bill", "label": "A bill", "value": {"desk": 7}},
    {"id": "other", "label": "Other"},
]

NOTE_WHAT_GROWS = """() => {
  window.grown = []
  new MutationObserver(() => {
    for (const at of document.querySelectorAll('[data-live]')) window.grown.push(at.innerText)
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
}"""
"""Keeps each text that stood in an answer while it grew: one that is asked for later has grown."""


def talk(slug: str, model: str = "brisk") -> Document:
    """Return a graph that asks what it is about and then lets a model answer."""
    ask = {
        "id": "ask",
        "type": "question",
        "label": "What about",
        "config": {"kind": "choice", "question": "What is it about?", "options": TOPICS},
    }
    answer = agent("answer", "writer", label="Writer")
    answer["config"]["history"] = 10
    return line(slug, [ask, answer], agents=[thinker("writer", model)])


def greet(slug: str) -> Document:
    """Return a graph with declared fields; its result greets."""
    fields = {
        "type": "object",
        "required": ["name", "times"],
        "properties": {
            "name": {"type": "string", "title": "Name", "minLength": 2},
            "times": {"type": "integer", "title": "Times", "default": 2, "minimum": 1},
            "tone": {"enum": ["kind", "brief"], "title": "Tone"},
        },
    }
    value = "{'greeting': 'Hello ' + input.name, 'times': input.times}"
    out = {"id": "out", "type": "output", "read_keys": ["input"], "config": {"value": value}}
    return line(slug, [out], interface={"inputs": fields})


def say(page: Page, text: str) -> None:
    """Write a message and send it."""
    page.get_by_label("Message", exact=True).fill(text)
    page.get_by_label("Message", exact=True).press("Enter")


def exchange(page: Page, text: str) -> Locator:
    """Return what was said and all that came of it."""
    return page.get_by_role("article", name=f"You said: {text}")


def run_of(page: Page, at: Locator) -> str:
    """Return the id of the run that an exchange links to."""
    link = at.get_by_role("link", name="See the run").get_attribute("href")
    assert link is not None
    return link.rsplit("/", 1)[-1]


def open_chat(app: App, page: Page, document: Document) -> str:
    """Publish a graph and open its chat; return the graph's id."""
    graph = app.api.make(document, publish=True)
    page.goto(f"/workflows/{graph}/chat")
    expect(page.get_by_role("heading", name=document["name"], level=1)).to_be_visible()
    return graph


def answer(at: Locator, option: str) -> None:
    """Answer the question that stands in an exchange."""
    at.get_by_role("radio", name=option).check()
    at.get_by_role("button", name="Answer").click()


def test_a_chat_asks_streams_and_remembers(app: App, slow_models: None, signed_in: Page) -> None:
    """K37, K44, K12: A question is answered in place, text streams, the next run knows it all."""
    page = signed_in
    open_chat(app, page, talk("small-talk"))
    say(page, "Why was I charged twice?")
    first = exchange(page, "Why was I charged twice?")
    expect(first.get_by_text("What is it about?")).to_be_visible()
    expect(first.get_by_text("Waiting for an answer")).to_be_visible()
    page.evaluate(NOTE_WHAT_GROWS)
    answer(first, "A bill")
    expect(first.get_by_text("Ada Owner answered this")).to_be_visible()
    expect(first.get_by_role("radio")).to_have_count(0)

    expect(first.get_by_text(WORDS.strip(), exact=True)).to_be_visible()
    expect(first.locator("[data-live]")).to_have_count(0)
    seen = page.evaluate("window.grown")
    assert [text for text in seen if "The answer" in text and WORDS.strip() not in text], seen
    expect(first.get_by_role("link", name="See the run")).to_be_visible()

    say(page, "And now?")
    second = exchange(page, "And now?")
    expect(second.get_by_text("What is it about?")).to_be_visible()
    answer(second, "Other")
    expect(second.get_by_role("link", name="See the run")).to_be_visible()

    started, later = (app.api.events(run_of(page, at))[0] for at in (first, second))
    assert later["messages"] == [
        {"role": "user", "content": "Why was I charged twice?"},
        {"role": "assistant", "content": WORDS},
    ]
    assert started["context"]["session_id"] == later["context"]["session_id"]
    assert (started["input"], later["input"]) == ("Why was I charged twice?", "And now?")


def test_a_refresh_in_the_middle_shows_the_same_and_goes_on(
    app: App, slow_models: None, signed_in: Page
) -> None:
    """K37: A page that is opened again follows the same run; nothing is sent twice."""
    page = signed_in
    graph = open_chat(app, page, talk("stay-with-me"))
    say(page, "Stay")
    expect(exchange(page, "Stay").get_by_text("What is it about?")).to_be_visible()
    page.reload()
    answer(exchange(page, "Stay"), "Other")
    expect(exchange(page, "Stay").locator("[data-live]")).to_contain_text("The answer")
    page.reload()

    told = exchange(page, "Stay").get_by_text(WORDS.strip(), exact=True)
    expect(told).to_have_count(1)
    expect(exchange(page, "Stay").get_by_role("link", name="See the run")).to_be_visible()
    assert len(app.api.get(f"runs/?graph={graph}")["results"]) == 1

    page.get_by_role("button", name=re.compile("^New")).click()
    page.get_by_role("dialog").get_by_role("button", name="New conversation").click()
    expect(page.get_by_role("article")).to_have_count(0)


def test_stop_cancels_the_run_and_one_may_go_on(
    app: App, slow_models: None, signed_in: Page
) -> None:
    page = signed_in
    open_chat(app, page, line("long-speech", [agent("speak", "a")], agents=[thinker("a", "slow")]))
    say(page, "Speak")
    expect(exchange(page, "Speak").locator("[data-live]")).to_contain_text("The answer")
    page.get_by_role("button", name="Stop the run").click()

    expect(exchange(page, "Speak").get_by_text("Stopped")).to_be_visible()
    assert app.api.run(run_of(page, exchange(page, "Speak")))["status"] == "cancelled"
    expect(page.get_by_label("Message", exact=True)).to_be_focused()


def test_what_went_wrong_is_told_with_a_way_on(app: App, signed_in: Page) -> None:
    page = signed_in
    broken = {
        "id": "sum",
        "type": "output",
        "label": "Add up",
        "read_keys": ["input"],
        "config": {"value": "1 / 0"},
    }
    open_chat(app, page, line("cannot-count", [broken]))
    say(page, "Count")

    failed = exchange(page, "Count").get_by_role("alert")
    expect(failed).to_contain_text("“Add up” failed")
    failed.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert").filter(has_text="“Add up” failed")).to_have_count(2)


def test_a_form_takes_declared_fields_and_shows_the_result(app: App, signed_in: Page) -> None:
    page = signed_in
    graph = app.api.make(greet("greet-me"), publish=True)
    page.goto(f"/workflows/{graph}/form")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("This is needed.")).to_be_visible()
    expect(page.get_by_label("Times")).to_have_value("2")
    page.get_by_label("Name").fill("Ada")
    page.get_by_role("button", name="Run", exact=True).click()

    outcome = page.get_by_role("region", name="What came of it")
    expect(outcome.get_by_text("Completed")).to_be_visible()
    expect(outcome).to_contain_text("Hello Ada")
    page.reload()
    expect(page.get_by_role("region", name="What came of it")).to_contain_text("Hello Ada")


def test_chat_is_a_click_away_once_there_is_something_to_talk_with(
    app: App, new_page: OpenPage, owner: Any
) -> None:
    page = new_page()
    graph = app.api.make(greet("near-by"))
    page.goto(f"/workflows/{graph}/chat")
    expect(page.get_by_text("was never published")).to_be_visible()
    revision = app.api.get(f"graphs/{graph}/")["revision"]
    app.api.post(f"graphs/{graph}/publish/", {"revision": revision})

    page.goto(f"/workflows/{graph}")
    page.get_by_role("link", name="Form", exact=True).click()
    expect(page.get_by_role("heading", name="Near by", level=1)).to_be_visible()
    page.goto(f"/workflows/{graph}/chat")
    expect(page.get_by_role("heading", name="This workflow asks for fields")).to_be_visible()
    page.goto("/workflows")
    page.get_by_role("button", name="More for Near by").click()
    page.get_by_role("menuitem", name="Form").click()
    expect(page.get_by_label("Name")).to_be_visible()
