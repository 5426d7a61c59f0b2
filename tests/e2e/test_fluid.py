"""The editor with 500 nodes: how much of an empty canvas's pace is left, and how much is loaded to open it."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import BUILD, App, ensure_build
from tests.e2e.editor import nodes
from tests.e2e.frames import lattice, load, measure, ratios

LIMIT_BYTES = 400_000
STEPS = 30
LEAST = 0.4

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

    entries = _needed(manifest, "src/main.tsx", "src/pages/EditorPage.tsx")
    files = {manifest[name]["file"] for name in entries}
    files |= {style for name in entries for style in manifest[name].get("css", [])}

    sizes = {name: len(gzip.compress(Path(BUILD.parent, name).read_bytes())) for name in files}
    assert len(files) > 10
    assert sum(sizes.values()) < LIMIT_BYTES, sizes


def test_five_hundred_nodes_keep_the_pace_of_an_empty_canvas(app: App, signed_in: Page) -> None:
    page = signed_in
    load(page, app.api.make(lattice(0, 0)), None)
    empty = measure(page, moved=False, steps=STEPS)
    load(page, app.api.make(lattice(500, 800)), "n0")

    kept = ratios(measure(page, moved=True, steps=STEPS), empty)

    assert min(kept.values()) > LEAST, kept


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
