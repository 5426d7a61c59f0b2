"""The stream that answers a chat: a tail of the run's log that can be cut, and people in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from builder.api.runs import chat_stream
from builder.api.runs.chat_stream import _plain_frame
from builder.base.bells import hub, run_topic
from builder.models import Interrupt, Membership
from engine.core.errors import UNDECIDED
from tests.builder.conftest import People
from tests.builder.talk import (
    Frame,
    Seen,
    Talker,
    alice,
    answer,
    count_runs,
    engine,
    function,
    publishing,
    question,
    seen,
    talker,
    types,
    user,
)

__all__ = ["alice", "engine", "seen"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


LONG = [function(name, "say") for name in ("a", "b", "c", "d")]


@pytest.mark.parametrize("cut", [1, 3, 6])
async def test_a_cut_stream_goes_on_without_gap_or_duplicate(
    alice: Talker, people: People, cut: int
) -> None:
    """K37: Cut after a frame, reconnect with its id: every later frame comes once."""
    await publishing(people.alice, "talk", LONG)
    whole = await (await alice.say("hi", "talk")).rest()
    broken = await alice.say("again", "talk")
    for _ in range(cut):
        last = await broken.next()
    await broken.cut()

    again = await alice.listen(broken.response["X-Run-Id"], last.id)
    rest = await again.rest()

    assert types(whole) == [*["message", "structured"] * 4, "done"]
    assert types(broken.seen + rest) == types(whole)
    ids = [frame.id or 0 for frame in broken.seen + rest]
    assert all(ids) and ids == sorted(set(ids))


async def test_frames_are_events_of_the_log(alice: Talker, people: People) -> None:
    """K37, K22, K23: The id of a frame is the seq of its event, one frame an event."""
    await publishing(people.alice, "talk", LONG)
    stream = await alice.say("hi", "talk")
    frames = await stream.rest()

    answer = await alice.get(f"runs/{stream.response['X-Run-Id']}/events/?limit=500")
    log = {event["seq"]: event for event in answer.json()["events"]}
    kinds = {"message": "MessageEmitted", "structured": "StructuredEmitted", "done": "RunCompleted"}
    assert [log[frame.id or 0]["type"] for frame in frames] == [kinds[f.type] for f in frames]
    assert sum(event["type"] in kinds.values() for event in log.values()) == len(frames)


async def test_who_saw_the_end_is_told_to_stop_asking(alice: Talker, people: People) -> None:
    """K37: After the last frame there is nothing more, which makes an `EventSource` stop."""
    await publishing(people.alice, "talk", LONG)
    stream = await alice.say("hi", "talk")
    frames = await stream.rest()
    path = f"runs/{stream.response['X-Run-Id']}/chat/"

    over = await alice.get(path, **{"Last-Event-ID": str(frames[-1].id)})
    bad = await alice.get(path, **{"Last-Event-ID": "x"})

    assert over.status_code == 204
    assert (bad.status_code, bad.json()["code"]) == (400, "InputInvalid")


async def test_the_same_request_again_is_the_same_run(alice: Talker, people: People) -> None:
    """K37: A repeated POST with its `Idempotency-Key` resumes the run that it started."""
    await publishing(people.alice, "talk", LONG)
    first = await alice.say("hi", "talk", headers={"Idempotency-Key": "k"})
    seen = [await first.next(), await first.next(), await first.next()]
    await first.cut()

    again = await alice.say(
        "hi", "talk", headers={"Idempotency-Key": "k", "Last-Event-ID": str(seen[-1].id)}
    )
    rest = await again.rest()
    other = await alice.post(
        "chat/", {"messages": [user("else")], "graphId": "talk"}, **{"Idempotency-Key": "k"}
    )

    assert len(seen + rest) == 9
    assert again.response["X-Run-Id"] == first.response["X-Run-Id"]
    assert (other.status_code, other.json()["code"]) == (409, "IdempotencyConflict")
    assert await count_runs() == 1


async def test_token_deltas_have_no_id(alice: Talker, people: People) -> None:
    """K37: Deltas come as frames without id, between those of the log."""
    await publishing(people.alice, "talk", [question("q")])
    stream = await alice.say("hi", "talk")
    await stream.until("interrupt")
    run_id = stream.response["X-Run-Id"]

    piece = {
        "op": "eph",
        "run": run_id,
        "key": "w#1",
        "kind": "delta",
        "text": "Hel\n",
        "reset": True,
    }
    hub.send(run_topic(run_id), piece)
    delta = await stream.next()
    await stream.cut()

    assert delta == Frame("delta", {"node": "w", "key": "w#1", "text": "Hel\n", "reset": True})


async def test_leaving_never_stops_the_run(alice: Talker, people: People) -> None:
    """K37: A run whose reader left goes on, and nobody listens for it any more."""
    await publishing(people.alice, "talk", [question("q"), function("a", "say")])
    stream = await alice.say("hi", "talk")
    asked = await stream.until("interrupt")
    run_id = stream.response["X-Run-Id"]
    await stream.cut()

    assert hub.listeners(run_topic(run_id)) == 0
    await answer(alice, asked, selected="x")
    frames = await (await alice.listen(run_id, asked.id)).rest()
    assert types(frames) == ["message", "structured", "done"]


OPTIONS = [{"id": "a", "label": "A", "value": {"secret": 1}}, {"id": "b", "label": "B"}]


async def test_a_question_is_asked_answered_and_the_stream_goes_on(
    alice: Talker, people: People
) -> None:
    """K37, I4: The frame names the request; after the answer the same stream shows the rest."""
    await publishing(
        people.alice,
        "talk",
        [question("q", kind="multi-choice", options=OPTIONS), function("a", "say")],
    )
    stream = await alice.say("hi", "talk")

    asked = await stream.next()
    answered = await answer(alice, asked, selected=["b"])
    rest = await stream.rest()

    assert asked.type == "interrupt"
    assert {**asked.data, "resumeToken": 1, "requestId": 1, "runId": 1} == {
        "type": "interrupt",
        "requestId": 1,
        "resumeToken": 1,
        "runId": 1,
        "graph": "talk",
        "node": "q",
        "status": "open",
        "input": {
            "kind": "multi-choice",
            "multiple": True,
            "question": "Which?",
            "options": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}],
        },
    }
    assert asked.data["requestId"].startswith("human-")
    assert answered.status_code == 200
    assert types(rest) == ["message", "structured", "done"]


@pytest.mark.parametrize(("name", "may"), [("alice", True), ("bob", True), ("vera", False)])
async def test_only_who_may_answer_gets_the_token(
    alice: Talker, people: People, name: str, may: bool
) -> None:
    """K37: The token goes to who may answer: authors too where a question asks for knowledge."""
    await publishing(people.alice, "talk", [question("q")])
    first = await alice.say("hi", "talk")
    await first.until("interrupt")
    await first.cut()
    member: Membership = getattr(people, name)

    stream = await (await talker(member)).listen(first.response["X-Run-Id"])
    asked = await stream.until("interrupt")
    await stream.cut()

    assert ("resumeToken" in asked.data) is may


async def test_a_message_with_a_resume_answers(alice: Talker, people: People) -> None:
    """I5, I10: The last message's `resume` moves the run on; in an older one it starts another."""
    await publishing(people.alice, "talk", [question("q"), function("a", "say")])
    first = await alice.say("hi", "talk")
    asked = await first.until("interrupt")
    await first.cut()
    names = {"token": asked.data["resumeToken"], "requestId": asked.data["requestId"]}
    said = user("blue", metadata={"resume": {**names, "selected": "blue"}})

    newer = await alice.post("chat/", {"messages": [said, user("hello")], "graphId": "talk"})
    resumed = await alice.ask({"messages": [user("hi"), said]})
    again = await alice.ask({"messages": [user("hi"), said]})
    other = user("red", metadata={"resume": {**names, "selected": "red"}})
    late = await alice.post("chat/", {"messages": [other]})
    wrong = user("red", metadata={"resume": {**names, "token": "x", "selected": "red"}})
    forged = await alice.post("chat/", {"messages": [wrong]})

    assert newer["X-Run-Id"] != first.response["X-Run-Id"] == resumed["runId"]
    assert resumed["messages"] == again["messages"] and resumed["messages"]
    assert (late.status_code, late.json()["code"]) == (409, "InterruptClosed")
    assert (forged.status_code, forged.json()["code"]) == (404, "InterruptNotFound")
    assert await count_runs() == 2


