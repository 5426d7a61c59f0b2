"""Functions that are `cpu_bound`: in a process of their own, which ends with the call."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import NodeError
from engine.core.graph.document import NodeSpec
from engine.core.node_types.registry import Handlers, RegistrationError
from engine.core.node_types.rules.call_mistakes import AT_HAND
from engine.core.node_types.view import ViewDraft
from engine.core.state.requests import StartRun
from engine.core.values.json import EMPTY, FrozenDict, FrozenList, freeze
from engine.local import Local, make_local
from engine.runtime.execution.functions.own_process import Seen, in_own_process
from tests.e2e.server import ROOT, wait_until
from tests.engine.lab import document
from tests.engine.runtime.functions import computing

HERE = computing.__name__


def node(name: str, **more: Any) -> dict[str, Any]:
    config = {"handler": name, "params": more.pop("params", {"n": 1})}
    policy = {"max_retries": 0, **more}
    return {
        "id": "it",
        "type": "function",
        "config": config,
        "failure_policy": policy,
        "read_keys": ["input"],
        "write_keys": ["*"],
    }


async def begun(name: str, **more: Any) -> Local:
    """Start a run whose one step calls a function of `computing`."""
    handlers = Handlers()
    handlers.register(name, cpu_bound=True)(getattr(computing, name))
    spec = document([node(name, **more)], "__start__ > it")
    local = make_local([spec], handlers=handlers)
    start = StartRun(run_id="r", graph_id=spec.id, goal="Try.", input=freeze({"x": [1, {"y": 2}]}))
    await local.runner.start(start, local.graphs.program_of(spec))
    return local


async def ended(local: Local) -> Any:
    async with asyncio.timeout(60):
        state = await local.runner.settled("r")
    await local.runner.close()
    return state


async def test_it_sees_what_its_node_sees_in_another_process() -> None:
    state = await ended(await begun("seen"))

    assert state.status == "completed", state.error
    found = dict(state.outputs["it"])
    assert found.pop("pid") != os.getpid()
    assert found == {
        "goal": "Try.",
        "input": {"x": [1, {"y": 2}]},
        "may": True,
        "node": "it",
        "attempt": 1,
        "run": "r",
        "params": {"n": 1},
    }


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("fails", "HandlerFailed", "ValueError: no such number"),
        ("refuses", "TooFar", "not so far"),
        ("dies", "HandlerFailed", "ended with -9"),
        ("changes", "HandlerFailed", "read-only"),
        ("no_json", "HandlerFailed", "object is not a JSON value"),
        ("too_much", "ResultTooLarge", "20971520 are allowed"),
    ],
)
async def test_however_it_fails_the_step_fails_with_its_reason(
    name: str, code: str, words: str
) -> None:
    state = await ended(await begun(name))

    assert state.status == "failed"
    assert (state.error["code"], words in state.error["message"]) == (code, True), state.error


async def test_a_result_with_fields_is_one() -> None:
    state = await ended(await begun("result"))

    assert state.status == "completed", state.error
    assert state.memory["a"] == 1


def gone(pid_file: Path) -> bool:
    """Return whether the process that wrote its id there has ended."""
    try:
        os.kill(int(pid_file.read_text()), 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("how", ["cancelled", "timed out"])
async def test_its_process_is_gone_where_the_step_is_given_up(how: str, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    limit = {"timeout_ms": 20_000} if how == "timed out" else {}
    local = await begun("spins", params={"pid_file": str(pid_file)}, **limit)
    async with asyncio.timeout(60):
        await asyncio.to_thread(wait_until, pid_file.exists, "the beginning of the process")
    assert not gone(pid_file)
    if how == "cancelled":
        await local.runner.cancel("r", "ann")
    state = await ended(local)

    assert state.status == ("cancelled" if how == "cancelled" else "failed")
    await asyncio.to_thread(wait_until, lambda: gone(pid_file), "the end of the process")


async def test_it_has_a_time_limit_whatever_its_node_says(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    with pytest.raises(NodeError, match="longer than 3 seconds") as caught:
        await spinning(pid_file, 3)

    assert (caught.value.code, caught.value.retryable) == ("NodeTimeout", False)
    await asyncio.to_thread(wait_until, lambda: gone(pid_file), "the end of the process")


BEGUN = """
import asyncio, os, signal, sys, threading
from pathlib import Path
from tests.engine.runtime.functions.test_own_process import spinning
pid_file, how = Path(sys.argv[1]), sys.argv[2]
def end():
    while not pid_file.exists():
        pass
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)"])
if __name__ == "__main__":
    threading.Thread(target=end).start()
    asyncio.run(spinning(pid_file))
"""


async def spinning(pid_file: Path, limit_s: float = 100) -> None:
    """Call what computes without an end."""
    view, it = ViewDraft().sealed(), NodeSpec(id="it", type="function")
    seen = Seen("r", it, 1, view, EMPTY, EMPTY, [], None, None)
    await in_own_process(f"{HERE}:spins", seen, {"pid_file": str(pid_file)}, limit_s)


@pytest.mark.parametrize("how", ["killed", "begun anew"])
def test_it_does_not_outlive_the_server_that_began_it(how: str, tmp_path: Path) -> None:
    pid_file, script = tmp_path / "pid", tmp_path / "begin.py"
    script.write_text(BEGUN)
    server = subprocess.Popen(
        [sys.executable, script, pid_file, how], env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    try:
        wait_until(pid_file.exists, "the beginning of the process")
        wait_until(lambda: gone(pid_file), "the end of the process", 20)
        assert (server.poll() is None) == (how == "begun anew")
    finally:
        server.kill()
        server.wait()


def test_what_cannot_be_called_there_is_refused_when_it_is_registered() -> None:
    async def waits(ctx: Any, params: Any) -> Any:
        return None

    def inside(ctx: Any, params: Any) -> Any:
        return None

    for function, why in ((waits, "a coroutine"), (inside, "stands in no module")):
        with pytest.raises(RegistrationError, match=why):
            Handlers().register("x", cpu_bound=True)(function)
    with pytest.raises(RegistrationError, match=r"uses ctx\.call_tool"):
        Handlers().register("x", cpu_bound=True)(calls)
    assert frozenset(Seen.__slots__) == AT_HAND


def calls(ctx: Any, _params: Any) -> Any:
    return ctx.call_tool("add", {})


def test_what_is_frozen_is_frozen_in_another_process_too() -> None:
    import pickle

    value = freeze({"a": [1, {"b": None}]})
    found = pickle.loads(pickle.dumps(value))

    assert found == value
    assert (type(found), type(found["a"])) == (FrozenDict, FrozenList)
