"""Rows K20 to K43: results, routing, and the units of work."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from engine.core.node_types.registry import NODE_TYPES
from engine.integrations.egress import AllowList, Egress
from tests.contract.harness import Outcome, agent, check, doc, fn, node, output, run
from tests.contract.scripts import Feed, returns


def test_no_data_changes_nothing() -> None:
    """K20."""
    script = {"functions": {"a": {"returns": {}}, "see": {"view": True}}}
    done = run(doc([fn("a"), fn("see", reads=["*", "input"])]), script, input="hi")

    assert done.outputs["see"]["input"] == "hi"


def test_every_field_is_optional_and_unknown_ones_fail() -> None:
    """K21."""
    nothing: tuple[Any, ...] = ({}, None)
    for value in nothing:
        assert run(doc([fn("a")]), returns(a=value)).exit == 0
    invalid: list[Any] = [{"dta": {}}, {"data": [1]}, {"condition": 5}, {"intent": ["x"]}]
    for wrong in invalid:
        failed = run(doc([fn("a")]), returns(a=wrong))
        assert (failed.code, failed.activation("a")["attempts"]) == ("NodeResultInvalid", 1)
    plain = run(doc([fn("a")]), returns(a="x"))
    assert (plain.outputs, plain.memory) == ({"a": "x"}, {})


def test_messages_are_emitted_once_also_across_retries() -> None:
    """K22."""
    tries: list[int] = []

    async def says(ctx: Any, params: Any) -> Any:
        await ctx.emit_message("from inside")
        tries.append(1)
        if len(tries) == 1:
            raise ValueError("once more")
        return {"ui": {"message": "b"}}

    done = run(
        doc([fn("a"), fn("b", "says"), fn("c")]),
        returns(a={"ui": {"message": "a"}}, c={"ui": {"message": "  "}}),
        handlers={"says": says},
    )

    messages = done.report["ui"]["messages"]
    assert [(m["node"], m["content"]) for m in messages] == [
        ("a", "a"),
        ("b", "from inside"),
        ("b", "b"),
    ]
    assert all(m["at"] for m in messages)
    assert len(done.of("MessageEmitted")) == 3


def test_structured_parts_are_merged() -> None:
    """K23."""
    done = run(
        doc([fn("a"), fn("b")]),
        returns(
            a={"ui": {"structured": {"topic": "billing"}}},
            b={"ui": {"structured": {"priority": "normal"}}},
        ),
    )

    assert done.report["ui"]["structured"] == {"topic": "billing", "priority": "normal"}
    assert len(done.of("StructuredEmitted")) == 2


def two_ways(else_to: str | None = None, **fields: Any) -> dict[str, Any]:
    edges: list[Any] = [
        "__start__ -> a",
        ("a", "b", {"when": "billing"}),
        ("a", "c", {"when": "general"}),
    ]
    if else_to is not None:
        edges.append(("a", else_to, {}))
    return doc([fn("a"), fn("b", "end"), fn("c", "end"), fn("d", "end")], edges, **fields)


def route(result: dict[str, Any], **fields: Any) -> Outcome:
    return run(two_ways("d", **fields), returns(a=result, end={}))


def test_condition_matches_exactly() -> None:
    """K24."""
    assert route({"condition": "billing"}).path == ["a", "b"]
    assert route({"condition": "general"}).path == ["a", "c"]
    assert route({"condition": "Billing"}).path == ["a", "d"]
    seen = run(
        doc([fn("a"), fn("see", reads=["*", "input", "previous", "metadata", "context"])]),
        {"functions": {"a": {"returns": {"condition": "secret"}}, "see": {"view": True}}},
    )
    assert "secret" not in str(seen.outputs["see"])


def test_intent_counts_only_without_condition() -> None:
    """K25."""
    assert route({"intent": "general"}).path == ["a", "c"]
    both = route({"condition": "billing", "intent": "general"})
    assert both.path == ["a", "b"]
    assert both.of("NodeCompleted", "a")[0]["intent"] == "general"


def test_an_unmatched_condition_never_falls_through_to_intent() -> None:
    """K26."""
    result = {"condition": "x", "intent": "general"}

    assert route(result).path == ["a", "d"]
    lost = run(two_ways(), returns(a=result, end={}))
    assert (lost.code, lost.exit) == ("NoMatchingEdge", 1)
    ended = run(two_ways(defaults={"on_no_match": "end"}), returns(a=result, end={}))
    assert (ended.exit, ended.path) == (0, ["a"])


def test_tokens_belong_to_one_step() -> None:
    """K27."""
    graph = doc(
        [fn("a"), fn("b", "none"), fn("c", "none"), fn("d", "none")],
        ["__start__ -> a", ("a", "b", {"when": "x"}), ("b", "c", {"when": "x"}), ("b", "d", {})],
    )

    assert run(graph, returns(a={"condition": "x"}, none={})).path == ["a", "b", "d"]


def test_conditional_edges_take_exactly_one() -> None:
    """K28."""
    graph = doc(
        [fn("a"), fn("b", "end"), fn("c", "end")],
        ["__start__ -> a", ("a", "b", {"when": "x"}), "a -> c"],
    )

    assert run(graph, returns(a={"condition": "x"}, end={})).path == ["a", "b"]
    assert run(graph, returns(a={}, end={})).path == ["a", "c"]
    twice = doc(
        [fn("a"), fn("b", "end"), fn("c", "end")],
        ["__start__ -> a", ("a", "b", {"when": "x"}), ("a", "c", {"when": "x", "priority": -1})],
    )
    assert run(twice, returns(a={"condition": "x"}, end={})).path == ["a", "c"]
    assert "EdgeNeverTaken" in check(twice, returns(a=1, end=1)).codes


def test_an_edge_may_lead_back() -> None:
    """K29."""
    graph = doc(
        [fn("a")],
        ["__start__ -> a", ("a", "a", {"when": "more"}), ("a", "__end__", {"when": "done"})],
    )
    replies = [{"returns": {"condition": c}} for c in ("more", "more", "done")]
    done = run(graph, {"functions": {"a": replies}})

    assert done.path == ["a", "a", "a"]
    assert [n["visit"] for n in done.report["nodes"]] == [1, 2, 3]


def test_runtime_state_is_merged_and_not_readable() -> None:
    """K32."""

    def part(name: str) -> dict[str, Any]:
        return {"infra": {"runtime": {"flags": {name: True}}}}

    seen: list[Any] = []
    script = {**returns(a=part("a"), b=part("b"))}
    script["functions"]["see"] = {"view": True}
    done = run(
        doc([fn("a"), fn("b"), fn("see", reads=["runtime", "*"])]),
        script,
        observe=lambda local: seen.append(local.store),
    )

    state = seen[0].peek(done.report["run_id"])
    assert state.runtime["flags"] == {"a": True, "b": True}
    assert "flags" not in str(done.outputs["see"])


def test_infra_config_is_recorded_without_effect() -> None:
    """K33."""
    wanted = {"infra": {"config": {"max_retries": 9}}}
    script = {
        "functions": {
            "a": {"returns": wanted},
            "b": {"error": {"message": "no"}},
        }
    }
    failed = run(doc([fn("a"), fn("b", policy={"max_retries": 1})]), script)

    assert failed.of("NodeCompleted", "a")[0]["infra"] == wanted["infra"]
    assert failed.activation("b")["attempts"] == 2


def test_further_infra_is_recorded_without_effect() -> None:
    """K34."""
    infra = {"debug": {"classifier": "rules-v1"}, "checkpoint": 1, "tool_results": [], "own": "x"}
    shown, plain = route({"infra": infra}), route({})

    assert shown.of("NodeCompleted", "a")[0]["infra"] == infra
    assert shown.path == plain.path


def test_next_wins_and_must_be_declared() -> None:
    """K35."""
    assert route({"next": ["d"], "condition": "billing"}).path == ["a", "d"]
    assert sorted(route({"next": ["b", "c"]}).path[1:]) == ["b", "c"]
    assert route({"next": [], "condition": "billing"}).path == ["a", "b"]
    failed = route({"next": ["zzz"]})
    assert (failed.code, failed.activation("a")["attempts"]) == ("UndeclaredTarget", 1)


@pytest.mark.parametrize(("stream", "emit"), [(False, False), (True, True)])
def test_node_code_calls_a_model(stream: bool, emit: bool) -> None:
    """K36."""
    feed = Feed()
    got: list[Any] = []

    async def think(ctx: Any, params: Any) -> Any:
        talk = await ctx.reason("x", "Think.", stream=stream, emit=emit)
        got.append((talk.text, talk.output, talk.tool_calls, talk.usage.total))
        return {}

    reply = {
        "text": "deep thought",
        "delay_ms": 2,
        "usage": {"input_tokens": 5, "output_tokens": 2},
    }
    done = run(
        doc([fn("a", "think")], agents=[{"id": "x"}]),
        {"default": [reply]},
        handlers={"think": think},
        observe=lambda local: setattr(local.runner, "feed", feed),
    )

    assert got == [("deep thought", "deep thought", (), 7)]
    assert "".join(feed.text) == ("deep thought" if stream else "")
    assert [m["content"] for m in done.report["ui"]["messages"]] == (
        ["deep thought"] if emit else []
    )
    assert done.report["spend"]["tokens"] == 7
    assert len(done.of("StepCompleted", "a")) == 1


def test_the_same_code_serves_many_nodes() -> None:
    """K38."""

    async def name(ctx: Any, params: Any) -> Any:
        return {"output": params["n"]}

    nodes = [
        fn("a", "name", config={"params": {"n": 1}}),
        fn("b", "name", config={"params": {"n": 2}}),
    ]

    assert run(doc(nodes), handlers={"name": name}).outputs == {"a": 1, "b": 2}


def test_data_ui_and_tokens_stay_apart() -> None:
    """K39."""
    done = route(
        {
            "data": {"k": 1},
            "ui": {"message": "m", "structured": {"s": 1}},
            "condition": "billing",
            "intent": "general",
        }
    )

    assert done.memory == {"k": 1}
    assert [m["content"] for m in done.report["ui"]["messages"]] == ["m"]
    assert done.report["ui"]["structured"] == {"s": 1}


def test_input_in_config_is_the_merged_view_and_on_edges_the_start_input() -> None:
    """K40."""
    graph = doc(
        [
            agent("a", "{{ input }}", reads=["*", "input"], config={"frame": "bare"}),
            output("o", "input", reads=["*", "input"]),
            output("never", "input", reads=["input"]),
        ],
        ["__start__ -> a", ("a", "o", {"condition": "input == 'hi'"}), "a -> never"],
        initial_memory={"t": 1},
    )
    done = run(graph, {"default": [{"text": "ok"}]}, input="hi")

    assert done.prompt() == '{"rawInput":"hi","t":1}'
    assert done.report["result"] == {"rawInput": "hi", "t": 1}
    assert done.path == ["a", "o"]


@pytest.mark.parametrize(
    ("text", "target"), [("Reset BILLING access", "billingAnswer"), ("Hello", "generalAnswer")]
)
def test_the_specifications_classifier(text: str, target: str) -> None:
    """K42."""

    async def classify(ctx: Any, params: Any) -> Any:
        topic = "billing" if "billing" in ctx.view.input.lower() else "general"
        return {"condition": topic, "data": {"message": ctx.view.input, "topic": topic}}

    graph = doc(
        [fn("classify", reads=["input"]), fn("billingAnswer", "say"), fn("generalAnswer", "say")],
        [
            "__start__ -> classify",
            ("classify", "billingAnswer", {"when": "billing"}),
            ("classify", "generalAnswer", {"when": "general"}),
            "billingAnswer -> __end__",
            "generalAnswer -> __end__",
        ],
    )
    done = run(graph, returns(say={}), handlers={"classify": classify}, input=text)

    assert done.path == ["classify", target]


def test_the_units_of_work_have_a_palette_type() -> None:
    """K43."""
    for name in (
        "router",
        "agent",
        "function",
        "tool",
        "http_request",
        "question",
        "approval",
        "output",
    ):
        kind = NODE_TYPES.get(name)
        assert kind.label
        assert kind.icon
        assert kind.category
        assert kind.__doc__
        assert kind.Config.model_json_schema()["type"] == "object"


def test_http_requests_are_journaled_steps() -> None:
    """K43."""
    served: list[tuple[str, str]] = []

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            served.append((self.headers["Idempotency-Key"], body))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(b'{"ok":true}')

        def log_message(self, *args: Any) -> None:
            """Stay quiet."""

    server = HTTPServer(("127.0.0.1", 0), Answer)
    Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    config = {"method": "POST", "url": "{{ input.url }}", "body": {"n": "{{ input.n }}"}}
    graph = doc([node("h", "http_request", reads=["input"], config=config)])
    egress = Egress(AllowList.of([url]))
    try:
        done = run(graph, input={"url": url, "n": 3}, egress=egress)
    finally:
        server.shutdown()
        server.server_close()

    assert done.outputs["h"]["body"] == {"ok": True}
    assert done.memory["h_result"]["status"] == 200
    assert served == [(served[0][0], '{"n":3}')]
    assert done.of("StepIntended", "h")[0]["effect_class"] == "unsafe"
    switched_off = run(graph, input={"url": url, "n": 3})
    assert switched_off.code == "EgressRefused"
