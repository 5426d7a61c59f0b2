"""Triggers over the API: made, changed, switched, rotated, tried, and told of in the audit log."""

from __future__ import annotations

from typing import Any

import pytest

from builder.base.clock import DAY_MS, now_ms
from builder.doors.triggers import sealed_secrets
from builder.models import AuditEntry, Graph, Membership, Trigger, TriggerSecret
from builder.services.audit import chain
from builder.services.graphs import graphs
from tests.builder.conftest import Api, People
from tests.builder.doors.conftest import Made, Sender


@pytest.fixture
def base(people: People, graph: Graph) -> str:
    graphs.publish(people.alice, graph, revision=1)
    return f"graphs/{graph.pk}/triggers/"


def actions() -> list[str]:
    entries = AuditEntry.objects.order_by("n")
    return [said for one in entries if (said := chain.read(one)["action"]).startswith("trigger.")]


def test_a_secret_is_shown_once_and_kept_sealed(alice: Api, base: str) -> None:
    made = alice.post(base, {"kind": "webhook", "name": "Orders"})

    assert made.status_code == 201
    secret, found = made.json()["secret"], made.json()["id"]
    assert secret.startswith("whsec_")
    assert "secret" not in alice.get(f"triggers/{found}/").json()
    assert secret.encode() not in bytes(TriggerSecret.objects.get().sealed)
    assert made.json()["address"].endswith(f"/hooks/{Trigger.objects.get().address}")
    assert alice.get(base).json()["results"][0]["account"]["name"] == "Triggers"


def test_a_secret_of_the_senders_own_is_taken(alice: Api, base: str) -> None:
    config = {"signature": "stripe"}
    short = alice.post(base, {"kind": "webhook", "config": config, "secret": "x"})
    made = alice.post(base, {"kind": "webhook", "config": config, "secret": "whsec_of_the_sender"})

    assert (short.status_code, short.json()["problems"][0]["path"]) == (400, "secret")
    assert made.json()["secret"] is None
    assert sealed_secrets.held(Trigger.objects.get(), now_ms()) == ["whsec_of_the_sender"]


def test_while_a_secret_is_changed_both_hold(alice: Api, hook: Made) -> None:
    sender = hook()
    new = alice.post(f"triggers/{sender.trigger.pk}/secret/").json()["secret"]

    assert sender.standard({}, "a").status_code == 202
    assert Sender(sender.trigger, new).standard({}, "b").status_code == 202
    TriggerSecret.objects.filter(until__isnull=False).update(until=now_ms() - 1)
    assert sender.standard({}, "c").status_code == 401
    assert len(sealed_secrets.held(sender.trigger, now_ms() + 2 * DAY_MS)) == 1


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"kind": "pigeon"}, "kind"),
        ({"kind": "webhook", "config": {"signature": "rot13"}}, "config.signature"),
        ({"kind": "webhook", "config": {"signature": []}}, "config.signature"),
        ({"kind": "webhook", "config": {"signature": {}}}, "config.signature"),
        ({"kind": "webhook", "config": {"max_kib": 99999}}, "config.max_kib"),
        ({"kind": "webhook", "config": {"max_kib": True}}, "config.max_kib"),
        ({"kind": "webhook", "config": {"algorithm": "sha1"}}, "config.algorithm"),
        ({"kind": "webhook", "config": {"signature": "custom", "header": "a b"}}, "config.header"),
        (
            {"kind": "webhook", "config": {"signature": "custom", "algorithm": "md5"}},
            "config.algorithm",
        ),
        ({"kind": "webhook", "mapping": {"x": "body."}}, "mapping.x"),
        ({"kind": "webhook", "mapping": {"x": "memory.secret"}}, "mapping.x"),
        ({"kind": "webhook", "mapping": {"x": "amount"}}, "mapping.x"),
        ({"kind": "webhook", "mapping": {"x": "outputs.secret"}}, "mapping.x"),
        ({"kind": "webhook", "mapping": {str(n): "1" for n in range(51)}}, "mapping"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    alice: Api, base: str, body: dict[str, Any], path: str
) -> None:
    refused = alice.post(base, body)

    assert (refused.status_code, refused.json()["code"]) == (400, "InputInvalid")
    [told, *_] = refused.json()["problems"]
    assert told["path"] == path
    assert "did you mean memory" not in told["message"]


def test_what_is_done_to_a_trigger_stands_in_the_audit_log(alice: Api, base: str) -> None:
    made = alice.post(base, {"kind": "webhook", "on": False}).json()
    place = f"triggers/{made['id']}/"
    alice.patch(place, {"on": True})
    alice.patch(place, {"name": "Other", "mapping": {"x": "body.x"}})
    alice.patch(place, {"name": "Other"})
    alice.post(f"{place}secret/")
    tried = alice.post(f"{place}test/", {"body": {"x": 1}})
    alice.post(f"deliveries/{tried.json()['id']}/again/")
    alice.patch(place, {"on": False})
    alice.delete(place)

    assert tried.json()["state"] == "started"
    assert actions() == [
        "trigger.created",
        "trigger.switched_on",
        "trigger.changed",
        "trigger.secret_rotated",
        "trigger.tested",
        "trigger.again",
        "trigger.switched_off",
        "trigger.removed",
    ]
    assert not Trigger.objects.exists()


def test_what_nobody_signed_is_not_repeated(alice: Api, hook: Made) -> None:
    sender = hook()
    sender.post(b"{}", {})
    listed = alice.get(f"triggers/{sender.trigger.pk}/deliveries/?state=refused").json()["results"]

    refused = alice.post(f"deliveries/{listed[0]['id']}/again/")

    assert not listed[0]["can_repeat"]
    assert (refused.status_code, refused.json()["code"]) == (409, "NothingToRepeat")


