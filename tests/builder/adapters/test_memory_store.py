"""Every memory store finds the same facts: in memory, SQLite with and without index, PostgreSQL."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import pytest
from django.db import connections, models

from builder.adapters.memory.store import DatabaseFacts
from builder.base import environment
from builder.models import Entity, Fact, Workspace
from engine.core.errors import StoreError
from engine.core.ports import FactSource, MemoryStore, NewFact
from engine.integrations.memory.facts import InMemoryFacts
from tests.builder.databases import (
    AWAY,
    HOME,
    Database,
    copied_postgres,
)


def visit(number: int = 1, at: int = 0) -> FactSource:
    return FactSource("run", f"reflect#{number}", "g", "reflect", at or number)


async def search(store: MemoryStore, workspace: str = HOME, **query: Any) -> list[str]:
    """Return the texts that are found."""
    asked: dict[str, Any] = {"text": "", "entity_ids": (), "tags": (), "limit": 10, **query}
    return [fact["text"] for fact in await store.search(workspace, **asked)]


class MemoryContract:
    """What holds for every store."""

    @pytest.fixture
    def store(self) -> Any:
        raise NotImplementedError

    async def test_facts_come_back_as_they_were(self, store: MemoryStore) -> None:
        """C173, C177."""
        ids = await store.store(HOME, visit(), [NewFact("A fact, it is.", ("b", "a"), ("ACME",))])
        [found] = await store.search(HOME, text="", entity_ids=(), tags=["a"], limit=5)

        assert found == {
            "id": ids[0],
            "text": "A fact, it is.",
            "tags": ["b", "a"],
            "entities": ["ACME"],
        }

    async def test_a_visit_stores_once(self, store: MemoryStore) -> None:
        """C176."""
        facts = [NewFact("One.", ("t",)), NewFact("Two.", ("t",))]
        ids = await store.store(HOME, visit(), facts)

        assert await store.store(HOME, visit(), [NewFact("Three.", ("t",))]) == ids
        assert await search(store, tags=["t"]) == ["One.", "Two."]
        assert len(set(ids) | set(await store.store(HOME, visit(2), facts))) == 4
        assert await store.store(HOME, visit(3), []) == []

    async def test_workspaces_do_not_see_each_other(self, store: MemoryStore) -> None:
        """C177."""
        await store.store(HOME, visit(), [NewFact("Ours alone.", ("t",), ("ACME",))])

        assert await search(store, AWAY, tags=["t"]) == []
        assert await search(store, AWAY, text="ours") == []
        assert await search(store, AWAY, entity_ids=["ACME"]) == []

    async def test_texts_are_found_by_any_word_best_first(self, store: MemoryStore) -> None:
        """C182, C183."""
        facts = [
            NewFact("Ünïcode cafés open at nine."),
            NewFact("The refund policy is generous."),
            NewFact("Refunds take a week."),
            NewFact("東京は大きい都市です。"),
        ]
        await store.store(HOME, visit(), facts)

        assert await search(store, text="What is the refund policy?") == [
            "The refund policy is generous.",
            "Refunds take a week.",
        ]
        assert await search(store, text="Cafe") == ["Ünïcode cafés open at nine."]
        assert await search(store, text="東京") == ["東京は大きい都市です。"]
        assert await search(store, text="the of and") == []
        assert await search(store, text="\" OR 'x' | & ! :*") == []
        assert await search(store, text="refund week", limit=1) == ["Refunds take a week."]

    async def test_tags_are_compared_exactly_and_all_that_is_asked_must_match(
        self, store: MemoryStore
    ) -> None:
        """C182."""
        await store.store(HOME, visit(1), [NewFact("Old apple.", ("graph:my-graph-v1",))])
        await store.store(HOME, visit(2), [NewFact("New apple.", ("Lesson", "b"))])

        assert await search(store, tags=["lesson"]) == []
        assert await search(store, tags=["b", "graph:my-graph-v1"]) == ["New apple.", "Old apple."]
        assert await search(store, text="apple", tags=["b"]) == ["New apple."]
        assert await search(store, text="pear", tags=["b"]) == []
        assert await search(store) == []

    async def test_entities_one_link_away_count(self, store: MemoryStore) -> None:
        """C182, C174."""
        facts = [
            NewFact("Two away.", (), ("Bob", "Cy")),
            NewFact("One away.", (), ("Ann", "Bob")),
            NewFact("The seed.", (), ("ACME  Inc", "Ann")),
            NewFact("Elsewhere.", (), ("Zed",)),
        ]
        await store.store(HOME, visit(), facts)

        assert await search(store, entity_ids=["acme inc"]) == ["The seed.", "One away."]
        assert await search(store, entity_ids=["Nobody"]) == []

    async def test_the_newest_come_first_where_nothing_else_decides(
        self, store: MemoryStore
    ) -> None:
        """C183."""
        for number in (1, 3, 2):
            await store.store(HOME, visit(number), [NewFact(f"Fact {number}.", ("t",))])

        assert await search(store, tags=["t"], limit=2) == ["Fact 3.", "Fact 2."]


class TestInMemory(MemoryContract):
    """The store of scripts and tests."""

    @pytest.fixture
    def store(self) -> InMemoryFacts:
        return InMemoryFacts()


ALIAS = "facts"


def registered(settings: dict[str, Any]) -> Iterator[DatabaseFacts]:
    """Give a store over a database that is none of the project's."""
    known = {"default": {**settings, "OPTIONS": {}}}
    connections.databases[ALIAS] = connections.configure_settings(known)["default"]
    yield DatabaseFacts(using=ALIAS)
    connections[ALIAS].close()
    del connections[ALIAS]
    del connections.databases[ALIAS]


