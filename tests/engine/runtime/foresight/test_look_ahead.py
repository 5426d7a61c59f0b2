"""What a decision would lead to is what then really is sent, and nothing is done to tell it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.effects import EffectClass
from engine.core.errors import RequestRefused
from engine.core.state.requests import Actor, Supposed
from engine.local import Local
from engine.runtime.foresight.look_ahead import look_ahead
from tests.contract.harness import Edge, agent, approval, doc, fn, node, output, started, tool
from tests.contract.questions import answer, opened

RITA = Actor("rita", "Rita", roles=frozenset({"reviewer"}))
PAY: dict[str, Any] = {
    "method": "post",
    "url": "https://pay.example/pay?api_key=hush",
    "body": {"amount": "{{ memory.amount }}", "to": "{{ memory.customer }}", "token": "t-1"},
    "credential": "bank",
}
MEMORY = {"amount": 2087.7, "customer": "Nora"}
TOOLS = {"mail": EffectClass.UNSAFE, "look": EffectClass.READ}


def paying(**fields: Any) -> dict[str, Any]:
    """Return an approval before a payment, and one who is told of a refusal."""
    pay = {**PAY, "method": "POST"}
    nodes = [
        approval("review", editable_keys=["amount"]),
        node("pay", "http_request", config=pay, reads=["*"], label="Pay the money", **fields),
        tool("tell", "mail", reads=["*"], config={"arguments": {"to": "{{ memory.customer }}"}}),
    ]
    edges: list[Edge] = ["__start__ -> review -> pay", ("review", "tell", {"on": "rejected"})]
    return doc(nodes, edges, initial_memory=MEMORY)


async def foreseen(local: Local, decision: Any = "approved", **more: Any) -> dict[str, Any]:
    supposed = Supposed(opened(local).request_id, decision, RITA, **more)
    return (await look_ahead(local.runner, "r", supposed, TOOLS)).to_json()


async def test_an_approval_tells_the_request_that_then_is_sent() -> None:
    local, _run = await started(paying(metadata={"dangerous": True}))
    before = await local.store.events("r")

    [step] = (await foreseen(local, edits={"amount": 300}))["steps"]

    assert (step["label"], step["does"]) == ("Pay the money", "http")
    assert step["call"] == {
        "method": "POST",
        "url": "https://pay.example/pay?api_key=[hidden]",
        "body": '{"amount":300,"to":"Nora","token":"[hidden]"}',
        "credential": "bank",
    }
    assert (step["effect_class"], step["dangerous"], step["undo"]) == ("unsafe", True, False)
    assert await local.store.events("r") == before


async def test_a_rejection_tells_its_own_way() -> None:
    local, _run = await started(paying())

    found = await foreseen(local, "rejected")

    [step] = found["steps"]
    assert (step["does"], step["call"]) == ("tool", {"tool": "mail", "arguments": {"to": "Nora"}})
    assert step["effect_class"] == "unsafe"
    assert found["ends"] is None


async def test_a_rejection_without_a_way_ends_the_run() -> None:
    local, _run = await started(doc([approval("review"), fn("ok")]))

    found = await foreseen(local, "rejected", comment="too much")

    assert found == {"steps": [], "ends": "failed", "why": None, "passes": []}


async def test_what_is_foreseen_of_a_tool_is_what_it_is_called_with() -> None:
    nodes = [
        approval("review", editable_keys=["amount"]),
        tool(
            "send", "mail", reads=["*"], config={"arguments": {"text": "Pay {{ memory.amount }}"}}
        ),
    ]
    script = {"tools": {"mail": [{"result": "ok"}]}}
    local, _run = await started(doc(nodes, initial_memory=MEMORY), script)

    [step] = (await foreseen(local, edits={"amount": 12.5}))["steps"]
    await answer(local, opened(local), decision="approved", edits={"amount": 12.5})

    assert local.scripted_tools is not None
    [call] = local.scripted_tools.calls
    assert step["call"]["arguments"] == dict(call.arguments) == {"text": "Pay 12.5"}


async def test_what_comes_after_an_unknown_answer_is_told_with_it_left_open() -> None:
    nodes = [
        approval("review"),
        agent("write", label="Write letter", writes=["letter"]),
        tool(
            "send",
            "mail",
            reads=["*"],
            config={"arguments": {"text": "Dear {{ memory.customer }}, {{ memory.letter }}"}},
        ),
        approval("again", prompt_message="Sent?"),
        tool("late", "mail"),
    ]
    local, _run = await started(doc(nodes, initial_memory=MEMORY))

    write, send, again = (await foreseen(local))["steps"]

    assert (write["does"], write["call"]) == ("model", {"name": "x"})
    assert send["call"]["arguments"] == {"text": "Dear Nora, [what Write letter gives]"}
    assert send["why_unknown"] == "it needs what Write letter gives"
    assert (again["does"], again["call"]) == ("approval", {"prompt": "Sent?"})


async def test_ways_that_an_unknown_answer_chooses_say_when() -> None:
    nodes = [
        approval("review"),
        tool("ask", "look", label="Look up", reads=["*"], config={"arguments": {}}),
        tool("a", "mail", config={"arguments": {}}),
        tool("b", "mail", config={"arguments": {}}),
    ]
    edges: list[Edge] = [
        "__start__ -> review -> ask",
        ("ask", "a", {"condition": "outputs.ask.ok == true"}),
        ("ask", "b", {"label": "unknown to us"}),
    ]
    local, _run = await started(doc(nodes, edges))

    first, *ways = (await foreseen(local))["steps"]

    assert (first["effect_class"], first["only_if"]) == ("read", None)
    assert [way["only_if"] for way in ways] == ["outputs.ask.ok == true", "unknown to us"]


async def test_the_end_of_the_run_is_told() -> None:
    end = {**output("done", "'yes'"), "label": "Paid"}
    local, _run = await started(doc([approval("review"), end]))

    assert await foreseen(local) == {
        "steps": [],
        "ends": "completed",
        "why": None,
        "passes": ["Paid"],
    }


async def test_what_would_fail_says_why() -> None:
    nodes = [
        approval("review"),
        tool("send", "mail", config={"arguments": {"a": "{{ memory.x }}"}}),
    ]
    local, _run = await started(doc(nodes))

    [step] = (await foreseen(local))["steps"]

    assert step["does"] == "fails"
    assert "memory.x" in step["why_unknown"]


async def test_a_rejection_tells_what_it_undoes() -> None:
    undone = {"tool_id": "refund", "arguments": {}}
    charge = {"arguments": {}, "compensation": undone}
    nodes = [
        tool("charge", "mail", label="Charge", requires_compensation=True, config=charge),
        approval("review"),
    ]
    local, _run = await started(doc(nodes), {"tools": {"mail": [{"result": 1}]}})

    [step] = (await foreseen(local, "rejected"))["steps"]

    assert (step["label"], step["does"], step["call"]) == ("Charge", "undo", {"name": "refund"})


async def test_edits_that_do_not_fit_are_refused_as_the_decision_would_be() -> None:
    local, _run = await started(paying())

    with pytest.raises(RequestRefused) as refused:
        await foreseen(local, edits={"customer": "Ivo"})

    assert refused.value.code == "AnswerInvalid"


async def test_several_who_must_approve_are_told_what_follows_the_last() -> None:
    nodes = [
        approval("review", policy={"rule": {"at_least": 2}}),
        tool("send", "mail", config={"arguments": {}}),
    ]
    local, _run = await started(doc(nodes))

    [step] = (await foreseen(local))["steps"]

    assert step["call"]["tool"] == "mail"


ASKS: dict[str, Any] = {"pay": {"editable": ["amount"]}, "mail": {}}
CALLS = [{"name": "pay", "arguments": {"amount": 250, "token": "t-1"}}]


async def wanting(*more: dict[str, Any]) -> Local:
    """Return a run whose agent wants a payment, and what else is given."""
    given = {"id": "x", "tools": ["pay", "mail"], "ask": ASKS}
    tools = {"pay": [{"result": "paid", "effect_class": "keyed"}], "mail": [{"result": "sent"}]}
    script = {"default": [{"tool_calls": [*CALLS, *more]}, {"text": "done"}], "tools": tools}
    local, _run = await started(doc([agent("n")], agents=[given]), script)
    return local


async def test_a_call_that_is_asked_about_is_told_as_it_would_be_sent() -> None:
    local = await wanting()

    sent, then = (await foreseen(local, edits={"amount": 200}))["steps"]

    arguments = {"amount": 200, "token": "[hidden]"}
    assert (sent["does"], sent["effect_class"]) == ("tool", "keyed")
    assert sent["call"] == {"tool": "script/pay", "arguments": arguments}
    assert then["does"] == "model"
    assert [step["does"] for step in (await foreseen(local, "rejected"))["steps"]] == ["model"]
    await local.runner.close()


async def test_one_of_two_calls_goes_on_only_with_the_other() -> None:
    local = await wanting({"name": "mail", "arguments": {}})

    assert [step["does"] for step in (await foreseen(local))["steps"]] == ["tool"]
    assert (await foreseen(local, "rejected"))["steps"] == []
    await local.runner.close()
