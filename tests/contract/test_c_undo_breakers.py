"""Rows C25 to C28 (circuit breakers), C32, C33 (failure edges, retry) and C50 to C52 (undo)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from engine.breakers import Breaker, MemoryBreakers
from engine.egress import AllowList, Egress
from engine.errors import NodeError
from engine.graph import CircuitBreakerPolicy, parse_document
from engine.local import Local
from engine.node import NodeType
from engine.nodes.http_request import HttpRequestNode
from engine.program import Program
from engine.registry import NODE_TYPES, NodeTypes
from engine.requests import StartRun
from engine.state import RunState
from tests.contract.harness import agent, check, doc, fn, node, question, run, started, tool

ON = {"enabled": True, "failure_threshold": 2, "success_threshold": 2, "timeout_ms": 1000}


class Target:
    """Something outside that fails when it is told to; `calls` counts who reached it."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.calls = 0

    def call(self, ctx: Any, params: Any) -> Any:
        self.calls += 1
        reply = self.replies.pop(0) if self.replies else "ok"
        if isinstance(reply, Exception):
            raise reply
        return {"output": reply}


def busy(*, retryable: bool = True) -> NodeError:
    return NodeError("Busy", "try later", retryable=retryable)


def guarded(**breaker: Any) -> dict[str, Any]:
    policy = {"max_retries": 0, "circuit_breaker": {**ON, **breaker}}
    return doc([fn("a", policy=policy)])


class Runs:
    """Runs of one document, one after the other, in one process with a clock that can be moved."""

    def __init__(self, document: dict[str, Any], target: Target) -> None:
        self.document = document
        self.target = target
        self.local: Local
        self.count = 0

    async def next(self) -> RunState:
        """Return the next run once it rests."""
        if not self.count:
            self.local, _ = await started(
                self.document, handlers={"a": self.target.call}, settle=False
            )
        self.count += 1
        name = "r" if self.count == 1 else f"r{self.count}"
        if self.count > 1:
            [program] = self.local.graphs._programs.values()
            await self.local.runner.start(StartRun(run_id=name, graph_id="g"), program)
        return await self.local.runner.settled(name)

    async def codes(self, count: int) -> list[str]:
        """Return how the next runs end: `ok`, or the code of their error."""
        ends = [await self.next() for _ in range(count)]
        return ["ok" if s.error is None else s.error["code"] for s in ends]

    async def log(self, number: int) -> list[str]:
        events = await self.local.store.events("r" if number == 1 else f"r{number}")
        return [e.type for e in events]

    def later(self, ms: int) -> None:
        self.local.clock.offset_ms += ms

    def breaker(self) -> Breaker:
        [found] = self.local.store.breakers.all()
        return found


def test_a_breaker_is_off_by_default_C25() -> None:
    """C25: A breaker is off by default."""
    policy = {"max_retries": 0}
    graph = doc([fn("a", policy=policy)], ["__start__ -> a", ("a", "a", {"on": "failed"})],
                limits={"max_iterations": 20})  # fmt: skip
    target = Target(*[busy()] * 30)
    done = run(graph, handlers={"a": target.call})

    assert (target.calls, len(done.of("NodeFailed"))) == (20, 20)
    assert CircuitBreakerPolicy().enabled is False
    assert "CircuitOpen" not in str(done.events)


async def test_failures_in_a_row_open_it_C26() -> None:
    """C26: Failures in a row open it."""
    runs = Runs(guarded(failure_threshold=5), Target(*[busy()] * 4, "ok", *[busy()] * 9))

    assert await runs.codes(9) == [*["Busy"] * 4, "ok", *["Busy"] * 4]
    assert runs.breaker().state == "closed"
    assert await runs.codes(2) == ["Busy", "CircuitOpen"]
    assert "CircuitOpened" in await runs.log(10)
    assert CircuitBreakerPolicy().failure_threshold == 5


