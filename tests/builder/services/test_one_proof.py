"""A document is read once and its surroundings are looked up once, for a save and for a start."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from builder.adapters import check_world, directory
from builder.adapters.tools.known import MOST, KnownTools
from builder.adapters.tools.operator_sources import OperatorSources
from builder.adapters.tools.toolset import WorkspaceTools, sources_at_hand
from builder.base.tool_sources import ListedSource, ListedSources
from builder.models import Graph
from builder.process.engine_thread import EmbeddedEngine
from builder.services.graphs import drafts, graphs
from builder.services.graphs.drafts import DraftChange
from builder.services.runs import runs
from builder.services.runs.runs import Start
from engine.check import subject as check_subject
from engine.core.effects import EffectClass
from engine.core.graph.document import GraphSpec
from engine.integrations.egress import Egress
from engine.integrations.tools.protocol import ToolSpec
from tests.builder.conftest import Api, People
from tests.builder.talk import engine, seen

__all__ = ["engine", "seen"]

STEP = {"id": "step", "type": "output", "config": {"value": "1"}}
LINE: dict[str, Any] = {
    "graphwright": 1,
    "id": "line",
    "name": "Line",
    "nodes": [STEP],
    "edges": [{"id": "in", "source": "__start__", "target": "step"}],
}
ADD = ToolSpec("add", "Adds.", {"type": "object"}, EffectClass.PURE, "shop")
RELABELLED: dict[str, Any] = {**STEP, "label": "Step"}


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often documents were parsed, worlds built and graphs prepared since the test began."""
    done: Counter[str] = Counter()
    parse, people_of = GraphSpec.model_validate_json, directory.actors_in
    prepare = check_subject.Subject.__post_init__

    def parsing(*args: Any, **options: Any) -> GraphSpec:
        done["parsed"] += 1
        return parse(*args, **options)

    def looking(workspace_id: str, **given: Any) -> Any:
        done["worlds"] += 1
        return people_of(workspace_id, **given)

    def preparing(self: check_subject.Subject) -> None:
        done["prepared"] += 1
        prepare(self)

    monkeypatch.setattr(GraphSpec, "model_validate_json", parsing)
    monkeypatch.setattr(check_world, "actors_in", looking)
    monkeypatch.setattr(check_subject.Subject, "__post_init__", preparing)
    return done


@pytest.fixture
def line(people: People) -> Graph:
    return graphs.import_graph(people.alice, LINE)


ONCE = {"parsed": 1, "worlds": 1, "prepared": 1}


def test_a_save_proves_the_draft_once(alice: Api, line: Graph, work: Counter[str]) -> None:
    work.clear()

    saved = alice.patch(f"graphs/{line.pk}/draft/", {"revision": 1, "set_nodes": [RELABELLED]})

    assert (saved.status_code, saved.json()["revision"]) == (200, 2)
    assert saved.json()["worst_case"]["usd"] == "0"
    assert work == ONCE


def test_a_save_reads_the_draft_once(
    people: People, line: Graph, django_assert_num_queries: Any
) -> None:
    change = DraftChange(1, set_nodes=(RELABELLED,))

    with django_assert_num_queries(13):  # one asks which tools are off
        drafts.save_draft(people.alice, line.pk, change)


def test_a_save_reads_the_row_of_the_graph_once(
    alice: Api, line: Graph, django_assert_num_queries: Any
) -> None:
    body = {"revision": 1, "set_nodes": [RELABELLED]}

    with django_assert_num_queries(17) as asked:  # ways to sign in, and tools that are off, too
        alice.patch(f"graphs/{line.pk}/draft/", body)

    rows = [q for q in asked.captured_queries if q["sql"].startswith('SELECT "builder_graph"."')]
    assert len(rows) == 1


def test_a_publication_proves_the_draft_once(
    people: People, line: Graph, work: Counter[str]
) -> None:
    work.clear()

    graphs.publish(people.alice, line, revision=1)

    assert work == ONCE


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_a_start_of_a_draft_reads_it_once(
    people: People, engine: EmbeddedEngine, work: Counter[str]
) -> None:
    graph = await sync_to_async(graphs.import_graph)(people.alice, LINE)
    work.clear()

    await sync_to_async(runs.start_run)(people.alice, graph, Start(draft=True))
    first = Counter(work)
    await sync_to_async(runs.start_run)(people.alice, graph, Start(draft=True))

    assert first == ONCE
    assert work == ONCE


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_a_save_does_not_wait_for_the_engines_loop(
    people: People, engine: EmbeddedEngine
) -> None:
    graph = await sync_to_async(graphs.import_graph)(people.alice, LINE)
    go_on = threading.Event()
    engine._loop.call_soon_threadsafe(go_on.wait)
    change = DraftChange(1, set_nodes=(RELABELLED,))

    try:
        saving = sync_to_async(drafts.save_draft)(people.alice, graph.pk, change)
        saved = await asyncio.wait_for(asyncio.shield(saving), 10)
        assert not await asyncio.to_thread(engine.is_alive, 0.05)
    finally:
        go_on.set()

    assert saved.revision == 2
    assert saved.proof.worst_case is not None


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_what_a_save_knows_of_tools_follows_what_they_list(
    people: People, engine: EmbeddedEngine
) -> None:
    """The first one hears of those that are installed, a later one of every source."""
    known = await asyncio.to_thread(engine.known_tools, people.alice.workspace_id)
    assert "calculate" in {spec.name for spec in known.specs}

    listed = await asyncio.to_thread(engine.tools_to_check, people.alice.workspace_id)

    assert engine.known_tools(people.alice.workspace_id) == listed


def test_tools_are_known_as_they_were_listed_last() -> None:
    shop = ListedSource("shop", vetted=False, tools=(ADD,))
    silent = ListedSource("shop", vetted=False, problem="still starting", pending=True)
    gone = ListedSource("shop", vetted=False, problem="cannot be reached")
    known = KnownTools()

    assert known.of("home") is None
    known.keep("home", ListedSources((silent,)))
    assert known.of("home") == ListedSources((silent,))
    known.keep("home", ListedSources((shop,)))
    known.keep("home", ListedSources((silent,)))
    assert known.of("home") == ListedSources((shop,)), "a source that is only slow keeps its tools"
    known.keep("home", ListedSources((gone,)))
    assert known.of("home") == ListedSources((gone,))


def test_the_workspace_that_was_not_listed_longest_is_forgotten() -> None:
    known = KnownTools()
    for number in range(MOST):
        known.keep(str(number), ListedSources(()))
    known.keep("0", ListedSources(()))
    known.keep("new", ListedSources(()))

    assert known.of("1") is None
    assert known.of("0") is not None


def test_one_asks_at_a_time_for_a_workspace() -> None:
    known = KnownTools()

    assert known.begin("home")
    assert not known.begin("home")
    assert known.begin("away")
    known.end("home")
    assert known.begin("home")


@pytest.mark.asyncio
async def test_servers_that_nobody_asked_yet_are_starting(people: People, tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {"shop": {"command": "shop-server"}}}')
    tools = WorkspaceTools(OperatorSources(file, Egress()))

    found = await asyncio.to_thread(sources_at_hand, tools, people.alice.workspace_id)

    assert [source.name for source in found.sources] == ["python", "shop"]
    assert found.unreachable == {"shop": "the tool source 'shop' is still starting"}
