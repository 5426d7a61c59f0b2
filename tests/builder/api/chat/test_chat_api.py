"""Chatting with a published graph: what becomes of a message, and who may send one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from builder.models import Interrupt, Workspace
from builder.services.people import accounts
from tests.builder.conftest import People
from tests.builder.talk import (
    Seen,
    Talker,
    alice,
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


async def default_graph(people: People, slug: str) -> None:
    change = sync_to_async(accounts.change_workspace)
    await change(people.olga, name=None, settings={"default_graph": slug})


async def test_the_first_node_gets_the_very_text(alice: Talker, people: People, seen: Seen) -> None:
    """K10, K13: The newest user message reaches the first node as it stands, unwrapped."""
    await publishing(people.alice, "talk", [function("look", "look"), function("a", "say")])

    frames = await (await alice.say("Where is my invoice?", "talk")).rest()

    assert seen.inputs == ["Where is my invoice?"]
    assert types(frames) == ["message", "structured", "done"]
    assert frames[0].data["content"] == "a speaks"
    assert (frames[0].data["node"], frames[1].data["data"]) == ("a", {"a": True})
    assert frames[2].data["status"] == "completed"


@pytest.mark.parametrize(
    ("messages", "input", "earlier"),
    [
        ([user("a"), user(" "), {"role": "assistant", "content": "b"}], "a", []),
        ([{"role": "system", "content": "s"}, user(" a \n")], " a \n", ["s"]),
        ([user("a"), {"role": "assistant", "content": "b"}, user("c")], "c", ["a", "b"]),
    ],
)
async def test_the_newest_user_message_with_text_is_the_input(
    alice: Talker, people: People, seen: Seen, messages: Any, input: str, earlier: list[str]
) -> None:
    """K11, K12: The newest user text is the input; what was said before is kept beside it."""
    await publishing(people.alice, "talk", [function("look", "look")])

    answer = await alice.ask({"messages": messages, "graphId": "talk"})

    assert answer["status"] == "completed"
    assert seen.inputs == [input]
    assert [said["content"] for said in seen.messages[0]] == earlier
    assert all(set(said) == {"role", "content"} for said in seen.messages[0])


DEEP = '{"messages": ' + "[" * 200 + "]" * 200 + "}"
HUGE = json.dumps({"messages": [user("x" * 1_100_000)]})
NAN = '{"messages": [{"role": "user", "content": "a"}], "context": {"x": NaN}}'


@pytest.mark.parametrize(
    "body",
    [
        {"messages": "x"},
        {"messages": []},
        {},
        {"messages": [{"role": "assistant", "content": "b"}]},
        {"messages": [user("  ")]},
        {"messages": [user("a"), {"role": "tool", "content": "b"}]},
        {"messages": [{"role": "user", "content": ["a"]}]},
        {"messages": [user("a")], "context": 5},
        {"messages": [user("a")], "context": {"tenant_id": "x"}},
        {"messages": [user("a")], "context": {"session_id": "x"}},
        {"messages": [user("a")], "context": {"correlation_id": "x"}},
        {"messages": [user("a")], "sessionId": 5},
        {"messages": [user("a")], "graphId": ["talk"]},
        {"messages": [user("a")], "colour": "red"},
        {"messages": [user("a\0b")]},
        DEEP,
        NAN,
        "[1]",
        "{",
    ],
)
async def test_a_bad_body_starts_nothing(alice: Talker, people: People, body: Any) -> None:
    """K10, K11, K14, S2: An invalid body is `InputInvalid`, and no run exists."""
    await publishing(people.alice, "talk", [function("look", "look")])
    await default_graph(people, "talk")

    refused = await alice.post("chat/", body)

    assert refused.status_code == 400, refused.content
    assert refused["Content-Type"] == "application/problem+json"
    assert refused.json()["code"] == "InputInvalid"
    assert await count_runs() == 0


async def test_a_huge_body_is_refused(alice: Talker) -> None:
    """K10: A body above the limit is refused before it is read."""
    refused = await alice.post("chat/", HUGE)

    assert (refused.status_code, refused.json()["code"]) == (413, "InputTooLarge")


async def test_context_is_a_lane_of_its_own(alice: Talker, people: People, seen: Seen) -> None:
    """K14, K15, S2: Context is neither input nor params; the engine adds its own keys."""
    graph = await publishing(people.alice, "talk", [function("look", "look")])

    stream = await alice.say("hi", graph.pk, sessionId=" s1 ", context={"locale": "de"})
    run_id = stream.response["X-Run-Id"]
    await stream.rest()
    await (await alice.say("hi", "talk", sessionId=" ")).rest()

    assert (seen.inputs, seen.params) == (["hi", "hi"], [{}, {}])
    assert seen.contexts[0] == {
        "graph_id": "talk",
        "run_id": run_id,
        "tenant_id": people.alice.workspace_id,
        "user_id": people.alice.user_id,
        "session_id": "s1",
        "correlation_id": run_id,
        "locale": "de",
    }
    assert not {"locale", "session_id"} & set(seen.contexts[1])


async def test_the_default_graph_answers_where_none_is_named(alice: Talker, people: People) -> None:
    """K15: A blank graph id means the workspace's default graph; none or unknown is 404."""
    await publishing(people.alice, "talk", [function("a", "say")])
    body = {"messages": [user("hi")], "graphId": " "}

    none = await alice.post("chat/", body)
    await default_graph(people, "talk")
    answered = await alice.ask(body)
    unknown = await alice.post("chat/", {**body, "graphId": "nope"})

    assert (none.status_code, none.json()["code"]) == (404, "GraphNotFound")
    assert answered["messages"][0]["content"] == "a speaks"
    assert (unknown.status_code, unknown.json()["code"]) == (404, "GraphNotFound")
    assert await count_runs() == 1


async def test_another_workspace_reads_and_answers_nothing(alice: Talker, people: People) -> None:
    """K15: Graph, run and question of another workspace are not there."""
    graph = await publishing(people.alice, "talk", [question("q")])
    stream = await alice.say("hi", "talk")
    asked = await stream.until("interrupt")
    await stream.cut()
    carol = await talker(people.carol)
    names = {"token": asked.data["resumeToken"], "requestId": asked.data["requestId"]}

    tries = [
        await carol.post("chat/", {"messages": [user("hi")], "graphId": name})
        for name in ("talk", graph.pk)
    ]
    tries.append(await carol.get(f"runs/{asked.data['runId']}/chat/"))
    said = user("x", metadata={"resume": {**names, "selected": "x"}})
    tries.append(await carol.post("chat/", {"messages": [said]}))
    home = await Workspace.objects.aget(slug="home")
    body = {"messages": [user("hi")], "graphId": "talk"}
    tries.append(await carol.post("chat/", body, **{"X-Workspace": home.pk}))

    assert [answer.status_code for answer in tries] == [404] * 5
    assert await count_runs() == 1
    assert (await Interrupt.objects.aget()).status == "open"


async def test_who_may_not_run_may_not_chat(alice: Talker, people: People) -> None:
    await publishing(people.alice, "talk", [function("a", "say")])
    body = {"messages": [user("hi")], "graphId": "talk"}

    viewer = await (await talker(people.vera)).post("chat/", body)
    nobody = await (await talker(None)).post("chat/", body)
    other = await alice.post("chat/", body, Accept="text/html")

    assert [viewer.status_code, nobody.status_code, other.status_code] == [403, 401, 406]
    assert await count_runs() == 0