async def test_a_resumed_chat_streams_from_the_answer_on(alice: Talker, people: People) -> None:
    """I5: The stream of an answer begins where the question ended."""
    nodes = [function("a", "say"), question("q"), function("b", "say")]
    await publishing(people.alice, "talk", nodes)
    first = await alice.say("hi", "talk")
    asked = await first.until("interrupt")
    names = {"token": asked.data["resumeToken"], "requestId": asked.data["requestId"]}

    said = user("x", metadata={"resume": {**names, "selected": "x"}})
    resumed = await alice.say("", messages=[said])
    frames = await resumed.rest()

    assert [frame.data.get("content") for frame in frames] == ["b speaks", None, None]


async def test_a_resume_that_cancels_ends_the_run(alice: Talker, people: People) -> None:
    """I9: `cancel: true` closes the request and cancels the run."""
    await publishing(people.alice, "talk", [question("q")])
    first = await alice.say("hi", "talk")
    asked = await first.until("interrupt")
    names = {"token": asked.data["resumeToken"], "requestId": asked.data["requestId"]}

    said = user("x", metadata={"resume": {**names, "cancel": True}})
    await alice.post("chat/", {"messages": [said]})

    assert [(f.type, f.data["status"]) for f in await first.rest()] == [("done", "cancelled")]
    assert (await Interrupt.objects.aget()).status != "open"


