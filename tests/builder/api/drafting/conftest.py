"""A real engine, a scripted model server that the workspace accepted, and Alice who describes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import date
from typing import Any

import pytest
from django.utils import timezone

from builder.adapters.models.access import LISTS
from builder.models import AcceptedProvider, ModelPrice
from tests.builder.conftest import People
from tests.builder.talk import Seen, Talker, alice, engine, seen
from tests.fake_openai import FakeOpenAI

__all__ = ["MODEL", "Asker", "Scripted", "alice", "asker", "engine", "scripted", "seen"]
MODEL = "fake/fake-small"
Scripted = Callable[..., AbstractAsyncContextManager[FakeOpenAI]]
SEEN = Seen


class Asker:
    """Somebody who describes, and waits for what comes of it."""

    def __init__(self, talker: Talker) -> None:
        self.talker = talker

    async def ask(self, words: str, **body: Any) -> dict[str, Any]:
        """Return the draft as it was taken on."""
        answer = await self.talker.post("describe/", {"words": words, "model": MODEL, **body})
        assert answer.status_code == 201, answer.content
        found: dict[str, Any] = answer.json()
        return found

    async def drafted(self, words: str, **body: Any) -> dict[str, Any]:
        """Return the draft once nobody writes it any more."""
        return await self.over((await self.ask(words, **body))["id"])

    async def over(self, proposal_id: str) -> dict[str, Any]:
        """Return a draft once nobody writes it any more."""
        async with asyncio.timeout(20):
            while True:
                found: dict[str, Any] = (await self.talker.get(f"describe/{proposal_id}/")).json()
                if found["status"] != "writing":
                    return found
                await asyncio.sleep(0.02)


@pytest.fixture
def asker(alice: Talker) -> Asker:
    return Asker(alice)


@pytest.fixture
def scripted(people: People) -> Scripted:
    """Serve a plan of replies as the model `fake/fake-small`, at a price if one is given."""

    @asynccontextmanager
    async def serve(*plan: dict[str, Any], price: str | None = None) -> AsyncIterator[FakeOpenAI]:
        LISTS.forget()
        async with FakeOpenAI(plan) as server:
            await AcceptedProvider.objects.acreate(
                workspace=people.alice.workspace,
                provider_id="fake",
                provider="fake",
                label="Fake",
                source="loopback",
                base_url=server.base_url,
                model_names=["fake-small"],
                accepted_at=timezone.now(),
            )
            if price is not None:
                await ModelPrice.objects.acreate(
                    workspace=people.alice.workspace,
                    provider="fake",
                    pattern="fake-small",
                    from_date=date(2026, 1, 1),
                    input=price,
                    output=price,
                )
            yield server

    return serve
