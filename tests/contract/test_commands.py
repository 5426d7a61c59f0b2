"""The flags of run_graph and check_graph, and what is resumed from a store that outlives a process."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main as engine_main
from engine.cli import check_graph, run_graph
from engine.cli.run_graph import Opened, StoreFactory
from engine.core.errors import StoreError
from engine.runtime.stores.memory import MemoryRunStore
from tests.contract.harness import agent, approval, check, doc, fn, node, output, question, run

END: dict[str, Any] = {"functions": {"end": {"returns": {}}}}


def call(*argv: str, store: StoreFactory | None = None) -> tuple[int, dict[str, Any], list[Any]]:
    out, err = io.StringIO(), io.StringIO()
    status = run_graph.main(argv, out, err, store)
    problems = [json.loads(line) for line in err.getvalue().splitlines() if line.startswith("{")]
    return status, json.loads(out.getvalue() or "{}"), problems


@pytest.fixture
def asking(tmp_path: Path) -> str:
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(doc([question("q")])))
    return str(file)


@pytest.mark.parametrize(
    "flags",
    [
        ["--nope"],
        ["--input", "{"],
        ["--input", "1e999"],
        ["--context", "[1]"],
        ["--metadata", "5"],
        ["--memory", "null"],
        ["--budget-usd", "x"],
        ["--budget-usd", "-1"],
        ["--max-tokens", "1.5"],
        ["--script", "nowhere.yaml"],
        ["--resume", "r"],
        ["--store", "cloud"],
        ["--store", "database"],
    ],
)
def test_a_wrong_flag_exits_2_with_problem_lines(asking: str, flags: list[str]) -> None:
    """C190."""
    status, report, problems = call(asking, *flags)

    assert (status, report) == (2, {})
    assert problems
    assert set(problems[0]) == {"path", "code", "message", "severity"}


def test_wrong_scripts_and_decisions_name_every_place(asking: str, tmp_path: Path) -> None:
    """C190."""
    script = tmp_path / "s.yaml"
    script.write_text("nodes: {a: [{txt: x}]}\nfoo: 1\n")
    decide = tmp_path / "d.yaml"
    decide.write_text("q: [{decisoin: approved}]\n")

    assert len(call(asking, "--script", str(script))[2]) >= 2
    status, _report, problems = call(asking, "--decide", str(decide))
    assert (status, [p["code"] for p in problems]) == (2, ["UnknownField"])
    assert "q[0].decisoin" in problems[0]["path"]


def test_yaml_words_stay_text(tmp_path: Path) -> None:
    graph = tmp_path / "g.yaml"
    graph.write_text(
        "graphwright: 1\nid: g\nnodes:\n  - {id: q, type: question, config: {question: on}}\n"
    )
    decide = tmp_path / "d.yaml"
    decide.write_text("q: [{selected: yes}]\n")
    status, report, _problems = call(str(graph), "--decide", str(decide))

    assert (status, report["outputs"]) == (0, {"q": "yes"})


def test_goal_and_memory_are_given_at_start() -> None:
    graph = doc([fn("see", reads=["k"])], goal="old", initial_memory={"k": {"a": 1}})
    see = {"functions": {"see": {"view": True}}}
    done = run(graph, see, flags=["--goal", "new"], memory={"k": {"b": 2}})

    assert done.outputs["see"]["goal"] == "new"
    assert done.outputs["see"]["memory"] == {"k": {"a": 1, "b": 2}}


def test_a_transition_is_run_too_and_reported() -> None:
    first = {"returns": {"transition_to": "h", "data": {"x": 1}}}
    script = {"functions": {"a": first, "b": {"returns": {"output": "done"}}}}
    other = {**doc([fn("b", reads=["input"])]), "id": "h"}
    done = run(doc([fn("a"), fn("n", "b")]), script, graphs=[other])

    assert (done.exit, done.path) == (0, ["a"])
    handed = done.report["transition"]
    assert (handed["graph_id"], handed["status"]) == ("h", "completed")
    assert handed["run_id"] == done.of("RunTransitioned")[0]["run_id"]


def test_the_event_file_is_dense_and_tool_steps_tell_what_was_called() -> None:
    graph = doc([{"id": "t", "type": "tool", "config": {"tool_id": "add", "arguments": {"a": 1}}}])
    done = run(graph, {"tools": {"add": [{"result": 3}]}})

    assert [e["seq"] for e in done.events] == list(range(1, len(done.events) + 1))
    assert all({"seq", "type", "at"} <= set(e) for e in done.events)
    step = done.of("StepCompleted", "t")[0]
    assert (step["tool"], step["arguments"], step["result"]) == ("add", {"a": 1}, 3)


def test_a_stored_run_is_resumed_by_another_process(asking: str, tmp_path: Path) -> None:
    """I19."""
    kept: list[MemoryRunStore] = []

    @asynccontextmanager
    async def opened(clock: Any, graphs: Any, feed: Any) -> AsyncIterator[Opened]:
        if not kept:
            kept.append(MemoryRunStore(clock, graphs, feed))
        for run_id in kept[0].logs:
            kept[0].forget(run_id)
        yield Opened(kept[0], b"installation")

    status, waiting, _problems = call(asking, "--store", "database", store=opened)
    decide = tmp_path / "d.json"
    decide.write_text(json.dumps({"q": [{"selected": "yes"}]}))
    flags = ["--store", "database", "--resume", waiting["run_id"], "--decide", str(decide)]
    resumed, report, _problems = call(asking, *flags, store=opened)
    unknown, _report, problems = call(
        asking, "--store", "database", "--resume", "zzz", store=opened
    )

    assert (status, resumed) == (3, 0)
    assert (report["run_id"], report["outputs"]) == (waiting["run_id"], {"q": "yes"})
    assert (unknown, problems[0]["code"]) == (2, "RunNotFound")


def test_a_store_that_cannot_be_had_exits_2(asking: str) -> None:
    """I19."""

    @asynccontextmanager
    async def locked(clock: Any, graphs: Any, feed: Any) -> AsyncIterator[Opened]:
        raise StoreError("a server holds the lock of the database")
        yield

    status, _report, problems = call(asking, "--store", "database", store=locked)

    assert (status, problems[0]["path"]) == (2, "--store")
    assert "lock" in problems[0]["message"]


def test_python_m_engine_delegates(asking: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert engine_main(["run", asking]) == 3
    assert json.loads(capsys.readouterr().out)["status"] == "waiting"
    assert engine_main(["check", asking]) == 0
    assert engine_main([]) == 2


def test_check_knows_what_a_script_answers_for() -> None:
    """C190."""
    graph = doc([agent("a"), fn("f", "end")]) | {"agents": []}

    assert check(graph).codes.count("UnknownAgent") == 1
    assert check(graph, {**END, "agents": {"x": []}}).exit == 0


def test_yaml_words_are_no_flags_of_a_script(asking: str, tmp_path: Path) -> None:
    """C190: `yes` is text, so it switches nothing on in a script or a decision."""
    script, decide = tmp_path / "s.yaml", tmp_path / "d.yaml"
    script.write_text("repeat_last: yes\nagents: {a: [{foo: 1}]}\n")
    decide.write_text("q: [{cancel: yes}]\n")
    _status, _report, wrong = call(asking, "--script", str(script))
    status, _report, refused = call(asking, "--decide", str(decide))

    places = {p["path"]: p for p in wrong}
    assert places["--script: repeat_last"]["code"] == "InvalidValue"
    assert "tool_calls" in places["--script: agents.a[0].foo"]["message"]
    assert (status, refused[0]["path"]) == (2, "--decide: q[0].cancel")


def test_events_that_cannot_be_written_stop_the_start(asking: str, tmp_path: Path) -> None:
    """C190: Nothing runs if its log could not be kept."""
    status, report, problems = call(asking, "--events", str(tmp_path / "no" / "log"))

    assert (status, report, problems[0]["path"]) == (2, {}, "--events")


@pytest.mark.parametrize("key", ["input", "goal", "outputs", "_own"])
def test_memory_at_start_has_no_reserved_keys(asking: str, key: str) -> None:
    """C14: Memory given at start may not carry the names of lanes or a leading _."""
    status, _report, problems = call(asking, "--memory", json.dumps({key: 1}))

    assert (status, problems[0]["code"], problems[0]["path"]) == (2, "InputInvalid", "--memory")


def test_an_engines_key_of_the_context_names_its_flag(asking: str) -> None:
    """S2: The refusal of an engine's key names the flag."""
    status, _report, problems = call(asking, "--context", '{"run_id": "x"}')

    assert (status, problems[0]["path"]) == (2, "--context")


