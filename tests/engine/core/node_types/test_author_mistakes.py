"""Mistakes of who writes node types and functions: told early, with what would be right."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.node_types.rules.call_mistakes import PUBLIC, function_mistakes
from engine.core.node_types.rules.type_mistakes import type_mistakes
from engine.core.state.program import Program
from engine.sdk import (
    HANDLERS,
    NODE_TYPES,
    EffectClass,
    Handlers,
    NodeConfig,
    NodeContext,
    NodeResult,
    NodeType,
    NodeTypes,
    RegistrationError,
    field,
    parse_document,
)
from tests.contract.harness import doc, fn, node, run
from tests.engine.check.graphs import codes, line, problems
from tests.engine.check.graphs import node as checked


class Plain(NodeConfig):
    """Nothing to say."""


async def works(self: Any, ctx: Any, config: Any) -> Any:
    return {"output": ctx.view.input}


def a_type(**attributes: Any) -> type[NodeType]:
    base: dict[str, Any] = {
        "__doc__": "Does something.",
        "type": "made",
        "label": "Made",
        "Config": Plain,
        "run": works,
    }
    return type("Made", (NodeType,), base | attributes)


def plain_run(self: Any, ctx: Any, config: Any) -> Any:
    return {}


async def yields(self: Any, ctx: Any, config: Any) -> Any:
    yield {}


async def short(self: Any, ctx: Any) -> Any:
    return {}


async def misspells(self: Any, ctx: Any, config: Any) -> Any:
    return await ctx.cal_tool("add", {})


async def reaches_inside(self: Any, ctx: Any, config: Any) -> Any:
    return await ctx.runner.cancel("r", "me")


async def reaches_the_host(self: Any, ctx: Any, config: Any) -> Any:
    async def inner() -> Any:
        return ctx._host

    return await inner()


async def uses_the_name_for_another(self: Any, ctx: Any, config: Any) -> Any:
    ctx = {}
    return ctx.items()


async def awaited_hook(self: Any, config: Any) -> Any:
    return EffectClass.READ


@pytest.mark.parametrize(
    ("attributes", "told"),
    [
        ({"run": NodeType.run}, r"has no run\(\).*async def run\(self, ctx, config\)"),
        ({"run": plain_run}, r"\.run\(\) must be a coroutine: write `async def run"),
        ({"run": yields}, r"\.run\(\) yields: return"),
        ({"run": short}, r"must take \(self, ctx, config\), not \(self"),
        ({"undo": plain_run}, r"\.undo\(\) must be a coroutine.*ctx, request"),
        ({"run": misspells}, r"ctx\.cal_tool, .* did you mean ctx\.call_tool"),
        ({"run": reaches_inside}, r"ctx\.runner, which a context does not have"),
        ({"run": reaches_the_host}, r"ctx\._host, which a context does not have"),
        ({"effect_of": awaited_hook}, r"effect_of\(\) is awaited by nobody: write `def effect_of"),
        ({"effect_class": "reed"}, "there are pure, read"),
        ({"label": None}, "no label"),
        ({"type": 5}, "lower_case"),
        ({"icon": 7}, r"\.icon must be text"),
        ({"prompts": "yes"}, r"\.prompts must be True or False"),
        ({"result_keys": "x_result"}, r"\.result_keys must be a tuple of memory keys"),
        ({"always_reads": "input"}, r"\.always_reads must be a tuple of lanes"),
        ({"handles": ("completed",)}, r"\.handles must be a tuple of Handle"),
        ({"views": ("scores",)}, r"\.views must be a tuple of RunViews"),
        ({"defaults": {"read_keys": ()}}, r"\.defaults must be NodeDefaults"),
    ],
)
def test_a_class_that_cannot_work_is_not_registered(attributes: Any, told: str) -> None:
    with pytest.raises(RegistrationError, match=told):
        NodeTypes().register(a_type(**attributes))


def test_what_is_no_mistake_is_registered() -> None:
    NodeTypes().register(a_type())
    NodeTypes().register(a_type(run=uses_the_name_for_another))
    NodeTypes().register(a_type(result_keys=["kept"]))


def test_nothing_that_ships_makes_a_mistake() -> None:
    types = {kind.type: list(type_mistakes(type(kind))) for kind in NODE_TYPES.all()}
    functions = {entry.name: list(function_mistakes(entry.function)) for entry in HANDLERS.all()}

    assert {name: wrong for name, wrong in {**types, **functions}.items() if wrong} == {}
    assert {"call_tool", "reason", "view", "node", "show"} <= PUBLIC


def test_a_function_that_cannot_be_called_is_not_registered() -> None:
    def alone(ctx: Any) -> Any:
        return {}

    def streams(ctx: Any, params: Any) -> Any:
        yield {}

    async def misspelt(ctx: Any, params: Any) -> Any:
        return await ctx.raeson("a", "b")

    for function, told in (
        (alone, "must take two arguments"),
        (streams, "yields"),
        (misspelt, r"did you mean ctx\.reason"),
        (None, "is no function"),
    ):
        with pytest.raises(RegistrationError, match=told):
            Handlers().register("f")(function)  # type: ignore[type-var]


def test_a_decorator_without_its_name_says_how_it_is_written() -> None:
    with pytest.raises(RegistrationError, match=r"write it in the call, `@handler\('name'\)`"):

        @Handlers().register  # type: ignore[arg-type]
        def classify(ctx: Any, params: Any) -> Any:
            return {}


class Keeps(NodeType):
    """Keep a note."""

    type = "keeps"
    label = "Keep"
    Config = Plain

    async def run(self, ctx: NodeContext, config: Plain) -> NodeResult:
        """Return the note."""
        return NodeResult(data={"note": ctx.view.input})


class Sometimes(Keeps):
    """Keep a note, if there is one."""

    type = "sometimes"

    async def run(self, ctx: NodeContext, config: Plain) -> Any:
        """Return the note."""
        if ctx.view.input is None:
            return None
        return {"data": {"note": ctx.view.input}}


def types_of(*own: type[NodeType]) -> NodeTypes:
    types = NodeTypes(package="engine.nodes")
    for kind in own:
        types.register(kind)
    return types


@pytest.mark.parametrize(("kind", "severity"), [(Keeps, "error"), (Sometimes, "warning")])
def test_a_write_that_is_not_declared_is_told_before_a_run(
    kind: type[NodeType], severity: str
) -> None:
    types = types_of(kind)

    [found] = [
        p
        for p in problems(line(checked("n", kind.type)), node_types=types)
        if p.code == "ResultKeyNotWritable"
    ]

    assert (found.path, found.node, found.severity) == ("nodes[0].write_keys", "n", severity)
    assert found.message == f'A node of type "{kind.type}" writes "note": add it to write_keys.'
    for keys in (["note"], ["*"]):
        granted = problems(line(checked("n", kind.type, write_keys=keys)), node_types=types)
        assert "ResultKeyNotWritable" not in {p.code for p in granted}


class Chatty(NodeConfig):
    """Says of what effect it is."""

    effect: str = field("read", description="Which.")


class Named(NodeType):
    """Be of the effect that the config names."""

    type = "named"
    label = "Named"
    Config = Chatty
    run = works

    def effect_of(self, config: Any) -> Any:
        """Return the name of the effect class."""
        return config.effect


class Spelled(Named):
    """Say the key, not a tuple of keys."""

    type = "spelled"

    def own_keys(self, node_id: str, config: Any) -> Any:
        """Return a key."""
        return f"{node_id}_result"


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (checked("n", "named", config={"effect": "reed"}), "effect_of() of node type 'named'"),
        (checked("n", "spelled"), "own_keys() of node type 'spelled'"),
    ],
)
def test_a_type_that_says_nonsense_of_a_config_is_told_by_the_check(
    document: Any, told: str
) -> None:
    types = types_of(Named, Spelled)

    [found] = [p for p in problems(line(document), node_types=types) if p.severity == "error"]

    assert (found.code, found.path) == ("InvalidValue", "nodes[0].type")
    assert told in found.message
    assert codes(line(checked("n", "named")), node_types=types) == set()


def test_an_effect_that_is_named_counts() -> None:
    spec, _problems = parse_document(doc([node("m", "named", config={"effect": "pure"})]))

    assert spec is not None
    assert Program(spec, types_of(Named)).plan("m").pure


@pytest.mark.parametrize(("effect", "code"), [("read", None), ("reed", "NodeConfigInvalid")])
def test_the_effect_of_an_outside_call_may_be_named(effect: Any, code: str | None) -> None:
    async def look(ctx: Any, params: Any) -> Any:
        async def call(_key: str) -> Any:
            return 3

        return {"output": await ctx.perform("look", {}, effect, call)}

    done = run(doc([fn("look")]), handlers={"look": look})

    if code is None:
        assert done.outputs["look"] == 3
    else:
        error = done.of("NodeFailed")[0]["error"]
        assert error["code"] == code
        assert "there are pure, read" in error["message"]


def test_an_option_that_a_conversation_does_not_take_is_named() -> None:
    async def ask(ctx: Any, params: Any) -> Any:
        return await ctx.reason(None, "Why?", tool=["add"])

    error = run(doc([fn("ask")]), handlers={"ask": ask}).of("NodeFailed")[0]["error"]

    assert error["code"] == "NodeConfigInvalid"
    assert "ctx.reason takes no tool; it takes" in error["message"]
