"""Rows C50 to C52: what was done is undone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.sdk import NODE_TYPES, AllowList, Egress, NodeError, NodeType, NodeTypes
from tests.contract.harness import check, doc, fn, node, question, run, started, tool


def undoable(id: str, arguments: Any = None, **fields: Any) -> dict[str, Any]:
    undo = {"tool_id": f"undo_{id}", "arguments": {"of": id} if arguments is None else arguments}
    config = {"arguments": {"do": id}, "compensation": undo, **fields.pop("config", {})}
    return tool(id, f"do_{id}", config=config, requires_compensation=True, **fields)


def tools_of(*ids: str, **more: Any) -> dict[str, Any]:
    known = {f"{w}_{name}": [{"result": f"{w} {name}"}] for name in ids for w in ("do", "undo")}
    return {"tools": {**known, **more}, "functions": {"boom": {"error": {"message": "no"}}}}


BOOM = fn("boom", policy={"max_retries": 0})


NO = {"error": {"message": "no"}}


def test_a_type_without_undo_cannot_require_one() -> None:
    """C50."""
    bare = tool("t", "do_a", requires_compensation=True)
    typed = node("d", "delay", config={"duration_ms": 1}, requires_compensation=True)
    fine = undoable("a")

    for graph, wrong in ((doc([bare]), True), (doc([typed]), True), (doc([fine]), False)):
        found = check(graph, tools_of("a"))
        assert ("CompensationMissing" in found.codes, found.exit) == (wrong, int(wrong))


def test_nothing_is_pushed_unless_it_is_required() -> None:
    """C50."""
    unmarked = {**undoable("a"), "requires_compensation": False}
    done = run(doc([unmarked, BOOM]), tools_of("a"))

    assert (done.status, [c.tool for c in done.tools]) == ("failed", ["do_a"])
    assert "undo" not in done.of("NodeCompleted", "a")[0]


def test_arguments_are_rendered_when_the_node_completes() -> None:
    """C50: They see what the node saw and what it gave, not what later nodes made of it."""
    arguments = {
        "result": "{{ memory.a_result }}",
        "own": "{{ outputs.a }}",
        "key": "{{ memory.k }}",
        "gone": None,
        "n": 1,
    }
    first = undoable("a", arguments, reads=["k"])
    graph = doc([first, fn("w"), BOOM], initial_memory={"k": "then"})
    script = tools_of("a")
    script["functions"]["w"] = {"returns": {"data": {"k": "later"}}}
    done = run(graph, script)

    assert dict(done.tools[-1].arguments) == {
        "result": "do a",
        "own": "do a",
        "key": "then",
        "n": 1,
    }
    assert done.memory["k"] == "later"
    assert "UnreadableKey" not in check(graph, script).codes
    unread = doc([undoable("a", {"x": "{{ memory.k }}"})], initial_memory={"k": 1})
    assert "UnreadableKey" in check(unread, script).codes
    assert run(unread, script).code == "MissingReference"


def test_a_failed_run_is_undone_in_reverse() -> None:
    """C51."""
    done = run(doc([undoable("a"), undoable("b"), BOOM]), tools_of("a", "b"))

    assert (done.status, done.exit, done.code) == ("failed", 1, "HandlerFailed")
    assert [c.tool for c in done.tools] == ["do_a", "do_b", "undo_b", "undo_a"]
    undone = done.of("CompensationRun")
    assert [(e["node"], e["tool"], e["ok"], e["result"]) for e in undone] == [
        ("b", "undo_b", True, "undo b"),
        ("a", "undo_a", True, "undo a"),
    ]
    types = [e["type"] for e in done.events]
    assert types.index("RunEnding") < types.index("CompensationRun")
    assert (types[-2:], types.count("RunFailed")) == (["CompensationRun", "RunFailed"], 1)
    steps = [e for e in done.of("StepIntended") if "undo" in e["key"]]
    assert [e["tool"] for e in steps] == ["undo_b", "undo_a"]
    assert done.path == ["a", "b", "boom"]
    assert [n["node"] for n in done.report["nodes"]] == ["a", "b", "boom"]


def test_a_failing_undo_is_recorded_and_the_rest_continue() -> None:
    """C51."""
    script = tools_of("a", "b", undo_b=[NO])
    done = run(doc([undoable("a"), undoable("b"), BOOM]), script)

    undone = done.of("CompensationRun")
    assert [(e["node"], e["ok"]) for e in undone] == [("b", False), ("a", True)]
    assert undone[0]["error"]["code"] == "ToolFailed"
    assert (done.status, done.code, done.report["error"]["node"]) == (
        "failed",
        "HandlerFailed",
        "boom",
    )


def test_a_timeout_is_undone_too_and_a_completed_run_is_not() -> None:
    """C51."""
    slow = node("s", "delay", config={"duration_ms": 5000})
    late = run(doc([undoable("a"), slow], limits={"max_execution_time_ms": 60}), tools_of("a"))
    good = run(doc([undoable("a")]), tools_of("a"))

    assert (late.status, [e["node"] for e in late.of("CompensationRun")]) == ("timeout", ["a"])
    assert (good.status, good.of("CompensationRun")) == ("completed", [])


async def test_a_cancelled_run_is_not_undone() -> None:
    """C51."""
    local, name = await started(doc([undoable("a"), question("q")]), tools_of("a"))
    assert local.scripted_tools is not None
    assert [call.tool for call in local.scripted_tools.calls] == ["do_a"]
    await local.runner.cancel(name, "ann")
    state = await local.runner.settled(name)

    events = [e.type for e in await local.store.events(name)]
    assert (state.status, "CompensationRun" in events) == ("cancelled", False)
    await local.runner.close()


def test_an_empty_stack_does_nothing() -> None:
    """C51."""
    done = run(doc([BOOM]), tools_of())

    assert (done.status, done.of("CompensationRun")) == ("failed", [])
    assert done.events[-1]["type"] == "RunFailed"


def test_every_visit_and_a_late_success_are_undone() -> None:
    """C51."""
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
        "RunEnding",
        "NodeCompleted",
    ]
    assert [e["node"] for e in beside.of("CompensationRun")] == ["a"]


def test_functions_are_undone_by_functions() -> None:
    """C50, C51."""
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


async def test_requests_are_undone_by_requests() -> None:
    """C50, C51."""
    async with Origin() as origin:
        url = f"http://127.0.0.1:{origin.port}/orders"
        undo = {"method": "DELETE", "url": url + "/{{ memory.h_result.body.id }}"}
        posting = node(
            "h",
            "http_request",
            requires_compensation=True,
            config={"method": "POST", "url": url, "body": {"n": 1}, "compensation": undo},
        )
        allowed = Egress(AllowList.of([f"http://127.0.0.1:{origin.port}"]))
        done = await asyncio.to_thread(run, doc([posting, BOOM]), tools_of("a"), egress=allowed)

    [event] = done.of("CompensationRun")
    assert (event["ok"], event["tool"]) == (True, f"DELETE {url}/9")
    assert [line.split(" ")[:2] for line in origin.lines] == [
        ["POST", "/orders"],
        ["DELETE", "/orders/9"],
    ]
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


def test_a_child_runs_undos_join_the_parents_in_order() -> None:
    """C52."""
    graph = doc([undoable("a"), SUB, undoable("c"), BOOM])
    child = inner(undoable("b"), undoable("d"))
    done = run(graph, tools_of("a", "b", "c", "d"), graphs=[child], types=nested())

    undone = done.of("CompensationRun")
    assert [(e["node"], e["key"]) for e in undone] == [
        ("c", "c[undo1]#1"),
        ("d", "sub#1/d[undo2]#1"),
        ("b", "sub#1/b[undo3]#1"),
        ("a", "a[undo4]#1"),
    ]
    assert done.status == "failed"


def test_a_child_run_that_fails_undoes_its_own() -> None:
    """C52."""
    child = inner(undoable("b"), BOOM)
    done = run(doc([undoable("a"), SUB]), tools_of("a", "b"), graphs=[child], types=nested())

    assert (done.status, done.code) == ("failed", "SubgraphFailed")
    assert [c.tool for c in done.tools] == ["do_a", "do_b", "undo_b", "undo_a"]
    assert [e["node"] for e in done.of("CompensationRun")] == ["a"]


def test_a_child_run_that_is_cut_short_leaves_its_undos() -> None:
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


UNSAFE = [{"result": "late", "delay_ms": 3000, "effect_class": "unsafe"}, {"result": "second"}]


def doubtful() -> tuple[dict[str, Any], dict[str, Any]]:
    graph = doc([undoable("b"), undoable("a", policy={"timeout_ms": 300}), BOOM])
    return graph, tools_of("a", "b", undo_a=UNSAFE)


def test_an_unsafe_undo_of_unknown_outcome_waits_in_doubt() -> None:
    """C51."""
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
def test_a_person_says_what_became_of_an_undo(
    decision: dict[str, Any], ok: bool, result: Any, calls: int
) -> None:
    """C51."""
    graph, script = doubtful()
    done = run(graph, script, {"a": [decision]})

    assert (done.exit, done.status) == (1, "failed")
    first, second = done.of("CompensationRun")
    assert (first["ok"], first.get("result"), second["node"]) == (ok, result, "b")
    assert [c.tool for c in done.tools].count("undo_a") == calls
    assert done.events[-1]["type"] == "RunFailed"
