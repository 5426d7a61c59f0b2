"""Rows K1 to K19: nodes, handlers, and the data that they see."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import Outcome, agent, check, doc, fn, output, question, run
from tests.contract.scripts import returns

VIEW = {"functions": {"see": {"view": True}}}


def test_unknown_fields_are_all_named_and_the_label_has_no_effect() -> None:
    """K1."""
    plain = doc([fn("a")])
    labelled = run({**plain, "version": "1.0.0"}, returns(a={"output": 1}))
    broken = {**plain, "colour": "red", "nodes": [{**plain["nodes"][0], "foo": 1}]}
    refused = run(broken, returns(a=1))

    assert labelled.exit == 0
    assert labelled.outputs == {"a": 1}
    assert refused.exit == 2
    assert refused.codes == ["UnknownField", "UnknownField"]
    assert {p["path"] for p in refused.problems} == {"colour", "nodes[0].foo"}
    assert refused.report == {}
    assert "InvalidValue" in check({**plain, "version": "1" * 65}, returns(a=1)).codes


def test_edges_have_one_condition_and_reserved_ends() -> None:
    """K2."""
    ended = run(doc([fn("a")], ["__start__ -> a -> __end__"]), returns(a={}))
    both = doc([fn("a"), fn("b")], ["__start__ -> a", ("a", "b", {"when": "x", "condition": "1"})])
    two = run(doc([fn("a"), fn("b")], ["__start__ -> a", "__start__ -> b"]), returns(a={}, b={}))

    assert ended.path == ["a"]
    assert "InvalidValue" in check(both, returns(a=1, b=1)).codes
    assert "InvalidId" in check(doc([fn("__end__", "a")], []), returns(a=1)).codes
    assert sorted(two.path) == ["a", "b"]


def shop_classify(ctx: Any, params: Any) -> str:
    """A handler with an address of its own."""
    return "classified"


def test_handlers_are_looked_up_in_the_registry_only() -> None:
    """K3."""
    import sys

    address = f"{shop_classify.__module__}:{shop_classify.__qualname__}"
    sys.modules.pop("antigravity", None)
    for name in ("classify", address):
        done = run(doc([fn("a", name)]), handlers={"classify": shop_classify})
        assert done.outputs == {"a": "classified"}

    assert check(doc([fn("a", "os:system")])).exit == 1
    assert "UnknownHandler" in check(doc([fn("a", "antigravity:geohash")])).codes
    assert "antigravity" not in sys.modules


def test_params_are_handed_over_unrendered_and_the_same_each_time() -> None:
    """K4."""
    seen: list[Any] = []

    async def record(ctx: Any, params: Any) -> dict[str, Any]:
        seen.append(params)
        return {"condition": "more" if len(seen) < 3 else "done"}

    params = {"labels": ["a"], "t": "{{ input }}"}
    loop = doc(
        [fn("a", "record", reads=["input"], config={"params": params})],
        ["__start__ -> a", ("a", "a", {"when": "more"}), ("a", "__end__", {"when": "done"})],
    )
    done = run(loop, handlers={"record": record}, input={"x": 1}, context={"y": 2})

    assert done.exit == 0
    assert seen == [params, params, params]


def test_node_metadata_has_no_effect() -> None:
    """K5."""
    script = returns(a={"output": 1, "metadata": {"k": "v"}})
    plain = run(doc([fn("a")]), script)
    noted = run(doc([fn("a", metadata={"owner": "ann", "deep": {"x": [1]}})]), script)

    for name in ("status", "outputs", "metadata", "memory", "path", "result"):
        assert plain.report[name] == noted.report[name]


@pytest.mark.parametrize(("retries", "attempts"), [(2, 3), (0, 1), (None, 4)])
def test_attempts_are_retries_plus_one(retries: int | None, attempts: int) -> None:
    """K6."""
    policy = {} if retries is None else {"max_retries": retries}
    failed = run(doc([fn("a", policy=policy)]), {"functions": {"a": {"error": {"message": "no"}}}})

    assert failed.code == "HandlerFailed"
    assert failed.exit == 1
    assert failed.activation("a")["attempts"] == attempts
    assert len(failed.of("NodeStarted", "a")) == attempts


def test_fixed_backoff_neither_grows_nor_jitters_and_node_state_survives() -> None:
    """K7."""
    seen: list[int] = []

    async def shaky(ctx: Any, params: Any) -> int:
        seen.append(ctx.node_state.get("tries", 0))
        await ctx.node_state.set("tries", seen[-1] + 1)
        if len(seen) < 3:
            raise ValueError("not yet")
        return 1

    policy = {"backoff_strategy": "fixed", "initial_backoff_ms": 50}
    done = run(doc([fn("a", "shaky", policy=policy)]), handlers={"shaky": shaky})

    assert done.exit == 0
    assert seen == [0, 1, 2]
    gaps = [_gap(e) for e in done.of("AttemptFailed")]
    assert gaps == [50, 50]


def _gap(event: dict[str, Any]) -> int:
    from datetime import datetime

    at = datetime.fromisoformat(event["at"])
    return int(event["retry_at"] - round(at.timestamp() * 1000))


def test_an_interrupt_consumes_no_attempt() -> None:
    """K7."""
    asked = doc([{**question("q"), "failure_policy": {"max_retries": 0}}])
    done = run(asked, decide={"q": [{"selected": "yes"}]})

    assert done.exit == 0
    assert done.activation("q")["attempts"] == 1


@pytest.mark.parametrize("asynchronous", [True, False])
def test_a_handler_gets_view_and_params(asynchronous: bool) -> None:
    """K9."""

    async def awaited(ctx: Any, params: Any) -> dict[str, Any]:
        return {"output": [ctx.view.input, params]}

    def plain(ctx: Any, params: Any) -> dict[str, Any]:
        return {"output": [ctx.view.input, params]}

    handler = awaited if asynchronous else plain
    done = run(doc([fn("a", "h", reads=["input"])]), handlers={"h": handler}, input="hi")

    assert done.outputs["a"] == ["hi", {}]


def _with_messages(messages: list[dict[str, Any]]) -> Any:
    """Return an observer that gives a run earlier messages, as the chat endpoint does."""
    from dataclasses import replace

    def observe(local: Any) -> None:
        start = local.runner.start

        async def with_messages(asked: Any, program: Any) -> str:
            return str(await start(replace(asked, messages=messages), program))

        local.runner.start = with_messages

    return observe


def test_earlier_messages_are_for_orchestration() -> None:
    """K12."""
    earlier = [{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}]
    seen: list[Any] = []

    async def look(ctx: Any, params: Any) -> Any:
        seen.append((list(ctx.messages), ctx.view.input))
        return {}

    def talk(history: int) -> Outcome:
        graph = doc([fn("f", "look", reads=["input"]), agent("a", config={"history": history})])
        return run(
            graph,
            {"default": [{"text": "ok"}]},
            handlers={"look": look},
            input="three",
            observe=_with_messages(earlier),
        )

    none, both = talk(0), talk(2)

    assert seen[0] == (earlier, "three")
    assert [m.content for m in none.models[0].request.messages[:-1]] == []
    assert [m.content for m in both.models[0].request.messages[:2]] == ["one", "two"]


def test_a_text_input_stays_text() -> None:
    """K13."""
    done = run(doc([fn("see", reads=["input"])]), VIEW, input="hi")

    assert done.outputs["see"]["input"] == "hi"


def test_request_context_is_a_lane_of_its_own() -> None:
    """K14."""
    nodes = [
        fn("see", reads=["input", "context"]),
        agent("a", "{{ context.locale }}", reads=["context"], config={"frame": "bare"}),
        output("o", "has(context.locale)", reads=["context"]),
    ]
    script = {**VIEW, "default": [{"text": "ok"}]}
    given = run(doc(nodes), script, input={"q": 1}, context={"locale": "de"})
    absent = run(doc([output("o", "has(context.locale)", reads=["context"])]))

    assert given.outputs["see"]["context"]["locale"] == "de"
    assert given.outputs["see"]["input"] == {"q": 1}
    assert given.prompt() == "de"
    assert given.outputs["o"] is True
    assert absent.outputs["o"] is False
    refused = run(doc([fn("see")]), VIEW, context=5)
    assert (refused.exit, refused.codes) == (2, ["InputInvalid"])


def test_memory_accumulates_for_later_nodes() -> None:
    """K16."""
    script = {
        "functions": {"a": {"returns": {"data": {"x": 1}}}, "b": {"returns": {"data": {"y": 2}}}}
        | VIEW["functions"]
    }
    done = run(doc([fn("a"), fn("b"), fn("see", reads=["*", "input"])]), script, input={"z": 0})

    assert done.outputs["see"]["input"] == {"z": 0, "x": 1, "y": 2}


def test_deep_merge_replaces_arrays() -> None:
    """K17."""
    first = {"data": {"o": {"a": 1}, "l": [1, 2]}}
    done = run(doc([fn("a"), fn("b")]), returns(a=first, b={"data": {"o": {"b": 2}, "l": [3]}}))

    assert done.memory == {"o": {"a": 1, "b": 2}, "l": [3]}


def test_other_input_is_kept_beside_as_raw_input() -> None:
    """K18."""
    script = {"functions": {"a": {"returns": {"data": {"a": 1}}}, "see": {"view": True}}}
    graph = doc([fn("a"), fn("see", reads=["*", "input"])])
    listed = run(graph, script, input=[1])
    none = run(graph, script)
    null = run(graph, script, input=None)

    assert listed.outputs["see"]["input"] == {"rawInput": [1], "a": 1}
    assert listed.memory == {"a": 1}
    assert none.outputs["see"]["input"] == {"a": 1}
    assert null.outputs["see"]["input"] == {"rawInput": None, "a": 1}


def test_the_specifications_worked_example() -> None:
    """K19."""
    text = "Where is my invoice?"
    data = {"message": text, "topic": "billing", "priority": "normal"}
    script = {"functions": {"a": {"returns": {"data": data}}, "see": {"view": True}}}
    done = run(doc([fn("a"), fn("see", reads=["*", "input"])]), script, input=text)

    assert done.outputs["see"]["input"] == {**data, "rawInput": text}
