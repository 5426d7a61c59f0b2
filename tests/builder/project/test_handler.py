"""HTTP in one hop: kept threads and connections, streams, and who leaves before an answer."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core import signals
from django.db import connection
from django.db.backends.signals import connection_created
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path

from builder.models import User
from builder.project import handler
from builder.project.handler import PooledHandler

pytestmark = pytest.mark.django_db(transaction=True)
begun: list[str] = []


def people(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(User.objects.count()))


def echo(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.body)


def note(_request: HttpRequest) -> HttpResponse:
    begun.append("note")
    return HttpResponse()


held = threading.Event()
inside = 0
_counting = threading.Lock()


def hold(_request: HttpRequest) -> HttpResponse:
    global inside  # noqa: PLW0603  (a view has no other place)
    with _counting:
        inside += 1
    held.wait(10)
    with _counting:
        inside -= 1
    return HttpResponse()


def stream(_request: HttpRequest) -> StreamingHttpResponse:
    async def pieces() -> Any:
        yield b"one,"
        await asyncio.sleep(0)
        yield b"two"

    return StreamingHttpResponse(pieces())


def file(_request: HttpRequest) -> FileResponse:
    return FileResponse(open(__file__, "rb"))  # noqa: PTH123  (the response closes it)


urlpatterns = [
    *(path(f"{view.__name__}/", view) for view in (people, echo, note, hold, stream, file)),
    path("v1/hold/", hold),
    path("api/runs/", hold),
    path("api/interrupts/", hold),
    path("api/graphs/one/runs/", hold),
]


@pytest.fixture
def application(settings: Any) -> PooledHandler:
    settings.ROOT_URLCONF = __name__
    settings.SECURE_SSL_REDIRECT = False
    return PooledHandler()


def asking(application: PooledHandler, path: str) -> ApplicationCommunicator:
    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": query.encode(),
        "headers": [(b"host", b"localhost")],
    }
    return ApplicationCommunicator(application, scope)


async def answer(application: PooledHandler, path: str, body: bytes = b"") -> tuple[int, bytes]:
    talk = asking(application, path)
    await talk.send_input({"type": "http.request", "body": body})
    start = await talk.receive_output(5)
    content = b""
    while True:
        part = await talk.receive_output(5)
        content += part.get("body", b"")
        if not part.get("more_body"):
            await talk.wait(5)
            return start["status"], content


@pytest.mark.parametrize(("path", "kept"), [("/hooks/x", 14), ("/echo/", 30)])
async def test_of_a_body_at_a_public_door_no_more_is_kept_than_it_takes(
    application: PooledHandler, monkeypatch: pytest.MonkeyPatch, path: str, kept: int
) -> None:
    monkeypatch.setattr(handler, "MAX_IMPORT", 10)
    pieces = iter([{"type": "http.request", "body": b"seven..", "more_body": True}] * 4)

    async def receive() -> Any:
        return next(pieces, {"type": "http.request", "body": b"xx"})

    body = await application.read_body(receive, handler.most_of(path))

    assert len(body.read()) == kept


@pytest.fixture
def free_of_csrf(settings: Any) -> None:
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "Csrf" not in name]


@pytest.fixture
def signalled() -> Any:
    """Counts what opens and what ends."""
    seen: dict[str, int] = {"opened": 0, "finished": 0}

    def opened(**_: Any) -> None:
        seen["opened"] += 1

    def finished(**_: Any) -> None:
        seen["finished"] += 1

    connection_created.connect(opened)
    signals.request_finished.connect(finished)
    yield seen
    connection_created.disconnect(opened)
    signals.request_finished.disconnect(finished)


async def test_requests_keep_thread_and_connection(
    free_of_csrf: None, application: PooledHandler, signalled: dict[str, int]
) -> None:
    for _ in range(10):
        assert await answer(application, "/people/") == (200, b"0")

    assert signalled["finished"] == 10
    if connection.vendor == "sqlite":  # a pool of PostgreSQL's hands its own ones out
        assert signalled["opened"] <= 3  # a thread may be busy with its last words


async def test_bodies_streams_and_files_come_whole(
    free_of_csrf: None, application: PooledHandler, signalled: dict[str, int]
) -> None:
    assert await answer(application, "/echo/", b"x" * 100_000) == (200, b"x" * 100_000)
    assert await answer(application, "/stream/") == (200, b"one,two")
    status, content = await answer(application, "/file/")

    assert status == 200
    assert content.startswith(b'"""HTTP in one hop')
    assert signalled["finished"] == 3