def test_attempts_count_one_by_one_C26() -> None:
    """C26: The circuit opens between two attempts of one activation: the next one is not made."""
    policy = {"max_retries": 9, "circuit_breaker": ON}
    target = Target(*[busy()] * 9)
    done = run(doc([fn("a", policy=policy)]), handlers={"a": target.call})

    assert (done.code, target.calls, done.activation("a")["attempts"]) == ("CircuitOpen", 2, 2)
    [opened] = done.of("CircuitOpened", "a")
    assert (opened["target"], opened["failures"]) == ("a", 2)


@pytest.mark.parametrize(
    "failure", [busy(retryable=False), NodeError("NotEligible", "no"), {"dta": 1}]
)
async def test_what_is_not_the_targets_fault_does_not_count_C26(failure: Any) -> None:
    """C26: What is not the targets fault does not count."""

    async def handler(ctx: Any, params: Any) -> Any:
        if isinstance(failure, Exception):
            raise failure
        return failure

    local, _ = await started(guarded(), handlers={"a": handler})
    [program] = local.graphs._programs.values()
    for number in range(4):
        name = f"n{number}"
        await local.runner.start(StartRun(run_id=name, graph_id="g"), program)
        state = await local.runner.settled(name)
        assert state.error is not None and state.error["code"] != "CircuitOpen"
    await local.runner.close()


async def test_two_successes_in_half_open_close_it_C27() -> None:
    """C27: Two successes in half open close it."""
    runs = Runs(guarded(), Target(busy(), busy(), "ok", "ok", busy(), "ok"))
    assert await runs.codes(3) == ["Busy", "Busy", "CircuitOpen"]

    runs.later(1001)
    assert await runs.codes(1) == ["ok"]
    assert runs.breaker().state == "half_open"
    assert await runs.codes(1) == ["ok"]
    assert runs.breaker().state == "closed"
    assert "CircuitClosed" in await runs.log(5)
    assert await runs.codes(2) == ["Busy", "ok"]
    assert CircuitBreakerPolicy().success_threshold == 2


async def test_a_failure_in_half_open_reopens_it_C27() -> None:
    """C27: A failure in half open reopens it."""
    runs = Runs(guarded(), Target(busy(), busy(), "ok", busy(), "ok", "ok"))
    await runs.codes(2)
    runs.later(1001)

    assert await runs.codes(3) == ["ok", "Busy", "CircuitOpen"]
    runs.later(1001)
    assert await runs.codes(1) == ["ok"]
    assert runs.breaker().state == "half_open"  # the success of before does not count
    assert await runs.codes(1) == ["ok"]
    assert runs.breaker().state == "closed"


async def test_it_is_kept_across_runs_and_an_operator_resets_it_C28() -> None:
    """C28: It is kept across runs and an operator resets it."""
    runs = Runs(guarded(), Target(busy(), busy()))
    await runs.codes(2)
    assert await runs.codes(1) == ["CircuitOpen"]
    assert runs.target.calls == 2
    assert "NodeStarted" not in await runs.log(3)

    assert await runs.local.runner.reset_breaker(runs.breaker().id)
    assert await runs.codes(1) == ["ok"]
    assert runs.target.calls == 3
    assert not await runs.local.runner.reset_breaker("nobody")
    assert CircuitBreakerPolicy().timeout_ms == 60_000


def test_one_probe_at_a_time_C28() -> None:
    """C28: One probe at a time."""
    breaker, policy = Breaker("b", None, "g", "n", "t"), CircuitBreakerPolicy(timeout_ms=100)
    for _ in range(5):
        breaker.failed(policy, 0)

    assert not breaker.admits(policy, "one", 99)
    assert breaker.admits(policy, "one", 100)
    assert not breaker.admits(policy, "two", 150)
    assert breaker.admits(policy, "two", 201)  # the first says nothing any more
    assert not breaker.counts("one")
    assert breaker.counts("two")


