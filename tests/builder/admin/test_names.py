"""Rows of Django admin are called by names that people know, looked up for a whole page at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from builder.models import (
    Activation,
    Breaker,
    Budget,
    BudgetHold,
    BudgetLimit,
    Fact,
    Graph,
    GraphVersion,
    Outbox,
    RefusedSignIns,
    Run,
    Timer,
    Trigger,
    TriggerSpending,
    User,
)
from builder.services.audit import chain
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.conftest import People
from tests.builder.fakes import append, open_interrupt

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-|[0-9a-f]{32}")
COLUMN = re.compile(r"<t[dh](?: [^>]*)?>(.*?)</t[dh]>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
TABLES = (
    "run",
    "interrupt",
    "runevent",
    "activation",
    "timer",
    "budget",
    "budgethold",
    "budgetlimit",
    "triggerspending",
    "outbox",
    "breaker",
    "refusedsignins",
    "fact",
    "auditentry",
    "graphversion",
)


@pytest.fixture
def rows(people: People, graph: Graph) -> Callable[[int], None]:
    """Makes the n-th row of each table whose rows were called by ids."""

    def make(n: int) -> None:
        run = Run.objects.create(
            id=f"{n:08}-0000-4000-8000-000000000000",
            workspace=graph.workspace,
            graph=graph,
            graph_slug=graph.slug,
            status="waiting",
            started_at=n,
            number=100 + n,
        )
        append(run, "RunStarted", input={"order": f"K-{n}"})
        item = open_interrupt(run)
        of_run = {"run": run.pk, "key": "ask#1"}
        place = (100 + n) * EVENTS_PER_RUN
        Activation.objects.create(place=place, key="ask#1", node="ask", status="waiting")
        Timer.objects.create(id=f"{run.pk}:x", kind="expire", fire_at=10**14, **of_run)
        BudgetHold.objects.create(
            id=f"{run.pk}:h", budgets="[]", tokens=1, pico=1, state="held", **of_run
        )
        Budget.objects.create(id=f"node:{run.pk}:ask", level="node", workspace=graph.workspace)
        of_trigger(n)
        Outbox.objects.create(topic="mail", ref=item.pk, available_at=1)
        Outbox.objects.create(
            topic="alert", ref=f"{run.workspace_id}:{people.bob.user_id}", available_at=1
        )
        RefusedSignIns.objects.create(
            account=User.objects.create(email=f"r{n}@example.org", name=f"Rae {n}").pk,
            since=timezone.now(),
            last_at=timezone.now(),
            count=2,
        )
        Breaker.objects.create(
            id=f"{n:064}", workspace=run.workspace, node="ask", target="tool:pay"
        )
        Fact.objects.create(
            workspace=run.workspace, key=f"{n:032}", text=f"Fact {n}", run_id=run.pk, at=1
        )
        GraphVersion.objects.create(
            graph=graph, number=n, revision=n, document={}, hash="0", published_at=timezone.now()
        )
        chain.record(run.workspace_id, None, "run.cancelled", run.pk)

    def of_trigger(n: int) -> None:
        trigger = Trigger.objects.create(
            workspace=graph.workspace,
            graph=graph,
            kind="schedule",
            name=f"Each night {n}",
            account=people.bob.user,
            made_at=1,
        )
        limit = BudgetLimit.objects.create(
            workspace=graph.workspace, graph=graph, trigger=trigger, limit_tokens=10**6
        )
        Budget.objects.create(
            id=f"trigger:{limit.pk}:2026-11", level="trigger", workspace=graph.workspace
        )
        TriggerSpending.objects.create(
            workspace=graph.workspace, day="2026-11-29", graph=graph.slug, trigger=trigger.pk
        )

    return make


def texts(page: str) -> list[str]:
    """What the columns of a list show."""
    return [" ".join(TAG.sub(" ", cell).split()) for cell in COLUMN.findall(page)]


def read(staff: Client, table: str) -> tuple[str, int]:
    """A list, and how many queries it took."""
    with CaptureQueriesContext(
        connection,
    ) as seen:
        page = staff.get(f"/admin/builder/{table}/").content.decode()
    return page, len(seen)


@pytest.mark.parametrize("table", TABLES)
def test_no_row_is_called_by_an_id_in_its_list_or_on_its_page(
    staff: Client, rows: Callable[[int], None], table: str
) -> None:
    rows(1)
    rows(2)
    listed, _ = read(staff, table)
    [model] = [one for one in admin.site._registry if one._meta.model_name == table]

    assert [text for text in texts(listed) if ID.search(text)] == []
    row: Any = model._default_manager.order_by("-pk").first()
    shown = staff.get(f"/admin/builder/{table}/{row.pk}/change/").content.decode()
    [title] = re.findall("<title>(.*?)</title>", shown, re.DOTALL)
    assert not ID.search(title), title
    if table == "graphversion":
        assert f"{row.graph.name}, version {row.number}" in title


@pytest.mark.parametrize("table", TABLES)
def test_names_take_no_query_more_for_more_rows(
    staff: Client, rows: Callable[[int], None], table: str
) -> None:
    rows(1)
    read(staff, table)
    _, few = read(staff, table)
    for n in range(2, 8):
        rows(n)
    _, many = read(staff, table)

    assert many <= few + 1


def test_names_say_workflow_run_and_whose_it_is(
    staff: Client, rows: Callable[[int], None], graph: Graph
) -> None:
    rows(1)
    said = {table: " | ".join(texts(read(staff, table)[0])) for table in TABLES}

    run = f"{graph.name}: K-1"
    for table in ("run", "interrupt", "runevent", "timer", "budgethold", "fact"):
        assert run in said[table], table
    assert "Deadline of an item" in said["timer"]
    assert f"ask of {run}" in said["budget"]
    assert "trigger “Each night 1”" in said["budget"]
    assert "Each night 1" in said["triggerspending"]
    assert "Mail about an alert: Bob" in said["outbox"]
    assert "Rae 1" in said["refusedsignins"]


def test_people_stand_under_their_names_and_the_house_without_a_made_up_address(
    staff: Client, people: People
) -> None:
    house = "triggers.23bfa5b1-cbd9-4b78-a6a4-b92feace1fd6@service.invalid"
    User.objects.create(email=house, name="Triggers", kind=User.Kind.SERVICE, is_active=False)
    listed = texts(read(staff, "user")[0])

    assert "Bob" in listed
    assert people.bob.user.email in listed
    assert "Triggers" in listed
    assert house not in listed
    assert "nobody signs in as this" in listed
