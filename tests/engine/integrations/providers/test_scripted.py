"""Scripted models: docs/DOCUMENT.md section 3."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from engine.core.effects import EffectClass
from engine.core.errors import NodeError, ProviderError
from engine.core.node_types.conversation import ToolCall, Usage
from engine.core.values.json import canonical
from engine.integrations.models.chat import ChatResponse
from engine.scripted.models import ScriptedModel, ScriptedModels
from engine.scripted.script import Script, ScriptInvalid
from tests.engine.integrations.providers.calls import ask, origin

pytestmark = pytest.mark.asyncio


def models(document: dict[str, Any], **more: Any) -> ScriptedModels:
    return ScriptedModels(Script.parse(document), **more)


async def resolved(
    scripted: ScriptedModels, node: str = "n", agent: str | None = None
) -> ScriptedModel:
    return await scripted.resolve("any/model", agent_id=agent, node_id=node)


async def reply_text(scripted: ScriptedModels, node: str, agent: str | None) -> str:
    model = await resolved(scripted, node, agent)
    return (await model.complete(ask("hi"), origin(), None)).text


async def test_node_list_wins_over_agent_and_default() -> None:
    scripted = models(
        {
            "nodes": {"n": [{"text": "node"}]},
            "agents": {"a": [{"text": "agent"}]},
            "default": [{"text": "default"}],
        }
    )

    assert await reply_text(scripted, "n", "a") == "node"
    assert await reply_text(scripted, "other", "a") == "agent"
    assert await reply_text(scripted, "other", "b") == "default"


async def test_json_reply_is_structured_or_text_by_capability() -> None:
    """V12, V13."""
    document = {"default": [{"json": {"topic": "billing"}}]}

    native = await (await resolved(models(document))).complete(ask("q"), origin(), None)
    plain_model = await resolved(models(document, native_schema=False))
    plain = await plain_model.complete(ask("q"), origin(), None)

    assert native.structured == {"topic": "billing"}
    assert plain.structured is None
    assert plain.text == '{"topic":"billing"}'
    assert not plain_model.native_schema


async def test_false_and_null_are_json_replies() -> None:
    model = await resolved(models({"default": [{"json": False}, {"json": None}]}))

    first = await model.complete(ask("q"), origin(), None)
    second = await model.complete(ask("q"), origin(), None)

    assert (first.structured, second.text) == (False, "null")


async def test_tool_calls_have_their_own_ids() -> None:
    calls = [{"name": "add", "arguments": {"a": 1}}, {"name": "add"}]
    model = await resolved(models({"default": [{"tool_calls": calls}, {"tool_calls": calls}]}))

    first = await model.complete(ask("q"), origin(), None)
    second = await model.complete(ask("q"), origin(), None)

    assert first.tool_calls[0] == ToolCall("call_1_0", "add", {"a": 1})
    assert first.finish_reason == "tool_calls"
    assert len({call.id for call in (*first.tool_calls, *second.tool_calls)}) == 4


async def test_exhausted_list_fails_without_retry() -> None:
    """C29."""
    model = await resolved(models({"agents": {}, "default": [{"text": "only"}]}))
    await model.complete(ask("q"), origin(), None)

    assert model.worst_case(ask("q"), origin()) == Usage()
    with pytest.raises(NodeError) as caught:
        model.complete(ask("q"), origin(), None)
    assert caught.value.code == "ScriptExhausted"
    assert not caught.value.retryable


async def test_repeat_last_repeats() -> None:
    scripted = models({"default": [{"text": "a"}, {"text": "b"}], "repeat_last": True})
    model = await resolved(scripted)

    said = [(await model.complete(ask("q"), origin(), None)).text for _ in range(4)]

    assert said == ["a", "b", "b", "b"]


@pytest.mark.parametrize(
    ("status", "code", "retryable"),
    [
        (401, "ProviderRejected", False),
        (500, "ProviderUnavailable", True),
        (429, "ProviderUnavailable", True),
        (None, "ProviderUnavailable", True),
    ],
)
async def test_error_replies_are_provider_errors(
    status: int | None, code: str, retryable: bool
) -> None:
    """C29."""
    error = {"message": "overloaded", "retry_after_ms": 1500}
    if status is not None:
        error["status"] = status
    model = await resolved(models({"default": [{"error": error}]}))

    with pytest.raises(ProviderError) as caught:
        await model.complete(ask("q"), origin(), None)

    assert (caught.value.code, caught.value.retryable) == (code, retryable)
    assert caught.value.retry_after_ms == 1500


async def test_usage_of_failed_reply_stands_in_its_detail() -> None:
    """C30."""
    reply = {"error": {"status": 500}, "usage": {"input_tokens": 100, "output_tokens": 20}}
    model = await resolved(models({"default": [reply]}))

    assert model.worst_case(ask("q"), origin()) == Usage(100, 20)
    with pytest.raises(ProviderError) as caught:
        await model.complete(ask("q"), origin(), None)
    assert caught.value.detail["usage"] == {"input_tokens": 100, "output_tokens": 20}


async def test_worst_case_is_exactly_the_next_reply() -> None:
    """C41."""
    replies = [
        {"text": "a", "usage": {"input_tokens": 100, "output_tokens": 20}},
        {"text": "twelve chars"},
        {"echo": True},
    ]
    model = await resolved(models({"default": replies}))
    request = ask("what?")

    for _ in replies:
        expected = model.worst_case(request, origin())
        assert (await model.complete(request, origin(), None)).usage == expected


async def test_usage_counts_a_token_for_four_characters() -> None:
    model = await resolved(models({"default": [{"text": "twelve chars"}]}))

    response = await model.complete(ask("12345"), origin(), None)

    assert response.usage == Usage(2, 3)


async def test_prices_cost_what_the_script_says() -> None:
    prices = {"input_per_million": "1.00", "output_per_million": "2.00"}
    model = await resolved(models({"prices": prices, "default": []}))

    assert model.price().cost(Usage(100, 20)) == Decimal("0.00014")


async def test_echo_answers_with_the_whole_request() -> None:
    model = await resolved(models({"default": [{"echo": True}]}))
    request = ask("the question", system="the rules")

    text = (await model.complete(request, origin(), None)).text

    assert text.startswith("the rules\n\nthe question\n\n")
    assert text.endswith(canonical(request.to_json()).decode())


async def test_slow_reply_streams_pieces_over_its_delay() -> None:
    """C60."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    text = "one two three four five " * 10
    model = await resolved(models({"default": [{"text": text, "delay_ms": 200}]}, sleep=sleep))
    pieces: list[str] = []

    response = await model.complete(ask("q"), origin(), pieces.append)

    assert "".join(pieces) == text == response.text
    assert len(pieces) > 5
    assert sum(slept) == pytest.approx(0.2)


