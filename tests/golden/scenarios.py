"""The runs whose logs are recorded: together they have every event there is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.core.graph.document import GraphSpec, parse_document
from engine.core.state.requests import Actor, Answer, Asks, ForkRun
from engine.core.values.json import thaw
from engine.runtime.mailbox import wishes
from tests.engine import asking_back, posted
from tests.engine.lab import ANN, BOB, Lab, in_virtual_time
from tests.golden import asked_calls, queue
from tests.golden.node_types import node_types
from tests.golden.recording import recorded

Document = dict[str, Any]
Node = dict[str, Any]
FAST: Final = {"max_retries": 2, "backoff_strategy": "fixed", "initial_backoff_ms": 10}
ONCE: Final = {"max_retries": 0}
OTTO: Final = Actor("otto", "Otto", roles=frozenset({"author"}))


@dataclass(frozen=True, slots=True)
class Scenario:
    """A graph, others that it runs, and what happens to the run `r`; the log of `run` is kept."""

    description: str
    document: Document
    play: Callable[[Lab], Awaitable[Any]]
    others: tuple[Document, ...] = ()
    run: str = "r"


class People:
    """Everybody there is."""

    async def members(self, workspace_id: str | None) -> Sequence[Actor]:
        return [ANN, BOB]


def graph(nodes: Sequence[Node], *edges: str | dict[str, Any], **fields: Any) -> Document:
    """Return a document; edges are written `a > b`."""
    drawn = [
        dict(zip(("source", "target"), each.split(" > "), strict=True))
        if isinstance(each, str)
        else each
        for each in edges
    ]
    return {
        "id": "main",
        "agents": [{"id": "ann", "max_output_tokens": 40}],
        "nodes": [{"failure_policy": FAST, **node} for node in nodes],
        "edges": drawn,
        **fields,
    }


def one(kind: str, **fields: Any) -> Document:
    """Return a graph of one node `it`, and the child that composites run."""
    nodes: list[Node] = [{"id": "it", "type": kind, **fields}, {"id": "child", "type": "t_child"}]
    return graph(nodes, "__start__ > it", "it > __end__")


async def answered(lab: Lab, *answers: dict[str, Any]) -> None:
    """Start the run and answer one question after the other."""
    await lab.start()
    for each in answers:
        await lab.answer(**each)


async def decide(lab: Lab, actor: Actor, **more: Any) -> None:
    """Approve what is shown now."""
    state = lab.store.peek("r")
    assert state is not None
    [opened] = state.interrupts.values()
    answer = Answer("", opened.content_hash, "approved", **more)
    await posted.ask(lab.runner, "r", wishes.answer(opened.request_id, answer, actor))


async def approved(lab: Lab) -> None:
    """Two people decide late, the second with a change of what the first had approved."""
    lab.runner.services.directory = People()
    await lab.start()
    await asyncio.sleep(4)
    await decide(lab, ANN, comment="fine")
    await decide(lab, BOB, edits={"note": 12})
    await decide(lab, ANN)
    await lab.runner.settled("r")


async def asked_back(lab: Lab) -> None:
    """A reviewer asks the starter, who replies after the deadline; another question lapses."""
    await lab.start(started_by="otto")
    await asyncio.sleep(1)
    state = lab.store.peek("r")
    assert state is not None
    [request] = state.interrupts
    asks = Asks(OTTO, "Which bank?")
    await asking_back.ask_back(lab.runner, "r", request, asks, ANN)
    await asyncio.sleep(60)
    await asking_back.answer_back(lab.runner, "r", request, "The old one", OTTO)
    await asking_back.ask_back(lab.runner, "r", request, Asks(OTTO, "Sure?"), ANN)
    await asking_back.take_back(lab.runner, "r", request, ANN)
    await asking_back.ask_back(lab.runner, "r", request, Asks(OTTO, "Really?"), ANN)
    await asyncio.sleep(8 * 86_400)
    await lab.runner.settled("r")


async def crashed(lab: Lab) -> None:
    """The process ends after a mail was sent and before that is known; a person skips the node."""
    lab.stop_at = "tool:mail:done"
    await lab.begin()
    await lab.stopped.wait()
    await lab.crash()
    await lab.runner.settled("r")
    await lab.answer(decision="skip")


async def cancelled(lab: Lab) -> None:
    """Somebody cancels while a child waits for a person."""
    await lab.start()
    await posted.ask(lab.runner, "r", wishes.cancel("ann", None))
    await lab.runner.settled("r")


async def forked(lab: Lab) -> None:
    """A run that is over goes on from its middle with other memory."""
    await answered(lab)
    await lab.runner.forks.fork("r", ForkRun("again", "b", "ann", memory={"note": 9}))
    await lab.runner.settled("again")


async def stepped(lab: Lab) -> None:
    """Ann steps over a node and goes on."""
    await lab.start(
        pins={"a": {"output": "kept", "writes": {"note": "kept"}}},
        breakpoints=["b"],
        started_by=ANN.id,
    )
    await lab.answer(decision="step")
    await lab.answer(decision="continue")


async def alone(lab: Lab) -> None:
    """Only the middle of the graph is run."""
    given = {"outputs": {"a": "x"}, "previous": "x"}
    await lab.start(only="b", given=given, memory={"note": "x"}, started_by=ANN.id)


async def waited(lab: Lab) -> None:
    """Nobody answers the run below for a while."""
    await lab.start()
    state = lab.store.peek("r")
    assert state is not None
    [below] = state.child_runs
    await lab.answer(below)
    await lab.answer(below, values="b")
    await lab.runner.settled("r")


WORK = graph(
    [
        {"id": "look", "type": "g_show", "write_keys": ["note"]},
        {"id": "shaky", "type": "g_shaky", "write_keys": ["tries"]},
        {"id": "think", "type": "t_reason"},
        {
            "id": "rest",
            "type": "t_write",
            "config": {"key": "slept", "after_ms": 50},
            "write_keys": ["slept"],
        },
        {"id": "off", "type": "t_write", "disabled": True, "write_keys": ["note"]},
    ],
    "__start__ > look",
    {"source": "look", "target": "shaky", "condition": "memory.note == 'a'"},
    {"source": "look", "target": "off", "condition": "memory.nothing == 'b'"},
    "shaky > think",
    "think > rest",
    "rest > off",
    "off > __end__",
    initial_memory={"note": ""},
)
POLICY = {
    "rule": {"at_least": 2},
    "reminders": [1_000],
    "escalation": {"after_ms": 2_000, "to": ["user:bob"]},
}
REVIEW = {
    "review_keys": ["note"],
    "editable_keys": ["note"],
    "policy": POLICY,
    "prompt_message": "Pay {{ memory.note }} now?",
}
BREAKER = {
    "enabled": True,
    "failure_threshold": 1,
    "success_threshold": 1,
    "timeout_ms": 5,
}
SLOW: Node = {"id": "w", "type": "delay", "config": {"duration_ms": 1_000}}
MAP = {"worker_node_id": "w", "static_items": [0, 1, 2], "max_concurrency": 1}
RECALL: Node = {
    "id": "it",
    "type": "agent",
    "memory_query": {"tags": ["t"]},
    "config": {"agent_id": "ann", "prompt": "Hello"},
}
LINE = graph(
    [
        {"id": "a", "type": "t_reason", "write_keys": ["note"]},
        {"id": "b", "type": "t_write", "write_keys": ["more"], "config": {"key": "more"}},
        {"id": "c", "type": "t_write", "write_keys": ["last"], "config": {"key": "last"}},
    ],
    "__start__ > a",
    "a > b",
    "b > c",
)
SCENARIOS: Final = {
    "work": Scenario(
        "Nodes that show, retry, ask a model, sleep and are switched off.",
        WORK,
        lambda lab: answered(lab, {}),
    ),
    "children": Scenario(
        "A node runs ten others: one asks a person, one fails.",
        one("t_run_nodes", failure_policy=ONCE),
        lambda lab: answered(lab, {}),
    ),
    "child_run": Scenario(
        "A run waits for another run, and that for a person.",
        one("t_run_graph"),
        waited,
        ({**one("t_interrupt"), "id": "inner"},),
    ),
    "approval": Scenario(
        "An approval of two people, with reminder, escalation and a change.",
        graph(
            [
                {"id": "ok", "type": "approval", "write_keys": ["note"], "config": REVIEW},
                {
                    "id": "pay",
                    "type": "tool",
                    "config": {"tool_id": "charge", "arguments": {"order": "m"}},
                },
            ],
            "__start__ > ok",
            "ok > pay",
            "pay > __end__",
            initial_memory={"note": 1},
        ),
        approved,
    ),
    "asked_calls": Scenario(
        "An agent wants two calls that people decide on; one is edited, one refused.",
        asked_calls.DOCUMENT,
        asked_calls.decided,
    ),
    "asked_back": Scenario(
        "A reviewer asks the starter back; the clock stops, and goes on with what was left.",
        graph(
            [{"id": "ok", "type": "approval", "config": {**REVIEW, "timeout_ms": 30_000}}],
            "__start__ > ok",
            "ok > __end__",
            initial_memory={"note": 1},
        ),
        asked_back,
    ),
    "undo": Scenario(
        "What was booked is given back after a failure.",
        graph(
            [
                {"id": "book", "type": "g_book", "requires_compensation": True},
                {"id": "break", "type": "g_break", "failure_policy": ONCE},
            ],
            "__start__ > book",
            "book > break",
            "break > __end__",
        ),
        answered,
    ),
    "budget": Scenario(
        "A node's budget is used up and a person raises it.",
        one("t_reason", budget={"max_tokens": 65, "on_breach": "ask"}),
        lambda lab: answered(lab, {}, {"decision": "raise"}),
    ),
    "run_budget": Scenario(
        "A run uses up half of its budget.",
        graph(
            [{"id": "a", "type": "t_reason"}, {"id": "b", "type": "t_reason"}],
            "__start__ > a",
            "a > b",
            "b > __end__",
            limits={"max_token_budget": 110},
        ),
        lambda lab: answered(lab, {}, {}),
    ),
    "doubt": Scenario(
        "A mail of which nobody knows whether it was sent.",
        one("t_tool", config={"tool": "mail"}),
        crashed,
    ),
    "cancelled": Scenario("A run is cancelled while a child waits.", one("t_run_node"), cancelled),
    "timeout": Scenario(
        "A map whose items take longer than it may.",
        graph(
            [
                {
                    "id": "m",
                    "type": "map",
                    "config": MAP,
                    "failure_policy": {**ONCE, "timeout_ms": 1_500},
                },
                SLOW,
            ],
            "__start__ > m",
            "m > __end__",
        ),
        answered,
    ),
    "run_timeout": Scenario(
        "A run that takes longer than it may.",
        {**graph([SLOW], "__start__ > w", "w > __end__"), "limits": {"max_execution_time_ms": 500}},
        answered,
    ),
    "circuit": Scenario(
        "A circuit opens, refuses and closes.",
        one("g_shaky", write_keys=["tries"], failure_policy={**FAST, "circuit_breaker": BREAKER}),
        answered,
    ),
    "join": Scenario(
        "A join waits for two branches that write the same key.",
        graph(
            [
                {"id": "a", "type": "t_write", "write_keys": ["note"], "config": {"after_ms": 100}},
                {"id": "b", "type": "t_write", "write_keys": ["note"]},
                {"id": "j", "type": "t_child", "join": "all"},
            ],
            "__start__ > a",
            "__start__ > b",
            "a > j",
            "b > j",
            "j > __end__",
        ),
        answered,
    ),
    "facts": Scenario(
        "Facts cannot be looked up.", graph([RECALL], "__start__ > it", "it > __end__"), answered
    ),
    "handover": Scenario(
        "A run hands over to another graph.",
        one("g_hand"),
        answered,
        ({**one("t_child"), "id": "inner"},),
    ),
    "trial": Scenario("A test run with a pin and a breakpoint.", LINE, stepped),
    "queue": Scenario(queue.SAYS, one(**queue.NODE), queue.in_turn),
    "alone": Scenario("A test run of one node alone.", LINE, alone),
    "fork": Scenario(
        "A run that is forked with other memory.",
        graph(
            [
                {"id": "a", "type": "t_write", "write_keys": ["note"]},
                {"id": "b", "type": "t_write", "write_keys": ["more"], "config": {"key": "more"}},
            ],
            "__start__ > a",
            "a > b",
            "b > __end__",
        ),
        forked,
        run="again",
    ),
}


def spec_of(document: Document) -> GraphSpec:
    """Return a document as the engine reads it."""
    spec, problems = parse_document(thaw(document))
    assert spec is not None, problems
    return spec


def record(name: str) -> dict[str, Any]:
    """Run a scenario in virtual time and return its log."""
    scenario = SCENARIOS[name]

    async def main() -> dict[str, Any]:
        graphs = [spec_of(each) for each in (scenario.document, *scenario.others)]
        lab = Lab(*graphs, types=node_types())
        await scenario.play(lab)
        await lab.store.flush(scenario.run)
        assert lab.broken == []
        events = lab.medium.logs[scenario.run]
        return recorded(name, scenario.description, scenario.document, events)

    log: dict[str, Any] = in_virtual_time(main)
    return log
