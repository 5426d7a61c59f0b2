"""Websockets of clients that send no cookie: a ticket, once, soon, for one workspace."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import connection
from django.utils import timezone

from builder.live.consumer import LiveConsumer
from builder.live.readers import close_readers
from builder.models import Membership, Role, Run, SocketTicket
from builder.project.asgi import application
from builder.services.people import accounts
from builder.services.people import socket_tickets as tickets
from tests.builder.conftest import Api, People
from tests.builder.sockets import ORIGIN, Socket, more, one_run

__all__ = ["one_run"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]
Knock = Callable[..., Any]


@sync_to_async
def ticket_of(member: Membership, **kind: Any) -> str:
    """Return a ticket that the API gives for a member's API token, or in their session."""
    headers = {}
    if kind.get("token", True):
        _row, text = accounts.create_api_token(member, name="script")
        headers = {"Authorization": f"Bearer {text}"}
    answer = Api(None if headers else member).post("socket-ticket/", **headers)
    assert answer.status_code == 201, answer.content
    return str(answer.json()["ticket"])


@pytest.fixture
async def knock() -> AsyncIterator[Knock]:
    """Knocks with a ticket; returns the socket, None where it is not let in."""
    opened: list[WebsocketCommunicator] = []

    async def knocking(shown: str, scheme: str = "Ticket", **more: str) -> Socket | None:
        given = {"authorization": f"{scheme} {shown}", **more}
        headers = [(name.encode(), value.encode()) for name, value in given.items()]
        communicator = WebsocketCommunicator(application, "/ws/", headers=headers)
        connected, _code = await communicator.connect(timeout=5)
        if not connected:
            return None
        opened.append(communicator)
        return Socket(communicator)

    yield knocking
    for communicator in opened:
        await communicator.disconnect()
    close_readers()


@pytest.mark.parametrize("token", [True, False])
async def test_a_ticket_opens_a_socket_that_follows_a_run(
    people: People, one_run: Run, knock: Knock, token: bool
) -> None:
    socket = await knock(await ticket_of(people.alice, token=token))
    assert socket is not None
    await socket.send(op="sub", run=one_run.pk, after=0)
    await more(one_run, "NodeQueued", key="draft#1")

    assert await socket.events(2) == [1, 2]
    await socket.send(op="sub", topic="runs")
    assert (await socket.next("bell"))["topic"] == "runs"


async def test_a_ticket_is_good_once(people: People, knock: Knock) -> None:
    ticket = await ticket_of(people.alice)

    assert await knock(ticket) is not None
    assert await knock(ticket) is None


async def test_of_two_who_show_it_at_once_one_gets_in(people: People) -> None:
    text, _until = await sync_to_async(tickets.issue)(people.alice, token=None, session_key=None)
    together = threading.Barrier(2)

    def show(_n: int) -> bool:
        together.wait()
        try:
            return tickets.redeem(text) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        let_in = await sync_to_async(lambda: list(pool.map(show, range(2))))()

    assert sorted(let_in) == [False, True]


async def test_a_thousand_tickets_of_others_make_none_void(people: People) -> None:
    """They stood in a cache of three hundred entries, which any viewer could flush."""
    text, _until = await sync_to_async(tickets.issue)(people.alice, token=None, session_key=None)
    for _ in range(400):
        await sync_to_async(tickets.issue)(people.vera, token=None, session_key=None)

    assert await sync_to_async(tickets.redeem)(text) is not None


async def test_tickets_that_nobody_showed_are_not_kept(people: People) -> None:
    await sync_to_async(tickets.issue)(people.alice, token=None, session_key=None)
    await SocketTicket.objects.aupdate(expires_at=timezone.now())
    await sync_to_async(tickets.issue)(people.alice, token=None, session_key=None)

    assert await SocketTicket.objects.acount() == 1


@pytest.mark.parametrize("shown", ["", "gwt_nobody", "x" * 5_000, "gwt_\x00"])
async def test_what_is_no_ticket_opens_nothing(people: People, knock: Knock, shown: str) -> None:
    assert await knock(shown) is None


async def test_a_ticket_that_is_too_old_opens_nothing(people: People, knock: Knock) -> None:
    ticket = await ticket_of(people.alice)
    await SocketTicket.objects.aupdate(expires_at=timezone.now())

    assert await knock(ticket) is None


async def test_a_ticket_is_for_one_workspace(people: People, one_run: Run, knock: Knock) -> None:
    """Somebody of two workspaces sees, with the ticket of one, nothing of the other."""
    away = people.carol.workspace
    other = await Membership.objects.acreate(
        user=people.alice.user, workspace=away, role=Role.ADMIN
    )
    socket = await knock(await ticket_of(other))
    assert socket is not None
    home = people.alice.workspace_id
    for frame in (
        {"run": one_run.pk, "after": 0},
        {"graph": one_run.graph_id},
        {"topic": "inbox", "workspace": home},
    ):
        await socket.send(op="sub", **frame)
        assert (await socket.next("refused"))["code"] == "NotFound"

    await socket.send(op="sub", topic="inbox")
    assert (await socket.next("bell"))["topic"] == "inbox"


async def test_pages_do_not_get_in_by_tickets(people: People, knock: Knock) -> None:
    """Who names an origin is a browser: it needs the right origin, and its cookie."""
    ticket = await ticket_of(people.alice)

    assert await knock(ticket, origin="http://evil.example") is None
    anonymous = await knock(ticket, origin=ORIGIN)
    assert anonymous is not None
    assert await anonymous.closed() == 4401
    assert await knock(ticket, scheme="Bearer") is None
    assert await knock(ticket) is not None


@pytest.mark.parametrize("lost", ["token", "membership", "person"])
async def test_what_was_lost_before_it_was_shown_opens_nothing(
    people: People, knock: Knock, lost: str
) -> None:
    ticket = await ticket_of(people.alice)
    await _lose(people.alice, lost)

    assert await knock(ticket) is None


@pytest.mark.parametrize("lost", ["token", "membership"])
async def test_the_socket_ends_with_what_it_came_from(
    people: People, knock: Knock, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    monkeypatch.setattr(LiveConsumer, "recheck_s", 0.05)
    socket = await knock(await ticket_of(people.alice))
    await _lose(people.alice, lost)

    assert await socket.closed() == 4401


@sync_to_async
def _lose(member: Membership, what: str) -> None:
    if what == "token":
        accounts.revoke_api_token(member, member.user.api_tokens.get())
    elif what == "membership":
        member.delete()
    else:
        type(member.user).objects.filter(pk=member.user_id).update(is_active=False)


async def test_anonymous_callers_get_no_ticket(people: People) -> None:
    assert (await sync_to_async(Api().post)("socket-ticket/")).status_code == 401
