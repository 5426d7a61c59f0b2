"""`kill -9` on the real server: what was bought stays bought, what was asked stays asked."""

from __future__ import annotations

import os
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.e2e.model import REPLY_TOKENS, FakeModel, accept_provider, fake_model
from tests.e2e.server import TERMINAL, Client, QuickServer, Server, Tail, lines, serving, wait_until

pytestmark = pytest.mark.slow
CALL_TOKENS = sum(REPLY_TOKENS.values())


def tool(name: str, **more: Any) -> dict[str, Any]:
    """Return a node that calls one of the tools of `outside`."""
    arguments = {"order": "{{ input.order }}"}
    return {
        "id": name,
        "type": "tool",
        "label": name,
        "read_keys": ["input"],
        "write_keys": [f"{name}_result"],
        "config": {"tool_id": name, "arguments": arguments},
        **more,
    }


def agent(name: str) -> dict[str, Any]:
    """Return a node that asks the model once."""
    return {
        "id": name,
        "type": "agent",
        "label": name,
        "read_keys": ["input"],
        "write_keys": ["note"],
        "config": {
            "agent_id": "writer",
            "frame": "bare",
            "prompt": f"{name}: {{{{ input.order }}}}",
        },
    }


def line(name: str, *nodes: dict[str, Any]) -> dict[str, Any]:
    """Return a graph that runs the nodes one after the other."""
    ids = ["__start__", *(node["id"] for node in nodes)]
    writer = {"id": "writer", "model": "fake/fake-small", "max_output_tokens": 50}
    return {
        "graphwright": 1,
        "id": name,
        "name": name,
        "agents": [writer],
        "nodes": list(nodes),
        "edges": [
            {"id": f"e{n}", "source": a, "target": b} for n, (a, b) in enumerate(pairwise(ids))
        ],
    }


REVIEW = {
    "id": "review",
    "type": "approval",
    "label": "review",
    "read_keys": ["note"],
    "config": {"review_keys": ["note"]},
}


def add_graph(client: Client, document: dict[str, Any]) -> str:
    """Import a document and return the graph's id."""
    made = client.post("/api/graphs/", {"document": document})
    errors = [p for p in made["problems"] if p["severity"] == "error"]
    assert not errors, errors
    return str(made["id"])


def ready(server: Server, model: FakeModel | None = None) -> Client:
    """Start the server, become its owner, accept the model."""
    server.start()
    client = server.client()
    client.set_up()
    if model is not None:
        accept_provider(server, client.workspace, model.base_url)
    return client


def assert_dense(events: list[dict[str, Any]]) -> None:
    """I3: every seq once, in order."""
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))


def test_a_kill_in_a_model_call_repeats_only_that_call(
    tmp_path: Path, sqlite_template: Path
) -> None:
    """I1, I5, I6, I9."""
    with fake_model(tmp_path, 1200) as model, serving(tmp_path, template=sqlite_template) as server:
        client = ready(server, model)
        graph = add_graph(
            client,
            line(
                "orders",
                agent("one"),
                agent("two"),
                agent("three"),
                tool("ship"),
                REVIEW,
                tool("pay"),
            ),
        )
        run_id = client.start_run(graph, {"input": {"order": "A1"}, "max_token_budget": 200_000})
        tail = Tail(run_id)
        with tail.open(client) as stream:
            tail.read(stream, lambda: len(model.charged) == 2)
            server.kill()

        server.start()
        with tail.open(client) as stream:
            tail.read(stream, lambda: any(e["type"] == "InterruptOpened" for e in tail.events))
            client.answer(client.wait_for_interrupt(run_id, "approval"), "approved")
            tail.read(stream, lambda: any(e["type"] == "RunCompleted" for e in tail.events))

        run = client.wait_ended(run_id)
        assert run["status"] == "completed", run["error"]
        asked = [call["request"]["messages"][-1]["content"].strip() for call in model.charged]
        assert [text[:3] for text in asked] == ["one", "two", "two", "thr"]
        assert model.charged[1]["idempotency_key"] == model.charged[2]["idempotency_key"]
        assert_dense(tail.events)
        assert tail.events == client.events(run_id)
        spend = run["spend"]
        assert CALL_TOKENS * len(model.charged) <= spend["tokens"] + spend["held_tokens"] <= 200_000
        assert spend["held_tokens"] == 0
        assert [len(lines(server.world / f)) for f in ("ship.sent", "ship.done", "pay.sent")] == [
            1
        ] * 3