def test_check_exits_2_for_every_file_it_cannot_read() -> None:
    """C190: Check exits 2 for every file it cannot read, with the problem on standard output."""
    good = doc([question("q")])
    broken: Any = "["

    assert check(good, graphs=[broken]).exit == 2
    assert check(good, graphs=[{**good, "id": "h", "graphwright": 2}]).exit == 2
    for version in (1.0, 2, "1", True, None):
        assert check({**good, "graphwright": version}).exit == 2
    out, err = io.StringIO(), io.StringIO()
    assert check_graph.main(["nowhere.yaml"], out, err) == 2
    problem = json.loads(out.getvalue())
    assert (problem["code"], err.getvalue()) == ("UnreadableDocument", "")
    assert "a file is wanted" in problem["message"]


def nested() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a graph that runs another one, in which an approval stands before a delay."""
    slow = node("d", "delay", config={"duration_ms": 30})
    kid = {**doc([approval("ok"), slow, output("o", "'inner'")]), "id": "kid"}
    return doc([node("s", "subgraph", config={"subgraph_id": "kid"})]), kid


APPROVE = {"ok": [{"decision": "approved"}]}


def test_an_answer_in_a_child_run_is_followed_to_its_end() -> None:
    """C86: The run is reported when the child that was answered has come to rest, not before."""
    graph, kid = nested()
    done = run(graph, decide=APPROVE, graphs=[kid])

    assert (done.exit, done.report["result"], done.path) == (0, "inner", ["s"])


def test_a_child_run_is_answered_from_another_process(tmp_path: Path) -> None:
    """C86, I19: A resumed run takes its child runs over, and both complete after the answer."""
    files = [tmp_path / name for name in ("graph.json", "kid.json", "decide.json")]
    for file, value in zip(files, (*nested(), APPROVE), strict=True):
        file.write_text(json.dumps(value))
    graph, kid, decide = map(str, files)
    flags = ["--graphs", kid, "--store", "database"]
    kept: list[MemoryRunStore] = []

    @asynccontextmanager
    async def opened(clock: Any, graphs: Any, feed: Any) -> AsyncIterator[Opened]:
        if not kept:
            kept.append(MemoryRunStore(clock, graphs, feed))
        for run_id in kept[0].logs:
            kept[0].forget(run_id)
        yield Opened(kept[0], b"installation")

    status, waiting, _problems = call(graph, *flags, store=opened)
    again = ["--resume", waiting["run_id"], "--decide", decide]
    resumed, report, _problems = call(graph, *flags, *again, store=opened)

    assert (status, waiting["interrupts"][0]["node"]) == (3, "ok")
    assert (resumed, report["status"], report["result"]) == (0, "completed", "inner")
