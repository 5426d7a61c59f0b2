"""The documented package beside a server: what it offers is served, checked and run.

A broken package beside it is left out, and the log says which.
"""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.app import OWNER, ROOT, Api, App, served
from tests.e2e.test_account import fine, sign_in

pytestmark = pytest.mark.slow

PACKAGE = ROOT / "docs" / "example-package"
WALK: dict[str, Any] = {
    "graphwright": 1,
    "id": "walk",
    "nodes": [
        {"id": "feel", "type": "comfort", "read_keys": ["input"], "config": {"warm_from": 15}},
        {
            "id": "dress",
            "type": "function",
            "read_keys": ["previous"],
            "config": {"handler": "pick_clothes", "params": {"warm": "sandals"}},
        },
        {
            "id": "look",
            "type": "tool",
            "config": {"tool_id": "mean_temperature", "arguments": {"city": "Oslo"}},
        },
        {
            "id": "end",
            "type": "output",
            "read_keys": ["outputs.dress", "look_result"],
            "config": {"value": "{'wear': outputs.dress, 'oslo': memory.look_result}"},
        },
    ],
    "edges": [
        {"source": "__start__", "target": "feel"},
        {"source": "feel", "target": "dress", "when": "warm"},
        {"source": "feel", "target": "dress"},
        {"source": "dress", "target": "look"},
        {"source": "look", "target": "end"},
    ],
}


def install(source: Path, site: Path) -> None:
    """Put a package where Python finds it, with the metadata that an installer writes."""
    project = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    name, version = project["name"], project["version"]
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    shutil.copytree(source / "graphwright_weather", site / "graphwright_weather")


def break_something(site: Path) -> None:
    """Add a package whose node type cannot be imported and whose tool cannot be registered."""
    info = site / "stormy-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "stormy.py").write_text("raise RuntimeError('no umbrella')\n")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stormy\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[graphwright.nodes]\nstorm = stormy:StormNode\n"
        "[graphwright.tools]\ntransition_to = stormy_not_there:go\n"
    )


def owner_of(app: App) -> Api:
    """Make the first owner and return their API."""
    api = Api(app.address)
    api._token = api.get("session/")["csrf_token"]
    body = {key: OWNER[key] for key in ("name", "email", "password", "workspace")}
    api._token = api.post("setup/", body)["csrf_token"]
    return api


def look_at_tools(page: Page) -> None:
    """See on screen whose a function is, and what a skill brings."""
    sign_in(page, OWNER["email"], OWNER["password"])
    expect(page.get_by_role("button", name=f"{OWNER['name']}: menu")).to_be_visible()
    page.goto("/settings/tools")
    named = page.get_by_text("mean_temperature", exact=True)  # also in a skill that is closed
    named.filter(visible=True).first.click()
    functions = page.get_by_role("region").filter(has_text="mean_temperature").first
    expect(functions.get_by_text("graphwright-weather 1.0.0")).to_be_visible()
    skills = page.get_by_role("region", name="Skills")
    expect(skills).to_contain_text("1 skill · installed with Graphwright")
    skills.get_by_role("button").first.press("Enter")
    for said in ("Unlocks", "Package", "graphwright-weather"):
        expect(skills).to_contain_text(said)
    expect(skills.get_by_label("Instructions of forecasting")).to_be_visible()
    fine(page, "tools-of-packages")


@pytest.mark.browser
def test_the_example_package_is_served_checked_and_run(
    tmp_path: Path, sqlite_template: Path, browser: Browser
) -> None:
    """S22."""
    site = tmp_path / "site"
    install(PACKAGE, site)
    break_something(site)
    with served(tmp_path, sqlite_template, PYTHONPATH=str(site)) as app:
        api = owner_of(app)

        types = {entry["type"]: entry for entry in api.get("node-types/")["results"]}
        tools = {entry["name"]: entry for entry in api.get("tools/")["results"]}
        sources = {entry["name"]: entry for entry in api.get("tool-sources/")["results"]}
        packages = {tool["name"]: tool["package"] for tool in sources["python"]["tools"]}
        functions = {entry["name"] for entry in api.get("functions/")["results"]}
        assert types["comfort"]["category"] == "Weather"
        assert types["comfort"]["config_schema"]["properties"]["warm_from"]["maximum"] == 60
        assert "agent" in types
        assert "storm" not in types
        assert tools["mean_temperature"]["effect_class"] == "read"
        assert tools["mean_temperature"]["accepted"]
        assert packages["mean_temperature"].startswith("graphwright-weather ")
        assert "pick_clothes" in functions

        graph = api.post("graphs/", {"document": WALK})
        assert [p for p in graph["problems"] if p["severity"] == "error"] == []
        for degrees, wear in ((21, "sandals"), (4, "a coat")):
            run = api.wait(api.start(graph["id"], degrees, draft=True), "completed")
            assert run["result"] == {"wear": wear, "oslo": 6.3}

        page = browser.new_page(base_url=app.address, reduced_motion="reduce")
        look_at_tools(page)
        page.close()
        logged = app.logged()
        assert (
            "stormy: graphwright.nodes storm = stormy:StormNode: RuntimeError: no umbrella"
            in logged
        )
        assert "stormy: graphwright.tools transition_to" in logged
