"""Mail to people for whom something waits: to whom, when, and what happens when it fails."""

from __future__ import annotations

import json
import re
from typing import Any, ClassVar

import pytest
from django.core import mail as outgoing
from django.core.mail.backends.locmem import EmailBackend

from builder.adapters.run_store.project_rows import mail_statements
from builder.models import Interrupt, Letter, Notice, Outbox, Run, Snooze
from builder.services.mail import inbox_mail as mail
from builder.services.mail import notifications
from builder.services.mail.notifications import GATHER_MS
from builder.services.people import accounts
from engine.core.state.events import Event
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


def asked(
    run: Run, why: str = "opened", *, prompt: str = "Send it?", data: Any = None, **policy: Any
) -> Interrupt:
    """An open approval and its row in the outbox."""
    row = open_interrupt(run, policy=policy or None, prompt=prompt, data=data)
    payload = json.dumps({"why": why})
    Outbox.objects.create(topic="mail", ref=row.pk, payload=payload, available_at=NOW)
    return row


def addressed() -> list[str]:
    return sorted(one for message in outgoing.outbox for one in message.to)


def deliver(first: int = NOW) -> int:
    """Let the mail thread come when something was asked, and once what opens was gathered."""
    return mail.deliver_due(first) + mail.deliver_due(first + GATHER_MS)


def test_whose_decision_fell_alone_is_asked_again(people: People, run: Run) -> None:
    """C95: A mail to the one whose approval no longer counts, and to nobody else."""
    row = open_interrupt(run)
    dropped = {"request_id": row.pk, "by": people.bob.user_id, "reason": "content_changed"}
    [(_, (ref, payload, at))] = mail_statements(
        Event(9, "DecisionDropped", NOW, "review#1", dropped)
    )
    Outbox.objects.create(topic="mail", ref=ref, payload=payload, available_at=at)

    assert deliver(LATER) == 1
    assert addressed() == ["bob@example.com"]
    assert outgoing.outbox[0].subject == "Asked again: Review · Support"
    assert "You had decided" in outgoing.outbox[0].body


