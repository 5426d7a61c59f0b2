"""Every page in both themes, some of them on a phone: it loads, is quiet, and axe finds nothing grave.

One page walks through all of them with axe already in it; a theme is set before a page is opened,
because colours that are half way from one theme to the other have no contrast that counts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import ROOT, Api, App
from tests.e2e.conftest import OpenPage, Watch
from tests.e2e.documents import line, question

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
HELD = {"target-size": {"enabled": True}}
"""Rules that axe leaves out unless they are asked for: what is pressed is 24 pixels wide and high."""
RUN_AXE = """async (rules) => {
    const held = ['heading-order', 'page-has-heading-one', 'empty-heading'];
    const found = await axe.run(document, {resultTypes: ['violations'], ...rules});
    return found.violations
        .filter((each) => each.nodes.length > 0)
        .filter((each) => ['serious', 'critical'].includes(each.impact) || held.includes(each.id))
        .map((each) => `${each.id}: ${each.nodes.slice(0, 4).map((node) => node.html).join(' | ')}`);
}"""
COLOURS = {"runOnly": ["color-contrast"]}
"""All that a second theme can change."""
MESSAGE = "I was charged 31 euros twice, please give me my money back!"
PHONE = {"width": 390, "height": 844}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
ON_PHONE = (
    "inbox",
    "inbox-list",
    "inbox-done",
    "run-waiting",
    "run-completed",
    "run-failed",
    "run-panel",
    "runs",
    "causes",
    "dashboard",
    "dashboard-spend",
    "dashboard-approvals",
    "dashboard-alerts",
    "chat-asked",
    "triggers",
    "use",
    "reference",
    "mentions",
    "settings-audit",
    "settings-channels",
    "settings-members",
    "settings-tokens",
)
ROSE = {"email": "rose@example.org", "name": "Rose Reviewer", "password": "a fourth harbour 9"}
TOPICS = [{"id": "bill", "label": "A bill"}, {"id": "other", "label": "Other"}]
FAILING = line(
    "failing",
    [
        {
            "id": "divide",
            "type": "tool",
            "label": "Divide",
            "config": {"tool_id": "calculate", "arguments": {"expression": "1 / 0"}},
        }
    ],
)


@pytest.fixture
def places(app: App, owner: Any) -> dict[str, str]:
    """The addresses of all pages, by name; there is a run that waits and one that is done."""
    api = app.api
    triage = api.graph("support-triage")["id"]
    open_items = api.get("interrupts/?state=open&kind=approval&graph=" + triage)["results"]
    asked = open_items[0] if open_items else api.open_interrupt(api.start(triage, MESSAGE))
    listed = api.get(f"runs/?graph={triage}&status=completed")["results"]
    done = listed[0]["id"] if listed else api.start(triage, "How do I reset my password?")
    api.wait(done, "completed")
    if not api.get("causes/")["results"]:
        api.wait(api.start(api.make(FAILING), "go", draft=True), "failed")
    failed = api.get("runs/?status=failed")["results"][0]["id"]
    listed = api.get("facts/?search=bicycle")["results"]
    fact = {"text": "The bicycle is red.", "tags": ["colour"], "entities": ["Ada", "Bicycle"]}
    known = listed[0] if listed else api.post("facts/", fact)
    settings = (
        "agents",
        "models",
        "tools",
        "credentials",
        "members",
        "sign-in",
        "tokens",
        "channels",
        "workspace",
        "audit",
        "budgets",
    )
    if not api.get("budgets/")["results"]:
        api.post("budgets/", {"graph": None, "period": "month", "limit_tokens": 10**9})
    if not api.get("alerts/")["results"]:
        api.post("alerts/", {"what": "failures", "threshold": 1, "to": ["role:operator"]})
    if not api.get("channels/?of=workspace")["results"]:
        hook = {"of": "workspace", "kind": "webhook", "address": "https://example.com/hook"}
        made = api.post("channels/", hook)["id"]
        api.post("notice-rules/", {"channel": made, "kinds": ["run.failed", "run.completed"]})
    listed = [g["id"] for g in api.get("graphs/")["results"] if g["slug"] == "walked"]
    spoken = spoken_of(app, triage)
    hooked = listed_hooks(api)
    asks = question("walked", "choice", options=TOPICS)
    talk = listed[0] if listed else api.make(asks, publish=True)
    return {
        "workflows": "/workflows",
        "editor": f"/workflows/{triage}",
        "editor-thread": f"/workflows/{triage}?thread={spoken}",
        "folder": "/workflows?folder=Support",
        "mentions": "/mentions",
        "profile": "/profile",
        "runs": "/runs",
        "causes": "/runs/causes",
        "run-waiting": f"/runs/{asked['run']['id']}",
        "run-completed": f"/runs/{done}",
        "run-failed": f"/runs/{failed}",
        "run-panel": f"/runs/{done}?at=classify",
        "inbox": f"/inbox/{asked['request_id']}",
        "inbox-list": "/inbox",
        "chat": f"/workflows/{triage}/chat",
        "chat-asked": f"/workflows/{talk}/chat",
        "form": f"/workflows/{triage}/form",
        "triggers": f"/workflows/{hooked}/triggers",
        "use": f"/workflows/{hooked}/use",
        "reference": "/reference",
        "inbox-done": "/inbox?state=done",
        "memory": "/memory",
        "memory-fact": f"/memory/{known['id']}",
        "dashboard": "/dashboard",
        "dashboard-spend": "/dashboard/spend",
        "dashboard-approvals": "/dashboard/approvals",
        "dashboard-alerts": "/dashboard/alerts",
        "bulk": "/runs/bulk",
        "compare": "/runs/compare",
        **{f"settings-{name}": f"/settings/{name}" for name in settings},
        "lost": "/no/such/page",
    }


def listed_hooks(api: Api) -> str:
    """Return a workflow that has a webhook, with a delivery, and a schedule."""
    found = [g["id"] for g in api.get("graphs/")["results"] if g["slug"] == "called"]
    graph = found[0] if found else api.make(question("called", "text"), publish=True)
    place = f"graphs/{graph}/triggers/"
    if not api.get(place)["results"]:
        made = api.post(place, {"kind": "webhook", "name": "Orders", "mapping": {"id": "body.id"}})
        api.post(f"triggers/{made['id']}/test/", {"body": {"id": 7}})
        config = {"cron": "0 8 * * 1-5", "zone": "Europe/Berlin"}
        api.post(place, {"kind": "schedule", "name": "Mornings", "config": config})
    return graph


def spoken_of(app: App, graph: str) -> str:
    """Return a thread in which somebody named the owner; the workflow lies in a folder of a folder."""
    app.api.post("folders/move/", {"graphs": [graph], "folder": "Support/Mail"})
    threads = f"graphs/{graph}/threads/"
    if not app.api.get(threads)["results"]:
        app.ensure_member(**ROSE, role="reviewer")
        rose = Api(app.address).sign_in(ROSE["email"], ROSE["password"])
        owner = app.api.get("session/")["user"]
        said = {"text": f"@{owner['name']}, why this one?", "mentions": [owner["id"]]}
        rose.post(threads, {"node": "classify", **said})
    return str(app.api.get(threads)["results"][0]["id"])


def settled(page: Page) -> None:
    """Wait until nothing is loading and everything has been drawn."""
    expect(page.locator("main:visible, h1:visible").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".mantine-Skeleton-root:visible")).to_have_count(0)
    page.evaluate("document.fonts.ready.then(() => true)")


def look(page: Page, name: str, rules: Mapping[str, Any] | None = None) -> list[str]:
    """Return what axe finds grave on the page; keep a picture where one is asked for."""
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png")
    return [f"{name}: {finding}" for finding in page.evaluate(RUN_AXE, rules or {"rules": HELD})]


def ask(page: Page) -> None:
    """Say something in a chat that answers with a question; its stream stays open meanwhile."""
    if page.get_by_role("radio", name="A bill").count() == 0:
        page.get_by_label("Message", exact=True).fill("Hello")
        page.get_by_label("Message", exact=True).press("Enter")
    expect(page.get_by_role("radio", name="A bill")).to_be_visible()


def unfolded(page: Page) -> None:
    """Wait for the thread of a link beside its card, and open the list of all."""
    expect(page.get_by_role("combobox", name="Reply")).to_be_focused()
    page.get_by_role("button", name=re.compile("^Comments")).first.click()
    expect(page.get_by_role("region", name="Comments").get_by_role("article")).to_have_count(1)
    settled(page)


def opened(page: Page) -> None:
    """Wait for the panel of a node."""
    settled(page)
    expect(page.get_by_role("complementary", name="Node")).to_be_visible()


def reached(page: Page) -> None:
    """Wait for a section of the settings whose link is in sight, also where they stand in one row."""
    settled(page)
    chosen = page.get_by_role("navigation", name="Settings").locator("[aria-current]")
    expect(chosen).to_be_in_viewport(ratio=1)


def reachable(page: Page) -> None:
    """Wait for a run of which everything that can be done is in sight, on a phone too."""
    settled(page)
    expect(page.get_by_role("button", name="More", exact=True)).to_be_in_viewport(ratio=1)


def decidable(page: Page) -> None:
    """Wait for a run that asks: the ways to decide stand in sight however long the question is."""
    settled(page)
    for verb in ("Approve", "Reject"):
        expect(page.get_by_role("button", name=verb, exact=True)).to_be_in_viewport(ratio=1)


def latest(page: Page) -> None:
    """Wait for the days of spend, of which the latest are in sight."""
    settled(page)
    for day in page.get_by_role("region", name="Days").get_by_role("link").all()[-1:]:
        expect(day).to_be_in_viewport(ratio=0.1)


def beside(page: Page) -> None:
    """Wait for who is asked: the last figure stands in sight beside the name, on a phone too."""
    settled(page)
    table = page.get_by_role("table", name="Approvals by who is asked")
    cut = "it => it.scrollWidth > it.parentElement.clientWidth"
    assert not table.evaluate(cut)


def whole(page: Page) -> None:
    """Wait for the runs; on a desk every column that is there at first is in sight."""
    settled(page)
    size = page.viewport_size
    if size and size["width"] >= 1280:
        expect(page.get_by_role("columnheader", name="Spend")).to_be_in_viewport(ratio=1)


AT_ONCE = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, *::before, *::after { transition: none !important; animation: none !important; }");
    document.adoptedStyleSheets.push(sheet);
}"""
"""A theme that comes at once: axe must not measure colours on their way."""