def test_a_test_that_the_mapping_does_not_take_says_where(alice: Api, hook: Made) -> None:
    sender = hook(mapping={"m": "body.gone"})

    refused = alice.post(f"triggers/{sender.trigger.pk}/test/", {"body": {}})

    assert (refused.status_code, refused.json()["problems"][0]["path"]) == (400, "mapping")


def test_a_workflow_has_twenty_triggers_at_most(alice: Api, base: str) -> None:
    for _ in range(20):
        assert alice.post(base, {"kind": "webhook"}).status_code == 201

    assert alice.post(base, {"kind": "webhook"}).json()["code"] == "TooManyTriggers"


def test_the_last_delivery_is_the_sample_for_the_mapping(alice: Api, hook: Made) -> None:
    sender = hook()
    body, headers = sender.signed({"n": 1})
    sender.post(body, {**headers, "Authorization": "Bearer x", "X-Shop": "acme"}, "?a=b")

    sample = alice.get(f"triggers/{sender.trigger.pk}/").json()["sample"]

    assert (sample["body"], sample["query"]) == ({"n": 1}, {"a": "b"})
    assert sample["headers"]["x-shop"] == "acme"
    assert not {"authorization", "webhook-signature"} & set(sample["headers"])


def test_cards_tell_how_each_fares_and_nothing_of_what_came(alice: Api, hook: Made) -> None:
    sender = hook()
    place = f"graphs/{sender.trigger.graph_id}/triggers/cards/"
    alice.post(
        f"graphs/{sender.trigger.graph_id}/triggers/",
        {"kind": "schedule", "config": {"cron": "0 8 * * *"}},
    )
    sender.standard({"n": 1})
    for _ in range(2):
        sender.post(b"{}", {})
    refused = sender.trigger.deliveries.filter(state="refused")
    refused.filter(pk=refused.values_list("pk")[:1]).update(at=now_ms() - DAY_MS - 1)

    orders, daily = alice.get(place).json()["results"]

    assert {name: orders[name] for name in ("kind", "name", "on", "refused")} == {
        "kind": "webhook",
        "name": "Orders",
        "on": True,
        "refused": 1,
    }
    assert (orders["last_at"] is None, orders["next_at"]) == (False, None)
    assert (daily["refused"], daily["last_at"], daily["next_at"] is None) == (0, None, False)
    assert set(orders) == {"id", "kind", "name", "on", "last_at", "next_at", "refused"}


def test_the_account_of_triggers_is_no_member_among_people(alice: Api, hook: Made) -> None:
    account = hook().trigger.account
    member = Membership.objects.get(user=account)

    assert "Triggers" not in {
        row["user"]["name"] for row in alice.get("members/").json()["results"]
    }
    assert alice.patch(f"members/{member.pk}/", {"role": "viewer"}).status_code == 404
    found = alice.get("search/?q=Triggers").json()["results"]
    assert account.pk not in {row["id"] for row in found}


@pytest.fixture
def asking(people: People, graph: Graph, alice: Api) -> str:
    """The triggers of a published workflow that needs an order and a kind."""
    inputs = {
        "type": "object",
        "properties": {"order": {"type": "string"}, "kind": {"type": "string"}},
        "required": ["order", "kind"],
    }
    change = {"revision": 1, "set_graph": {"interface": {"inputs": inputs}}}
    assert alice.patch(f"graphs/{graph.pk}/draft/", change).status_code == 200
    graph.refresh_from_db()
    graphs.publish(people.alice, graph, revision=2)
    return f"graphs/{graph.pk}/triggers/"


def test_a_schedule_that_could_start_nothing_is_not_switched_on(alice: Api, asking: str) -> None:
    wanted = {"kind": "schedule", "config": {"cron": "0 8 * * *"}, "name": "Mornings"}

    refused = alice.post(asking, wanted)
    assert refused.status_code == 400
    assert [one["path"] for one in refused.json()["problems"]] == ["mapping.order", "mapping.kind"]
    part = alice.post(asking, {**wanted, "mapping": {"order": "'A-17'"}})
    assert "needs kind" in part.json()["detail"]
    made = alice.post(asking, {**wanted, "on": False})
    assert made.status_code == 201
    row = f"triggers/{made.json()['id']}/"
    assert alice.patch(row, {"on": True}).status_code == 400

    whole = {"order": "'A-17'", "kind": "'paid'"}
    assert alice.patch(row, {"on": True, "mapping": whole}).json()["on"] is True
    assert alice.patch(row, {"mapping": {"order": "'A-17'"}}).status_code == 400


def test_a_webhook_that_picks_too_few_fields_is_not_switched_on(alice: Api, asking: str) -> None:
    assert alice.post(asking, {"kind": "webhook"}).status_code == 201
    picked = {"kind": "webhook", "mapping": {"order": "body.id"}}
    assert alice.post(asking, picked).status_code == 400


def test_who_may_cancel_runs_switches_off_what_starts_them(
    alice: Api, people: People, base: str
) -> None:
    oscar = Api(people.oscar)
    made = alice.post(base, {"kind": "webhook"}).json()
    row = f"triggers/{made['id']}/"

    assert oscar.patch(row, {"on": False, "name": "mine"}).status_code == 403
    assert oscar.patch(row, {"on": False}).json()["on"] is False
    assert oscar.patch(row, {"on": True}).status_code == 403
    assert actions()[-1] == "trigger.switched_off"