def test_whoever_may_decide_gets_a_link_that_decides_nothing(
    people: People, run: Run, bob: Api, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://graphs.example.com"
    row = asked(run)

    assert deliver() == 3
    assert addressed() == ["bob@example.com", "olga@example.com", "oscar@example.com"]
    message = outgoing.outbox[0]
    assert message.subject == "Review · Support"
    assert f"https://graphs.example.com/inbox/{row.pk}\n" in message.body
    assert "Hello" not in message.body
    assert "Send it?" not in message.body
    assert bob.get(f"interrupts/{row.pk}/").status_code == 200
    row.refresh_from_db()
    assert row.status == "open"
    assert not Outbox.objects.exists()
    assert mail.deliver_due(LATER) == 0


def test_every_mail_says_how_to_get_fewer(
    people: People, run: Run, bob: Api, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://graphs.example.com"
    asked(run)

    deliver()

    page = "https://graphs.example.com/notifications"
    for message in outgoing.outbox:
        assert message.extra_headers["List-Unsubscribe"] == f"<{page}>"
        assert page in message.body
    assert bob.get("notifications/").json()["mail"] == "at_once"


def test_only_those_are_told_whom_the_policy_names(people: People, run: Run) -> None:
    asked(run, "reminded", eligible=[f"user:{people.bob.user_id}"])

    deliver()

    assert addressed() == ["bob@example.com"]
    assert outgoing.outbox[0].subject == "Reminder: Review · Support"


def test_nobody_hears_of_what_is_decided_or_snoozed(people: People, run: Run) -> None:
    decided = asked(run)
    Interrupt.objects.filter(pk=decided.pk).update(status="answered")
    quiet = asked(run, eligible=[f"user:{people.bob.user_id}"])
    Snooze.objects.create(interrupt=quiet, user=people.bob.user, until="2100-01-01T00:00Z")

    assert deliver() == 0
    assert not Outbox.objects.exists()


def test_what_was_decided_while_it_was_gathered_is_not_told(people: People, run: Run) -> None:
    row = asked(run)
    mail.deliver_due(NOW)
    Interrupt.objects.filter(pk=row.pk).update(status="answered")

    assert mail.deliver_due(LATER) == 0
    assert not Letter.objects.exists()


def test_sixty_approvals_in_twenty_seconds_make_three_mails_at_most(
    people: People, run: Run
) -> None:
    rows: list[Interrupt] = []
    minute: list[int] = []
    for second in range(0, 60, 5):
        some = 15 if second < 20 else 0
        rows += [asked(run, eligible=[f"user:{people.bob.user_id}"]) for _ in range(some)]
        minute.append(mail.deliver_due(NOW + second * 1000))
    for second in range(60, 180, 5):
        mail.deliver_due(NOW + second * 1000)

    assert len(rows) == 60
    assert 1 <= sum(minute) <= 3
    assert len(outgoing.outbox) <= 3
    told = [re.search(r"Review: ([0-9]+) items", str(m.body)) for m in outgoing.outbox]
    assert sum(int(found[1]) for found in told if found) == 60
    assert " items wait for you · Home" in outgoing.outbox[0].subject


def test_many_of_one_step_are_told_as_so_many_with_one_link(people: People, run: Run) -> None:
    for _ in range(7):
        asked(run, eligible=[f"user:{people.bob.user_id}"])
    assert deliver() == 1

    body = outgoing.outbox[0].body
    assert "- Review: 7 items (approval)" in body
    assert body.count("(approval)") == 1
    assert f"/inbox?graph={run.graph_id}&node=review\n" in body
    assert "/inbox/" not in body


def test_many_titles_end_in_how_many_more_there_are(people: People, run: Run, olga: Api) -> None:
    olga.patch("workspace/", {"settings": {"mail_titles": True}})
    for sum_ in range(34):
        bob = [f"user:{people.bob.user_id}"]
        asked(run, eligible=bob, prompt=f"Pay {sum_}.5 EUR?", data={"amount": sum_ + 0.5})

    assert deliver() == 1

    body = str(outgoing.outbox[0].body)
    told = (
        r"- Review: Pay [0-9]+\.50 EUR\? \(approval, started by Alice\), until .*\n  http.*/inbox/"
    )
    assert len(re.findall(told, body)) == body.count("/inbox/") == 20
    assert re.search(r"And 14 more in the inbox: http://[^/]+/inbox\n", body)


def test_who_gets_mail_all_the_time_gets_it_less_and_less_often(people: People, run: Run) -> None:
    for second in range(0, 3600, 5):
        if second % 20 == 0:
            asked(run, eligible=[f"user:{people.bob.user_id}"])
        mail.deliver_due(NOW + second * 1000)

    assert len(outgoing.outbox) <= 9


@pytest.mark.parametrize(("when", "after_h"), [("hourly", 1), ("daily", 24)])
def test_a_digest_comes_when_it_was_wished_with_all_that_waits(
    people: People, run: Run, bob: Api, when: str, after_h: int
) -> None:
    assert bob.patch("notifications/", {"mail": when}).json()["mail"] == when
    for _ in range(3):
        row = asked(run, eligible=[f"user:{people.bob.user_id}"])
        Interrupt.objects.filter(pk=row.pk).update(expires_at=None)

    assert mail.deliver_due(NOW + GATHER_MS) == 0
    assert mail.deliver_due(NOW + GATHER_MS + after_h * 3_600_000) == 1
    assert outgoing.outbox[0].subject == "3 items wait for you · Home"


def test_a_digest_does_not_come_after_the_deadline(people: People, run: Run, bob: Api) -> None:
    bob.patch("notifications/", {"mail": "daily"})
    row = asked(run, eligible=[f"user:{people.bob.user_id}"])
    Interrupt.objects.filter(pk=row.pk).update(expires_at=NOW + 7_200_000)

    assert deliver() == 1


@pytest.mark.parametrize("why", ["opened", "reminded", "escalated"])
def test_never_means_never(people: People, run: Run, bob: Api, why: str) -> None:
    row = asked(run, why, eligible=[f"user:{people.bob.user_id}"])
    mail.deliver_due(NOW)
    bob.patch("notifications/", {"mail": "never"})
    asked(run, why, eligible=[f"user:{people.bob.user_id}"])
    Interrupt.objects.filter(pk=row.pk).update(expires_at=NOW + 60_000)

    assert mail.deliver_due(LATER) + mail.deliver_due(LATER + GATHER_MS) == 0
    assert outgoing.outbox == []


def test_a_new_choice_moves_what_waits(people: People, run: Run, bob: Api) -> None:
    bob.patch("notifications/", {"mail": "daily"})
    row = asked(run, eligible=[f"user:{people.bob.user_id}"])
    Interrupt.objects.filter(pk=row.pk).update(expires_at=None)
    mail.deliver_due(NOW)

    notifications.choose(people.bob.user, "at_once", NOW)

    assert mail.deliver_due(NOW + GATHER_MS) == 1


def test_a_reminder_answers_the_mail_it_reminds_of(people: People, run: Run) -> None:
    row = asked(run, eligible=[f"user:{people.bob.user_id}"])
    deliver()
    payload = json.dumps({"why": "reminded"})
    Outbox.objects.create(topic="mail", ref=row.pk, payload=payload, available_at=NOW)

    deliver(NOW + 3_600_000)

    first, second = outgoing.outbox
    assert second.subject == f"Reminder: {first.subject}"
    assert second.extra_headers["In-Reply-To"] == first.extra_headers["Message-ID"]
    assert first.extra_headers["Message-ID"] in second.extra_headers["References"]
    assert second.extra_headers["Message-ID"] != first.extra_headers["Message-ID"]
    assert "In-Reply-To" not in first.extra_headers


def test_the_title_is_in_the_subject_where_the_workspace_allows_it(
    people: People, run: Run, olga: Api
) -> None:
    settings = {"settings": {"mail_titles": True}}
    assert olga.patch("workspace/", settings).json()["settings"]["mail_titles"] is True
    bob = [f"user:{people.bob.user_id}"]
    asked(run, eligible=bob, prompt="Pay 12.5 EUR?", data={"amount": 12.5})

    deliver()

    assert outgoing.outbox[0].subject == "Pay 12.50 EUR? · Support"


def test_a_title_of_many_lines_stays_one_header(people: People, run: Run, olga: Api) -> None:
    olga.patch("workspace/", {"settings": {"mail_titles": True}})
    prompt = "Pay\nBcc: everyone@example.com\r\n" + "x" * 1_000_000
    asked(run, eligible=[f"user:{people.bob.user_id}"], prompt=prompt)

    deliver()

    assert "\n" not in outgoing.outbox[0].subject
    assert outgoing.outbox[0].message()["Bcc"] is None
    assert len(outgoing.outbox[0].subject) <= 150


def test_what_fails_is_sent_again_later_to_who_has_not_heard(
    people: People, run: Run, settings: Any
) -> None:
    asked(run)
    settings.EMAIL_BACKEND = f"{__name__}.Broken"
    Broken.sent = 0
    assert deliver() == 1
    left = list(Letter.objects.filter(done_at=None))
    due = NOW + GATHER_MS + 30_000
    assert [(each.tries, each.due_at) for each in left] == [(1, due), (1, due)]

    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert mail.deliver_due(due - 1) == 0
    assert mail.deliver_due(due) == 2
    assert addressed() == ["bob@example.com", "olga@example.com", "oscar@example.com"]


def test_it_is_given_up_after_eight_tries(people: People, run: Run, settings: Any) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.Broken"
    Broken.sent = 1
    asked(run, eligible=[f"user:{people.bob.user_id}"])
    deliver()
    Letter.objects.update(tries=7)

    mail.deliver_due(LATER)

    assert Letter.objects.get().done_at == LATER
    assert mail.deliver_due(2 * LATER) == 0


class Killed(EmailBackend):
    """The process dies between the claim and the answer of the mail server."""

    seen: ClassVar[list[str]] = []

    def send_messages(self, messages: Any) -> int:
        Killed.seen += [message.extra_headers["Message-ID"] for message in messages]
        raise KeyboardInterrupt


def test_a_letter_that_was_being_sent_when_the_process_died_is_sent_once_more(
    people: People, run: Run, settings: Any
) -> None:
    asked(run, eligible=[f"user:{people.bob.user_id}"])
    mail.deliver_due(NOW)
    settings.EMAIL_BACKEND = f"{__name__}.Killed"
    Killed.seen = []
    with pytest.raises(KeyboardInterrupt):
        mail.deliver_due(NOW + GATHER_MS)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"

    assert mail.deliver_due(NOW + GATHER_MS + 1000) == 0
    assert mail.deliver_due(NOW + GATHER_MS + mail.CLAIM_MS) == 1
    assert [m.extra_headers["Message-ID"] for m in outgoing.outbox] == Killed.seen
    assert mail.deliver_due(LATER) == 0


def test_of_two_who_see_the_same_letter_one_sends_it(people: People, run: Run) -> None:
    asked(run, eligible=[f"user:{people.bob.user_id}"])
    mail.deliver_due(NOW)
    mail.bundle(NOW + GATHER_MS)
    seen_by_other = Letter.objects.get()

    assert mail.send(lambda: NOW + GATHER_MS) == 1
    assert mail._sent(seen_by_other, lambda: NOW + GATHER_MS) is False
    assert len(outgoing.outbox) == 1


def test_letters_are_forgotten_after_a_month(people: People, run: Run) -> None:
    asked(run)
    deliver()

    mail.forget_old(NOW + 29 * 86_400_000)
    assert Notice.objects.count() == 3
    mail.forget_old(LATER * 4)
    assert not Letter.objects.exists()
    assert not Notice.objects.exists()


def test_a_token_reads_the_choice_and_cannot_change_it(people: People) -> None:
    _token, text = accounts.create_api_token(people.bob, name="script")
    script = Api(authorization=f"Bearer {text}")

    assert script.get("notifications/").json()["mail"] == "at_once"
    assert script.patch("notifications/", {"mail": "never"}).status_code == 403


@pytest.mark.parametrize(
    ("event_type", "why"),
    [
        ("InterruptOpened", "opened"),
        ("InterruptReminded", "reminded"),
        ("InterruptEscalated", "escalated"),
    ],
)
def test_events_that_concern_people_ask_for_a_mail(event_type: str, why: str) -> None:
    event = Event(3, event_type, 77, "ask#1", {"request_id": "r1"})

    [(_sql, row)] = mail_statements(event)

    assert (row[0], json.loads(row[1]), row[2]) == ("r1", {"why": why}, 77)
    assert mail_statements(Event(4, "InterruptResolved", 77, "ask#1", {"request_id": "r1"})) == []
