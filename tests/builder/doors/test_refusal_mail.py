"""Who switched a trigger on is told by mail of what it turns away, once an hour at most."""

from __future__ import annotations

from decimal import Decimal

from django.core import mail as outgoing

from builder.base.clock import DAY_MS, HOUR_MS, now_ms
from builder.doors.triggers import starting, trying
from builder.doors.triggers import verbs as triggers
from builder.models import (
    Budget,
    Delivery,
    GraphVersion,
    MailChoice,
    Membership,
    Outbox,
    Trigger,
)
from builder.services.budgets import change_budget, create_budget
from builder.services.mail import trigger_mail
from tests.builder.conftest import People
from tests.builder.doors.conftest import Made
from tests.builder.fakes import FakeDoor


def deliver() -> list[str]:
    trigger_mail.deliver_due(now_ms() + DAY_MS)
    return [f"{message.to[0]}: {message.subject}" for message in outgoing.outbox]


def test_a_refused_call_is_told_once_an_hour_without_a_word_of_it(
    hook: Made, people: People
) -> None:
    sender = hook()
    triggers.change(people.olga, sender.trigger, triggers.Wanted(on=False))
    triggers.change(people.olga, sender.trigger, triggers.Wanted(on=True))
    for _ in range(3):
        sender.post(b'{"card": "4111"}', {})

    assert deliver() == [
        "olga@example.com: The webhook “Orders” of “Support” turned away what came in"
    ]
    body = outgoing.outbox[0].body
    assert ", 3 times within a day. Nothing was started of the last: it was not signed." in body
    assert f"/workflows/{sender.trigger.graph_id}/triggers\n" in body
    assert "4111" not in body
    sender.post(b"{}", {})
    assert not Outbox.objects.exists()
    Trigger.objects.update(told_at=now_ms() - HOUR_MS)
    sender.post(b"{}", {})
    assert len(deliver()) == 2


def test_what_was_signed_and_cannot_start_is_told_and_a_persons_test_is_not(
    hook: Made, people: People
) -> None:
    sender = hook()
    Membership.objects.filter(user=sender.trigger.account).update(role="viewer")
    trying.test(people.alice, sender.trigger, {"body": {}})
    assert not Outbox.objects.exists()

    sender.standard({})

    assert "the account of the triggers may not start it" in (deliver() and outgoing.outbox[0].body)


def test_what_is_no_longer_published_starts_nothing_and_is_told(hook: Made, door: FakeDoor) -> None:
    sender = hook()
    GraphVersion.objects.all().delete()

    answer = sender.standard({})

    assert (answer.status_code, answer.json()["code"]) == (422, "NotPublished")
    assert (Delivery.objects.get().state, door.starts) == ("refused", [])
    assert "the workflow is not published" in (deliver() and outgoing.outbox[0].body)


def test_what_a_trigger_may_spend_once_spent_starts_nothing_and_is_told(
    hook: Made, people: People, door: FakeDoor
) -> None:
    sender = hook()
    limit = create_budget(
        people.olga,
        graph=None,
        trigger=sender.trigger,
        period="total",
        limit_usd=Decimal(1),
        limit_tokens=None,
    )
    row = {"id": f"trigger:{limit.pk}:total", "level": "trigger", "spent_pico": 10**12 - 1}
    Budget.objects.create(**row, held_pico=10**12)
    assert sender.standard({}, "one").status_code == 202
    Budget.objects.update(spent_pico=10**12)
    answer = sender.standard({}, "two")

    assert (answer.status_code, answer.json()["code"]) == (422, "TriggerBudgetExceeded")
    assert "raise it" in answer.json()["detail"]
    assert len(door.starts) == 1
    assert "what it may spend is used up" in (deliver() and outgoing.outbox[0].body)
    Delivery.objects.filter(state="started").update(state="received", run=None, available_at=0)
    starting.begin_due()
    assert sorted(Delivery.objects.values_list("state", flat=True)) == ["refused", "started"]
    change_budget(people.olga, limit, {"limit_usd": Decimal(2)})
    refused = Delivery.objects.get(state="refused")
    assert trying.again(people.alice, refused).state == "started"


def test_what_could_not_start_for_a_day_is_told(hook: Made) -> None:
    sender = hook()
    sender.standard({})
    past = now_ms() - DAY_MS - 1
    Delivery.objects.update(state="received", run=None, at=past, available_at=past)

    starting.begin_due()

    assert Delivery.objects.get().code == "NotStarted"
    assert "it could not start for a day" in (deliver() and outgoing.outbox[0].body)


def test_who_is_gone_or_wants_no_mail_gets_none(hook: Made, people: People) -> None:
    sender = hook()
    MailChoice.objects.create(user=people.alice.user, when="never")
    sender.post(b"{}", {})
    assert not Outbox.objects.exists()
    MailChoice.objects.all().delete()
    sender.post(b"{}", {})
    people.alice.user.is_active = False
    people.alice.user.save()

    assert deliver() == []
    assert not Outbox.objects.exists()