async def test_runs_side_by_side_send_one_probe_C28() -> None:
    """C28: Runs side by side send one probe."""
    entered, go_on, calls = asyncio.Event(), asyncio.Event(), []

    async def handler(ctx: Any, params: Any) -> Any:
        calls.append(ctx.run_id)
        if len(calls) == 1:
            raise busy()
        entered.set()
        await go_on.wait()
        return {}

    local, _ = await started(guarded(failure_threshold=1), handlers={"a": handler})
    [program] = local.graphs._programs.values()
    local.clock.offset_ms += 1001
    await local.runner.start(StartRun(run_id="probe", graph_id="g"), program)
    await entered.wait()
    await local.runner.start(StartRun(run_id="beside", graph_id="g"), program)
    beside = await local.runner.settled("beside")
    go_on.set()
    probe = await local.runner.settled("probe")

    assert beside.error is not None
    assert (beside.error["code"], probe.status, calls) == (
        "CircuitOpen", "completed", ["r", "probe"],
    )  # fmt: skip
    await local.runner.close()


async def test_a_refused_attempt_may_take_the_failure_edge_C28_C32() -> None:
    """C28, C32: A refused attempt may take the failure edge."""
    graph = guarded(failure_threshold=1)
    graph["nodes"].append(fn("b", config={"handler": "a"}))
    graph["edges"].append({"source": "a", "target": "b", "on": "failed"})
    runs = Runs(graph, Target(busy()))

    assert await runs.codes(2) == ["ok", "ok"]
    assert runs.target.calls == 3  # the second run's `a` did not call
    assert [b.node for b in runs.local.store.breakers.all()] == ["a"]


def test_the_target_is_what_the_node_calls_C28() -> None:
    """C28: The target is what the node calls."""
    graph = doc(
        [
            agent("m"), fn("f"), tool("t", "files/read"), node("d", "delay",
            config={"duration_ms": 1}), node("h", "http_request",
            config={"url": "https://api.example:8443/a/{{ input }}?q=1"}),
        ]
    )  # fmt: skip
    spec, _ = parse_document(graph)
    assert spec is not None
    program = Program(spec, NODE_TYPES)
    targets = {
        plan.id: plan.type.target_of(plan.config)
        for plan in (program.plan(name) for name in "mftdh")
    }
    assert targets == {
        "m": "x", "f": "f", "t": "files/read", "d": "delay", "h": "https://api.example:8443",
    }  # fmt: skip
    template = HttpRequestNode.Config(url="https://{{ input }}/x")
    assert HttpRequestNode().target_of(template) == "https://{{ input }}/x"


def test_breakers_are_apart_by_workspace_graph_node_and_target_C28() -> None:
    """C28: Breakers are apart by workspace graph node and target."""
    known = MemoryBreakers()
    places: Sequence[tuple[str | None, str, str, str]] = [
        (None, "g", "n", "t"), ("w", "g", "n", "t"), (None, "h", "n", "t"), (None, "g", "m", "t"),
        (None, "g", "n", "u"),
    ]  # fmt: skip

    assert len({known.get(*place).id for place in places}) == 5
    assert known.get(None, "g", "n", "t") is known.get(None, "g", "n", "t")


# Failure edges, and a run that is retried.


def test_a_failure_edge_is_followed_after_the_last_attempt_C32() -> None:
    """C32: A failure edge is followed after the last attempt."""
    functions = {"a": [{"error": {"message": "no"}}] * 3, "b": {"returns": {"output": "saved"}}}
    policy = {"max_retries": 2}
    drawn = doc([fn("a", policy=policy), fn("b")], ["__start__ -> a", ("a", "b", {"on": "failed"})])
    done = run(drawn, {"functions": functions})
    bare = run(doc([fn("a", policy=policy)]), {"functions": functions})

    assert (done.status, done.path, done.report["result"]) == ("completed", ["a", "b"], "saved")
    entry = done.activation("a")
    assert (entry["status"], entry["attempts"]) == ("failed", 3)
    assert [e["type"] for e in done.events if e["type"] in ("AttemptFailed", "NodeFailed")] == [
        "AttemptFailed", "AttemptFailed", "NodeFailed",
    ]  # fmt: skip
    assert (bare.status, bare.code, bare.exit) == ("failed", "HandlerFailed", 1)