def look_in_both(page: Page, name: str) -> list[str]:
    """Look at a page on which themes come at once, in light and in dark."""
    found = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", theme)
        found += look(page, f"{name}-{theme}", COLOURS if theme == "dark" else None)
    return found


FIRST: Mapping[str, Callable[[Page], None]] = {
    "chat-asked": ask,
    "run-failed": reachable,
    "run-waiting": decidable,
    "run-panel": opened,
    "editor-thread": unfolded,
    "settings-audit": reached,
    "dashboard-spend": latest,
    "dashboard-approvals": beside,
    "runs": whole,
}
"""What is done on a page before it is looked at."""


def walk(page: Page, places: Mapping[str, str], mark: str = "") -> list[str]:
    """Open the places one after the other, look in each theme, and return what is grave there."""
    page.context.add_init_script(path=AXE)
    size = page.viewport_size
    assert size is not None
    found = []
    for name, address in places.items():
        page.goto(address)
        page.evaluate(AT_ONCE)
        FIRST.get(name, settled)(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
        found += look_in_both(page, f"{name}{mark}")
    return found


def test_every_page_is_fit_to_be_read(
    new_page: OpenPage, places: dict[str, str], watch: Watch
) -> None:
    watch.expect(r"status of 404 .*/no/such/page$")
    assert "\n".join(walk(new_page(), places)) == ""


def test_inbox_run_dashboards_and_chat_fit_a_phone(
    new_page: OpenPage, places: dict[str, str]
) -> None:
    page = new_page(viewport=PHONE)

    assert "\n".join(walk(page, {name: places[name] for name in ON_PHONE}, "-phone")) == ""


def test_a_long_dialog_keeps_its_buttons_in_sight(
    new_page: OpenPage, places: dict[str, str]
) -> None:
    page = new_page(viewport=PHONE)
    dialogs = {"channels": "Add a rule", "agents": "New agent", "sign-in": "Add a provider"}
    for section, opening in dialogs.items():
        page.goto(places[f"settings-{section}"])
        page.get_by_role("button", name=opening).click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("button", name="Cancel")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("theme", THEMES)
def test_the_door_is_fit_to_be_read(theme: str, new_page: OpenPage) -> None:
    page = new_page(color_scheme=theme, storage_state=None)
    page.context.add_init_script(path=AXE)
    page.goto("/runs")
    expect(page).to_have_url(re.compile("/sign-in"))
    settled(page)

    assert look(page, f"sign-in-{theme}") == []
