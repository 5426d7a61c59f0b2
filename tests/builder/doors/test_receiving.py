"""A call at a webhook's address: what it starts, and what each kind of bad call is told."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from slack_sdk.signature import SignatureVerifier

from builder.doors.triggers import receiving
from builder.doors.triggers import verbs as triggers
from builder.models import Delivery, Graph, Membership, Run
from tests.builder.conftest import People
from tests.builder.doors.conftest import Made
from tests.builder.fakes import FakeDoor


def problem(answer: Any) -> tuple[int, str]:
    assert answer["Content-Type"] == "application/problem+json"
    assert not answer.cookies
    return answer.status_code, answer.json()["code"]


def test_a_signed_call_starts_a_run_with_what_is_mapped(hook: Made, door: FakeDoor) -> None:
    mapping = {
        "order": "body.data.id",
        "from": 'headers["x-shop"]',
        "page": "query.page",
    }
    sender = hook(mapping=mapping)
    body, headers = sender.signed({"data": {"id": 7}})

    answer = sender.post(body, {**headers, "X-Shop": "acme"}, "?page=3")

    assert answer.status_code == 202
    row = Delivery.objects.get()
    assert answer.json() == {"run": row.run, "delivery": row.pk}
    assert door.starts[0].input == {"order": 7, "from": "acme", "page": "3"}
    run = Run.objects.get()
    assert (door.starts[0].source, door.starts[0].trigger) == ("webhook", sender.trigger.pk)
    assert run.trigger_key == f"trg:{sender.trigger.pk}:id:msg_1"
    assert not answer.cookies


def test_without_a_mapping_the_body_is_the_input(hook: Made, door: FakeDoor) -> None:
    hook().standard(["all", {"of": "it"}])

    assert door.starts[0].input == ["all", {"of": "it"}]


def test_the_same_id_again_is_the_same_run_whatever_it_holds(hook: Made, door: FakeDoor) -> None:
    sender = hook()
    first = sender.standard({"n": 1})

    same, other = sender.standard({"n": 1}), sender.standard({"n": 2})

    assert (same.status_code, other.status_code) == (200, 200)
    assert same.json() == {**first.json(), "repeated": True}
    assert len(door.starts) == 1
    row = Delivery.objects.get()
    assert (row.repeats, row.differed) == (2, True)


@pytest.mark.django_db(transaction=True)
def test_one_delivery_sent_by_many_at_once_starts_one_run(hook: Made) -> None:
    sender, codes = hook(), []
    body, headers = sender.signed({"n": 1})
    barrier = threading.Barrier(4, timeout=20)

    def send() -> None:
        barrier.wait()
        codes.append(sender.post(body, dict(headers)).status_code)
        connections.close_all()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(codes) == [200, 200, 200, 202]
    assert Run.objects.count() == Delivery.objects.count() == 1


def test_each_of_many_repetitions_at_once_is_counted(hook: Made) -> None:
    """Each read the delivery before another noted itself."""
    sender = hook()
    sender.standard({"n": 1})
    stale = [Delivery.objects.get() for _ in range(3)]

    for known in stale:
        receiving._repeated(known, "another body")

    row = Delivery.objects.get()
    assert (row.repeats, row.differed) == (3, True)


def test_what_is_not_proven_is_refused_and_keeps_no_body(hook: Made, door: FakeDoor) -> None:
    sender = hook()
    body, headers = sender.signed({"n": 1})

    bare = sender.post(body, {})
    wrong = sender.post(body, {**headers, "webhook-signature": "v1,AAAA"})

    assert problem(bare) == (401, "SignatureMissing")
    assert problem(wrong) == (401, "SignatureInvalid")
    assert not door.starts
    assert [row.sample for row in Delivery.objects.all()] == ["null", "null"]
    assert sender.standard({"n": 1}).status_code == 202


@pytest.mark.parametrize(
    ("value", "mapping", "said"),
    [
        ({"n": 1}, {"m": "body.gone"}, (422, "MappingFailed")),
        ({"n": 1}, {"m": "body.n + 'x'"}, (422, "MappingFailed")),
    ],
)
def test_what_cannot_be_mapped_is_refused_with_the_field(
    hook: Made, door: FakeDoor, value: Any, mapping: dict[str, str], said: tuple[int, str]
) -> None:
    sender = hook(mapping=mapping)

    refused = sender.standard(value)

    assert problem(refused) == said
    assert "the field m" in refused.json()["detail"]
    assert json.loads(Delivery.objects.get().sample)["body"] == value
    assert not door.starts


def test_an_unreadable_body_and_a_strange_type_are_refused(hook: Made) -> None:
    sender = hook("github")

    def send(body: bytes, kind: str) -> tuple[int, str]:
        mac = hmac.new(sender.secret.encode(), body, hashlib.sha256).hexdigest()
        headers = {"X-Hub-Signature-256": f"sha256={mac}", "Content-Type": kind}
        return problem(sender.post(body, headers))

    assert send(b"{", "application/json") == (422, "BodyUnreadable")
    assert send(b'{"a":1,"a":2}', "application/json") == (422, "BodyUnreadable")
    assert send(b"a=%00", "application/x-www-form-urlencoded") == (422, "BodyUnreadable")
    assert send(b"<a/>", "text/xml") == (415, "UnsupportedMediaType")


def test_a_form_is_read_as_its_fields(hook: Made, door: FakeDoor) -> None:
    sender = hook("github", mapping={"said": "body.text"})
    body = b"text=Gr%C3%BC%C3%9Fe&token=x"
    mac = hmac.new(sender.secret.encode(), body, hashlib.sha256).hexdigest()
    sent = {
        "X-Hub-Signature-256": f"sha256={mac}",
        "Content-Type": "application/x-www-form-urlencoded",
    }

    assert sender.post(body, sent).status_code == 202
    assert door.starts[0].input == {"said": "Grüße"}


def test_a_body_over_the_limit_is_refused_before_it_is_read(hook: Made) -> None:
    sender = hook(config={"max_kib": 1})

    assert problem(sender.standard("x" * 1100)) == (413, "InputTooLarge")
    assert Delivery.objects.get().code == "InputTooLarge"
    assert sender.standard("x" * 900).status_code == 202


def test_nothing_listens_where_no_trigger_is_on(hook: Made, people: People, graph: Graph) -> None:
    sender = hook()
    anyone = Client()

    assert problem(anyone.post("/hooks/" + "x" * 43)) == (404, "HookNotFound")
    assert problem(anyone.post("/hooks/%00")) == (404, "HookNotFound")
    assert problem(anyone.get(f"/hooks/{sender.trigger.address}")) == (405, "MethodNotAllowed")
    triggers.change(people.alice, sender.trigger, triggers.Wanted(on=False))
    assert problem(sender.standard({})) == (404, "HookNotFound")


def test_too_many_a_minute_are_told_when_to_come_back(hook: Made) -> None:
    sender = hook()
    for n in range(60):
        assert sender.standard({}, f"msg_{n}").status_code == 202

    over, again = sender.standard({}, "msg_60"), sender.standard({}, "msg_61")

    assert problem(over) == (429, "TooManyRequests")
    assert int(over["Retry-After"]) > 0
    assert problem(again) == (429, "TooManyRequests")
    assert Delivery.objects.get(code="TooManyRequests").repeats == 1


def test_who_proves_nothing_uses_up_nobody_elses_minute(hook: Made) -> None:
    sender = hook()
    codes = [sender.post(b"{}", {}).status_code for _ in range(62)]

    assert codes == [401] * 60 + [429] * 2
    assert sender.standard({}).status_code == 202


def test_a_hundred_refused_deliveries_are_kept(hook: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builder.doors.triggers.receiving._count", lambda _name: None)
    monkeypatch.setattr("builder.doors.triggers.refusing.RING", 5)
    sender = hook()
    sender.standard({})
    for _ in range(8):
        sender.post(b"{}", {})
        time.sleep(0.002)

    kept = Delivery.objects.filter(state="refused").count()

    assert kept == 5
    assert Delivery.objects.filter(state="started").count() == 1


def test_slack_and_github_find_out_that_somebody_is_there(hook: Made, door: FakeDoor) -> None:
    slack, github = hook("slack", secret="s3cret of sixteen"), hook("github")
    body = json.dumps({"type": "url_verification", "challenge": "abc"})
    at = str(int(time.time()))
    signed = SignatureVerifier(slack.secret).generate_signature(timestamp=at, body=body)
    headers = {"X-Slack-Request-Timestamp": at, "X-Slack-Signature": str(signed)}

    answer = slack.post(body.encode(), headers)

    assert (answer.status_code, answer.json()) == (200, {"challenge": "abc"})
    assert github.github({"zen": "x"}, event="ping").json() == {"pong": True}
    assert github.github({"n": 1}).status_code == 202
    assert len(door.starts) == Delivery.objects.count() == 1


def test_the_account_needs_the_right_at_each_firing(hook: Made, door: FakeDoor) -> None:
    sender = hook()
    account = Membership.objects.filter(user=sender.trigger.account)
    account.update(role="viewer")

    refused = sender.standard({"n": 1})
    account.update(role="author")
    again = sender.standard({"n": 1})

    assert problem(refused) == (422, "NotAllowed")
    assert again.status_code == 202, (
        "what was refused for another reason than itself may come again"
    )
    assert len(door.starts) == Delivery.objects.count() == 1
    assert door.starts[0].started_by == sender.trigger.account_id