async def test_a_retried_run_goes_on_at_the_failed_node_C33() -> None:
    """C33: A retried run goes on at the failed node."""
    a, b, c = Target("first"), Target(busy(retryable=False), "second"), Target("third")
    handlers = {"a": a.call, "b": b.call, "c": c.call}
    local, first = await started(doc([fn("a"), fn("b"), fn("c")]), handlers=handlers)
    failed = await local.runner.store.warm(first)
    assert failed.status == "failed"
    second = await local.runner.retry(first, "ann")
    state = await local.runner.settled(second)

    events = await local.store.events(second)
    path = [e.node for e in events if e.type == "NodeCompleted"]
    assert (state.status, path) == ("completed", ["a", "b", "c"])
    assert (a.calls, b.calls, c.calls) == (1, 2, 1)
    assert state.started["forked_from"]["run_id"] == first
    await local.runner.close()


# What was done is undone.


def undoable(id: str, arguments: Any = None, **fields: Any) -> dict[str, Any]:
    undo = {"tool_id": f"undo_{id}", "arguments": {"of": id} if arguments is None else arguments}
    config = {"arguments": {"do": id}, "compensation": undo, **fields.pop("config", {})}
    return tool(id, f"do_{id}", config=config, requires_compensation=True, **fields)


def tools_of(*ids: str, **more: Any) -> dict[str, Any]:
    known = {f"{w}_{name}": [{"result": f"{w} {name}"}] for name in ids for w in ("do", "undo")}
    return {"tools": {**known, **more}, "functions": {"boom": {"error": {"message": "no"}}}}


BOOM = fn("boom", policy={"max_retries": 0})
NO = {"error": {"message": "no"}}


def test_a_type_without_undo_cannot_require_one_C50() -> None:
    """C50: A type without undo cannot require one."""
    bare = tool("t", "do_a", requires_compensation=True)
    typed = node("d", "delay", config={"duration_ms": 1}, requires_compensation=True)
    fine = undoable("a")

    for graph, wrong in ((doc([bare]), True), (doc([typed]), True), (doc([fine]), False)):
        found = check(graph, tools_of("a"))
        assert ("CompensationMissing" in found.codes, found.exit) == (wrong, int(wrong))


def test_nothing_is_pushed_unless_it_is_required_C50() -> None:
    """C50: Nothing is pushed unless it is required."""
    unmarked = {**undoable("a"), "requires_compensation": False}
    done = run(doc([unmarked, BOOM]), tools_of("a"))

    assert (done.status, [c.tool for c in done.tools]) == ("failed", ["do_a"])
    assert "undo" not in done.of("NodeCompleted", "a")[0]


def test_arguments_are_rendered_when_the_node_completes_C50() -> None:
    """C50: They see what the node saw and what it gave, not what later nodes made of it."""
    arguments = {
        "result": "{{ memory.a_result }}", "own": "{{ outputs.a }}", "key": "{{ memory.k }}",
        "gone": None, "n": 1,
    }  # fmt: skip
    first = undoable("a", arguments, reads=["k"])
    graph = doc([first, fn("w"), BOOM], initial_memory={"k": "then"})
    script = tools_of("a")
    script["functions"]["w"] = {"returns": {"data": {"k": "later"}}}
    done = run(graph, script)

    assert dict(done.tools[-1].arguments) == {
        "result": "do a", "own": "do a", "key": "then", "n": 1,
    }  # fmt: skip
    assert done.memory["k"] == "later"
    assert "UnreadableKey" not in check(graph, script).codes
    unread = doc([undoable("a", {"x": "{{ memory.k }}"})], initial_memory={"k": 1})
    assert "UnreadableKey" in check(unread, script).codes
    assert run(unread, script).code == "MissingReference"


