"""Python functions as tools: registration, schema, arguments, context, threads."""

from __future__ import annotations

import asyncio
import sys
import threading
from enum import StrEnum
from importlib.metadata import EntryPoint
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field

from engine.core.effects import EffectClass
from engine.core.errors import NodeError, OutcomeUnknown, ToolFailed
from engine.integrations.tools.functions import (
    DEFAULT,
    FunctionTools,
    ToolContext,
    ToolNotRegistered,
    registry,
)
from engine.integrations.tools.protocol import RESERVED_TOOL_NAMES
from tests.engine.integrations.tools.origins import origin


class Size(StrEnum):
    SMALL = "small"
    LARGE = "large"


class Item(BaseModel):
    sku: str
    count: int = 1


def tool_of(function: Any, **options: Any) -> Any:
    return FunctionTools().register(function, **options)


def test_parameters_become_json_schema_with_defaults_and_descriptions() -> None:
    def order(
        sku: Annotated[str, Field(description="The article.")],
        size: Size,
        count: int = 1,
        note: str | None = None,
    ) -> None:
        """Order an article."""

    spec = tool_of(order).spec

    assert spec.name == "order"
    assert spec.description == "Order an article."
    assert spec.effect_class is EffectClass.UNSAFE
    assert spec.source == "python"
    assert spec.parameters == {
        "type": "object",
        "additionalProperties": False,
        "required": ["sku", "size"],
        "properties": {
            "sku": {"type": "string", "description": "The article."},
            "size": {"$ref": "#/$defs/Size"},
            "count": {"type": "integer", "default": 1},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        },
        "$defs": {"Size": {"type": "string", "enum": ["small", "large"], "title": "Size"}},
    }


def test_the_decorator_works_bare_and_with_options() -> None:
    tools = FunctionTools()

    @tools.tool
    def bare() -> int:
        return 1

    @tools.tool(name="other", effect_class=EffectClass.KEYED, description="Said here.")
    def named() -> int:
        return 2

    assert bare() == 1
    assert named() == 2
    specs = {name: tool.spec for name, tool in tools._tools.items()}
    assert specs["bare"].effect_class is EffectClass.UNSAFE
    assert specs["other"].effect_class is EffectClass.KEYED
    assert specs["other"].description == "Said here."


async def test_arguments_are_checked_converted_and_given() -> None:
    """S18."""

    def take(items: list[Item], size: Size = Size.SMALL, json: str = "") -> dict[str, Any]:
        return {"skus": [item.sku for item in items], "size": size, "json": json}

    tool = tool_of(take)

    result = await tool.call({"items": [{"sku": "a"}], "size": "large", "json": "x"}, origin())

    assert result == {"skus": ["a"], "size": "large", "json": "x"}
    assert type(result["size"]) is str


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({}, "a"),
        ({"a": "five"}, "a"),
        ({"a": 1, "colour": "red"}, "colour"),
        ({"a": 1, "items": [{"sku": "x", "count": "many"}]}, "items.0.count"),
    ],
)
async def test_a_wrong_argument_is_named_and_not_retried(
    arguments: dict[str, Any], field: str
) -> None:
    """C29."""
    called: list[int] = []

    def take(a: int, items: list[Item] | None = None) -> None:
        called.append(a)

    with pytest.raises(ToolFailed, match=field) as failed:
        await tool_of(take).call(arguments, origin())

    assert failed.value.detail["fields"] == [field]
    assert not failed.value.retryable
    assert called == []


async def test_a_context_parameter_is_filled_and_not_in_the_schema() -> None:
    """S18, S10."""

    def who(a: int, ctx: ToolContext) -> dict[str, Any]:
        return {
            "a": a,
            "tenant": ctx.tenant,
            "user": ctx.user,
            "correlation": ctx.correlation_id,
            "metadata": ctx.metadata,
            "place": [ctx.graph_id, ctx.run_id, ctx.node_id],
            "key": ctx.idempotency_key,
        }

    tool = tool_of(who)

    assert list(tool.spec.parameters["properties"]) == ["a"]
    assert await tool.call({"a": 5}, origin()) == {
        "a": 5,
        "tenant": "t1",
        "user": "ann",
        "correlation": "c-7",
        "metadata": {"channel": "mail"},
        "place": ["support", "run-1", "lookup"],
        "key": "key-1",
    }
    with pytest.raises(ToolFailed, match="ctx"):
        await tool.call({"a": 5, "ctx": {}}, origin())


