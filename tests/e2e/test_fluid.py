"""The editor with 500 nodes: what a gesture touches, and how much is loaded to open it."""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Callable
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import BUILD, ROOT, App, ensure_build, wait_until
from tests.e2e.editor import nodes
from tests.e2e.frames import a_card, lattice, load

LIMIT_BYTES = 400_000
WATCH = """() => {
    const seen = new Set();
    const note = (records) => {
        for (const { target } of records) {
            const at = target instanceof Element ? target : target.parentElement;
            const element = at?.closest('.react-flow__node, .react-flow__edge');
            if (element) seen.add(element.dataset.id);
        }
    };
    const watch = new MutationObserver(note);
    watch.observe(document.querySelector('.react-flow__viewport'), {
        subtree: true, childList: true, attributes: true, characterData: true,
    });
    window.touched = () => { note(watch.takeRecords()); watch.disconnect(); return [...seen]; };
}"""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def _needed(manifest: dict[str, dict[str, list[str]]], *names: str) -> set[str]:
    """Return the entries that a browser must have before these entries run."""
    found: set[str] = set()
    open_names = list(names)
    while open_names:
        name = open_names.pop()
        if name not in found:
            found.add(name)
            open_names += manifest[name].get("imports", [])
    return found


def test_the_editor_loads_less_than_400_kilobytes() -> None:
    ensure_build()
    manifest = json.loads(BUILD.read_text())

    entries = _needed(manifest, "src/main.tsx", "src/features/editor/EditorPage.tsx")
    files = {manifest[name]["file"] for name in entries}
    files |= {style for name in entries for style in manifest[name].get("css", [])}

    sizes = {name: len(gzip.compress(Path(BUILD.parent, name).read_bytes())) for name in files}
    assert len(files) > 10
    assert sum(sizes.values()) < LIMIT_BYTES, sizes


@pytest.mark.parametrize(
    ("page", "most"),
    [
        ("inbox/InboxPage", 35),
        ("editor/EditorPage", 35),
        ("runs/RunsPage", 30),
        ("runs/RunPage", 45),
        ("dashboards/DashboardPage", 20),
    ],
)
def test_a_page_is_some_dozens_of_files(page: str, most: int) -> None:
    """They were up to 116, most of less than two kilobytes; each is asked for by itself."""
    ensure_build()
    manifest = json.loads(BUILD.read_text())
    [name] = [each for each in manifest if each.endswith(f"features/{page}.tsx")]

    files = {manifest[each]["file"] for each in _needed(manifest, "src/main.tsx", name)}

    assert 5 < len(files) <= most


def test_no_two_files_need_each_other() -> None:
    """Which of them runs first would be the browser's choice; a page was empty once."""
    ensure_build()
    manifest = json.loads(BUILD.read_text())
    needs: defaultdict[str, set[str]] = defaultdict(set)
    for each in manifest.values():
        needs[each["file"]] |= {manifest[name]["file"] for name in each.get("imports", [])}

    order = list(TopologicalSorter(needs).static_order())  # raises `CycleError`

    assert len(order) > 100


def test_every_text_has_a_smaller_one_beside_it() -> None:
    """What is sent to whoever takes it: half a megabyte of code, where it was one and a half."""
    ensure_build()
    texts = [
        path
        for path in BUILD.parent.joinpath("assets").iterdir()
        if path.suffix in {".js", ".css", ".json"} and path.stat().st_size >= 1_000
    ]
    packed = [Path(f"{path}.gz") for path in texts]

    assert len(texts) > 50
    for path, small in zip(texts, packed, strict=True):
        assert gzip.decompress(small.read_bytes()) == path.read_bytes()
    total = sum(path.stat().st_size for path in texts)
    assert sum(small.stat().st_size for small in packed) < total / 2.5


def touched(page: Page, gesture: Callable[[], None]) -> set[str]:
    """Return the ids of the nodes and wires whose elements change while the gesture lasts."""
    page.evaluate(WATCH)
    gesture()
    page.wait_for_timeout(100)
    return set(page.evaluate("window.touched()"))


def test_the_icons_of_what_ships_come_with_the_page(app: App, signed_in: Page) -> None:
    """Three that were left out cost each visit of a canvas all five thousand: two megabytes."""
    picked = (ROOT / "frontend" / "dev" / "icons.ts").read_text()
    icons = {each["icon"] for each in app.api.get("node-types/")["results"]}
    assert len(icons) > 10
    assert [icon for icon in icons if f"'{icon}'" not in picked] == []
    asked: list[str] = []
    signed_in.on("request", lambda request: asked.append(request.url))

    load(signed_in, app.api.graph("support-triage")["id"], "classify")

    assert any("/assets/EditorPage" in url for url in asked)
    assert not [url for url in asked if "tabler" in url]


def test_a_gesture_among_five_hundred_nodes_touches_only_what_it_moves(
    app: App, signed_in: Page
) -> None:
    page = signed_in
    drawn = lattice(500, 800)
    load(page, app.api.make(drawn), "n0")
    page.get_by_role("button", name="Fit everything").click()
    expect(page.get_by_role("img", name="The graph from afar, 500 nodes")).to_be_visible()

    def pan() -> None:
        for _ in range(5):
            page.mouse.wheel(12, 8)

    def move() -> None:
        page.mouse.down()
        page.mouse.move(x + 60, y + 30, steps=5)
        page.mouse.up()

    assert touched(page, pan) == set()

    page.get_by_title("Zoom to 100 %").click()
    expect(nodes(page)).not_to_have_count(0)
    wait_until(lambda: 0 < nodes(page).count() < 60, "only the cards in sight")
    page.wait_for_timeout(400)
    assert touched(page, pan) == set()
    x, y = a_card(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.up()
    [held] = page.locator(".react-flow__node.selected").evaluate_all(
        "all => all.map(n => n.dataset.id)"
    )
    moved = touched(page, move)

    wires = {edge["id"] for edge in drawn["edges"] if held in (edge["source"], edge["target"])}
    assert held in moved
    assert moved <= {held, *wires}


def test_nodes_too_far_to_be_elements_are_framed_and_moved(app: App, signed_in: Page) -> None:
    page = signed_in
    load(page, app.api.make(lattice(150, 200)), "n0")
    picture = page.get_by_role("img", name="The graph from afar, 150 nodes")
    expect(picture).to_be_visible()
    expect(nodes(page)).to_have_count(0)

    page.mouse.move(300, 180)
    page.mouse.down()
    page.mouse.move(1240, 640, steps=6)
    page.mouse.up()

    panel = page.get_by_role("complementary", name="Inspector")
    expect(panel).to_contain_text(re.compile(r"^[1-9]\d+ selected"))
    page.keyboard.press("Delete")
    expect(picture).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(picture).to_be_visible()