def test_a_failed_run_is_undone_in_reverse_C51() -> None:
    """C51: A failed run is undone in reverse."""
    done = run(doc([undoable("a"), undoable("b"), BOOM]), tools_of("a", "b"))

    assert (done.status, done.exit, done.code) == ("failed", 1, "HandlerFailed")
    assert [c.tool for c in done.tools] == ["do_a", "do_b", "undo_b", "undo_a"]
    undone = done.of("CompensationRun")
    assert [(e["node"], e["tool"], e["ok"], e["result"]) for e in undone] == [
        ("b", "undo_b", True, "undo b"), ("a", "undo_a", True, "undo a"),
    ]  # fmt: skip
    types = [e["type"] for e in done.events]
    assert types.index("RunEnding") < types.index("CompensationRun")
    assert (types[-2:], types.count("RunFailed")) == (["CompensationRun", "RunFailed"], 1)
    steps = [e for e in done.of("StepIntended") if "undo" in e["key"]]
    assert [e["tool"] for e in steps] == ["undo_b", "undo_a"]
    assert done.path == ["a", "b", "boom"]
    assert [n["node"] for n in done.report["nodes"]] == ["a", "b", "boom"]


def test_a_failing_undo_is_recorded_and_the_rest_continue_C51() -> None:
    """C51: A failing undo is recorded and the rest continue."""
    script = tools_of("a", "b", undo_b=[NO])
    done = run(doc([undoable("a"), undoable("b"), BOOM]), script)

    undone = done.of("CompensationRun")
    assert [(e["node"], e["ok"]) for e in undone] == [("b", False), ("a", True)]
    assert undone[0]["error"]["code"] == "ToolFailed"
    assert (done.status, done.code, done.report["error"]["node"]) == (
        "failed", "HandlerFailed", "boom",
    )  # fmt: skip


def test_a_timeout_is_undone_too_and_a_completed_run_is_not_C51() -> None:
    """C51: A timeout is undone too and a completed run is not."""
    slow = node("s", "delay", config={"duration_ms": 5000})
    late = run(doc([undoable("a"), slow], limits={"max_execution_time_ms": 60}), tools_of("a"))
    good = run(doc([undoable("a")]), tools_of("a"))

    assert (late.status, [e["node"] for e in late.of("CompensationRun")]) == ("timeout", ["a"])
    assert (good.status, good.of("CompensationRun")) == ("completed", [])


async def test_a_cancelled_run_is_not_undone_C51() -> None:
    """C51: A cancelled run is not undone."""
    local, name = await started(doc([undoable("a"), question("q")]), tools_of("a"))
    assert local.scripted_tools is not None
    assert [call.tool for call in local.scripted_tools.calls] == ["do_a"]
    await local.runner.cancel(name, "ann")
    state = await local.runner.settled(name)

    events = [e.type for e in await local.store.events(name)]
    assert (state.status, "CompensationRun" in events) == ("cancelled", False)
    await local.runner.close()


def test_an_empty_stack_does_nothing_C51() -> None:
    """C51: An empty stack does nothing."""
    done = run(doc([BOOM]), tools_of())

    assert (done.status, done.of("CompensationRun")) == ("failed", [])
    assert done.events[-1]["type"] == "RunFailed"


def test_every_visit_and_a_late_success_are_undone_C51() -> None:
    """C51: Every visit and a late success are undone."""
    again = doc(
        [undoable("a"), fn("n"), BOOM],
        ["__start__ -> a -> n", ("n", "a", {"when": "again"}), ("n", "boom", {"when": "on"})],
    )
    script = tools_of("a", do_a=[{"result": 1}] * 2, undo_a=[{"result": 1}] * 2)
    script["functions"]["n"] = [{"returns": {"condition": w}} for w in ("again", "on")]
    twice = run(again, script)
    late = tools_of("a", do_a=[{"result": 1, "delay_ms": 60}])
    beside = run(doc([undoable("a"), BOOM], ["__start__ -> a", "__start__ -> boom"]), late)

    keys = [e["key"] for e in twice.of("CompensationRun")]
    assert keys == ["a[undo1]#2", "a[undo2]#1"]
    assert [e["type"] for e in beside.events if e["type"] in ("RunEnding", "NodeCompleted")] == [
        "RunEnding", "NodeCompleted",
    ]  # fmt: skip
    assert [e["node"] for e in beside.of("CompensationRun")] == ["a"]


