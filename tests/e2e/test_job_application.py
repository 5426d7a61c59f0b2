"""A job application is drawn from an empty page and run there: by keys alone, and with the mouse alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App, looked
from tests.e2e.conftest import OpenPage
from tests.e2e.editor import inspector, middle, node, run_panel
from tests.e2e.hand import Hand
from tests.e2e.test_author_hour import document
from tests.e2e.test_branches import pull
from tests.e2e.test_by_keys import said
from tests.e2e.test_draw import blank

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MOST = 60
FIELDS = "name, cv: long text, role, salary: money, remote: yes/no"
LEVELS = "level: senior | mid | junior"
CV = "Twenty years of compilers; led three teams as a senior engineer."
WAYS = {
    ("Start", "Extract", ""),
    ("Extract", "Classify", ""),
    ("Classify", "Tech check", "senior"),
    ("Classify", "Team check", "senior"),
    ("Classify", "Invite?", "mid"),
    ("Classify", "Letter", "junior"),
    ("Tech check", "Invite?", ""),
    ("Team check", "Invite?", ""),
    ("Invite?", "Letter", ""),
}


def is_drawn(page: Page, hand: Hand) -> None:
    """Check what was drawn, and in how many actions."""
    assert hand.actions <= MOST, hand.actions
    drawn = document(page)
    names = {each["id"]: each["label"] for each in drawn["nodes"]}
    value = re.compile(r"^memory\.level == '(\w+)'$")
    assert {
        (
            names.get(edge["source"], "Start"),
            names[edge["target"]],
            value.sub(r"\1", edge.get("condition") or ""),
        )
        for edge in drawn["edges"]
    } == WAYS
    asked = drawn["interface"]["inputs"]["properties"]
    assert list(asked) == ["name", "cv", "role", "salary", "remote"]
    assert (asked["cv"]["x-widget"], asked["remote"]["type"]) == ("text", "boolean")
    assert drawn["state_schema"]["properties"]["level"]["enum"] == ["senior", "mid", "junior"]
    [classify] = [each for each in drawn["nodes"] if each["label"] == "Classify"]
    assert classify["branching"] == "all"
    assert float(drawn["limits"]["budget_usd"]) == 2
    expect(page.get_by_role("button", name="No problems")).to_be_visible()


def is_run(app: App, page: Page) -> None:
    """Check that the run is over and good, on the page where it was drawn."""
    panel = run_panel(page)
    expect(panel.get_by_role("status", name="This run")).to_contain_text("Completed")
    assert "/workflows/" in page.url
    link = panel.get_by_role("link", name="Open the whole run").get_attribute("href")
    events = app.api.events(str(link).rsplit("/", 1)[1])
    done = [event["node"] for event in events if event["type"] == "NodeCompleted"]
    assert sorted(done[2:4]) == ["team_check", "tech_check"], done
    assert done[4:] == ["invite", "letter"], done


def entry(page: Page, field: str) -> Locator:
    """Return the box in which a start field is given."""
    return run_panel(page).get_by_role("textbox", name=re.compile(f"^{field}", re.IGNORECASE))


@dataclass
class Keys:
    """A person at the keyboard: every step waits until the page says that it was done."""

    hand: Hand

    @property
    def page(self) -> Page:
        """The page."""
        return self.hand.page

    def on_canvas(self) -> None:
        """Wait until the keys go to the canvas."""
        expect(self.page.get_by_role("application", name="Canvas")).to_be_focused()

    def stands_at(self, label: str) -> None:
        """Wait until a node alone is selected."""
        expect(inspector(self.page).get_by_label("Label of the node")).to_have_value(label)

    def add(self, kind: str, label: str) -> None:
        """Add a node after the selection."""
        self.on_canvas()
        self.hand.press("Tab")
        expect(self.page.get_by_role("combobox", name="Add a node")).to_be_focused()
        self.hand.type(f"{kind}: {label}")
        self.hand.press("Enter")
        self.stands_at(label)

    def choose(self, key: str, box: str, words: str) -> None:
        """Choose from a list that a key opens."""
        self.on_canvas()
        self.hand.press(key)
        field = self.page.get_by_placeholder(box)
        expect(field).to_be_focused()
        self.hand.type(words)
        self.hand.press("Enter")
        expect(field).to_have_count(0)

    def lead(self, words: str, to: str) -> None:
        """Wire what is selected to a node."""
        self.choose("c", "Connect to", words)
        expect(said(self.page)).to_have_text(re.compile(f"^Wired .*, to {re.escape(to)} ?$"))

    def name_fields(self, box: str, words: str) -> None:
        """Name the fields that what is selected gives."""
        self.on_canvas()
        self.hand.press("g")
        expect(inspector(self.page).get_by_role("textbox", name=box)).to_be_focused()
        self.hand.type(words)
        self.hand.press("Enter")
        self.hand.press("Escape")
        self.on_canvas()


def go_to(panel: Locator, target: Locator) -> None:
    """Go to the panel by F6, and in it by Tab."""
    expect(target).to_be_visible()
    has_focus = "element => element.contains(document.activeElement)"
    for key, goal, most in (("F6", panel, 6), ("Tab", target, 40)):
        for _ in range(most):
            if goal.evaluate(has_focus):
                break
            panel.page.keyboard.press(key)
    expect(target).to_be_focused()


def test_it_is_drawn_and_run_with_keys_alone(app: App, signed_in: Page) -> None:
    page = signed_in
    blank(page, "Jobs by keys")
    hand = Hand(page)
    keys = Keys(hand)

    hand.press("F6")
    keys.on_canvas()
    hand.press("Tab")
    expect(page.get_by_role("combobox", name="Add a node")).to_be_focused()
    hand.type("agent: Extract")
    hand.press("Enter")
    keys.stands_at("Extract")
    hand.press("ArrowLeft")
    keys.name_fields("Add start fields", FIELDS)
    hand.press("ArrowRight")
    keys.stands_at("Extract")
    keys.name_fields("Add output fields", "skills")
    keys.add("agent", "Classify")
    keys.name_fields("Add output fields", LEVELS)
    hand.press("Shift+B")
    expect(said(page)).to_contain_text("A way on for each value of level")
    keys.add("agent", "Tech check")
    keys.add("approval", "Invite?")
    keys.add("output", "Letter")
    hand.press("Control+a")
    expect(inspector(page)).to_contain_text("5 selected")
    keys.add("agent", "Team check")
    keys.lead("invite", "Invite?")
    keys.choose("Control+f", "Find a node by name or content", "classify")
    keys.stands_at("Classify")
    for value, to in (("senior", "Team check"), ("mid", "Invite?"), ("junior", "Letter")):
        keys.lead(f"{value} {to}", to)
    hand.press("Shift+A")
    expect(said(page)).to_contain_text("Takes all wires that fit")
    hand.press("Shift+M")
    expect(inspector(page).get_by_role("textbox", name="Budget, in USD")).to_be_focused()
    hand.type("2")
    hand.press("Escape")
    is_drawn(page, hand)

    panel = run_panel(page)
    page.keyboard.press("Control+Enter")
    go_to(panel, entry(page, "name"))
    for words in ("Grace Hopper", CV, "Engineer", "100"):
        page.keyboard.type(words)
        page.keyboard.press("Tab")
    page.keyboard.press("Control+Enter")
    approve = panel.get_by_role("button", name=re.compile("^Approve"))
    expect(approve).to_be_visible()
    looked(page)
    go_to(panel, approve)
    page.keyboard.press("Enter")
    is_run(app, page)


STILL = """() => new Promise((done) => {
    let [last, same] = ['', 0];
    const look = () => {
        const now = document.querySelector('.react-flow__viewport').style.transform;
        same = now === last ? same + 1 : 0;
        last = now;
        if (same > 6) done(); else requestAnimationFrame(look);
    };
    look();
})"""


@dataclass
class Mouse:
    """A person with a mouse, who types only words into boxes."""

    hand: Hand

    @property
    def page(self) -> Page:
        """The page."""
        return self.hand.page

    def out(self, node_id: str) -> Locator:
        """Return where a card goes on."""
        return node(self.page, node_id).locator('.source[data-handleid="completed"]')

    def value(self, words: str) -> Locator:
        """Return where Classify goes on for a value."""
        row = node(self.page, "classify").locator("[data-quiet]")
        return row.filter(has_text=re.compile(f"^{words}$")).locator(".react-flow__handle")

    def pull(self, source: Locator, to: Locator | tuple[int, int]) -> None:
        """Draw a wire to a card, or so far into the open."""
        expect(source).to_be_visible()
        self.page.evaluate(STILL)
        x, y = middle(source)
        end = (x + to[0], y + to[1]) if isinstance(to, tuple) else middle(to.locator(".target"))
        pull(self.hand, source, end)

    def pick(self, kind: str, label: str) -> None:
        """Choose in the list that is open what comes next, and call it something."""
        expect(self.page.get_by_role("combobox", name="Add a node")).to_be_focused()
        self.hand.type(f"{kind}: {label}")
        self.hand.click(self.page.get_by_role("option").first)
        title = inspector(self.page).get_by_label("Label of the node")
        expect(title).to_have_value(label)

    def name_fields(self, box: str, words: str) -> None:
        """Name the fields that what is selected gives."""
        self.hand.click(inspector(self.page).get_by_role("textbox", name=box))
        self.hand.type(words)


def test_it_is_drawn_and_run_with_the_mouse_alone(app: App, new_page: OpenPage) -> None:
    page = new_page(viewport={"width": 1920, "height": 1080})
    blank(page, "Jobs by mouse")
    hand = Hand(page)
    mouse = Mouse(hand)

    hand.click(page.get_by_role("button").filter(has_text="Add a node"))
    mouse.pick("agent", "Extract")
    hand.click(node(page, "__start__"))
    mouse.name_fields("Add start fields", FIELDS)
    hand.click(node(page, "extract"))
    mouse.name_fields("Add output fields", "skills")
    mouse.pull(mouse.out("extract"), (100, 0))
    mouse.pick("agent", "Classify")
    mouse.name_fields("Add output fields", f"{LEVELS},")
    hand.click(inspector(page).get_by_role("button", name="level", exact=True))
    for value, kind, label, x, y in (
        ("senior", "agent", "Tech check", 100, -200),
        ("senior", "agent", "Team check", 100, -40),
        ("mid", "approval", "Invite?", 100, 160),
        ("junior", "output", "Letter", 100, 400),
    ):
        mouse.pull(mouse.value(value), (x, y))
        mouse.pick(kind, label)
    for source, to in (("tech_check", "invite"), ("team_check", "invite"), ("invite", "letter")):
        mouse.pull(mouse.out(source), node(page, to))
    hand.click(page.get_by_role("button", name="Take both"))
    hand.click(page.get_by_role("button", name="Workflow settings"))
    hand.click(inspector(page).get_by_role("textbox", name="Budget, in USD"))
    hand.type("2")
    is_drawn(page, hand)

    panel = run_panel(page)
    page.get_by_role("button", name="Test run", exact=True).click()
    for box, words in (("name", "Grace Hopper"), ("cv", CV), ("role", "Engineer"), ("salary", "9")):
        entry(page, box).click()
        page.keyboard.type(words)
    panel.get_by_role("button", name=re.compile("^Run")).click()
    approve = panel.get_by_role("button", name=re.compile("^Approve"))
    expect(approve).to_be_visible()
    looked(page)
    approve.click()
    is_run(app, page)
