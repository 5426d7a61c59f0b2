"""How many frames a second the editor draws while a person pans, zooms and drags in a large graph.

`PYTHONPATH=.ci python -m tests.e2e.frames` measures an empty canvas, 500 nodes and 2,000 nodes and prints a
table. Frames are counted by `requestAnimationFrame`
while real input events arrive, each sent when the one before has been handled.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import chromium
from tests.e2e.app import served
from tests.e2e.conftest import Watch, open_context, set_up_owner
from tests.e2e.editor import nodes

COLUMNS = 25
STEPS = 90
COUNT = """() => {
    const stamps = [];
    const tick = (now) => { stamps.push(now); window.counting = requestAnimationFrame(tick); };
    window.counted = stamps;
    window.counting = requestAnimationFrame(tick);
}"""
STOP = "() => { cancelAnimationFrame(window.counting); return window.counted; }"


def lattice(count: int, edges: int) -> dict[str, Any]:
    """Return a graph of `count` nodes in columns of cards: chains across, and wires between rows."""
    made: list[tuple[int, int]] = []
    for place in range(count):
        column = place % COLUMNS
        if column == 0:
            made.append((-1, place))
        else:
            made.append((place - 1, place))
    row, place = COLUMNS, 0
    while len(made) < edges:
        if place % COLUMNS < COLUMNS - 1 and place + row + 1 < count:
            made.append((place, place + row + 1))
        place = (place + 2) % count
        if place < 2:
            place, row = 1 - place, row + (COLUMNS if place else 0)
    return {
        "graphwright": 1,
        "id": f"lattice-{count}",
        "name": f"Lattice of {count}",
        "nodes": [
            {
                "id": f"n{place}",
                "type": "delay",
                "label": f"Step {place}",
                "join": "any",
                "config": {"duration_ms": 1},
                "position": {"x": 320 * (place % COLUMNS), "y": 160 * (place // COLUMNS)},
            }
            for place in range(count)
        ],
        "edges": [
            {
                "id": f"e{index}",
                "source": "__start__" if source < 0 else f"n{source}",
                "target": f"n{target}",
            }
            for index, (source, target) in enumerate(made[:edges])
        ],
    }


@contextmanager
def counted(page: Page, into: dict[str, float], name: str) -> Iterator[None]:
    """Count the frames a second of the page while the block lasts."""
    page.evaluate(COUNT)
    yield
    stamps = page.evaluate(STOP)
    into[name] = (len(stamps) - 1) / ((stamps[-1] - stamps[0]) / 1000)


def _swing(page: Page, x: float, y: float) -> None:
    """Move the pointer to and fro around a point."""
    for step in range(STEPS):
        away = abs((step * 8) % 480 - 240) - 120
        page.mouse.move(x + away, y + away / 2)


def measure(page: Page, *, moved: bool) -> dict[str, float]:
    """Return the frames a second of each gesture, near (100 %) and far (everything fits).

    With `moved` a card is dragged too.
    """
    paces: dict[str, float] = {}
    page.get_by_role("button", name="Fit everything").click()
    page.wait_for_timeout(400)
    for where in ("far", "near"):
        if where == "near":
            page.get_by_title("Zoom to 100 %").click()
            page.wait_for_timeout(400)
        with counted(page, paces, f"pan {where}"):
            page.mouse.move(700, 420)
            for step in range(STEPS):
                page.mouse.wheel(*((12, 8) if step % 40 < 20 else (-12, -8)))
        if moved:
            x, y = a_card(page)
            page.mouse.move(x, y)
            page.mouse.down()
            with counted(page, paces, f"drag {where}"):
                _swing(page, x, y)
            page.mouse.up()
            page.keyboard.press("Control+z")
    page.get_by_role("button", name="Fit everything").click()
    page.wait_for_timeout(400)
    page.mouse.move(700, 420)
    page.keyboard.down("Control")
    with counted(page, paces, "zoom"):
        for step in range(STEPS):
            page.mouse.wheel(0, -40 if step % 60 < 30 else 40)
    page.keyboard.up("Control")
    return paces


def a_card(page: Page) -> tuple[float, float]:
    """Find a card by moving the pointer over the canvas, as an eye and a hand would."""
    for step in range(80):
        x, y = 520 + 13 * (step % 10), 340 + 11 * (step // 10)
        page.mouse.move(x, y)
        hit = "([x, y]) => !!document.elementFromPoint(x, y)?.closest('.react-flow__node-card') && !document.elementFromPoint(x, y)?.closest('.react-flow__handle')"
        if page.evaluate(hit, [x, y]):
            return x, y
    raise AssertionError("no card under the pointer")


def load(page: Page, graph_id: str, first: str | None) -> float:
    """Open the editor; return the milliseconds until the graph is on screen."""
    page.goto("about:blank")
    page.goto(f"/workflows/{graph_id}", wait_until="commit")
    if first is None:
        expect(page.get_by_text("Start with a node")).to_be_visible()
    else:
        expect(
            page.get_by_role("img", name="The graph from afar").or_(nodes(page).first)
        ).to_be_visible()
    return float(page.evaluate("performance.now()"))


def main() -> None:
    """Measure and print the table."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as app,
        chromium() as browser,
    ):
        page = open_context(browser, app, Watch()).new_page()
        set_up_owner(page)
        rows = []
        for count, edges in ((0, 0), (500, 800), (2000, 3200)):
            ready = load(page, app.api.make(lattice(count, edges)), "n0" if count else None)
            found = measure(page, moved=count > 0)
            near = {name: f"{pace:.0f}" for name, pace in found.items()}
            names = ("pan far", "drag far", "pan near", "drag near", "zoom")
            rows.append([f"{count:,}", f"{ready / 1000:.1f} s", *(near.get(n, "-") for n in names)])
        head = ["nodes", "open", "pan far", "drag far", "pan near", "drag near", "zoom"]
        lines = [head, ["---:"] * len(head), *rows]
        sys.stdout.writelines("| " + " | ".join(line) + " |\n" for line in lines)


if __name__ == "__main__":
    main()
