"""Registries take what is complete and look names up without importing anything."""

from __future__ import annotations

import sys
import types
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

import pytest
from pydantic import BaseModel

from engine.sdk import (
    HANDLERS,
    NODE_TYPES,
    EffectClass,
    Handlers,
    NodeConfig,
    NodeType,
    NodeTypes,
    RegistrationError,
    field,
)

LOADING, GO_ON = Event(), Event()


async def run(self, ctx, config):
    return None


def node_type(**attributes):
    base = {"__doc__": "Do a thing.", "type": "thing", "label": "Thing", "run": run, **attributes}
    return type("Thing", (NodeType,), base)


def test_built_in_types_are_found_by_being_there():
    """K43, C1."""
    found = {entry.type for entry in NODE_TYPES.all()}

    assert found >= {
        "agent",
        "tool",
        "http_request",
        "function",
        "router",
        "approval",
        "question",
        "output",
        "delay",
    }


def test_a_registered_type_is_found_by_name():
    """S22."""
    registry = NodeTypes()
    cls = registry.register(node_type())

    assert type(registry.get("thing")) is cls
    assert registry.find("nothing") is None
    with pytest.raises(KeyError):
        registry.get("nothing")


class FreeConfig(NodeConfig):
    """Cannot be drawn."""

    anything: dict[str, object] = field(default_factory=dict, description="x")


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ({"__doc__": None}, "docstring"),
        ({"__doc__": "  "}, "docstring"),
        ({"type": "Bad Name"}, "type"),
        ({"label": ""}, "label"),
        ({"Config": BaseModel}, "NodeConfig"),
        ({"Config": FreeConfig}, "form"),
    ],
)
def test_incomplete_types_are_refused(attributes, reason):
    """S31."""
    with pytest.raises(RegistrationError, match=reason):
        NodeTypes().register(node_type(**attributes))


def test_a_docstring_is_not_inherited():
    """S31."""
    parent = node_type()

    with pytest.raises(RegistrationError, match="docstring"):
        NodeTypes().register(type("Child", (parent,), {"type": "child"}))


def test_a_taken_name_is_refused():
    """S22."""
    registry = NodeTypes()
    registry.register(node_type())

    with pytest.raises(RegistrationError, match="already taken"):
        registry.register(node_type())


def test_every_module_of_the_package_holds_one_type(tmp_path, monkeypatch):
    """S22."""
    package = tmp_path / "palette_double"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "shout.py").write_text(
        "from engine.sdk import NodeType\n"
        "class Shout(NodeType):\n    'Say it louder.'\n    type = 'shout'\n    label = 'Shout'\n"
        "    async def run(self, ctx, config): return None\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))

    assert NodeTypes(package="palette_double").get("shout").label == "Shout"

    (package / "two.py").write_text(
        (package / "shout.py").read_text() * 2 + "class Other(Shout): pass\n"
    )
    with pytest.raises(RegistrationError, match="exactly one"):
        NodeTypes(package="palette_double").all()


def test_handlers_are_found_by_both_names():
    """K3."""
    handlers = Handlers()

    @handlers.register("classify")
    def classify(ctx, params):
        """Sort."""

    path = f"{classify.__module__}:{classify.__qualname__}"
    found = handlers.find("classify")
    assert found is not None
    assert found is handlers.find(path)
    assert found.describe() == {"name": "classify", "description": "Sort."}


def test_looking_up_a_handler_imports_nothing(tmp_path, monkeypatch):
    """K3."""
    (tmp_path / "never_imported_module.py").write_text("def go(ctx, params): ...\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    assert HANDLERS.find("never_imported_module:go") is None
    assert HANDLERS.find("os:system") is None
    assert "never_imported_module" not in sys.modules


def test_a_handlers_name_is_taken_once():
    """K3."""
    handlers = Handlers()
    handlers.register("go")(types.FunctionType)

    with pytest.raises(RegistrationError, match="already taken"):
        handlers.register("go")(types.ModuleType)


@pytest.mark.parametrize("name", ["", "os:system", "a b", "1x"])
def test_bad_handler_names_are_refused(name):
    """K3."""
    with pytest.raises(RegistrationError):
        Handlers().register(name)


def test_a_handler_is_read_unless_declared_pure():
    """K9."""
    handlers = Handlers()
    handlers.register("a")(len)
    handlers.register("b", effect_class=EffectClass.PURE)(max)

    assert [entry.effect_class.value for entry in handlers.all()] == ["read", "pure"]
    with pytest.raises(RegistrationError):
        handlers.register("c", effect_class=EffectClass.UNSAFE)


def test_nobody_sees_a_registry_that_is_half_loaded(tmp_path, monkeypatch):
    """S22: Threads that ask while the first one still loads wait for all of it."""
    package = tmp_path / "slow_nodes"
    package.mkdir()
    (package / "__init__.py").write_text("")
    body = (
        "from engine.sdk import NodeType\n"
        "class Node(NodeType):\n    'A node.'\n    type = {name!r}\n    label = 'Node'\n"
        "    async def run(self, ctx, config): return None\n"
    )
    (package / "a.py").write_text(body.format(name="a"))
    gate = "from tests.engine.core.node_types import test_registry as t\nt.LOADING.set()\nt.GO_ON.wait(5)\n"
    (package / "b.py").write_text(gate + body.format(name="b"))
    monkeypatch.syspath_prepend(tmp_path)
    known = NodeTypes(package="slow_nodes")
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(known.all)
        LOADING.wait(5)
        second = pool.submit(known.all)
        wait([second], timeout=0.2)
        GO_ON.set()

    assert len(first.result()) == len(second.result()) == 2
