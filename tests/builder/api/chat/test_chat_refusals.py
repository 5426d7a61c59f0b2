"""What a chat is told whose answer comes too late."""

from __future__ import annotations

import pytest

from tests.builder.conftest import People
from tests.builder.talk import (
    Talker,
    alice,
    answer,
    engine,
    publishing,
    question,
    seen,
    user,
)

__all__ = ["alice", "engine", "seen"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

OPTIONS = [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]


async def test_a_late_answer_is_told_what_was_decided(alice: Talker, people: People) -> None:
    """I8: The recorded outcome comes in the form of the inbox: a name and a time to read."""
    await publishing(people.alice, "talk", [question("q", kind="choice", options=OPTIONS)])
    asked = await (await alice.say("hi", "talk")).next()
    await answer(alice, asked, selected="b")
    names = {"token": asked.data["resumeToken"], "requestId": asked.data["requestId"]}
    said = user("a", metadata={"resume": {**names, "selected": "a"}})
    late = (await alice.post("chat/", {"messages": [said]})).json()
    decided = late["decided"]

    assert (late["status"], late["code"], decided["answer"]) == (409, "InterruptClosed", "b")
    assert decided["by"]["id"] == str(people.alice.user_id)
    assert decided["at"].endswith("Z")
