"""Pages cost what they did when thousands of runs have ended since: counted in SQLite's steps."""

from __future__ import annotations

import pytest
from django.db import connection

from builder.models import Graph
from tests.benchmarks.ended_runs import RECENT, cost_of, fill
from tests.builder.conftest import Api, People

GROWN = 6_000
STEADY = (
    "runs/",
    "runs/?status=completed",
    "graphs/",
    "overview/",
    "operations/",
    "spend/",
    "approvals/",
    "causes/",
    "interrupts/",
)
RARE = "runs/?search=needle"


@pytest.mark.slow
def test_pages_do_not_grow_with_runs_that_ended_long_ago(people: People, graph: Graph) -> None:
    """At most a tenth, and what a deeper index takes; the list of runs counts to a thousand."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL tells no steps")
    client = Api(people.olga).client
    fill(people.olga, RECENT, first=1, ended_days_ago=0.1, graph=graph)
    few = {page: cost_of(client, page).steps for page in STEADY}
    fill(people.olga, GROWN, first=10_000, ended_days_ago=40, graph=graph)
    many = {page: cost_of(client, page).steps for page in STEADY}

    grown = {page: (few[page], many[page]) for page in STEADY if many[page] > few[page] * 1.1 + 200}
    assert grown == {}
    assert (found := cost_of(client, RARE).steps) < 2_000, found  # two runs, however many others