async def test_json_answers_once_it_waits_or_ends(alice: Talker, people: People) -> None:
    """K37: With `Accept: application/json` one object comes when the run waits or ends."""
    await publishing(people.alice, "talk", [function("a", "say"), question("q")])

    waiting = await alice.ask({"messages": [user("hi")], "graphId": "talk"})
    [asked] = waiting["interrupts"]
    await answer(alice, Frame("interrupt", asked), selected="x")
    path = f"runs/{waiting['runId']}/chat/"
    ended = await alice.get(path, Accept="application/json")
    over = json.loads(b"".join([chunk async for chunk in ended.streaming_content]))

    assert set(waiting) == {"runId", "status", "messages", "structured", "interrupts"}
    assert (waiting["status"], waiting["structured"]) == ("waiting", {"a": True})
    assert [said["content"] for said in waiting["messages"]] == ["a speaks"]
    assert (over["status"], over["interrupts"]) == ("completed", [])


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        ([function("a", "plain")], ['{"answer":42}']),
        ([{"id": "o", "type": "output", "config": {"value": "'hello'"}}], ["hello"]),
        ([function("a", "say"), function("b", "plain")], ["a speaks"]),
        ([function("look", "look")], []),
    ],
)
async def test_a_result_without_a_message_becomes_one(
    alice: Talker, people: People, nodes: Any, said: list[str]
) -> None:
    """K44: A chat that emitted nothing shows its result, text as it is, else JSON."""
    await publishing(people.alice, "talk", nodes)

    stream = await alice.say("hi", "talk")
    frames = await stream.rest()

    messages = [frame for frame in frames if frame.type == "message"]
    assert [frame.data["content"] for frame in messages] == said
    assert len({frame.id for frame in frames}) == len(frames)


async def test_a_hand_over_names_the_next_run(alice: Talker, people: People, seen: Seen) -> None:
    """K30: The frame carries target, payload and the run that goes on, which is a chat as well."""
    await publishing(people.alice, "billing", [function("look", "look"), function("p", "plain")])
    await publishing(people.alice, "talk", [function("a", "hand_over")])

    frames = await (await alice.say("hi", "talk", context={"locale": "de"})).rest()
    told = frames[0].data
    rest = await (await alice.listen(told["nextRunId"])).rest()

    assert types(frames) == ["transition", "done"]
    assert (told["graph"], told["payload"]) == ("billing", {"x": 1})
    assert seen.contexts[0]["locale"] == "de"
    assert [frame.data.get("content") for frame in rest] == ['{"answer":42}', None]


async def test_a_failure_is_an_error_frame_and_then_done(alice: Talker, people: People) -> None:
    """K37: What went wrong comes with its code and node, then the end."""
    await publishing(people.alice, "talk", [function("a", "fail")])

    error, done = await (await alice.say("hi", "talk")).rest()

    assert (error.type, error.data["code"], error.data["node"]) == ("error", "HandlerFailed", "a")
    assert "rejected" not in error.data
    assert (done.type, done.data["status"]) == ("done", "failed")
    assert (error.id or 0) < (done.id or 0)


@pytest.mark.parametrize(("message", "said_no"), [("rejected: no", True), (UNDECIDED, None)])
async def test_what_a_person_rejected_is_told_apart(message: str, said_no: bool | None) -> None:
    error = {"code": "ApprovalRejected", "message": message, "node": "check"}

    _, told = _plain_frame("RunEnding", {"status": "failed", "error": error})

    assert told.get("rejected") is said_no


async def test_the_inbox_takes_the_same_resume_object(alice: Talker, people: People) -> None:
    """I5: `{token, requestId, selected}` answers at the inbox's endpoint; another id does not."""
    await publishing(people.alice, "talk", [question("q")])
    stream = await alice.say("hi", "talk")
    asked = await stream.until("interrupt")

    wrong = await answer(alice, asked, requestId="human-0", selected="x")
    right = await answer(alice, asked, requestId=asked.data["requestId"], selected="x")

    assert (wrong.status_code, wrong.json()["code"]) == (404, "InterruptNotFound")
    assert right.status_code == 200
    assert types(await stream.rest()) == ["message", "done"]


async def test_a_question_of_a_child_run_is_asked_here(alice: Talker, people: People) -> None:
    """K37: Where a subgraph waits for a person, the chat asks, and goes on with the answer."""
    await publishing(people.alice, "kid", [question("q")])
    kid = {"id": "s", "type": "subgraph", "config": {"subgraph_id": "kid"}}
    await publishing(people.alice, "talk", [kid, function("a", "say")])
    stream = await alice.say("hi", "talk")

    asked = await stream.next()
    await answer(alice, asked, selected="x")
    rest = await stream.rest()

    assert (asked.type, asked.data["node"], asked.data["status"]) == ("interrupt", "q", "open")
    assert asked.data["runId"] != stream.response["X-Run-Id"]
    assert types(rest) == ["message", "structured", "done"]


@pytest.mark.parametrize("loses", ["the workspace", "the session"])
async def test_who_may_no_longer_read_hears_no_more(
    alice: Talker, people: People, loses: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_stream, "RECHECK_S", 0.0)
    await publishing(people.alice, "talk", [question("q")])
    stream = await alice.say("hi", "talk")
    await stream.until("interrupt")

    if loses == "the workspace":
        await people.alice.adelete()
    else:
        await alice.client.alogout()
    hub.ring(run_topic(stream.response["X-Run-Id"]))

    assert await stream.rest() == []
