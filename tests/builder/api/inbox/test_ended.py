"""Items of a run that somebody cancelled: they say so, and who it was."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async

from builder.process.engine_thread import EmbeddedEngine
from tests.builder.api.inbox.test_asking_back import until
from tests.builder.api.inbox.test_stand_in_items import asked, shown
from tests.builder.conftest import Api, People
from tests.builder.talk import engine, seen

__all__ = ["engine", "seen"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


async def test_an_item_says_who_cancelled_its_run(people: People, engine: EmbeddedEngine) -> None:
    @sync_to_async
    def act() -> None:
        row = asked(people, {})
        alice, bob = Api(people.alice), Api(people.bob)
        assert "ended" not in shown(bob, row)
        alice.post(f"runs/{row.run}/cancel/", {})
        until(lambda: shown(bob, row)["status"] == "superseded")

        ended = shown(bob, row)["ended"]
        assert (ended["status"], ended["by"]["name"]) == ("cancelled", "Alice")

    await act()
