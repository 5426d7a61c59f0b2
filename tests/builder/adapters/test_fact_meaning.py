"""Facts by meaning in the database: vectors beside facts, both rankings joined."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from builder.adapters.memory.rows import fill_vectors
from builder.adapters.memory.store import DatabaseFacts
from builder.base import environment
from builder.models import Fact, FactVector
from engine.core.ports import NewFact
from engine.integrations.models.embeddings import local as embedding
from engine.integrations.models.embeddings.similarity import Kind, Vector
from engine.runtime.stores.sql.store import sqlite_dialect
from tests.builder.adapters.test_memory_store import ALIAS, registered, search, unblocked, visit
from tests.builder.conftest import Api
from tests.builder.databases import (
    AWAY,
    HOME,
    Database,
    copied_postgres,
)
from tests.contract.harness import agent, doc, node, run
from tests.meaning import Topics

__all__ = ["unblocked"]

REFUND = NewFact("Every refund needs a manager.", ("policy",), ("Finance",))
PARCEL = NewFact("A parcel takes nine days.", ("shop",))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(
    request: pytest.FixtureRequest, tmp_path: Path, unblocked: None
) -> Iterator[DatabaseFacts]:
    """A store without embedder over a database of each kind."""
    if request.param == "sqlite":
        path = tmp_path / "facts.sqlite3"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        Database(sqlite_dialect(path, synchronous="OFF"), path).add_workspaces()
        yield from registered(environment.sqlite(path))
        return
    server = request.getfixturevalue("postgres_server_url")
    for database in copied_postgres(server, request.getfixturevalue("postgres_template")):
        [(name,)] = database.rows("SELECT current_database()")
        url = urlsplit(server)._replace(path=f"/{name}").geturl()
        yield from registered(environment.database(url, Path()))


def meant(store: DatabaseFacts, embedder: Any) -> DatabaseFacts:
    """Return a store over the same tables that compares meanings."""
    return DatabaseFacts(store._home, using=ALIAS, embedder=embedder)


def vectors() -> list[tuple[str, str]]:
    rows = FactVector.objects.using(ALIAS).order_by("fact")
    return list(rows.values_list("fact__text", "model"))


async def test_no_word_need_be_shared(store: DatabaseFacts) -> None:
    """C182: The text finds by meaning too."""
    knowing = meant(store, Topics())
    await knowing.store(HOME, visit(), [REFUND, PARCEL])

    assert await search(store, text="money reimbursed") == []
    assert await search(knowing, text="money reimbursed") == [REFUND.text]
    assert await search(knowing, text="money reimbursed", tags=["shop"]) == []
    assert await search(knowing, text="money", entity_ids=["finance"]) == [REFUND.text]
    assert await search(knowing, text="shipped refund") == [REFUND.text, PARCEL.text]


async def test_meaning_does_not_cross_workspaces(store: DatabaseFacts) -> None:
    """C177."""
    knowing = meant(store, Topics())
    await knowing.store(HOME, visit(), [REFUND])

    assert await search(knowing, AWAY, text="money reimbursed") == []


async def test_facts_of_before_get_their_vectors_when_something_is_asked(
    store: DatabaseFacts,
) -> None:
    await store.store(HOME, visit(), [REFUND, PARCEL])
    assert await _rows() == []
    embedder = Topics()
    knowing = meant(store, embedder)

    assert await search(knowing, text="money") == [REFUND.text]
    assert await _rows() == [(REFUND.text, "topics"), (PARCEL.text, "topics")]
    await search(knowing, text="money")
    assert [kind for kind, _ in embedder.asked].count("passage") == 2


async def test_another_model_makes_its_own_vectors(store: DatabaseFacts) -> None:
    await meant(store, Topics("old")).store(HOME, visit(), [REFUND])

    assert await search(meant(store, Topics("new")), text="money") == [REFUND.text]
    assert await _rows() == [(REFUND.text, "new")]


async def test_facts_are_kept_where_no_vector_can_be_made(store: DatabaseFacts) -> None:
    """C176: A model that fails loses no fact, and no retry stores it twice."""
    broken = meant(store, Topics(broken=True))

    ids = await broken.store(HOME, visit(), [REFUND])

    assert await broken.store(HOME, visit(), [REFUND]) == ids
    assert await _rows() == []
    assert await search(store, text="refund") == [REFUND.text]


class Picky(Topics):
    """Fails for each call with a text about parcels."""

    def embed(self, texts: Sequence[str], kind: Kind) -> list[Vector]:
        if any("parcel" in text for text in texts):
            raise RuntimeError("no vector for that")
        return super().embed(texts, kind)


async def test_a_fact_without_a_vector_takes_them_from_no_other(store: DatabaseFacts) -> None:
    facts = [NewFact(f"Refund number {n}.") for n in range(3)]
    await meant(store, Picky()).store(HOME, visit(), [*facts, NewFact("A parcel.")])

    assert len(await _rows()) == 3


async def test_many_facts_get_their_vectors_bit_by_bit(store: DatabaseFacts) -> None:
    facts = [NewFact(f"Refund number {n}.") for n in range(70)]
    knowing = meant(store, Topics())
    await knowing.store(HOME, visit(), facts)
    first = len(await _rows())

    await search(knowing, text="money")

    assert (first, len(await _rows())) == (64, 70)


async def _rows() -> list[tuple[str, str]]:
    from builder.adapters.threads import in_thread

    return await in_thread(vectors)


@pytest.mark.django_db
def test_a_fact_that_changed_meanwhile_gets_no_vector_of_its_former_text(people: Any) -> None:
    home = people.alice.workspace
    row = Fact.objects.create(
        workspace=home, key="a" * 32, text="Refund.", words="refund", source="s", at=1
    )

    class Slow(Topics):
        def embed(self, texts: Any, kind: Any) -> Any:
            Fact.objects.filter(pk=row.pk).update(text="Parcel.")
            return super().embed(texts, kind)

    fill_vectors(Fact.objects.in_workspace(home.pk), Slow())
    assert not FactVector.objects.exists()
    fill_vectors(Fact.objects.in_workspace(home.pk), Topics())
    assert FactVector.objects.count() == 1


real = pytest.mark.skipif(
    not embedding.available(), reason="the embedding package does not run on this machine"
)


@real
def test_a_person_searches_by_meaning_too(alice: Api) -> None:
    fact = alice.post("facts/", {"text": "The login page rejects long passwords."}).json()
    alice.post("facts/", {"text": "Parcels to Norway take nine days."})
    path = "facts/?search=why+can+users+not+sign+in"

    def first() -> str | None:
        found = alice.get(path).json()["results"]
        return found[0]["text"] if found else None

    assert first() == "The login page rejects long passwords."
    alice.patch(f"facts/{fact['id']}/", {"text": "Bananas are yellow."})
    assert first() is None


@real
@pytest.mark.parametrize("asked", ["why can users not sign in", "Anmeldung geht nicht"])
def test_what_one_run_learned_the_next_finds_in_other_words(
    store: DatabaseFacts, asked: str
) -> None:
    """C177, C182: Reflected in one run, asked in other words in the next."""
    facts = meant(DatabaseFacts(HOME, using=ALIAS), embedding.LOCAL)
    notes = "The login page rejects long passwords. Parcels to Norway take nine days."
    config = {"source_keys": ["notes"], "extractor": {"type": "rule_based"}, "tags": ["lesson"]}
    learning = doc([node("reflect", "reflection", config=config, reads=["notes"])])
    asking = doc([agent("a", memory_query={"text": asked, "max_facts": 1})])
    reply = {"default": [{"text": "done"}]}

    run(learning, {}, memory={"notes": notes}, facts=facts)
    prompt = run(asking, reply, facts=facts).prompt()

    assert "## Relevant Memory\n- The login page rejects long passwords." in prompt
    assert "## Relevant Memory" not in run(asking, reply, facts=store).prompt()


async def test_whatever_a_run_learned_can_be_stored_and_found(store: DatabaseFacts) -> None:
    """C176: No text is too strange for the index of either database."""
    strange = [NewFact("A" * 5_000 + " zebra"), NewFact("It's a \\ 'quoted' giraffe & more | !")]

    await store.store(HOME, visit(), strange)

    assert len(await search(store, text="zebra")) == 1
    assert len(await search(store, text="giraffe's")) == 1
    assert len(await search(store, text="A" * 3_000)) == 1


@pytest.mark.postgres
def test_postgres_can_answer_by_its_index(
    postgres_server_url: str, postgres_template: str, unblocked: None
) -> None:
    from builder.adapters.memory.full_text import _VECTOR

    for database in copied_postgres(postgres_server_url, postgres_template):
        connection = database.dialect.connect()
        try:
            connection.execute("SET enable_seqscan = off")
            asked = f"EXPLAIN SELECT id FROM builder_fact WHERE {_VECTOR} @@ '''a'''::tsquery"
            plan = str([tuple(row) for row in connection.execute(asked).fetchall()])
        finally:
            connection.close()
        assert "builder_fact_words" in plan
