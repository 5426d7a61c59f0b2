"""Mail to people for whom something waits: to whom, when, and what happens when it fails."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core import mail as outgoing
from django.core.mail.backends.locmem import EmailBackend

from builder.adapters.people_rows import mail_statements
from builder.models import Interrupt, Outbox, Run, Snooze
from builder.services import mail
from engine.events import Event
from tests.builder.conftest import Api, People
from tests.builder.fakes import NOW, open_interrupt

pytestmark = pytest.mark.django_db
LATER = NOW + 10**9


class Broken(EmailBackend):
    """A mail server that accepts one mail and then hangs up."""

    sent = 0

    def send_messages(self, messages: Any) -> int:
        if Broken.sent:
            raise ConnectionRefusedError("no mail server")
        Broken.sent += 1
        return super().send_messages(messages)


def asked(run: Run, why: str = "opened", **policy: Any) -> Interrupt:
    """An open approval and its row in the outbox."""
    row = open_interrupt(run, policy=policy or None)
    payload = json.dumps({"why": why})
    Outbox.objects.create(topic="mail", ref=row.pk, payload=payload, available_at=NOW)
    return row


def addressed() -> list[str]:
    return sorted(one for message in outgoing.outbox for one in message.to)


def test_whose_decision_fell_alone_is_asked_again_C95(people: People, run: Run) -> None:
    """C95: A mail to the one whose approval no longer counts, and to nobody else."""
    row = open_interrupt(run)
    dropped = {"request_id": row.pk, "by": people.bob.user_id, "reason": "content_changed"}
    [(_, (ref, payload, at))] = mail_statements(
        Event(9, "DecisionDropped", NOW, "review#1", dropped)
    )
    Outbox.objects.create(topic="mail", ref=ref, payload=payload, available_at=at)

    assert mail.deliver_due(LATER) == 1
    assert addressed() == ["bob@example.com"]
    assert outgoing.outbox[0].subject == "Asked again: Review · Support"
    assert "You had decided" in outgoing.outbox[0].body


def test_whoever_may_decide_gets_a_link_that_decides_nothing(
    people: People, run: Run, bob: Api, settings: Any
) -> None:
    settings.ORIGINS = ["https://graphs.example.com"]
    row = asked(run)

    assert mail.deliver_due(LATER) == 3
    assert addressed() == ["bob@example.com", "olga@example.com", "oscar@example.com"]
    message = outgoing.outbox[0]
    assert message.subject == "Review · Support"
    assert f"https://graphs.example.com/inbox/{row.pk}\n" in message.body
    assert "Hello" not in message.body
    assert bob.get(f"interrupts/{row.pk}/").status_code == 200
    row.refresh_from_db()
    assert row.status == "open"
    assert not Outbox.objects.exists()
    assert mail.deliver_due(LATER) == 0


def test_only_those_are_told_whom_the_policy_names(people: People, run: Run) -> None:
    asked(run, "reminded", eligible=[f"user:{people.bob.user_id}"])

    mail.deliver_due(LATER)

    assert addressed() == ["bob@example.com"]
    assert outgoing.outbox[0].subject == "Reminder: Review · Support"


def test_nobody_hears_of_what_is_decided_or_snoozed(people: People, run: Run) -> None:
    decided = asked(run)
    Interrupt.objects.filter(pk=decided.pk).update(status="answered")
    quiet = asked(run, eligible=[f"user:{people.bob.user_id}"])
    Snooze.objects.create(interrupt=quiet, user=people.bob.user, until="2100-01-01T00:00Z")

    assert mail.deliver_due(LATER) == 0
    assert not Outbox.objects.exists()


def test_what_fails_is_sent_again_later_to_who_has_not_heard(
    people: People, run: Run, settings: Any
) -> None:
    row = asked(run)
    settings.EMAIL_BACKEND = f"{__name__}.Broken"
    Broken.sent = 0
    assert mail.deliver_due(LATER) == 1
    left = Outbox.objects.get(ref=row.pk)
    assert (left.tries, left.available_at, left.done_at) == (1, LATER + 30_000, None)
    assert mail.deliver_due(LATER) == 0

    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert mail.deliver_due(LATER + 30_000) == 2
    assert addressed() == ["bob@example.com", "olga@example.com", "oscar@example.com"]


def test_it_is_given_up_after_eight_tries(people: People, run: Run, settings: Any) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.Broken"
    Broken.sent = 1
    row = asked(run)
    Outbox.objects.update(tries=7)

    mail.deliver_due(LATER)

    assert Outbox.objects.get(ref=row.pk).done_at == LATER


@pytest.mark.parametrize(
    ("event_type", "why"),
    [("InterruptOpened", "opened"), ("InterruptReminded", "reminded"),
     ("InterruptEscalated", "escalated")],
)  # fmt: skip
def test_events_that_concern_people_ask_for_a_mail(event_type: str, why: str) -> None:
    event = Event(3, event_type, 77, "ask#1", {"request_id": "r1"})

    [(_sql, row)] = mail_statements(event)

    assert (row[0], json.loads(row[1]), row[2]) == ("r1", {"why": why}, 77)
    assert mail_statements(Event(4, "InterruptResolved", 77, "ask#1", {"request_id": "r1"})) == []
