"""The inbox by how long items have been there and by what their runs have spent."""

from __future__ import annotations

import time

import pytest

from builder.models import GraphVersion, Interrupt, Run
from tests.builder.conftest import Api
from tests.builder.fakes import open_interrupt

HOUR_MS = 3_600_000
CENT_PICO = 10_000_000_000


def found(api: Api, query: str) -> list[str]:
    return [item["request_id"] for item in api.get(f"interrupts/?{query}").json()["results"]]


def test_items_are_found_by_their_age(bob: Api, run: Run) -> None:
    old, young = open_interrupt(run).pk, open_interrupt(run).pk
    now = time.time_ns() // 1_000_000
    Interrupt.objects.filter(pk=old).update(opened_at=now - 25 * HOUR_MS)
    Interrupt.objects.filter(pk=young).update(opened_at=now - 2 * HOUR_MS)

    assert found(bob, "min_age_hours=1") == [young, old]
    assert found(bob, "min_age_hours=24") == [old]
    assert found(bob, "min_age_hours=26") == []


def test_items_are_found_by_what_their_run_has_spent(bob: Api, run: Run) -> None:
    item = open_interrupt(run).pk
    Run.objects.filter(pk=run.pk).update(spent_pico=25 * CENT_PICO)

    assert found(bob, "min_cost_usd=0.25") == [item]
    assert found(bob, "min_cost_usd=0.26") == []


def test_runs_that_try_a_draft_are_told_from_all_others(bob: Api, run: Run) -> None:
    item = open_interrupt(run).pk
    version = run.version
    assert version is not None
    GraphVersion.objects.filter(pk=version.pk).update(is_draft=True, number=None, published_at=None)

    assert found(bob, "tests=true") == [item]
    assert found(bob, "tests=false") == []
    assert bob.get(f"interrupts/{item}/").json()["run"]["is_test"] is True
    assert bob.get("interrupts/?tests=perhaps").status_code == 400


def test_calls_are_told_from_other_approvals(bob: Api, run: Run) -> None:
    call = open_interrupt(run, request={"approval_type": "tool_call"}).pk
    review = open_interrupt(run).pk
    question = open_interrupt(run, "text").pk

    assert found(bob, "approval_type=tool_call") == [call]
    assert found(bob, "approval_type=human_review") == [review]
    assert set(found(bob, "kind=approval")) == {call, review}
    assert question in found(bob, "")
    unknown = bob.get("interrupts/?approval_type=robot")
    assert unknown.status_code == 400
    assert "tool_call" in unknown.content.decode()


def test_a_saved_view_of_calls_counts_calls_alone(bob: Api, run: Run) -> None:
    open_interrupt(run, request={"approval_type": "tool_call"})
    open_interrupt(run)
    query = {"state": "open", "kind": "approval", "approval_type": "tool_call"}

    kept = bob.post("inbox-views/", {"name": "Calls", "query": query}).json()
    wrong = bob.post("inbox-views/", {"name": "Odd", "query": {"approval_type": "robot"}})

    assert (kept["query"], kept["count"]) == (query, 1)
    assert wrong.status_code == 400


@pytest.mark.parametrize(
    "query",
    ["min_age_hours=0", "min_age_hours=soon", "min_cost_usd=-1", "min_cost_usd=NaN"],
)
def test_what_is_no_age_and_no_sum_is_refused_by_name(bob: Api, run: Run, query: str) -> None:
    answer = bob.get(f"interrupts/?{query}")
    assert answer.status_code == 400
    assert query.partition("=")[0] in answer.content.decode()
