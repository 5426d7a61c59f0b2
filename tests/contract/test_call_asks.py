"""Calls of an agent that people decide on before they are sent."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import RequestRefused
from engine.core.people.asked_calls import call_hash
from engine.core.state.requests import Actor, Answer
from engine.core.values.json import freeze
from engine.local import Local
from tests.contract.harness import Outcome, agent, doc, run, started

ANN = Actor("ann", "Ann", roles=frozenset({"reviewer"}))
BOB = Actor("bob", "Bob", roles=frozenset({"reviewer"}))
YES: dict[str, Any] = {"decision": "approved"}
NO: dict[str, Any] = {"decision": "rejected", "comment": "too much"}
TOOLS = {
    "refund": [{"result": "paid", "effect_class": "unsafe"}],
    "look": [{"result": "seen"}],
}


def wants(*calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "arguments": given} for name, given in calls]}


def refund(amount: int) -> tuple[str, dict[str, Any]]:
    return ("refund", {"amount": amount, "charge": "ch_81"})


def script(*replies: Any, **tools: Any) -> dict[str, Any]:
    turns = [{"text": r} if isinstance(r, str) else r for r in replies]
    return {"default": turns, "tools": TOOLS | tools, "repeat_last": True}


def graph(rule: dict[str, Any] | None = None, name: str = "refund", **fields: Any) -> Any:
    given = {"id": "x", "tools": ["refund", "look"], "ask": {name: rule or {"when": "always"}}}
    return doc([agent("n", **fields)], agents=[given])


def told(done: Outcome, call: int = 1) -> list[str]:
    return [m.content for m in done.models[call].request.messages if m.role == "tool"]


def sent(local: Local) -> list[tuple[str, Any]]:
    assert local.scripted_tools is not None
    return [(call.tool, call.arguments) for call in local.scripted_tools.calls]


def items(local: Local) -> list[Any]:
    state = local.store.peek("r")
    return [] if state is None else list(state.interrupts.values())


async def say(local: Local, item: Any, actor: Actor = ANN, **answer: Any) -> Any:
    token = local.runner.token(item.request_id)
    await local.runner.answer(item.request_id, Answer(token, **answer), actor)
    return await local.runner.settled("r")


async def test_nothing_is_sent_before_a_person_approves() -> None:
    local, _ = await started(graph(), script(wants(refund(250)), "done"))
    (item,) = items(local)

    assert sent(local) == []
    assert item.kind == "approval"
    assert item.path == "2/0/0!ask"
    request = item.request
    assert request["approval_type"] == "tool_call"
    assert (request["tool"], request["effect"]) == ("script/refund", "unsafe")
    assert request["data"] == {"amount": 250, "charge": "ch_81"}
    assert item.content_hash == call_hash("script/refund", request["definition"], request["data"])

    state = await say(local, item, **YES)

    assert sent(local) == [("refund", {"amount": 250, "charge": "ch_81"})]
    assert state.status == "completed"
    await local.runner.close()


def test_an_edited_amount_reaches_the_tool_once() -> None:
    yes = {**YES, "edits": {"amount": 200}}
    done = run(graph({"editable": ["amount"]}), script(wants(refund(250)), "done"), {"n": [yes]})

    assert [c.arguments for c in done.tools] == [{"amount": 200, "charge": "ch_81"}]
    assert (done.exit, told(done)) == (0, ["paid"])
    [closed] = done.of("InterruptResolved")
    definition = done.of("InterruptOpened")[0]["request"]["definition"]
    final = freeze({"amount": 200, "charge": "ch_81"})
    assert closed["content_hash"] == call_hash("script/refund", definition, final)


async def test_the_agent_reads_who_refused_and_why() -> None:
    local, _ = await started(graph(), script(wants(refund(250)), "done"))
    state = await say(local, items(local)[0], **NO)

    assert sent(local) == []
    last = local.models.calls[-1].request.messages[-1]  # type: ignore[attr-defined]
    assert (last.role, last.content) == ("tool", "refused by Ann: too much")
    assert state.status == "completed"
    await local.runner.close()


async def test_calls_of_one_answer_are_asked_about_in_one_suspension() -> None:
    answer = wants(refund(1), ("look", {"at": 1}), refund(2))
    local, _ = await started(graph(), script(answer, "done"))
    first, second = items(local)

    assert sent(local) == [("look", {"at": 1})]
    opened = [e for e in await log(local) if e.type in ("InterruptOpened", "NodeWaiting")]
    assert [e.type for e in opened] == ["InterruptOpened", "InterruptOpened", "NodeWaiting"]

    await say(local, first, **NO)
    assert len(sent(local)) == 1
    await say(local, second, BOB, **YES)

    assert sent(local)[1:] == [("refund", {"amount": 2, "charge": "ch_81"})]
    texts = [m.content for m in local.models.calls[-1].request.messages if m.role == "tool"]  # type: ignore[attr-defined]
    assert texts == ["refused by Ann: too much", "seen", "paid"]
    await local.runner.close()


async def log(local: Local) -> list[Any]:
    return list(await local.store.events("r"))


@pytest.mark.parametrize(
    ("expression", "asked"),
    [
        ("arguments.amount > 100", True),
        ("arguments.amount > 1000", False),
        ("arguments.nothing > 1", True),
        ("arguments.amount", True),
        ('tool == "script/refund"', True),
    ],
)
async def test_an_expression_over_the_arguments_asks(expression: str, asked: bool) -> None:
    """One that fails, or says neither yes nor no, asks."""
    rule = {"when": "expression", "expression": expression}
    local, _ = await started(graph(rule), script(wants(refund(250)), "done"))

    assert (len(items(local)), len(sent(local))) == ((1, 0) if asked else (0, 1))
    await local.runner.close()


def test_the_first_time_in_a_run_asks_until_one_is_approved() -> None:
    answers = script(wants(refund(1)), wants(refund(2)), wants(refund(3)), "done")
    done = run(graph({"when": "first"}), answers, {"n": [NO, YES]})

    assert [c.arguments["amount"] for c in done.tools] == [2, 3]
    assert len(done.of("InterruptOpened")) == 2


@pytest.mark.parametrize("name", ["script/refund", "refund", "script/*", "*"])
def test_a_rule_names_a_tool_its_source_or_all(name: str) -> None:
    done = run(graph(name=name), script(wants(refund(1)), "done"), {"n": [YES]})

    assert len(done.of("InterruptOpened")) == 1


def test_the_nearest_rule_counts_alone() -> None:
    given = {
        "id": "x",
        "tools": ["refund", "look"],
        "ask": {"script/*": {"when": "always"}, "look": {"when": "never"}},
    }
    answer = wants(refund(1), ("look", {}))
    done = run(doc([agent("n")], agents=[given]), script(answer, "done"), {"n": [YES]})

    assert [e["request"]["tool"] for e in done.of("InterruptOpened")] == ["script/refund"]


def test_nobody_in_time_is_a_refusal() -> None:
    done = run(graph(), script(wants(refund(1)), "done"), {"n": [{"expire": True}]})

    assert (done.exit, done.tools, told(done)) == (0, [], ["refused: nobody decided in time"])


async def test_an_edit_must_be_allowed() -> None:
    local, _ = await started(graph({"editable": ["amount"]}), script(wants(refund(250)), "done"))
    (item,) = items(local)

    with pytest.raises(RequestRefused) as refused:
        await say(local, item, **YES, edits={"charge": "ch_1"})
    assert refused.value.code == "AnswerInvalid"
    assert "may not be edited" in str(refused.value)
    assert [one.request_id for one in items(local)] == [item.request_id]
    await local.runner.close()


async def test_the_second_of_two_deciders_is_told_who_was_first() -> None:
    local, _ = await started(graph(), script(wants(refund(250)), "done"))
    (item,) = items(local)
    await say(local, item, ANN, **YES)

    with pytest.raises(RequestRefused) as late:
        await say(local, item, BOB, **NO)
    assert late.value.code == "AlreadyDecided"
    assert len(sent(local)) == 1
    await local.runner.close()


async def test_only_those_who_are_named_decide() -> None:
    rule = {"eligible": ["user:bob"], "at_least": 1, "four_eyes": ["starter"]}
    local, _ = await started(graph(rule), script(wants(refund(250)), "done"))
    (item,) = items(local)

    with pytest.raises(RequestRefused) as refused:
        await say(local, item, ANN, **YES)
    assert refused.value.code == "NotEligible"
    await say(local, item, BOB, **YES)
    assert len(sent(local)) == 1
    await local.runner.close()


async def test_two_must_approve_what_the_first_has_edited() -> None:
    rule = {"at_least": 2, "editable": "amount"}
    local, _ = await started(graph(rule), script(wants(refund(250)), "done"))
    (item,) = items(local)
    await say(local, item, ANN, **YES, edits={"amount": 200})
    assert sent(local) == []
    (item,) = items(local)
    await say(local, item, BOB, **YES, content_hash=item.content_hash)

    assert sent(local) == [("refund", {"amount": 200, "charge": "ch_81"})]
    await local.runner.close()


async def test_no_money_is_held_while_people_think() -> None:
    local, _ = await started(graph(), script(wants(refund(250)), "done"))
    state = local.store.peek("r")

    assert state is not None
    assert state.holds == {}
    assert not any(hold.state == "held" for hold in local.store.ledger.holds.values())
    await local.runner.close()


async def test_a_megabyte_and_hostile_text_are_data() -> None:
    """What a model and a person write is never a template, a path or a name."""
    evil = "{{ memory.secret }}<script>alert(1)</script>\n!ask/0/../"
    given = {"amount": 1, evil: evil, "letter": "x" * 1_000_000}
    local, _ = await started(
        graph({"editable": "*"}), script(wants(("refund", given)), wants(("refund", given)), "done")
    )
    (item,) = items(local)
    await say(local, item, **NO | {"comment": evil})
    texts = [m.content for m in local.models.calls[-1].request.messages if m.role == "tool"]  # type: ignore[attr-defined]
    assert texts == [f"refused by Ann: {evil}"]

    (item,) = items(local)
    state = await say(local, item, **YES, edits={evil: "tame"})
    assert sent(local) == [("refund", {**given, evil: "tame"})]
    assert state.status == "completed"
    await local.runner.close()


def test_an_unknown_tool_is_told_without_asking_anybody() -> None:
    done = run(graph(name="*"), script(wants(("refnd", {})), "done"))

    assert (done.of("InterruptOpened"), "unknown tool" in told(done)[0]) == ([], True)
