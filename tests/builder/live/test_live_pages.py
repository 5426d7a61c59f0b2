"""Pages of a log on the socket: small frames, shared reads, nothing lost between two bells."""

from __future__ import annotations

import asyncio

import pytest
from asgiref.sync import sync_to_async

from builder.base.bells import hub, run_topic
from builder.live import pages
from builder.live.pages import PAGE_BYTES, Pages
from builder.models import Run
from builder.reads import event_log as log
from tests.builder.conftest import Api, People
from tests.builder.fakes import append
from tests.builder.sockets import Opened, more, one_run, open_socket

__all__ = ["one_run", "open_socket"]  # fixtures
pytestmark = pytest.mark.django_db(transaction=True)


async def grow(run: Run, *sizes: int) -> None:
    for size in sizes:
        await more(run, "NodeQueued", key="draft#1", text="x" * size)


async def test_a_page_is_cut_by_bytes_and_a_large_event_comes_alone(
    open_socket: Opened, people: People, one_run: Run
) -> None:
    await grow(one_run, 20_000, 20_000, 20_000, 200_000, 10)
    socket = await open_socket(people.alice)
    await socket.send(op="sub", run=one_run.pk, after=1)

    seqs = [[e["seq"] for e in (await socket.next("ev"))["events"]] for _ in range(4)]

    assert seqs == [[2, 3], [4], [5], [6]]
    assert PAGE_BYTES < 60_000


async def test_events_over_http_are_cut_by_bytes_too(people: People, one_run: Run) -> None:
    await grow(one_run, 600_000, 600_000)

    def read(after: int) -> list[int]:
        answer = Api(people.alice).get(f"runs/{one_run.pk}/events/?after={after}").json()
        assert answer["head"] == 3
        return [event["seq"] for event in answer["events"]]

    assert await sync_to_async(read)(0) == [1, 2]
    assert await sync_to_async(read)(2) == [3]


async def test_many_who_follow_one_run_share_a_read(
    one_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[int] = []

    def read_page(run_id: str, after: int) -> pages.Page:
        reads.append(after)
        return pages.Page("", after, more=False)

    monkeypatch.setattr(pages, "read_page", read_page)
    shared = Pages()

    await asyncio.gather(*(shared.after(one_run.pk, 0, rung=True) for _ in range(50)))
    await asyncio.gather(*(shared.after(one_run.pk, at % 2, rung=False) for at in range(50)))

    assert sorted(reads) == [0, 0, 1]


async def test_who_asks_while_a_page_is_read_gets_a_later_one(
    one_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was committed before somebody asked is in the answer: a bell is never lost."""
    loop, began, go = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
    heads = [1]

    async def in_reader(_function: object, _run: str, after: int) -> pages.Page:
        seen = heads[-1]
        began.set()
        await go.wait()
        return pages.Page("", seen, more=False)

    monkeypatch.setattr(pages, "in_reader", in_reader)
    shared = Pages()
    first = loop.create_task(shared.after(one_run.pk, 0, rung=False))
    await began.wait()
    heads.append(2)
    second = loop.create_task(shared.after(one_run.pk, 0, rung=False))
    await asyncio.sleep(0)
    go.set()

    assert (await first).last == 1
    assert (await second).last == 2


async def test_who_stops_waiting_takes_the_page_from_nobody(one_run: Run) -> None:
    shared = Pages()
    impatient = asyncio.ensure_future(shared.after(one_run.pk, 0, rung=False))
    patient = asyncio.ensure_future(shared.after(one_run.pk, 0, rung=False))
    await asyncio.sleep(0)
    impatient.cancel()

    assert (await patient).last == 1


async def test_bells_of_one_moment_are_one_read_and_no_event_is_late(
    open_socket: Opened, people: People, one_run: Run
) -> None:
    sockets = [await open_socket(people.alice) for _ in range(5)]
    for socket in sockets:
        await socket.send(op="sub", run=one_run.pk, after=0)
        await socket.events(1)

    for _ in range(20):
        await more(one_run, "NodeQueued", key="draft#1")

    for socket in sockets:
        assert await socket.events(20) == list(range(2, 22))
    assert hub.listeners(run_topic(one_run.pk)) == 5


def test_a_slice_says_whether_there_is_more(one_run: Run) -> None:
    for _ in range(3):
        append(one_run, "NodeQueued", key="draft#1")

    def slices(limit: int, max_bytes: int = 10_000) -> tuple[list[int], bool]:
        rows, more = log.slice_after(one_run.pk, 0, limit, max_bytes=max_bytes)
        return [row[0] for row in rows], more

    assert slices(4) == ([1, 2, 3, 4], False)
    assert slices(3) == ([1, 2, 3], True)
    assert slices(4, max_bytes=1) == ([1], True)
    assert log.slice_after(one_run.pk, 4, max_bytes=1) == ([], False)
    assert log.slice_after("nobody", 0, max_bytes=1) == ([], False)