def test_functions_are_undone_by_functions_C50_C51() -> None:
    """C50, C51: Functions are undone by functions."""
    seen: list[Any] = []

    async def book(ctx: Any, params: Any) -> Any:
        return {"output": {"id": 7}}

    async def cancel(ctx: Any, params: Any) -> Any:
        told = await ctx.call_tool("undo_a", {"id": ctx.view.outputs["book"]["id"]})
        seen.append((params, ctx.view.memory["k"], told))
        return {"output": "cancelled"}

    async def greedy(ctx: Any, params: Any) -> Any:
        return await ctx.reason(None, "May I?")

    def undone_by(name: str) -> dict[str, Any]:
        config = {"compensation": {"handler": name, "params": {"p": 1}}}
        return fn("book", config=config, reads=["k"], requires_compensation=True)

    handlers = {"book": book, "cancel": cancel, "greedy": greedy}
    graph = doc([undone_by("cancel"), BOOM], initial_memory={"k": "v"})
    done = run(graph, tools_of("a"), handlers=handlers)
    refused = run(doc([undone_by("greedy"), BOOM]), tools_of("a"), handlers=handlers)

    assert seen == [({"p": 1}, "v", "undo a")]
    [undo] = done.of("CompensationRun")
    assert (undo["tool"], undo["result"]) == ("cancel", "cancelled")
    [undo] = refused.of("CompensationRun")
    assert (undo["ok"], "may not ask a model" in undo["error"]["message"]) == (False, True)


async def test_requests_are_undone_by_requests_C50_C51() -> None:
    """C50, C51: Requests are undone by requests."""
    async with Origin() as origin:
        url = f"http://127.0.0.1:{origin.port}/orders"
        undo = {"method": "DELETE", "url": url + "/{{ memory.h_result.body.id }}"}
        posting = node(
            "h", "http_request", requires_compensation=True,
            config={"method": "POST", "url": url, "body": {"n": 1}, "compensation": undo},
        )  # fmt: skip
        allowed = Egress(AllowList.of([f"http://127.0.0.1:{origin.port}"]))
        done = await asyncio.to_thread(run, doc([posting, BOOM]), tools_of("a"), egress=allowed)

    [event] = done.of("CompensationRun")
    assert (event["ok"], event["tool"]) == (True, f"DELETE {url}/9")
    assert [line.split(" ")[:2] for line in origin.lines] == [
        ["POST", "/orders"], ["DELETE", "/orders/9"],
    ]  # fmt: skip
    assert origin.keys[0] != origin.keys[1]


class Origin:
    """A server on loopback that answers `{"id": 9}` and keeps what it was asked."""

    async def __aenter__(self) -> Origin:
        self.lines: list[str] = []
        self.keys: list[str] = []
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_error: Any) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.lines.append(head.splitlines()[0])
        self.keys += [
            line.split(": ")[1] for line in head.splitlines() if "dempotency" in line.split(":")[0]
        ]
        body = b'{"id": 9}'
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        )
        await writer.drain()
        writer.close()


class Nest(NodeType):
    """Run the graph `inner`."""

    type = "t_nest"
    label = "Nest"

    async def run(self, ctx: Any, config: Any) -> Any:
        ended = await ctx.run_graph("inner")
        if ended["status"] != "completed":
            raise NodeError("SubgraphFailed", ended["status"])
        return {"output": ended["result"]}


def nested() -> NodeTypes:
    types = NodeTypes()
    for cls in [*(type(known) for known in NODE_TYPES.all()), Nest]:
        types.register(cls)
    return types


def inner(*nodes: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**doc(nodes, **fields), "id": "inner"}


SUB = node("sub", "t_nest", policy={"max_retries": 0})