async def test_a_run_without_tenant_or_user_is_legal() -> None:
    """S28."""

    def who(ctx: ToolContext | None = None) -> list[Any]:
        assert ctx is not None
        return [ctx.tenant, ctx.user, ctx.correlation_id]

    assert await tool_of(who).call({}, origin(context={})) == [None, None, None]


async def test_async_functions_are_awaited_and_sync_ones_leave_the_loop() -> None:
    async def here() -> int:
        return threading.get_ident()

    def there() -> int:
        return threading.get_ident()

    own = threading.get_ident()
    tools = FunctionTools()

    assert await tools.register(here).call({}, origin()) == own
    assert await tools.register(there).call({}, origin()) != own
    await tools.aclose()


async def test_threads_are_bounded() -> None:
    tools = FunctionTools(max_threads=2)
    lock, gate = threading.Lock(), threading.Barrier(2, timeout=5)
    running = most = 0

    def work() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        gate.wait()
        with lock:
            running -= 1

    tool = tools.register(work)
    await asyncio.gather(*(tool.call({}, origin()) for _ in range(6)))

    assert most == 2
    await tools.aclose()


@pytest.mark.parametrize(
    ("effect", "expected"), [(EffectClass.READ, ToolFailed), (EffectClass.UNSAFE, OutcomeUnknown)]
)
async def test_a_hung_function_ends_by_its_class(
    effect: EffectClass, expected: type[NodeError]
) -> None:
    """C24."""
    release = threading.Event()
    tools = FunctionTools(timeout_s=0.05)
    tool = tools.register(lambda: release.wait(10), name="stuck", effect_class=effect)

    with pytest.raises(expected, match="did not end within"):
        await tool.call({}, origin())

    release.set()
    await tools.aclose()


async def test_a_call_that_never_got_a_thread_was_never_made() -> None:
    release = threading.Event()
    made: list[int] = []
    tools = FunctionTools(max_threads=1, timeout_s=0.05)
    stuck = tools.register(lambda: release.wait(10), name="stuck")
    late = tools.register(lambda: made.append(1), name="late")

    calls = [stuck.call({}, origin()), late.call({}, origin())]
    first, second = await asyncio.gather(*calls, return_exceptions=True)

    assert isinstance(first, OutcomeUnknown)
    assert isinstance(second, ToolFailed)
    assert "no thread" in second.message
    release.set()
    await tools.aclose()
    assert made == []


async def test_what_a_function_raises_is_its_report() -> None:
    """S18."""

    def fails() -> None:
        raise ValueError("no such article")

    def knows() -> None:
        raise NodeError("Busy", "later", retryable=False)

    with pytest.raises(ToolFailed, match=r"^fails failed: no such article$") as failed:
        await tool_of(fails).call({}, origin())
    assert failed.value.retryable
    with pytest.raises(NodeError) as known:
        await tool_of(knows).call({}, origin())
    assert known.value.code == "Busy"


@pytest.mark.parametrize("result", [object(), float("nan"), {1: 2}, {"a": {1, 2}}])
async def test_a_result_must_be_json(result: Any) -> None:
    with pytest.raises(ToolFailed, match="no JSON") as failed:
        await tool_of(lambda: result, name="odd").call({}, origin())
    assert not failed.value.retryable


async def test_a_huge_result_is_refused() -> None:
    with pytest.raises(ToolFailed, match="are allowed"):
        await tool_of(lambda: "x" * 11_000_000, name="huge").call({}, origin())


async def test_models_are_results_too() -> None:
    assert await tool_of(lambda: Item(sku="a"), name="m").call({}, origin()) == {
        "sku": "a",
        "count": 1,
    }


