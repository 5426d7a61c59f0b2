"""One start a key: whoever dies between delivery, start and answer, and however many carry it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from builder.base import engine_door
from builder.base.clock import DAY_MS, now_ms
from builder.doors.triggers import starting, trying
from builder.doors.triggers import verbs as triggers
from builder.models import Delivery, Graph, Membership, Run
from builder.services.graphs import graphs
from engine.core.errors import RequestRefused
from engine.core.people.eligibility import kept_out
from tests.builder.conftest import People
from tests.builder.doors.conftest import Made
from tests.builder.fakes import FakeDoor

LATER = starting.FIRST_WAIT_MS + 1


class Killed(BaseException):
    """The process ends here."""


def killed_at(name: str, work: Callable[[], object]) -> None:
    """Do the work in a process that ends where it comes to `starting.<name>`."""

    def end(*_args: Any, **_kwargs: Any) -> Any:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(starting, name, end)
        with pytest.raises(Killed):
            work()


def test_what_was_committed_and_never_started_is_started_by_the_scan(
    hook: Made, door: FakeDoor
) -> None:
    killed_at("_start", lambda: hook().standard({"n": 1}))

    assert starting.begin_due(now_ms()) == 0, "whoever took it in may still be at it"
    assert starting.begin_due(now_ms() + LATER) == 1

    row = Delivery.objects.get()
    assert (row.state, row.run) == ("started", Run.objects.get().pk)
    assert door.starts[0].input == {"n": 1}
    assert starting.begin_due(now_ms() + DAY_MS) == 0


def test_what_was_started_and_never_answered_is_the_same_run(hook: Made, door: FakeDoor) -> None:
    sender = hook()
    killed_at("_settle", lambda: sender.standard({"n": 1}))

    again = sender.standard({"n": 1})
    starting.begin_due(now_ms() + LATER)

    assert (again.status_code, again.json()["run"]) == (200, None)
    assert Delivery.objects.get().run == Run.objects.get().pk
    assert len(door.starts) == 1
    assert sender.standard({"n": 1}).json()["run"] == Run.objects.get().pk


def test_of_two_scans_one_gets_a_delivery(hook: Made) -> None:
    killed_at("_start", lambda: hook().standard({"n": 1}))
    pk, at = Delivery.objects.get().pk, now_ms() + LATER

    assert [starting.claim(pk, at), starting.claim(pk, at)] == [True, False]
    assert starting.claim(pk, at + starting.AGAIN_MS)


def test_without_an_engine_a_delivery_waits_a_day_at_most(hook: Made, door: FakeDoor) -> None:
    sender = hook()
    engine_door.install(None)

    answer = sender.standard({"n": 1})
    starting.begin_due(now_ms() + LATER)

    row = Delivery.objects.get()
    assert (answer.status_code, answer.json()["run"]) == (202, None)
    assert (row.state, row.tries) == ("received", 1)
    starting.begin_due(now_ms() + DAY_MS + LATER)
    row.refresh_from_db()
    assert (row.state, row.code) == ("refused", "NotStarted")


def test_what_the_workflow_does_not_take_is_refused(
    hook: Made, door: FakeDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: Any) -> str:
        raise RequestRefused("InputInvalid", "input: `n` must be text")

    monkeypatch.setattr(door, "start_run", refuse)

    answer = hook().standard({"n": 1})

    assert (answer.status_code, answer.json()["code"]) == (422, "InputInvalid")
    assert Delivery.objects.get().reason == "input: `n` must be text"


def test_who_switched_it_on_counts_as_its_starter(
    hook: Made, people: People, door: FakeDoor
) -> None:
    sender = hook()
    triggers.change(people.olga, sender.trigger, triggers.Wanted(on=False))
    triggers.change(people.olga, sender.trigger, triggers.Wanted(on=True))

    sender.standard({"n": 1})

    started = {"started_by": door.starts[0].started_by, "people": door.starts[0].people}
    out = kept_out(started, {"four_eyes": ["starter"]})
    assert out == {"starter": {sender.trigger.account_id, people.olga.user_id}}


def test_again_starts_another_run_mapped_as_of_today(
    hook: Made, people: People, door: FakeDoor
) -> None:
    sender = hook()
    sender.standard({"n": 1})
    triggers.change(people.alice, sender.trigger, triggers.Wanted(mapping={"m": "body.n + 1"}))

    row = trying.again(people.alice, Delivery.objects.get())

    assert [start.input for start in door.starts] == [{"n": 1}, {"m": 2}]
    assert row.run != door.starts[0].run_id


def test_the_account_of_triggers_is_no_person(hook: Made, people: People) -> None:
    account = hook().trigger.account

    assert (account.kind, account.is_active) == ("service", False)
    assert not account.has_usable_password()
    assert hook().trigger.account == account
    assert Membership.objects.get(user=account).role == "author"


def test_a_workflow_that_was_put_away_is_started_no_more(
    hook: Made, people: People, graph: Graph
) -> None:
    sender = hook()
    killed_at("_start", lambda: sender.standard({"n": 1}))
    graphs.delete_graph(people.alice, graph)

    starting.begin_due(now_ms() + LATER)

    assert Delivery.objects.get().code == "GraphNotFound"
    assert sender.standard({"n": 2}).status_code == 404


def test_old_deliveries_are_forgotten(hook: Made) -> None:
    hook().standard({"n": 1})

    starting.forget_old()
    assert Delivery.objects.count() == 1
    starting.forget_old(now_ms() + starting.KEPT_MS + 1000)

    assert Delivery.objects.count() == 0
    assert Run.objects.count() == 1
