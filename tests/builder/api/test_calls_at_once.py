"""How many calls of models may be under way at once, as admins set it, and who waits for a turn."""

from __future__ import annotations

from typing import Any

import pytest

from builder.base.clock import now_ms
from builder.models import AcceptedProvider, CallTurn, ProviderPause, Run, Worker
from tests.builder.conftest import Api, People


def running(people: People, run: str) -> Run:
    return Run.objects.create(
        id=run,
        workspace=people.alice.workspace,
        graph_slug="g",
        status=Run.Status.RUNNING,
        started_at=1,
        number=int(run[1:]),
    )


def waits(people: People, run: str, model: str, *, given: bool = False, worker: str = "w") -> None:
    CallTurn.objects.create(
        workspace=people.alice.workspace,
        run=run,
        key="a",
        model=model,
        worker=worker,
        given=given,
        since=1_000,
    )


def test_the_setting_is_the_admins_and_names_what_there_is(people: People) -> None:
    olga, alice = Api(people.olga), Api(people.alice)
    AcceptedProvider.objects.create(
        workspace=people.olga.workspace, provider_id="own-house", provider="house", label="House"
    )

    def put(limits: Any) -> Any:
        return olga.patch("workspace/", {"settings": {"calls_at_once": limits}})

    limits = {"openai": 4, "house": 2, "house/small:7b": 1, "builtin/extractive": 3}
    assert alice.patch("workspace/", {"settings": {"calls_at_once": limits}}).status_code == 403
    assert put(limits).json()["settings"]["calls_at_once"] == limits
    AcceptedProvider.objects.all().delete()
    assert put(limits).status_code == 200, "what stood may stay"
    assert put({}).json()["settings"]["calls_at_once"] == {}
    for wrong in ({"house": 0}, {"openai": True}, {"openai": "3"}, {"": 1}, {"nobody": 1}, ["a"]):
        assert put(wrong).status_code == 400, wrong
    said = put({"openai/": 1}).json()
    assert "write provider or provider/model" in said["detail"]
    assert put({f"openai/{n}": 1 for n in range(201)}).status_code == 400
    assert put({"openai/" + "x" * 300: 1}).status_code == 400


def test_a_run_says_which_of_its_calls_waits_and_behind_how_many(
    people: People, alice: Api
) -> None:
    for run in ("r1", "r2", "r3", "r4"):
        running(people, run)
    for name, seen in (("w", 1_000_000), ("gone", 900_000)):
        Worker.objects.create(boot_id=name, host="h", pid=1, started_at=1, last_seen_at=seen)
    waits(people, "r1", "house/small", given=True)
    waits(people, "r2", "house/large")
    waits(people, "r3", "other/one")
    waits(people, "r3", "house/small")
    waits(people, "r1", "house/small", worker="gone")
    waits(people, "r4", "house/small")
    CallTurn.objects.filter(run="r4").update(for_money=True)
    waits(people, "r4", "house/small")

    rows = {row["id"]: row["waiting_for"] for row in alice.get("runs/").json()["results"]}
    [line] = [each for each in alice.get("operations/").json()["waits"] if each["kind"] == "call"]
    listed = alice.get("runs/?waiting=call").json()["results"]

    assert rows == {
        "r1": [],
        "r2": ["a call of house/large: next in line"],
        "r3": ["a call of other/one: next in line", "a call of house/small: 1 before it"],
        "r4": [
            "a call of house/small: for money that other calls hold",
            "a call of house/small: 2 before it",
        ],
    }
    assert line["runs"] == 3
    assert line["since"] == "1970-01-01T00:00:01.000Z"
    assert sorted(row["id"] for row in listed) == ["r2", "r3", "r4"]


@pytest.mark.parametrize("status", [Run.Status.COMPLETED, Run.Status.FAILED])
def test_a_run_that_is_over_waits_for_no_turn(people: People, alice: Api, status: str) -> None:
    running(people, "r1")
    Run.objects.update(status=status)
    waits(people, "r1", "house/small")

    [row] = alice.get("runs/").json()["results"]
    assert row["waiting_for"] == []
    assert alice.get("runs/?waiting=call").json()["results"] == []


def test_a_call_that_waits_for_the_end_of_a_pause_says_so_and_keeps_nobody_waiting(
    people: People, alice: Api
) -> None:
    for run in ("r1", "r2"):
        running(people, run)
        waits(people, run, "house/small", worker="w")
    Worker.objects.create(boot_id="w", host="h", pid=1, started_at=1, last_seen_at=1_000_000)
    CallTurn.objects.filter(run="r1").update(paused=True)
    pause = ProviderPause.objects.create(
        workspace=people.alice.workspace, provider="house", until=now_ms() + 40_000
    )

    def said() -> dict[str, list[str]]:
        return {row["id"]: row["waiting_for"] for row in alice.get("runs/").json()["results"]}

    [words] = said()["r1"]
    assert words.startswith("a call of house/small: house asked for a pause, ")
    assert words.endswith(" s more")
    assert said()["r2"] == ["a call of house/small: next in line"]
    pause.until = now_ms() - 1
    pause.save()
    assert said()["r1"] == ["a call of house/small: house asked for a pause, over now"]
