"""Rows C32 and C33: failure edges, and a run that is retried."""

from __future__ import annotations

from tests.contract.failing import Target, busy
from tests.contract.harness import doc, fn, run, started


def test_a_failure_edge_is_followed_after_the_last_attempt() -> None:
    """C32."""
    functions = {"a": [{"error": {"message": "no"}}] * 3, "b": {"returns": {"output": "saved"}}}
    policy = {"max_retries": 2}
    drawn = doc([fn("a", policy=policy), fn("b")], ["__start__ -> a", ("a", "b", {"on": "failed"})])
    done = run(drawn, {"functions": functions})
    bare = run(doc([fn("a", policy=policy)]), {"functions": functions})

    assert (done.status, done.path, done.report["result"]) == ("completed", ["a", "b"], "saved")
    entry = done.activation("a")
    assert (entry["status"], entry["attempts"]) == ("failed", 3)
    assert [e["type"] for e in done.events if e["type"] in ("AttemptFailed", "NodeFailed")] == [
        "AttemptFailed",
        "AttemptFailed",
        "NodeFailed",
    ]
    assert (bare.status, bare.code, bare.exit) == ("failed", "HandlerFailed", 1)


async def test_a_retried_run_goes_on_at_the_failed_node() -> None:
    """C33."""
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
