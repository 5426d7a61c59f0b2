"""Finding runs by what they were started with and came to: the same on both databases."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from builder.adapters.run_store.database import DatabaseRunStore
from builder.base.run_text import MAX_TEXT, PARTS, asked, words_of
from builder.models import Graph, Run, RunText
from builder.models.ledger import run_words
from builder.models.ledger.run_words import asked_for
from builder.services.runs import runs
from builder.services.runs.retention import pruning
from builder.services.runs.runs import Start
from engine.core.graph.document import parse_document
from engine.core.state.requests import StartRun
from engine.local import LocalGraphs, make_local
from engine.runtime.system import NoFeed, SystemClock
from tests.builder.conftest import Api, People
from tests.builder.databases import AWAY, Database
from tests.builder.fakes import append

GRAPH, _ = parse_document(
    {
        "graphwright": 1,
        "id": "refund-desk",
        "edges": [{"source": "__start__", "target": "say"}],
        "nodes": [
            {
                "id": "say",
                "type": "output",
                "read_keys": ["input"],
                "config": {"value": "'Sent to ' + input.name + ': übermorgen 77.08'"},
            }
        ],
    }
)


def test_words_are_split_alike_everywhere() -> None:
    assert words_of("K-4720", {"name": ["Tess", 12.5, True, None]}) == "k 4720 tess 12 5"
    assert words_of("Übermorgen, ÜBERMORGEN!", "a_b") == "ubermorgen a b"
    assert asked("k-4720 Tess tess") == ["k", "4720", "tess"]


def test_a_giant_value_costs_no_more_than_its_beginning() -> None:
    words = words_of({"a": "x " * 10**6, "b": "never"})

    assert words == "x"
    deep: Any = "end"
    for _ in range(100_000):
        deep = [deep]
    assert words_of(deep) == "end"
    assert len(words_of([f"w{n}" for n in range(10**5)])) <= MAX_TEXT + 1_000


async def test_input_and_output_are_kept_in_the_commits_of_the_run(database: Database) -> None:
    assert GRAPH is not None
    store = DatabaseRunStore(database.dialect, SystemClock(), LocalGraphs([GRAPH]), NoFeed())
    await store.open()
    local = make_local([GRAPH], store=lambda *_parts: store)
    start = StartRun(
        run_id="r", graph_id="refund-desk", workspace_id=AWAY, input={"name": "Tess K-4720"}
    )
    await local.runner.start(start, local.graphs.program_of(GRAPH))
    await local.runner.settled("r")
    await local.runner.close()
    store.close()

    [begun, ended] = [
        row[0] for row in database.rows("SELECT words FROM builder_runtext ORDER BY place")
    ]
    assert begun == "refund desk tess k 4720"
    assert "ubermorgen" in ended.split()


@pytest.mark.parametrize(
    ("word", "there"),
    [
        ("tess", True),
        ("tes", True),
        ("te", False),
        ("ess", False),
        ("4720", True),
        ("472", True),
        ("47", False),
        ("k", True),
        ("明", True),
        ("ubermorgen", True),
        ("завтра", True),
        ("明日", True),
        ("q2", False),
        ("12e5", True),
        ("a1b2c3", True),
    ],
)
def test_both_databases_find_the_same_words(database: Database, word: str, there: bool) -> None:
    words = words_of("Tess K-4720 übermorgen завтра 明日 12e5 a1b2c3 x@y.example http://h/p?q")
    database.change("INSERT INTO builder_runtext (place, words) VALUES (?, ?)", (15, words))
    sql, wanted = asked_for(word, "sqlite" if database.path else "postgresql")

    rows = database.rows(sql.replace("%s", "?"), (wanted,))

    assert rows == ([(7,)] if there else [])
    database.change("DELETE FROM builder_runtext WHERE place = 15")
    assert database.rows(sql.replace("%s", "?"), (wanted,)) == []


def tell(run: Run, begun: str = "", ended: str = "", number: int = 7) -> Run:
    """Give the run a number and the words that the engine would have written."""
    run.number = number
    run.save(update_fields=["number"])
    RunText.objects.create(place=number * PARTS, words=words_of(begun))
    RunText.objects.create(place=number * PARTS + 1, words=words_of(ended))
    return run


def found(api: Api, search: str, **more: str) -> list[str]:
    query = "&".join(f"{name}={value}" for name, value in more.items())
    answer = api.get(f"runs/?search={search}&{query}")
    assert answer.status_code == 200, answer.content
    return [row["id"] for row in answer.json()["results"]]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "search",
    [
        "tess",
        "TESS",
        "Tes",
        "4720",
        "K-4720",
        "booking 503",
        "503 tess",
        "Support",
        "suppor",
        "gateway down",
    ],
)
def test_a_run_is_found_by_input_output_error_and_workflow(
    run: Run, alice: Api, search: str
) -> None:
    tell(run, "Tess asks about booking K-4720", "503 payment gateway down")

    assert found(alice, search) == [run.pk]


@pytest.mark.django_db
@pytest.mark.parametrize("rare", [0, 1, 500])
def test_rare_and_common_words_are_found_together(
    run: Run, people: People, alice: Api, monkeypatch: pytest.MonkeyPatch, rare: int
) -> None:
    """However many runs have a word: it is looked up first where few do, and it is the same runs."""
    monkeypatch.setattr(run_words, "RARE", rare)
    graph = run.graph
    assert graph is not None
    others = [
        runs.start_run(people.alice, graph, Start(input=str(number), draft=True))
        for number in range(3)
    ]
    tell(run, "Tess asks", "paid")
    for number, other in enumerate(others, 20):
        tell(Run.objects.get(pk=other), f"Bob{number} asks", "paid", number)

    assert set(found(alice, "asks")) == {run.pk, *others}
    assert found(alice, "asks tess") == [run.pk]
    assert found(alice, "paid bob21 asks") == [others[1]]
    assert found(alice, "tess bob21") == []
    assert found(alice, "asks nobody") == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "search",
    ["ess", "te", "Su", "p", "booking nobody", "%", "_", "'", '"', "*", "()", "a OR b", "NEAR"],
)
def test_what_is_not_there_is_not_found_and_no_operator_is_understood(
    run: Run, alice: Api, search: str
) -> None:
    tell(run, "Tess asks about booking K-4720", "503 payment gateway down")

    assert found(alice, search) == []


@pytest.mark.django_db
def test_a_run_is_found_by_its_id_and_its_beginning(run: Run, alice: Api) -> None:
    assert found(alice, run.pk) == [run.pk]
    assert found(alice, run.pk[:8].upper()) == [run.pk]
    assert found(alice, run.pk[:13]) == [run.pk]
    assert found(alice, run.pk[:6]) == [run.pk]


@pytest.mark.django_db
def test_pieces_of_an_id_find_nothing(run: Run, alice: Api) -> None:
    tell(run, "Tess")

    for piece in (run.pk[:5], *run.pk.split("-")[1:]):
        assert found(alice, piece) == [], piece


@pytest.mark.django_db
def test_a_short_word_finds_the_workflow_that_has_it(run: Run, alice: Api) -> None:
    assert found(alice, "hr") == []
    Graph.objects.filter(pk=run.graph_id).update(name="Ask HR")
    assert found(alice, "hr") == [run.pk]


@pytest.mark.django_db
def test_ids_that_were_cut_into_words_are_taken_out_of_them(run: Run, alice: Api) -> None:
    tell(run)
    piece = run.pk.split("-")[1]
    RunText.objects.all().delete()
    cut = words_of("support", run.pk, "Tess K-4720")
    RunText.objects.create(place=7 * PARTS, words=cut)
    RunText.objects.create(place=7 * PARTS + 1, words="done")
    assert found(alice, piece) == [run.pk]
    migration = import_module("builder.migrations.0057_words_without_ids")

    for _ in range(2):
        migration.drop_ids(apps, SimpleNamespace(connection=connection))

        assert found(alice, piece) == []
        assert found(alice, "tess k") == found(alice, "done") == [run.pk]
        assert RunText.objects.get(place=7 * PARTS).words == "support tess k 4720"


@pytest.mark.django_db
def test_what_one_may_not_see_one_cannot_find(run: Run, carol: Api, people: People) -> None:
    tell(run, "Tess asks about booking K-4720")

    for search in ("tess", run.pk, "support"):
        assert found(carol, search) == []


@pytest.mark.django_db
def test_words_of_deleted_runs_are_not_found_for_those_that_follow(run: Run, alice: Api) -> None:
    tell(run, "Tess")
    RunText.objects.all().delete()
    tell(run, "Somebody")

    assert found(alice, "tess") == []
    assert found(alice, "somebody") == [run.pk]


@pytest.mark.django_db
def test_runs_from_before_are_found_once_the_tables_are_migrated(run: Run, alice: Api) -> None:
    append(run, "RunFailed", result=None)
    Run.objects.filter(pk=run.pk).update(
        status="failed", ended_at=run.started_at + 1, error='{"code": "Away", "message": "gateway"}'
    )
    migration = import_module("builder.migrations.0014_run_text")

    migration.add_words(apps, SimpleNamespace(connection=connection))

    assert found(alice, "gateway") == [run.pk]
    assert found(alice, run.pk[:8]) == [run.pk]


@pytest.mark.django_db
def test_the_words_go_with_the_run(run: Run, alice: Api) -> None:
    tell(run, "Tess", "done")
    Run.objects.filter(pk=run.pk).update(status="completed", ended_at=1_000)

    assert pruning.prune(run.workspace_id, 1, now_ms=10**10).runs == 1

    assert not RunText.objects.exists()
