"""Entry points of installed packages: each is loaded by itself, and broken ones are kept apart."""

from __future__ import annotations

import logging
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from engine.core.node_types import plugins, registry
from engine.core.node_types.registry import Handlers, NodeTypes

GROUP = "graphwright.nodes"


def hello(ctx: Any, params: Any) -> str:
    """Say hello."""
    return "hello"


def leave(point: EntryPoint, found: Any) -> None:
    """Take nothing and end the process."""
    raise SystemExit(3)


def test_what_raises_is_named_and_the_rest_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    points = [
        EntryPoint("gone", "no_such_package:Thing", GROUP),
        EntryPoint("here", f"{__name__}:hello", GROUP),
    ]
    taken: list[str] = []

    with caplog.at_level(logging.ERROR):
        plugins.load_each(points, lambda point, _found: taken.append(point.name))

    broken = [plugin for plugin in plugins.broken() if plugin.name == "gone"]
    assert taken == ["here"]
    assert "no_such_package" in broken[0].reason
    assert str(broken[0]) in caplog.text


def test_a_package_that_ends_the_process_is_left_out() -> None:
    plugins.load_each([EntryPoint("quits", f"{__name__}:hello", GROUP)], leave)

    assert "SystemExit" in next(p.reason for p in plugins.broken() if p.name == "quits")


def test_one_that_works_again_is_no_longer_broken() -> None:
    point = EntryPoint("healed", f"{__name__}:hello", GROUP)
    plugins.load_each([point], leave)

    plugins.load_each([point], lambda _point, _found: None)

    assert "healed" not in {plugin.name for plugin in plugins.broken()}


def test_a_function_is_found_by_the_name_of_its_entry_point(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """K3."""
    points = [EntryPoint("greet", f"{__name__}:hello", "g"), EntryPoint("bad name", "os:path", "g")]
    monkeypatch.setattr(registry, "entry_points", lambda group: points if group == "g" else [])

    found = Handlers(group="g").all()

    assert [(entry.name, entry.path) for entry in found] == [("greet", f"{__name__}:hello")]


def test_an_offer_that_is_no_node_type_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint("wrong", f"{__name__}:hello", "n")]
    monkeypatch.setattr(registry, "entry_points", lambda group: points)

    found = NodeTypes(package="engine.nodes", group="n").all()

    assert "agent" in {entry.type for entry in found}
    assert "NodeType" in next(p.reason for p in plugins.broken() if p.name == "wrong")