@pytest.mark.parametrize("name", sorted(RESERVED_TOOL_NAMES))
def test_control_tools_cannot_be_registered(name: str) -> None:
    """V11."""
    with pytest.raises(ToolNotRegistered, match="reserved"):
        tool_of(lambda: None, name=name)


def test_a_name_belongs_to_one_function() -> None:
    tools = FunctionTools()

    def first() -> None:
        return None

    def second() -> None:
        return None

    tools.register(first, name="x")
    tools.register(first, name="x")
    with pytest.raises(ToolNotRegistered, match="already"):
        tools.register(second, name="x")
    with pytest.raises(ToolNotRegistered, match="no tool name"):
        tools.register(second, name="a/b")


def test_what_cannot_be_called_by_name_is_no_tool() -> None:
    def spread(*items: int) -> None: ...
    def strange(a: undefined_name) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    for function in (spread, strange):
        with pytest.raises(ToolNotRegistered):
            tool_of(function)


async def test_tools_are_looked_up_and_nothing_is_imported() -> None:
    """K3."""
    tools = FunctionTools()

    def classify() -> str:
        return "billing"

    added = tools.register(classify)

    assert await tools.find("classify") is added
    assert await tools.find(added.qualified_name) is added
    sys.modules.pop("this", None)
    assert await tools.find("this:anything") is None
    assert await tools.find("os:system") is None
    assert "this" not in sys.modules


def test_entry_points_offer_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """K3."""
    here = EntryPoint("offered", f"{__name__}:offered", registry.ENTRY_POINTS)
    monkeypatch.setattr(
        registry, "entry_points", lambda group: [here] if group == registry.ENTRY_POINTS else []
    )
    tools = FunctionTools()

    tools.load_entry_points()

    assert list(tools._tools) == ["offered"]
    assert registry.ENTRY_POINTS == "graphwright.tools"


def offered(a: int) -> int:
    """Come from a package."""
    return a


@pytest.mark.parametrize(
    ("expression", "values", "expected"),
    [
        ("2 + 3 * 4", None, 14),
        ("7 / 2", None, 3.5),
        ("7 % 4", None, 3),
        ("price * count", {"price": 2.5, "count": 4}, 10),
        ("total / people", {"total": 10, "people": 4}, 2.5),
        ("12345678901234567 * 3", None, 37037036703703701),
        ("a > b ? a : b", {"a": 1, "b": 2}, 2),
        ("1 < 2", None, True),
    ],
)
async def test_calculate(expression: str, values: Any, expected: Any) -> None:
    tool = await DEFAULT.find("calculate")
    assert tool is not None

    result = await tool.call({"expression": expression, "values": values}, origin())

    assert result == expected
    assert type(result) is type(expected)
    assert tool.spec.effect_class is EffectClass.READ


@pytest.mark.parametrize(
    "expression", ["1 +", "x * 2", "__import__('os')", "[1].map(x, x)", "1 / 0"]
)
async def test_calculate_says_what_is_wrong(expression: str) -> None:
    tool = await DEFAULT.find("calculate")
    assert tool is not None

    with pytest.raises(ToolFailed, match="expression"):
        await tool.call({"expression": expression}, origin())


async def test_current_time_and_pick_json() -> None:
    time_tool, pick = await DEFAULT.find("current_time"), await DEFAULT.find("pick_json")
    assert time_tool is not None
    assert pick is not None

    now = await time_tool.call({"timezone": "Asia/Tokyo"}, origin())
    assert now["iso"].endswith("+09:00")
    assert now["utc"].endswith("+00:00")
    with pytest.raises(ToolFailed, match="Mars"):
        await time_tool.call({"timezone": "Mars/Base"}, origin())
    value: Any = {"items": [{"price": 1}, {"price": 2}]}
    assert await pick.call({"value": value, "path": "$.items[*].price"}, origin()) == [1, 2]
    first: Any = {"value": value, "path": "$.items[*].price", "take": "first"}
    assert await pick.call(first, origin()) == 1
    with pytest.raises(ToolFailed, match="path"):
        await pick.call({"value": value, "path": "$["}, origin())
