"""Each consumer hears each event once: whoever dies in between, and however many look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from builder.base.clock import DAY_MS
from builder.doors.house import dispatch as house
from builder.doors.house.consumer import Consumer
from builder.doors.house.consumers import CONSUMERS
from builder.doors.house.waiting import MINUTE_MS, note_waiting
from builder.models import Attempt, HouseEvent, HouseTask, Interrupt
from builder.models.doors.house_kinds import KINDS
from tests.builder.conftest import People

NOW = 1_800_000_000_000


class Killed(BaseException):
    """The process ends here."""


def happened(people: People, kind: str = "run.failed", **more: Any) -> HouseEvent:
    workspace = people.alice.workspace
    return HouseEvent.objects.create(workspace=workspace, kind=kind, ref="r1", at=NOW, **more)


def writer(name: str = "rules", kind: str = "run.failed") -> Consumer:
    """A consumer that writes a row for each event."""

    def hear(event: HouseEvent) -> None:
        Attempt.objects.create(key=f"{name}:{event.pk}", count=1, until=timezone.now())

    return Consumer(name, frozenset({kind}), hear)


def heard() -> list[str]:
    return sorted(Attempt.objects.values_list("key", flat=True))


def test_each_consumer_hears_of_what_it_wants_once(people: People) -> None:
    failed, _ = happened(people), happened(people, "run.completed")
    consumers = [writer("one"), writer("two")]

    assert house.dispatch(consumers, NOW) == 2
    assert house.dispatch(consumers, NOW + DAY_MS) == 0

    assert heard() == [f"one:{failed.pk}", f"two:{failed.pk}"]


def test_what_a_handler_wrote_before_it_failed_is_taken_back_and_comes_again(
    people: People,
) -> None:
    event, good = happened(people), writer()

    def hear(heard_of: HouseEvent) -> None:
        good.handler(heard_of)
        raise ValueError("no such channel")

    bad = Consumer("rules", good.kinds, hear)
    assert house.dispatch([bad], NOW) == 0
    assert heard() == []
    assert HouseTask.objects.get().error == "ValueError: no such channel"
    assert house.dispatch([good], NOW) == 0, "not at once"

    assert house.dispatch([good], NOW + DAY_MS) == 1
    assert heard() == [f"rules:{event.pk}"]


def test_nothing_is_made_of_what_nobody_in_the_workspace_listens_to(people: People) -> None:
    here, there = people.alice.workspace_id, people.carol.workspace_id
    happened(people)
    for listening in ([there], [], [here, there]):
        wants = replace(writer(), name=str(len(listening)), listening=partial(list, listening))
        HouseEvent.objects.update(handed_at=None)
        assert house.dispatch([wants], NOW) == (here in listening)


def test_who_carries_out_says_who_listens(people: People) -> None:
    happened(people)
    assert {each.listening is None for each in CONSUMERS} == {False}

    house.dispatch(CONSUMERS, NOW)

    assert not HouseTask.objects.exists()


def test_one_that_always_fails_is_given_up(people: People) -> None:
    happened(people)

    def hear(_event: HouseEvent) -> None:
        raise ValueError

    for day in range(house.MAX_TRIES):
        assert HouseTask.objects.filter(done_at__isnull=True).count() == (1 if day else 0)
        house.dispatch([Consumer("rules", frozenset({"run.failed"}), hear)], NOW + day * DAY_MS)

    [task] = HouseTask.objects.all()
    assert (task.tries, task.done_at is not None) == (house.MAX_TRIES, True)


@pytest.mark.parametrize("where", ["hand_out", "claim", "_do"])
def test_a_kill_anywhere_loses_nothing_and_doubles_nothing(
    people: People, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    event, work = happened(people), getattr(house, where)

    def killed(*given: Any) -> Any:
        work(*given)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(house, where, killed)
        with pytest.raises(Killed):
            house.dispatch([writer()], NOW)
    house.dispatch([writer()], NOW + house.CLAIM_MS)

    assert heard() == [f"rules:{event.pk}"]


def test_who_was_overtaken_writes_nothing(people: People) -> None:
    """A claim that lapsed while its holder slept: the one that came after has done it."""
    event, consumer = happened(people), writer()
    house.hand_out([consumer], NOW)
    slow = HouseTask.objects.select_related("event").get()
    assert house.claim(slow, NOW)

    assert house.dispatch([consumer], NOW + house.CLAIM_MS) == 1
    assert not house._do(slow, consumer, NOW)

    assert heard() == [f"rules:{event.pk}"]


def test_old_events_go_with_their_tasks(people: People) -> None:
    happened(people)
    house.dispatch([writer()], NOW)

    house.forget_old(NOW + house.KEPT_MS)
    assert HouseEvent.objects.count() == 1
    house.forget_old(NOW + house.KEPT_MS + 1)
    assert (HouseEvent.objects.count(), HouseTask.objects.count()) == (0, 0)


@pytest.fixture
def item(people: People) -> Callable[..., Interrupt]:
    def make(name: str, status: str = "open") -> Interrupt:
        return Interrupt.objects.create(
            request_id=name, run="r1", workspace=people.alice.workspace, key="review#1",
            node="review", kind="approval", status=status, opened_at=NOW, opened_seq=1,
        )  # fmt: skip

    return make


def test_an_item_that_waits_for_long_is_told_once_for_each_time_asked(
    people: People, item: Callable[..., Interrupt]
) -> None:
    item("open"), item("closed", "answered")
    home = people.alice.workspace_id
    asked = [Consumer("rules", frozenset(), print, lambda: [(home, 30), (home, 60)])]

    assert note_waiting(asked, NOW + 30 * MINUTE_MS - 1) == 0
    assert note_waiting(asked, NOW + 30 * MINUTE_MS) == 1
    assert note_waiting(asked, NOW + 31 * MINUTE_MS) == 0
    assert note_waiting(asked, NOW + 60 * MINUTE_MS) == 1

    late = NOW + 60 * MINUTE_MS + house.KEPT_MS + 1
    house.forget_old(late)
    assert note_waiting(asked, late) == 0, (
        "what was told once is not told again when it is forgotten"
    )


def test_what_is_told_of_waiting_has_a_key(people: People, item: Callable[..., Interrupt]) -> None:
    item("open")
    home = people.alice.workspace_id
    asked = [Consumer("rules", frozenset(), print, lambda: [(home, 30), (home, 60)])]
    note_waiting(asked, NOW + 60 * MINUTE_MS)

    told = HouseEvent.objects.order_by("id").values_list("kind", "ref", "key")
    assert list(told) == [
        ("item.waiting", "open", "waits:open:30"),
        ("item.waiting", "open", "waits:open:60"),
    ]


def test_the_kinds_are_said_once_each() -> None:
    assert len(set(KINDS)) == len(KINDS) == 20
