"""The rhythm of the inbox: one item after the other, others at it too, nothing decided unseen."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from tests.e2e.app import Api, App, wait_until
from tests.e2e.conftest import OpenPage, Watch
from tests.e2e.documents import line
from tests.e2e.test_inbox import GRACE, member

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("empty_inbox")]

HUGO = {"email": "hugo@example.org", "name": "Hugo Third", "password": "a third harbour 9"}
NAMES = ("Nora", "Ivo", "Tess", "Amara", "Kim", "Hugo", "Lena", "Omar")
WATCH = """() => {
  window.seen = [];
  window.frames = 0;
  let last = null;
  const look = () => {
    const pane = document.querySelector('article[data-request]');
    const id = pane && pane.getClientRects().length ? pane.dataset.request : null;
    if (id !== last || window.seen.length === 0) {
      window.seen.push([id, performance.now()]);
      window.frames = 0;
    }
    window.frames += 1;
    last = id;
    requestAnimationFrame(look);
  };
  look();
}"""
"""Notes which item stands on screen from when on, frame by frame."""
LOOKED = """() => {
  const [id, since] = window.seen.at(-1);
  return id !== null && window.frames > 6 && performance.now() - since > 250;
}"""
"""Whether what is on screen has been there for some frames and longer than a look."""
BURST = """async () => {
  for (let n = 0; n < 20; n += 1) {
    const press = { key: 'a', code: 'KeyA', bubbles: true };
    document.body.dispatchEvent(new KeyboardEvent('keydown', press));
    await null;
  }
}"""
"""Twenty presses between two frames: the page may draw again after each, but nobody sees it."""
PRESS = """() => {
  window.pressed = [];
  window.addEventListener('keydown', (event) => {
    if (event.key === 'a' && !event.repeat) window.pressed.push(event.timeStamp);
  }, true);
}"""


@pytest.fixture
def minute_to_take_back(app: App, signed_in: Page) -> Iterator[None]:
    """Hold decisions so long that none is sent while a slow machine still looks.

    The owner is made by whoever signs in first.
    """
    app.api.patch("deciding/", {"seconds": 60})
    yield
    app.api.patch("deciding/", {"seconds": 8})


def payments(app: App, slug: str, count: int) -> list[dict[str, Any]]:
    """Start so many runs of a workflow that asks for each payment; return what they ask, in order."""
    approval = {
        "id": "check",
        "type": "approval",
        "label": "Check the payment",
        "config": {
            "prompt_message": "Pay {{ memory.amount }} to {{ memory.customer }}?",
            "review_keys": ["amount", "customer", "currency"],
            "editable_keys": ["amount"],
        },
    }
    schema = {
        "type": "object",
        "properties": {
            "amount": {"type": "number", "format": "money", "x-unit": "USD"},
            "customer": {"type": "string"},
            "currency": {"type": "string"},
        },
    }
    memory = {"amount": 1, "customer": "nobody", "currency": "USD"}
    graph = app.api.make(line(slug, [approval], state_schema=schema, initial_memory=memory))
    runs = [
        app.api.start(
            graph,
            "go",
            draft=True,
            memory={**memory, "amount": 20.25 + n, "customer": f"{NAMES[n % 8]} {n}"},
        )
        for n in range(count)
    ]
    return [app.api.open_interrupt(run) for run in runs]


def look(page: Page) -> None:
    """Wait until what is on screen was looked at; the page is told `WATCH` before."""
    page.wait_for_function(LOOKED)


def current(page: Page) -> str:
    return str(page.locator("[data-item][aria-current]").get_attribute("data-item"))


def sent_by(page: Page) -> list[str]:
    """Return the ids of what the page decides from now on; a busy server is asked again."""
    found: list[str] = []

    def note(request: Request) -> None:
        match = re.search(r"/interrupts/([^/]+)/answer/", request.url)
        if match and request.method == "POST" and match[1] not in found:
            found.append(match[1])

    page.on("request", note)
    return found


def seen_for(page: Page) -> dict[str, list[tuple[float, float]]]:
    """Return from when to when each item stood on screen."""
    marks = page.evaluate("() => [...window.seen, [null, performance.now()]]")
    found: dict[str, list[tuple[float, float]]] = {}
    for (request_id, since), (_, until) in zip(marks, marks[1:], strict=False):
        found.setdefault(request_id, []).append((since, until))
    return found


def assert_looked_at(
    sent: list[str], seen: dict[str, list[tuple[float, float]]], pressed: list[float]
) -> None:
    """Assert that each was decided by a press after it had been on screen for a look."""
    for request_id in sent:
        assert any(
            since + 150 <= at <= until + 50 for at in pressed for since, until in seen[request_id]
        ), request_id


def wait_for(page: Page, sent: list[str], count: int) -> None:
    """Let the page go on until so many are sent; its events are only heard meanwhile."""
    for _ in range(600):
        if len(sent) >= count:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"the page did not send {count} in 30 seconds, but {len(sent)}")


def others_decide(app: App, items: list[dict[str, Any]]) -> list[threading.Thread]:
    """Two more people decide, from the end of the list and from its middle."""
    app.ensure_member(**HUGO, role="reviewer")
    shares = ((GRACE, items[-1::-4][:8]), (HUGO, items[12::6][:8]))

    def work(person: dict[str, str], share: list[dict[str, Any]]) -> None:
        api = Api(app.address).sign_in(person["email"], person["password"])
        for item in share:
            fresh = api.get(f"interrupts/{item['request_id']}/")
            if fresh["status"] == "open":
                api.answer(fresh, decision="rejected", comment="Mine was first.")
            threading.Event().wait(0.7)

    return [threading.Thread(target=work, args=share) for share in shares]


@pytest.mark.parametrize("count", [12, pytest.param(60, marks=pytest.mark.long)])
def test_sixty_by_keyboard_with_two_others_at_it(
    app: App, signed_in: Page, watch: Watch, count: int
) -> None:
    """One key an item; nothing is decided that did not stand on screen; nothing is lost."""
    watch.expect("409")
    member(app)
    items = payments(app, f"sixty-{count}", count + 24)
    page = signed_in
    page.goto("/inbox")
    expect(page.locator("[data-item]").first).to_be_visible()
    page.evaluate(WATCH)
    page.evaluate(PRESS)
    sent = sent_by(page)
    others = others_decide(app, items)
    for thread in others:
        thread.start()

    keys = looks = 0
    while len(sent) < count and looks < 10 * count:
        look(page)
        looks += 1
        verbs = page.get_by_role("article").get_by_role("button", name=re.compile("^Approve"))
        if verbs.count():
            page.keyboard.press("a")
            keys += 1
        else:  # somebody else has decided it; the next may still be on its way
            page.keyboard.press("j")
            page.wait_for_timeout(200)
    for thread in others:
        thread.join()

    assert len(sent) == count
    assert keys <= 2 * len(sent)
    seen, pressed = seen_for(page), page.evaluate("() => window.pressed")
    assert_looked_at(sent, seen, pressed)
    wait_until(
        lambda: all(
            item["held"] is not None and item["held"]["state"] == "refused"
            for item in app.api.get("interrupts/?view=held&limit=200")["results"]
        ),
        "everything to be sent",
    )
    for request_id in sent:
        found = app.api.get(f"interrupts/{request_id}/")
        who = found["decided"]["by"]["name"]
        assert (found["decided"]["decision"], who) in (
            ("approved", "Ada Owner"),
            ("rejected", "Grace Second"),
            ("rejected", "Hugo Third"),
        )
    unseen = {item["request_id"] for item in items} - set(sent)
    for request_id in unseen:
        found = app.api.get(f"interrupts/{request_id}/")
        assert found["status"] == "open" or found["decided"]["by"]["name"] != "Ada Owner"


def test_a_hundred_fast_presses_decide_nothing_unseen(app: App, signed_in: Page) -> None:
    """However slow the page is: of twenty presses between two frames, one at most decides."""
    payments(app, "fast", 8)
    page = signed_in
    page.goto("/inbox")
    expect(page.locator("[data-item]")).to_have_count(8)
    expect(page.get_by_role("article")).to_contain_text("Nora 0")
    page.evaluate(WATCH)
    page.evaluate(PRESS)
    sent = sent_by(page)

    for burst in range(1, 6):
        look(page)
        page.evaluate(BURST)
        wait_for(page, sent, burst)
        assert len(sent) == burst
    look(page)
    for _ in range(20):
        page.keyboard.down("a")
    page.keyboard.up("a")
    wait_for(page, sent, 6)

    look(page)
    assert len(sent) == 6
    seen, pressed = seen_for(page), page.evaluate("() => window.pressed")
    assert_looked_at(sent, seen, pressed)


@pytest.mark.usefixtures("minute_to_take_back")
def test_after_a_decision_the_next_in_order_is_open_whatever_arrives(
    app: App, signed_in: Page
) -> None:
    page = signed_in
    asked = [item["request_id"] for item in payments(app, "order", 5)]
    page.goto(f"/inbox/{asked[1]}")
    expect(page.get_by_role("article")).to_contain_text("Ivo 1")
    expect(page.locator("[data-item]")).to_have_count(5)  # it knows what comes next
    page.evaluate(WATCH)
    look(page)

    page.keyboard.press("a")
    expect(page.get_by_role("article")).to_contain_text("Tess 2")
    assert current(page) == asked[2]
    [soon] = payments(app, "soon", 1)
    expect(page.get_by_role("button", name=re.compile("1 new"))).to_have_count(0)
    for _ in range(2):
        page.keyboard.press("j")
    assert current(page) == asked[4]
    page.keyboard.press("k")
    page.keyboard.press("k")
    page.keyboard.press("k")
    assert current(page) == asked[0]
    assert app.api.get(f"interrupts/{soon['request_id']}/")["status"] == "open"

    page.keyboard.press("Control+z")
    expect(page.get_by_role("article")).to_contain_text("Ivo 1")
    assert current(page) == asked[1]
    assert app.api.get(f"interrupts/{asked[1]}/")["held"] is None


def test_what_arrives_before_waits_behind_a_count(app: App, signed_in: Page, watch: Watch) -> None:
    """So does it in a list that was not connected for a while, which is kept meanwhile.

    Of what is there, those can be listed that show more than some amount.
    """
    watch.expect("ERR_FAILED .*/interrupts/")
    page = signed_in
    first = payments(app, "arrive-a", 3)
    page.goto("/inbox?ordering=-opened")
    rows = page.locator("[data-item]")
    expect(rows).to_have_count(3)
    payments(app, "arrive-b", 2)

    fresh = page.get_by_role("button", name=re.compile("^2 new"))
    expect(fresh).to_be_visible()
    expect(rows.first).to_have_attribute("data-item", first[2]["request_id"])
    page.keyboard.press("n")
    expect(rows).to_have_count(5)
    assert current(page) == first[2]["request_id"]

    page.route("**/api/interrupts/?*", lambda route: route.abort())
    payments(app, "arrive-c", 1)
    strip = page.get_by_text("Not connected, trying again")
    expect(strip).to_be_visible()
    expect(rows).to_have_count(5)
    page.unroute("**/api/interrupts/?*")
    expect(page.get_by_role("button", name=re.compile("^1 new"))).to_be_visible()
    expect(strip).to_have_count(0)

    page.get_by_role("button", name="Filters").click()
    page.get_by_role("combobox", name="Field", exact=True).click()
    page.get_by_role("option", name="Amount").click()
    page.get_by_role("textbox", name="Value in USD").fill("21")
    page.keyboard.press("Enter")
    expect(rows).to_have_count(3)
    page.get_by_role("button", name="Take away: Amount more than $21.00").click()
    expect(rows).to_have_count(6)


@pytest.mark.usefixtures("minute_to_take_back")
def test_a_closed_tab_loses_nothing_and_a_new_one_can_take_back(
    app: App, new_page: OpenPage
) -> None:
    first, second = (item["request_id"] for item in payments(app, "closed", 2))
    page = new_page()
    page.goto("/inbox")
    expect(page.get_by_role("article")).to_contain_text("Nora 0")
    page.evaluate(WATCH)
    look(page)
    page.keyboard.press("a")
    expect(page.get_by_role("button", name=re.compile("^Undo")).first).to_be_visible()
    expect(page.get_by_role("article")).to_contain_text("Ivo 1")
    look(page)
    with page.expect_response(re.compile(r"/answer/$")):
        page.keyboard.press("a")
    expect(page.get_by_text("and 1 before").first).to_be_visible()
    page.close()

    again = new_page()
    again.goto("/inbox")
    expect(again.get_by_text("and 1 before").first).to_be_visible()
    again.keyboard.press("Control+z")
    expect(again.get_by_text("and 1 before")).to_have_count(0)
    expect(again.get_by_role("article")).to_be_visible()
    again.close()

    found = [app.api.get(f"interrupts/{one}/") for one in (first, second)]
    assert [item["status"] for item in found] == ["open", "open"]
    held = [item["request_id"] for item in found if item["held"]]
    assert len(held) == 1
    app.api.post("interrupts/withdraw/", {"ids": held})


def test_twenty_by_bulk_in_four_actions(app: App, signed_in: Page) -> None:
    items = payments(app, "bulk", 20)
    page = signed_in
    page.goto("/inbox")
    expect(page.locator("[data-item]")).to_have_count(20)
    page.keyboard.press("Control+a")
    expect(page.get_by_role("group", name="Picked items")).to_contain_text("20 picked")
    page.keyboard.press("a")
    dialog = page.get_by_role("dialog")
    table = dialog.get_by_role("table")
    expect(table.get_by_role("row")).to_have_count(22)
    expect(table).to_contain_text("$595.00")
    expect(table).to_contain_text("Amara 3")
    expect(table).not_to_contain_text("USD")
    expect(dialog.get_by_label("Comment")).to_be_focused()
    more = dialog.get_by_role("button", name=re.compile(r"^\d+ more rows? below$"))
    while more.count():
        told = more.inner_text()
        more.click()
        expect(more.filter(has_text=told)).to_have_count(0)
    expect(table.get_by_role("row").nth(20)).to_be_in_viewport()
    dialog.get_by_label("Comment").focus()
    requests: list[str] = []
    page.on("request", lambda one: requests.append(one.method + one.url))
    page.keyboard.press("Control+Enter")

    expect(dialog).to_have_count(0)
    expect(page.locator("[data-item]")).to_have_count(1)
    expect(page.get_by_role("article")).to_contain_text("Ada Owner approved this")
    assert sum("POST" in one and "/decide/" in one for one in requests) == 1
    assert not [one for one in requests if "/answer/" in one]
    wait_until(
        lambda: all(
            app.api.get(f"interrupts/{item['request_id']}/")["status"] == "answered"
            for item in items
        ),
        "each to be sent",
        60,
    )
