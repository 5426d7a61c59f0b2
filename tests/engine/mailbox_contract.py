"""What stores over one SQL database must do with what is asked of a run.

Subclasses give `open` as `StoreContract` asks, and `execute` for rows of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engine.core.decide.transition import Transition
from engine.core.errors import Fenced
from engine.runtime.mailbox import wishes
from engine.runtime.stores.request_rows import tell
from engine.runtime.stores.requests import Request, granted
from engine.runtime.stores.sql.store import SqlRunStore
from engine.runtime.stores.sql.writer import Conflict, Job
from tests.engine.posted import post
from tests.engine.store_contract import StoreBench, finish, note

POST = (
    'INSERT INTO builder_request (run, kind, payload, "by", created) '
    "VALUES (?, 'cancel', '{\"reason\": \"enough\"}', 'ann', ?)"
)
"""As a web process writes it beside facts of its own."""


def applied(request: Request, value: Any = None) -> Callable[[Transition], None]:
    """Return a closure that lets a request have a small effect, and answers it."""

    def fn(tx: Transition) -> None:
        tx.on_request(request.number, request.asked_at)
        note(request.number if value is None else value)(tx)
        tx.tell(request.number, granted({"done": True}))

    return fn


class MailboxContract(StoreBench):
    """What was asked is found until it is answered, and is answered once."""

    def open(self) -> SqlRunStore:
        raise NotImplementedError

    def execute(self, sql: str, parameters: Sequence[Any]) -> None:
        """Change rows on a connection of the test's own."""
        raise NotImplementedError

    async def test_what_was_asked_is_found_in_that_order_until_it_is_answered(self) -> None:
        store = self.open()
        await self.create(store)
        await self.create(store, "r2")
        first = await post(store, "r1", wishes.cancel("ann", "enough"))
        self.execute(POST, ("r1", 7))
        await post(store, "r2", wishes.cancel("bob", None))

        again = self.open()
        found = await again.requests.open("r1")
        assert [one.number for one in found] == [first, first + 1]
        assert [one.wish.by for one in found] == ["ann", "ann"]
        assert found[1].asked_at == 7
        assert await again.requests.asked_of() == ["r1", "r2"]

        await again.transact("r1", None, applied(found[0]))

        assert [one.number for one in await self.open().requests.open("r1")] == [first + 1]
        assert await again.requests.told(first) == {"granted": {"done": True}}
        assert await again.requests.told(first + 1) is None

    async def test_what_follows_names_the_request_as_its_cause(self) -> None:
        store = self.open()
        await self.create(store)
        number = await post(store, "r1", wishes.cancel("ann", None))
        [request] = await store.requests.open("r1")

        await store.transact("r1", None, applied(request))

        [event] = await store.events("r1", 1)
        assert event.data["cause"] == f"request:{number}"

    async def test_a_request_is_answered_once_whoever_read_it_before(self) -> None:
        """A delayed commit lands after the request was read again: the second one is refused."""
        store = self.open()
        await self.create(store)
        await post(store, "r1", wishes.cancel("ann", None))
        [request] = await store.requests.open("r1")
        await store.transact("r1", None, applied(request, "first"))

        def answer_only(tx: Transition) -> None:
            note("second")(tx)
            tx.tell(request.number, granted({"done": "twice"}))

        with pytest.raises(Conflict):
            await store.transact("r1", None, answer_only)

        assert [e.data["value"] for e in await self.open().events("r1", 1)] == ["first"]
        assert await store.requests.told(request.number) == {"granted": {"done": True}}

    async def test_others_of_the_same_commit_are_answered(self) -> None:
        store = self.open()
        for run_id in ("r1", "r2"):
            await self.create(store, run_id)
            await post(store, run_id, wishes.cancel("ann", None))
        [[one], [other]] = [await store.requests.open(run_id) for run_id in ("r1", "r2")]
        await store.transact("r1", None, applied(one))
        twice = Job(store_statements(store, one), None)
        once = Job(store_statements(store, other), None)

        store.writer._apply([twice, once])

        assert (type(twice.error), once.error) == (Conflict, None)
        assert await store.requests.told(other.number) == {"granted": {}}

    async def test_a_former_owner_answers_nothing(self) -> None:
        first = self.open()
        await self.create(first)
        await post(first, "r1", wishes.cancel("ann", None))
        [request] = await first.requests.open("r1")
        second = self.open()

        with pytest.raises(Fenced):
            await first.transact("r1", None, applied(request))

        assert [one.number for one in await second.requests.open("r1")] == [request.number]

    async def test_what_is_asked_of_an_ended_run_is_answered(self) -> None:
        store = self.open()
        await self.create(store)
        await store.transact("r1", None, finish)
        number = await post(store, "r1", wishes.cancel("ann", None))

        again = self.open()
        told = granted({})
        await again.transact("r1", None, lambda tx: tx.tell(number, told))

        assert await again.requests.told(number) == told
        assert await again.requests.asked_of() == []
        assert await self.seqs(again) == [1, 2]


def store_statements(store: SqlRunStore, request: Request) -> list[Any]:
    """Return what answers a request, as one of the store's commits has it."""
    return tell([(request.number, granted({}))], store.clock.now())
