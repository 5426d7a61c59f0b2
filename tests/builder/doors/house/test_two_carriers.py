"""Two processes at one outbox, one list of events, one list of deliveries: each thing once, on both
databases. One of them stops in the middle of its work until the other has looked at all of it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from django.core import mail as outgoing
from django.core.mail import EmailMessage
from django.db import connections

from builder.doors.house import dispatch as house
from builder.doors.house.consumer import Consumer
from builder.models import HouseEvent, HouseTask, Outbox
from builder.services.mail import account_mail, outboxed
from builder.services.mail.claims import CLAIM_MS
from tests.builder.databases import HOME, Database

NOW = 1_800_000_000_000
ROWS = 4


@pytest.fixture
def served(database: Database, django_db_blocker: Any) -> Iterator[Database]:
    with django_db_blocker.unblock(), database.served():
        yield database


class Stops:
    """Lets the first who comes stand still until the other has been everywhere."""

    def __init__(self) -> None:
        self.came: list[Any] = []
        self._begun, self._other = threading.Event(), threading.Event()
        self._lock = threading.Lock()

    def __call__(self, what: Any) -> None:
        with self._lock:
            self.came.append(what)
            first = len(self.came) == 1
        if first:
            self._begun.set()
            assert self._other.wait(30)

    def both(self, carry: Callable[[], object]) -> None:
        """Have two threads carry, the second while the first stands still."""

        def work() -> None:
            try:
                carry()
            finally:
                connections.close_all()

        slow = threading.Thread(target=work)
        slow.start()
        assert self._begun.wait(30)
        work()
        self._other.set()
        slow.join(30)
        assert not slow.is_alive()


def test_each_letter_of_the_outbox_goes_out_once(served: Database) -> None:
    stops = Stops()
    for n in range(ROWS):
        outboxed.row("alert", HOME, f"u{n % 2}", {"n": n}, NOW).save()

    def compose(_workspace: str, user: str, due: Sequence[Any]) -> EmailMessage:
        stops([(user, one["n"]) for one in due])
        return EmailMessage(user, "text", to=[f"{user}@example.com"])

    stops.both(lambda: outboxed.deliver_due("alert", compose, NOW))

    told = sorted(one for due in stops.came for one in due)
    assert told == [("u0", 0), ("u0", 2), ("u1", 1), ("u1", 3)]
    assert len(outgoing.outbox) == 2
    assert not Outbox.objects.exists()


def test_each_letter_about_an_account_goes_out_once(
    served: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    stops = Stops()
    for n in range(ROWS):
        Outbox.objects.create(topic="account", ref=f"u{n}", available_at=NOW)

    def letter(ref: str, _payload: Any) -> EmailMessage:
        stops(ref)
        return EmailMessage(ref, "text", to=[f"{ref}@example.com"])

    monkeypatch.setattr(account_mail, "letter", letter)
    stops.both(lambda: account_mail.deliver_due(NOW))

    assert sorted(stops.came) == [f"u{n}" for n in range(ROWS)]
    assert not Outbox.objects.exists()


def test_a_letter_that_was_left_in_the_middle_goes_out_under_the_same_name(
    served: Database,
) -> None:
    outboxed.row("alert", HOME, "u", {}, NOW).save()

    class Killed(BaseException):
        pass

    class Dying(EmailMessage):
        def send(self, fail_silently: bool = False, *, using: str | None = None) -> int:
            super().send()
            raise Killed

    made: list[type[EmailMessage]] = [EmailMessage, Dying]
    for at in (NOW, NOW + CLAIM_MS - 1, NOW + CLAIM_MS):
        try:
            outboxed.deliver_due("alert", lambda *_: made.pop()("s", "t", to=["u@x.example"]), at)
        except Killed:
            assert at == NOW

    first, second = outgoing.outbox
    assert first.extra_headers["Message-ID"] == second.extra_headers["Message-ID"]
    assert not Outbox.objects.exists()


def test_each_event_is_heard_once(served: Database) -> None:
    stops = Stops()
    for n in range(ROWS):
        HouseEvent.objects.create(workspace_id=HOME, kind="run.failed", ref=f"r{n}", at=NOW)

    def hear(event: HouseEvent) -> None:
        Outbox.objects.create(topic="heard", ref=event.ref, available_at=NOW)

    claim = house.claim
    consumer = Consumer("rules", frozenset({"run.failed"}), hear)

    def stopping(task: HouseTask, now: int) -> bool:
        mine = claim(task, now)
        if mine:
            stops(task.event.ref)
        return mine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house, "claim", stopping)
        stops.both(lambda: house.dispatch([consumer], NOW))

    assert sorted(stops.came) == [f"r{n}" for n in range(ROWS)]
    assert sorted(Outbox.objects.values_list("ref", flat=True)) == sorted(stops.came)
    assert HouseTask.objects.filter(done_at__isnull=True).count() == 0
