"""What the engine's feed sends: bells for commits, pieces of text put together, and what is kept back."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from builder.adapters.feed import DELTA_SECONDS, HubFeed
from builder.base.bells import ENDED, Frame, Mailbox, hub, inbox_topic, run_topic, runs_topic
from builder.reads import event_log as log


async def test_a_commit_rings_for_the_run_its_list_and_the_inbox() -> None:
    state: Any = SimpleNamespace(started={"workspace_id": "w"}, terminal=False)
    feed = HubFeed(lambda _run: state)
    boxes = {}
    for topic in (run_topic("r"), runs_topic("w"), inbox_topic("w"), inbox_topic("v")):
        boxes[topic] = Mailbox(asyncio.get_running_loop())
        hub.subscribe(topic, boxes[topic])
    feed.committed("r", 1)

    rung = [topic for topic, box in boxes.items() if await box.rang(0.05)]
    assert rung == [run_topic("r"), runs_topic("w"), inbox_topic("w")]


def test_the_end_of_a_run_is_told_in_this_process_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process tells collectors of the runs that it executed."""
    state: Any = SimpleNamespace(started={}, terminal=False)
    feed = HubFeed(lambda _run: state)
    ended: list[Frame | None] = []
    abroad: list[str] = []
    unsubscribe = hub.subscribe(ENDED, ended.append)
    monkeypatch.setattr(hub, "abroad", lambda topic, _frame: abroad.append(topic))
    feed.committed("r", 1)
    assert ended == []

    state.terminal = True
    feed.committed("r", 2)
    unsubscribe()

    assert ended == [{"run": "r"}]
    assert ENDED not in abroad


async def test_the_text_of_a_call_that_is_made_again_replaces_that_of_the_first() -> None:
    feed = HubFeed()
    box = Mailbox(asyncio.get_running_loop())
    hub.subscribe(run_topic("r"), box)
    feed.delta("r", "a#1", "wrong")
    feed.delta("r", "a#1", "", reset=True)
    feed.delta("r", "a#1", "ri")
    feed.delta("r", "a#1", "ght")
    [frame] = await box.wait(10 * DELTA_SECONDS)
    feed.delta("r", "a#1", "er")
    [later] = await box.wait(10 * DELTA_SECONDS)

    assert (frame["key"], frame["text"], frame["reset"]) == ("a#1", "right", True)
    assert (later["text"], later["reset"]) == ("er", False)


def test_what_an_option_stands_for_stays_on_the_server() -> None:
    """I4: The page learns the ids and labels of a choice, in whichever way it reads the log."""
    options = [{"id": "a", "label": "A", "value": {"secret": 7}}]
    data = orjson.dumps(
        {"request_id": "human-1", "request": {"kind": "choice", "options": options}}
    )
    sent = log.encode_events([(3, "InterruptOpened", 0, "q#1", data)])

    assert b"secret" not in sent
    assert orjson.loads(sent)[0]["request"]["options"] == [{"id": "a", "label": "A"}]
    assert orjson.loads(sent)[0]["key"] == "q#1"
