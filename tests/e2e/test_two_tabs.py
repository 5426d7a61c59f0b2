"""Two people in one draft: each sees the other's work, and neither loses their own."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.app import App
from tests.e2e.conftest import OpenPage, Watch
from tests.e2e.documents import Document, line
from tests.e2e.editor import inspector, node, nodes, quick_add, rename, saved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BEN = {"email": "ben@example.org", "name": "Ben Author", "password": "a third harbour 9"}


def pair(slug: str) -> Document:
    """Return a graph of two nodes."""
    return line(
        slug,
        [
            {"id": "one", "type": "delay", "label": "One", "config": {"duration_ms": 10}},
            {"id": "two", "type": "delay", "label": "Two", "config": {"duration_ms": 10}},
        ],
    )


@pytest.fixture
def bens(app: App, new_page: OpenPage) -> Page:
    """A page of a second author, signed in."""
    app.ensure_member(**BEN, role="author")
    page = new_page(storage_state=None)
    page.goto("/sign-in")
    page.get_by_label("E-mail").fill(BEN["email"])
    page.get_by_label("Password", exact=True).fill(BEN["password"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Workflows", level=1)).to_be_visible()
    return page


def both_open(graph: str, *pages: Page) -> None:
    """Open the editor in every page, and wait until each sees the other person."""
    for page in pages:
        page.goto(f"/workflows/{graph}")
        expect(nodes(page)).to_have_count(2)
    for page in pages:
        expect(page.locator("header .mantine-Avatar-root")).to_have_count(len(pages) - 1)


def test_each_sees_the_other_and_undo_is_ones_own(app: App, signed_in: Page, bens: Page) -> None:
    adas = signed_in
    both_open(app.api.make(pair("shared")), adas, bens)

    quick_add(adas, "question")
    expect(node(bens, "question")).to_be_visible()
    rename(bens, "two", "Ben was here")
    expect(node(adas, "two")).to_contain_text("Ben was here")

    adas.get_by_role("button", name="Undo").click()
    expect(node(adas, "question")).to_have_count(0)
    expect(node(bens, "question")).to_have_count(0)
    expect(node(adas, "two")).to_contain_text("Ben was here")
    expect(adas.get_by_role("button", name="Undo")).to_be_disabled()

    bens.get_by_role("button", name="Undo").click()
    expect(node(bens, "two")).not_to_contain_text("Ben was here")
    expect(node(adas, "two")).not_to_contain_text("Ben was here")
    saved(adas)
    saved(bens)


def holding_the_first_save(page: Page) -> list[Route]:
    """Hold the first save of a page back, until the test lets it go on."""
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/api/graphs/*/draft/", hold_the_first)
    return held


@pytest.mark.parametrize(("choice", "label"), [("Keep mine", "Of Ben"), ("Take theirs", "Of Ada")])
def test_two_hands_on_one_field_are_asked(
    app: App, signed_in: Page, bens: Page, watch: Watch, choice: str, label: str
) -> None:
    adas = signed_in
    graph = app.api.make(pair(f"disputed-{choice.split()[1]}"))
    both_open(graph, adas, bens)
    watch.expect("409")
    held = holding_the_first_save(bens)
    rename(bens, "two", "Of Ben")
    with adas.expect_response(lambda answer: answer.url.endswith("/draft/")) as answered:
        rename(adas, "two", "Of Ada")
    assert answered.value.status == 200
    bens.wait_for_function("() => document.body.innerText.includes('Of Ben')")
    expect(bens.get_by_role("status").filter(has_text="Saving")).to_be_visible()
    held[0].continue_()

    told = bens.get_by_role("status").filter(has_text="changed the label of")
    expect(bens.get_by_role("dialog")).to_have_count(0)  # whoever types goes on
    told.get_by_role("button", name="See both").click()
    dialog = bens.get_by_role("dialog", name="Changed here and elsewhere")
    expect(dialog).to_contain_text("Of Ada")
    expect(dialog).to_contain_text("Of Ben")
    dialog.get_by_text(choice, exact=True).click()
    dialog.get_by_role("button", name="Merge and save").click()

    for page in (bens, adas):
        expect(node(page, "two")).to_contain_text(label)
        saved(page)
    stored = app.api.get(f"graphs/{graph}/")["document"]["nodes"]
    assert next(each["label"] for each in stored if each["id"] == "two") == label


def test_both_add_an_agent_at_the_same_moment(
    app: App, signed_in: Page, bens: Page, watch: Watch
) -> None:
    """Two authors call their first step alike: they are two steps, and nobody is asked."""
    adas = signed_in
    graph = app.api.make(pair("both-add"))
    both_open(graph, adas, bens)
    watch.expect("409")
    held = holding_the_first_save(bens)
    node(bens, "two").click()
    with bens.expect_request(lambda asked: asked.url.endswith("/draft/")):
        quick_add(bens, "agent")
    node(adas, "one").click()
    quick_add(adas, "agent")
    saved(adas)
    field = inspector(bens).get_by_label("Label of the node")
    field.focus()
    held[0].continue_()

    expect(node(bens, "agent_2")).to_be_visible()
    expect(field).to_be_focused()
    for page in (bens, adas):
        expect(nodes(page)).to_have_count(4)
        saved(page)
        expect(page.get_by_role("button", name="See both")).to_have_count(0)
    draft = app.api.get(f"graphs/{graph}/")["document"]
    assert {"agent", "agent_2"} <= {each["id"] for each in draft["nodes"]}
    assert {each["id"] for each in draft["agents"]} == {"agent", "agent_2"}