async def test_the_loop_is_left_between_the_pieces_of_a_body(
    free_of_csrf: None, application: PooledHandler
) -> None:
    """Many large bodies that arrive together kept it from everybody for as long as all took."""
    talk, turns, pieces = asking(application, "/echo/"), 0, 40
    for n in range(pieces):
        more = n < pieces - 1
        await talk.send_input({"type": "http.request", "body": b"x" * 10, "more_body": more})
    answering = asyncio.ensure_future(talk.receive_output(5))
    while not answering.done() and turns < 10 * pieces:
        await asyncio.sleep(0)
        turns += 1

    assert turns > pieces
    await answering
    assert (await talk.receive_output(5))["body"] == b"x" * 10 * pieces
    await talk.wait(5)


LARGE = b"x" * (handler.LARGE_BYTES + 1)


@pytest.mark.parametrize(
    ("where", "body", "most"),
    [
        ("/hold/", LARGE, handler.FEW),
        ("/v1/hold/", b"call", handler.FEW),
        ("/v1/hold/", LARGE, handler.FEW),
        ("/api/graphs/one/runs/", b"start", handler.FEW),
        ("/api/runs/?limit=50", b"", 3),
        ("/api/interrupts/", b"", 3),
        ("/api/runs/?format=csv", b"", handler.FEW),
    ],
)
async def test_large_bodies_programs_starts_and_lists_leave_threads_to_the_small(
    where: str, body: bytes, most: int, free_of_csrf: None, application: PooledHandler
) -> None:
    """More of them than there are threads wait; a small request is answered beside them."""
    held.clear()
    crowd = [
        asyncio.ensure_future(answer(application, where, body)) for _ in range(handler.THREADS + 5)
    ]
    async with asyncio.timeout(5):
        while inside < most:  # noqa: ASYNC110  (threads tell of themselves)
            await asyncio.sleep(0.01)
        assert await answer(application, "/echo/", b"small") == (200, b"small")
    at_once = inside
    held.set()
    answers = await asyncio.gather(*crowd)

    assert at_once == most
    assert {status for status, _ in answers} == {200}


async def test_lists_of_people_stand_behind_no_export_search_or_script(
    free_of_csrf: None, application: PooledHandler
) -> None:
    held.clear()
    slow = [
        asyncio.ensure_future(answer(application, f"/api/runs/?{query}"))
        for query in ["format=csv", "search=acme"]
        for _ in range(4)
    ]
    async with asyncio.timeout(5):
        while inside < len(slow):  # noqa: ASYNC110  (threads tell of themselves)
            await asyncio.sleep(0.01)
        listed = asyncio.ensure_future(answer(application, "/api/runs/"))
        while inside == len(slow):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    held.set()

    assert {status for status, _ in await asyncio.gather(listed, *slow)} == {200}


async def test_who_leaves_before_his_turn_is_not_answered(
    free_of_csrf: None, application: PooledHandler, monkeypatch: pytest.MonkeyPatch
) -> None:
    from concurrent.futures import ThreadPoolExecutor
    from threading import Event

    begun.clear()
    go, pool = Event(), ThreadPoolExecutor(1)
    monkeypatch.setattr(handler, "_pool", pool)
    busy = pool.submit(go.wait, 5)
    talk = asking(application, "/note/")
    await talk.send_input({"type": "http.request", "body": b""})
    await talk.receive_nothing(0.1)
    await talk.send_input({"type": "http.disconnect"})
    await talk.wait(5)
    go.set()
    busy.result()
    pool.shutdown()

    assert begun == []