def test_a_person_settles_a_payment_that_was_cut_off(tmp_path: Path, sqlite_template: Path) -> None:
    """I5: An unsafe call whose outcome a crash hides is never repeated by itself (F11, C21)."""
    with serving(tmp_path, template=sqlite_template, GRAPHWRIGHT_TEST_SECONDS="60") as server:
        client = ready(server)
        graph = add_graph(client, line("pay-only", tool("pay")))
        runs = {
            word: client.start_run(graph, {"input": {"order": word}})
            for word in ("happened", "retry", "skip")
        }
        sent = server.world / "pay.sent"
        wait_until(lambda: len(lines(sent)) == 3, "three payments under way")
        server.kill()

        server.environ["GRAPHWRIGHT_TEST_SECONDS"] = "0"
        server.start()
        for word, run_id in runs.items():
            doubt = client.wait_for_interrupt(run_id, "in_doubt")
            assert doubt["request"]["tool"] == "pay"
            assert doubt["request"]["arguments"] == {"order": word}
            more = {"result": {"paid": "by hand"}} if word == "happened" else {}
            client.answer(doubt, word, **more)

        ended = {word: client.wait_ended(run_id) for word, run_id in runs.items()}
        assert [run["status"] for run in ended.values()] == ["completed"] * 3, ended
        assert Counter(fact["order"] for fact in lines(sent)) == {
            "happened": 1,
            "retry": 2,
            "skip": 1,
        }
        assert ended["happened"]["result"] == {"paid": "by hand"}
        assert ended["retry"]["result"] == {"paid": "retry"}
        for run_id in runs.values():
            assert_dense(client.events(run_id))


def test_one_process_serves_a_folder_and_ends_quietly(
    tmp_path: Path, sqlite_template: Path
) -> None:
    """I1."""
    with serving(tmp_path, template=sqlite_template, GRAPHWRIGHT_TEST_SECONDS="60") as server:
        client = ready(server)
        second = server.spawn()
        run_id = client.start_run(
            add_graph(client, line("pay-only", tool("pay"))), {"input": {"order": "A1"}}
        )
        wait_until(lambda: lines(server.world / "pay.sent"), "a payment under way")

        assert second.wait(30) == 2
        assert server.stop() == 0

        said = server.log.read_text()
        assert "another process serves this folder already" in said
        assert "Traceback" not in said
        server.start()
        assert client.wait_for_interrupt(run_id, "in_doubt")["request"]["tool"] == "pay"


def live_for(seconds: float) -> None:
    """Let the server work for a moment."""
    end = time.monotonic() + seconds
    wait_until(lambda: time.monotonic() > end, "a moment")


ORDERS = 5
KILLS = int(os.environ.get("KILLS", "5"))


def answer_what_waits(client: Client) -> int:
    """Do what people would: approve, note what happened, let go on what a crash loop parked.

    Returns how many steps may be made again because somebody said so.
    """
    again = 0
    for interrupt in client.open_interrupts():
        if interrupt["kind"] == "approval":
            client.answer(interrupt, "approved")
        elif interrupt["request"]["reason"] == "unknown_outcome":
            client.answer(interrupt, "happened", result={"paid": "checked by hand"})
        else:
            client.answer(interrupt, "retry")
            again += 1
    return again


@pytest.mark.parametrize("seed", [7])
def test_kills_in_a_row_lose_nothing_and_repeat_nothing(
    tmp_path: Path, sqlite_template: Path, seed: int
) -> None:
    """I1, I3, I5, I6: Each server lives for a moment; in the end all orders are shipped, paid and completed once."""
    random = Random(seed)
    slow = {"GRAPHWRIGHT_TEST_SECONDS": "0.2"}
    with (
        fake_model(tmp_path, 150) as model,
        serving(tmp_path, QuickServer, sqlite_template, **slow) as server,
    ):
        client = ready(server, model)
        agents = [agent(name) for name in ("one", "two", "three")]
        graph = add_graph(client, line("orders", *agents, tool("ship"), REVIEW, tool("pay")))
        body = {"max_token_budget": 100_000}
        runs = [
            client.start_run(graph, {**body, "input": {"order": f"A{n}"}}, key=f"order-{n}")
            for n in range(ORDERS)
        ]
        again = 0
        for kill in range(KILLS):
            if kill % 2:
                again += answer_what_waits(client)
            live_for(random.random() * 0.8)
            server.kill()
            server.start()
        repeated = client.start_run(graph, {**body, "input": {"order": "A0"}}, key="order-0")
        assert repeated == runs[0]

        def all_ended() -> bool:
            nonlocal again
            again += answer_what_waits(client)
            return all(client.run(run_id)["status"] in TERMINAL for run_id in runs)

        wait_until(all_ended, "the end of all runs", 60)
        judge(server, client, model, runs, again)


def judge(server: Server, client: Client, model: FakeModel, runs: list[str], again: int) -> None:
    """Hold what the outside world saw against what the runs say."""
    shown = {run_id: client.run(run_id) for run_id in runs}
    assert {run["status"] for run in shown.values()} == {"completed"}, shown
    for run_id in runs:
        assert_dense(client.events(run_id))
    for run in shown.values():
        assert run["spend"]["held_tokens"] == 0
        assert run["spend"]["tokens"] <= 100_000
    charged = CALL_TOKENS * len(model.charged)
    assert charged <= sum(run["spend"]["tokens"] for run in shown.values())
    keys = Counter(call["idempotency_key"] for call in model.charged)
    in_flight = sum(keys.values()) - len(keys)
    assert 3 * ORDERS <= len(keys) <= 3 * ORDERS + again
    assert in_flight <= KILLS * ORDERS
    assert Counter(fact["order"] for fact in lines(server.world / "ship.done")) == {
        f"A{n}": 1 for n in range(ORDERS)
    }
    sent = Counter(fact["key"] for fact in lines(server.world / "pay.sent"))
    assert set(sent.values()) == {1}
    assert len(sent) == ORDERS