async def test_fast_reply_sends_no_pieces_and_delay_without_listener_sleeps_once() -> None:
    """K36."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    replies = [{"text": "quick"}, {"text": "slow one", "delay_ms": 50}]
    model = await resolved(models({"default": replies}, sleep=sleep))
    pieces: list[str] = []

    await model.complete(ask("q"), origin(), pieces.append)
    await model.complete(ask("q"), origin(), None)

    assert pieces == []
    assert slept == [0.05]


async def test_replies_are_taken_in_the_order_of_the_calls() -> None:
    model = await resolved(models({"default": [{"text": "first"}, {"text": "second"}]}))

    first = model.complete(ask("q"), origin("1"), None)
    second = model.complete(ask("q"), origin("2"), None)
    later: ChatResponse = await second

    assert later.text == "second"
    assert (await first).text == "first"


async def test_calls_record_request_and_origin() -> None:
    """S10."""
    scripted = models({"agents": {"triage": [{"text": "x"}]}})
    model = await resolved(scripted, "classify", "triage")

    await model.complete(ask("q"), origin("key-9"), None)

    (call,) = scripted.calls
    assert (call.origin.graph_id, call.origin.node_id) == ("support", "classify")
    assert call.origin.context == {"tenant": "acme"}
    assert call.origin.metadata == {"channel": "mail"}
    assert call.reply == "agents.triage[0]"


async def test_problems_of_a_script_come_all_at_once_with_paths() -> None:
    document = {
        "agents": {"a": [{"text": "x", "colour": 1}, {}]},
        "functions": {"f": {"returns": 1, "view": True}, "g": [{"returns": 1}, {"zz": 2}]},
        "extra": 1,
    }

    with pytest.raises(ScriptInvalid) as caught:
        Script.parse(document)

    found = {(problem["path"], problem["code"]) for problem in caught.value.problems}
    assert found == {
        ("agents.a[0].colour", "UnknownField"),
        ("agents.a[1]", "InvalidValue"),
        ("functions.f", "InvalidValue"),
        ("functions.g[1].zz", "UnknownField"),
        ("extra", "UnknownField"),
    }


async def test_tools_and_functions_are_queues_for_others() -> None:
    script = Script.parse(
        {
            "tools": {"add": [{"result": 3, "effect_class": "keyed"}, {"echo": True}], "b": []},
            "functions": {"f": {"count_visits": True}, "g": [{"returns": {}}, {"view": True}]},
        }
    )
    add, always, once = (
        script.tool_replies("add"),
        script.function_replies("f"),
        script.function_replies("g"),
    )

    assert script.tool_effect_class("add") is EffectClass.KEYED
    assert script.tool_effect_class("b") is EffectClass.READ
    assert [add.take().result, add.take().echo] == [3, True]
    assert [always.take().count_visits for _ in range(3)] == [True] * 3
    assert [once.take().returns, once.take().view] == [{}, True]
    with pytest.raises(NodeError, match=r"no reply left in 'functions\.g'"):
        once.take()
