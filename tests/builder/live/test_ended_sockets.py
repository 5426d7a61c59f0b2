"""Sockets end with the session that let them in: at once, not at the next look."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async

from builder.live.consumer import LiveConsumer
from builder.models import SignIn
from builder.services.people import accounts, passwords, sign_ins
from tests.builder.conftest import People
from tests.builder.sockets import Opened, open_socket

__all__ = ["open_socket"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@sync_to_async
def lose(people: People, how: str) -> None:
    alice = people.alice.user
    if how == "password":
        passwords.change(alice, "a wholly new sentence")
        sign_ins.end_others(alice, None)
    elif how == "session":
        sign_ins.end(alice, list(SignIn.objects.filter(user=alice)))
    else:
        accounts.remove_member(people.olga, people.alice)


@pytest.mark.parametrize("how", ["password", "session"])
async def test_who_is_signed_out_hears_nothing_more(
    open_socket: Opened, people: People, how: str
) -> None:
    assert LiveConsumer.recheck_s >= 60
    alice: Any = await open_socket(people.alice)
    bob: Any = await open_socket(people.bob)
    await lose(people, how)

    assert await alice.closed() == 4401
    await bob.send(op="ping")
    assert (await bob.next())["op"] == "pong"


async def test_who_is_no_member_any_more_hears_nothing_of_it(
    open_socket: Opened, people: People
) -> None:
    alice: Any = await open_socket(people.alice)
    await alice.send(op="sub", topic="runs")
    await alice.next("bell")
    await lose(people, "membership")

    assert (await alice.next("refused"))["topic"] == "runs"
