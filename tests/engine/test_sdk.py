"""The public names: all there, explained, enough for a package, and enough to run a graph."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints
from unittest.mock import MagicMock

import pytest

from engine import sdk
from engine.agents.activation import TalkOptions
from engine.agents.conversation import Options
from engine.runtime.execution.context import ActivationContext
from engine.sdk import (
    EffectClass,
    GraphHasErrors,
    Installed,
    NodeConfig,
    NodeContext,
    NodeResult,
    NodeType,
    NodeTypes,
    field,
    run_document,
)
from tests.repository import parsed

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "docs" / "example-package" / "graphwright_weather"


class ShoutConfig(NodeConfig):
    """Config of `shout`."""

    marks: int = field(1, ge=1, le=9, description="How many exclamation marks.")


class Shout(NodeType):
    """Say the input louder."""

    type = "shout"
    label = "Shout"
    effect_class = EffectClass.PURE
    Config = ShoutConfig

    async def run(self, ctx: NodeContext, config: ShoutConfig) -> NodeResult:
        """Return the input with its marks."""
        return NodeResult(output=f"{ctx.view.input}{'!' * config.marks}")


def shouting(marks: int) -> dict[str, Any]:
    return {
        "graphwright": 1,
        "id": "loud",
        "nodes": [
            {"id": "shout", "type": "shout", "read_keys": ["input"], "config": {"marks": marks}}
        ],
        "edges": [{"source": "__start__", "target": "shout"}],
    }


def held_by_nobody() -> ActivationContext:
    """Return a context whose parts are stand-ins: only its attributes are looked at."""
    return ActivationContext(MagicMock(), "r", MagicMock(), MagicMock(), MagicMock())


@pytest.fixture
def installed() -> Installed:
    types = NodeTypes(package="engine.nodes")
    types.register(Shout)
    return Installed(types=types)


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    assert sorted(set(sdk.__all__)) == sorted(sdk.__all__)
    for name in sdk.__all__:
        value = getattr(sdk, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert (value.__doc__ or "").strip(), name
            assert not (value.__doc__ or "").startswith(f"{value.__name__}("), name


def test_documents_and_the_example_package_import_nothing_else_of_the_engine() -> None:
    sources = [path.read_text() for path in PACKAGE.glob("*.py")]
    for page in (ROOT / "docs").glob("*.md"):
        sources += re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)

    found = [
        node.module
        for source in sources
        for node in ast.walk(parsed(source))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("engine")
    ]

    assert set(found) == {"engine.sdk"}
    assert len(found) > 8


def test_a_conversation_takes_what_its_options_name() -> None:
    public, inner = set(sdk.ReasonOptions.__annotations__), set(TalkOptions.__annotations__)

    assert inner == set(Options.__dataclass_fields__)
    assert inner - public == {"read"}


def test_a_call_of_the_context_has_no_untyped_options() -> None:
    for name in ("reason", "run_node", "run_nodes", "run_graph", "call_tool", "gather"):
        call = getattr(NodeContext, name)
        for parameter in inspect.signature(call).parameters.values():
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                assert parameter.annotation != "Any", name


AUTHORS = re.compile("NodeType|NodeConfig|@tool|@handler|@fitness")
"""What stands in a file that may write one: only these are parsed."""


def writes_something_of_its_own(tree: ast.Module) -> bool:
    """Return whether a file has a node type, or a tool or function that it registers by name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
            if bases & {"NodeType", "NodeConfig"}:
                return True
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            calls = [d.func if isinstance(d, ast.Call) else d for d in node.decorator_list]
            names = {call.id for call in calls if isinstance(call, ast.Name)}
            if names & {"tool", "handler", "fitness"}:
                return True
    return False


def test_tests_with_node_types_or_tools_take_public_names_from_the_public_place() -> None:
    sources = {path: path.read_text() for path in (ROOT / "tests").rglob("*.py")}
    trees = {path: parsed(text) for path, text in sources.items() if AUTHORS.search(text)}
    authors = {path: tree for path, tree in trees.items() if writes_something_of_its_own(tree)}

    deeper = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.module}.{alias.name}"
        for path, tree in authors.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("engine.")
        if node.module != "engine.sdk"
        for alias in node.names
        if alias.name in sdk.__all__
    ]

    assert len(authors) > 15
    assert deeper == []


def test_nobody_but_the_runtime_reaches_the_runner_through_a_context() -> None:
    inside = [*(ROOT / "engine/agents").rglob("*.py"), *(ROOT / "engine/nodes").rglob("*.py")]
    reached = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.attr}"
        for path in [*inside, *PACKAGE.glob("*.py")]
        for node in ast.walk(parsed(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in ("runner", "host", "_host")
    ]

    assert reached == []
    assert {"runner", "host"}.isdisjoint(dir(ActivationContext))
    assert not {name for name in vars(held_by_nobody()) if name in ("runner", "host")}


def test_authors_see_what_is_public_and_the_engine_gives_all_of_it() -> None:
    public = {name for name in dir(NodeContext) if not name.startswith("_")}
    given = set(dir(ActivationContext)) | set(vars(held_by_nobody()))

    assert public <= given
    assert public.isdisjoint({"act", "plan", "program", "finish", "run", "record", "credentials"})


async def test_a_type_of_ones_own_runs_in_this_process(installed: Installed) -> None:
    state = await run_document(shouting(3), "hello", installed=installed)

    assert state.status == "completed"
    assert state.outputs["shout"] == "hello!!!"


async def test_what_is_wrong_is_told_before_anything_runs(installed: Installed) -> None:
    with pytest.raises(GraphHasErrors) as caught:
        await run_document(shouting(12), "hello", installed=installed)

    assert "InvalidValue" in {problem.code for problem in caught.value.problems}
    with pytest.raises(GraphHasErrors, match="errors"):
        await run_document("nodes: [", installed=installed)


async def test_a_run_that_asks_a_person_rests(installed: Installed) -> None:
    asks = {
        "graphwright": 1,
        "id": "asks",
        "nodes": [
            {"id": "ask", "type": "question", "config": {"kind": "text", "question": "Name?"}}
        ],
        "edges": [{"source": "__start__", "target": "ask"}],
    }

    state = await run_document(asks, installed=installed)

    assert state.status == "waiting"


def test_the_public_names_need_no_web_framework() -> None:
    seen = "import engine.sdk, sys; print([m for m in sys.modules if m.split('.')[0] == 'django'])"

    done = subprocess.run(
        [sys.executable, "-c", seen], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"


def test_hints_of_a_node_can_be_read() -> None:
    assert get_type_hints(Shout.run)["return"] is NodeResult
