"""A node type of another package: one Python file, and the server, palette, form and engine know it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.app import served
from tests.e2e.conftest import Watch, open_context, set_up_owner
from tests.e2e.editor import run_draft

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHOUT = '''
from __future__ import annotations

from engine.sdk import EffectClass, NodeConfig, NodeDefaults, NodeResult, NodeType, field


class ShoutConfig(NodeConfig):
    """Config of `shout`."""

    marks: int = field(1, ge=1, le=9, description="How many exclamation marks.")


class ShoutNode(NodeType):
    """Say the input louder.

    A second paragraph that the form shows.
    """

    type = "shout"
    label = "Shout"
    icon = "speakerphone"
    category = "Text"
    effect_class = EffectClass.PURE
    defaults = NodeDefaults(read_keys=("input",))

    Config = ShoutConfig

    async def run(self, ctx, config):
        return NodeResult(output=ctx.view.input.upper() + "!" * config.marks)
'''


def install(site: Path) -> None:
    """Put the package where Python finds it, the way an installer leaves it."""
    info = site / "shouting-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "shouting.py").write_text(SHOUT)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[graphwright.nodes]\nshout = shouting:ShoutNode\n")


def test_a_node_type_is_one_python_file(
    browser: Browser, tmp_path: Path, sqlite_template: Path
) -> None:
    """S22."""
    install(tmp_path / "site")
    watch = Watch()
    with served(tmp_path, sqlite_template, PYTHONPATH=str(tmp_path / "site")) as app:
        context = open_context(browser, app, watch)
        page = context.new_page()
        set_up_owner(page)
        types = {entry["type"]: entry for entry in app.api.get("node-types/")["results"]}
        assert types["shout"]["label"] == "Shout"
        assert types["shout"]["config_schema"]["properties"]["marks"]["maximum"] == 9

        graph = app.api.post("graphs/", {"name": "Loud"})["id"]
        page.goto(f"/workflows/{graph}")
        page.get_by_role("button", name="Add Shout").click()
        inspector = page.get_by_role("complementary", name="Inspector")
        expect(inspector).to_contain_text("Say the input louder.")
        inspector.get_by_label("Marks", exact=True).fill("3")
        expect(page.locator('.react-flow__node[data-id="shout"]')).to_contain_text("Shout")

        expect(run_draft(page, "hello").get_by_role("tabpanel", name="Live")).to_contain_text(
            "HELLO!!!"
        )
        expect(
            page.locator('.react-flow__node[data-id="shout"] [aria-label]').first
        ).to_have_attribute("aria-label", re.compile("Completed"))
        context.close()

        assert watch.unexpected() == []
        assert "Traceback" not in app.logged(), app.logged()[-6000:]