@pytest.fixture
def unblocked(django_db_blocker: Any) -> Iterator[None]:
    with django_db_blocker.unblock():
        yield


class TestSqlite(MemoryContract):
    """The embedded database."""

    drop: ClassVar[tuple[str, ...]] = ()

    @pytest.fixture
    def store(
        self, sqlite_template: Path, tmp_path: Path, unblocked: None
    ) -> Iterator[DatabaseFacts]:
        from engine.runtime.stores.sql.store import sqlite_dialect

        path = tmp_path / "facts.sqlite3"
        shutil.copy(sqlite_template, path)
        database = Database(sqlite_dialect(path, synchronous="OFF"), path).add_workspaces()
        for statement in self.drop:
            database.change(statement)
        yield from registered(environment.sqlite(path))


class TestSqliteWithoutIndex(TestSqlite):
    """An SQLite that was built without full-text search."""

    drop = (
        "DROP TRIGGER fact_indexed",
        "DROP TRIGGER fact_unindexed",
        "DROP TRIGGER fact_indexed_anew",
        "DROP TABLE builder_fact_words",
    )


@pytest.mark.postgres
class TestPostgres(MemoryContract):
    """The database of larger installations."""

    @pytest.fixture
    def store(
        self, postgres_server_url: str, postgres_template: str, unblocked: None
    ) -> Iterator[DatabaseFacts]:
        for database in copied_postgres(postgres_server_url, postgres_template):
            [(name,)] = database.rows("SELECT current_database()")
            url = urlsplit(postgres_server_url)._replace(path=f"/{name}").geturl()
            yield from registered(environment.database(url, Path()))


@pytest.mark.django_db(transaction=True)
async def test_what_is_removed_is_not_found_and_may_be_learned_again() -> None:
    """C177."""
    workspace = await Workspace.objects.acreate(name="W", slug="w")
    store = DatabaseFacts()
    await store.store(workspace.pk, visit(), [NewFact("Wrong about apples.", ("t",), ("ACME",))])
    await Fact.objects.all().adelete()

    assert await search(store, workspace.pk, text="apples") == []
    assert await Entity.objects.acount() == 1
    await store.store(workspace.pk, visit(), [NewFact("Right about apples.")])
    assert await search(store, workspace.pk, text="apples") == ["Right about apples."]


@pytest.mark.django_db(transaction=True)
async def test_a_run_without_workspace_has_no_place_for_facts() -> None:
    """C176."""
    with pytest.raises(StoreError):
        await DatabaseFacts().store(None, visit(), [NewFact("Nobody's.")])


@pytest.mark.django_db
def test_facts_are_scoped_to_workspaces() -> None:
    assert isinstance(Fact._meta.get_field("workspace"), models.ForeignKey)
    assert not Fact.objects.in_workspace("w").exists()
