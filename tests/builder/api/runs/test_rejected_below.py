"""A no in a called workflow, with the real engine: the run that called it was rejected too."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async

from builder.models import Interrupt, Run
from builder.process.engine_thread import EmbeddedEngine
from builder.services.runs.runs import Start, start_run
from tests.builder.api.inbox.test_asking_back import REVIEW, replied_token, until
from tests.builder.conftest import Api, People
from tests.builder.talk import engine, publish, seen

__all__ = ["engine", "seen"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


async def test_the_run_of_the_caller_reads_rejected_and_by_whom(
    people: People, engine: EmbeddedEngine
) -> None:
    @sync_to_async
    def act() -> None:
        publish(people.alice, "kid", [REVIEW])
        calls = {
            "id": "calls",
            "type": "subgraph",
            "human_description": "Has it looked at.",
            "config": {"subgraph_id": "kid"},
        }
        run = start_run(people.alice, publish(people.alice, "whole", [calls]), Start())
        until(lambda: Interrupt.objects.filter(status="open").exists())
        bob, at = Api(people.bob), f"interrupts/{Interrupt.objects.get().pk}"
        said = {"decision": "rejected", "comment": "Too much", "token": replied_token(bob, at)}
        assert bob.post(f"{at}/answer/", said).status_code == 200
        until(lambda: Run.objects.get(pk=run).status == "failed")

        alice = Api(people.alice)
        listed = alice.get("runs/?rejected=true").json()["results"]
        assert {row["id"]: row["rejected_by"]["name"] for row in listed}[run] == "Bob"
        assert alice.get(f"runs/{run}/").json()["rejected"]

    await act()