def test_a_child_runs_undos_join_the_parents_in_order_C52() -> None:
    """C52: A child runs undos join the parents in order."""
    graph = doc([undoable("a"), SUB, undoable("c"), BOOM])
    child = inner(undoable("b"), undoable("d"))
    done = run(graph, tools_of("a", "b", "c", "d"), graphs=[child], types=nested())

    undone = done.of("CompensationRun")
    assert [(e["node"], e["key"]) for e in undone] == [
        ("c", "c[undo1]#1"), ("d", "sub#1/d[undo2]#1"), ("b", "sub#1/b[undo3]#1"),
        ("a", "a[undo4]#1"),
    ]  # fmt: skip
    assert done.status == "failed"


def test_a_child_run_that_fails_undoes_its_own_C52() -> None:
    """C52: A child run that fails undoes its own."""
    child = inner(undoable("b"), BOOM)
    done = run(doc([undoable("a"), SUB]), tools_of("a", "b"), graphs=[child], types=nested())

    assert (done.status, done.code) == ("failed", "SubgraphFailed")
    assert [c.tool for c in done.tools] == ["do_a", "do_b", "undo_b", "undo_a"]
    assert [e["node"] for e in done.of("CompensationRun")] == ["a"]


def test_a_child_run_that_is_cut_short_leaves_its_undos_C52() -> None:
    """C52: The parent fails beside it: it waits for the child's last word, then undoes what it did."""
    slow = tool("slow", "do_c", config={"arguments": {}})
    child = inner(undoable("b"), slow)
    late = fn("late", policy={"max_retries": 0}, config={"handler": "boom"})
    graph = doc(
        [SUB, node("w", "delay", config={"duration_ms": 40}), late],
        ["__start__ -> sub", "__start__ -> w", "w -> late"],
    )
    script = tools_of("b", do_c=[{"result": 1, "delay_ms": 200}])
    done = run(graph, script, graphs=[child], types=nested())

    assert (done.status, [e["node"] for e in done.of("CompensationRun")]) == ("failed", ["b"])
    assert [c.tool for c in done.tools] == ["do_b", "do_c", "undo_b"]


# An undo whose outcome nobody knows.

UNSAFE = [{"result": "late", "delay_ms": 300, "effect_class": "unsafe"}, {"result": "second"}]


def doubtful() -> tuple[dict[str, Any], dict[str, Any]]:
    graph = doc([undoable("b"), undoable("a", policy={"timeout_ms": 40}), BOOM])
    return graph, tools_of("a", "b", undo_a=UNSAFE)


def test_an_unsafe_undo_of_unknown_outcome_waits_in_doubt_C51() -> None:
    """C51: An unsafe undo of unknown outcome waits in doubt."""
    graph, script = doubtful()
    parked = run(graph, script)

    assert (parked.exit, parked.status) == (3, "waiting")
    [asked] = parked.report["interrupts"]
    assert (asked["node"], asked["kind"], asked["request"]["tool"]) == ("a", "in_doubt", "undo_a")
    assert [c.tool for c in parked.tools] == ["do_b", "do_a", "undo_a"]
    assert parked.of("RunFailed") == []


@pytest.mark.parametrize(
    ("decision", "ok", "result", "calls"),
    [
        ({"decision": "happened", "result": "sent"}, True, "sent", 1),
        ({"decision": "retry"}, True, "second", 2),
        ({"decision": "skip"}, False, None, 1),
    ],
)
def test_a_person_says_what_became_of_an_undo_C51(
    decision: dict[str, Any], ok: bool, result: Any, calls: int
) -> None:
    """C51: A person says what became of an undo."""
    graph, script = doubtful()
    done = run(graph, script, {"a": [decision]})

    assert (done.exit, done.status) == (1, "failed")
    first, second = done.of("CompensationRun")
    assert (first["ok"], first.get("result"), second["node"]) == (ok, result, "b")
    assert [c.tool for c in done.tools].count("undo_a") == calls
    assert done.events[-1]["type"] == "RunFailed"
