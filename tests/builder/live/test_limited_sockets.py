"""A websocket by a token that is for some things only: runs of its workflows, and nothing else."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async

from builder.models import Graph, Membership, Run
from builder.services.graphs import graphs
from builder.services.people import accounts
from builder.services.people import socket_tickets as tickets
from builder.services.people.accounts import Allowed
from tests.builder.conftest import DOCUMENT, People
from tests.builder.live.test_socket_tickets import Knock, knock
from tests.builder.sockets import one_run

__all__ = ["knock", "one_run"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@sync_to_async
def ticket_for(member: Membership, graph_id: str) -> str:
    """Return a ticket of a token that may read the runs of one workflow."""
    allowed = Allowed(["runs:read"], [graph_id])
    token, _text = accounts.create_api_token(member, name="ci-bot", allowed=allowed)
    return tickets.issue(member, token=token, session_key=None)[0]


async def test_a_limited_token_follows_runs_of_its_workflow_and_nothing_else(
    people: People, one_run: Run, knock: Knock
) -> None:
    mine = str(one_run.graph_id)
    other: Graph = await sync_to_async(graphs.import_graph)(
        people.alice, {**DOCUMENT, "id": "other"}
    )
    socket = await knock(await ticket_for(people.alice, mine))
    astray = await knock(await ticket_for(people.alice, other.pk))
    assert socket is not None
    assert astray is not None

    await astray.send(op="sub", run=one_run.pk, after=0)
    assert (await astray.next("refused"))["code"] == "NotFound"
    for frame in ({"topic": "runs"}, {"topic": "inbox"}, {"graph": mine}):
        await socket.send(op="sub", **frame)
        assert (await socket.next("refused"))["code"] == "NotFound"
    await socket.send(op="sub", run=one_run.pk, after=0)
    assert await socket.events(1) == [1]
