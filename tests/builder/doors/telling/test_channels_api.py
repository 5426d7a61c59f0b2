"""Channels over the API: written and never read, proven before anything is told there, and audited."""

from __future__ import annotations

import re
from typing import Any

import pytest

from builder.base.clock import now_ms
from builder.doors.telling.carrying import proving
from builder.models import AuditEntry, Channel, ChannelSecret
from builder.services.audit import chain
from tests.builder.conftest import Api, People
from tests.builder.doors.telling.receiver import Answer, Receiver

SLACK = "https://hooks.slack.com/services/T0/B0/s3cr3tpart"


def actions() -> list[str]:
    entries = AuditEntry.objects.order_by("n")
    found = [chain.read(one)["action"] for one in entries]
    return [one for one in found if one.startswith(("channel.", "notice"))]


def made(api: Api, **wanted: Any) -> Any:
    answer = api.post("channels/", {"kind": "slack", "address": SLACK, **wanted})
    assert answer.status_code == 201, answer.content
    return answer.json()


def code_of(receiver: Receiver) -> str:
    found = re.search(r"Your code is ([0-9]{6})", receiver.came[-1].json["text"])
    assert found is not None
    return found[1]


def test_an_address_is_written_and_never_read(alice: Api, people: People) -> None:
    found = made(alice, name="Mine")

    row = Channel.objects.get()
    shown = alice.get(f"channels/{found['id']}/").content + alice.get("channels/").content
    entries = "".join(one.entry for one in AuditEntry.objects.all())
    assert found["hint"] == "hooks.slack.com/…part"
    assert row.user_id == people.alice.user_id
    assert b"s3cr3t" not in shown + bytes(row.sealed)
    assert "s3cr3t" not in entries


def test_a_persons_channel_needs_the_code_that_was_sent_there(
    alice: Api, receiver: Receiver
) -> None:
    found = made(alice, address=f"{receiver.address}/mine")
    path = f"channels/{found['id']}"

    sent = alice.post(f"{path}/test/").json()
    assert (sent["arrived"], sent["channel"]["verified_at"]) == (True, None)
    wrong = "000000" if code_of(receiver) != "000000" else "000001"
    assert alice.post(f"{path}/verify/", {"code": wrong}).json()["code"] == "CodeWrong"
    assert alice.post(f"{path}/verify/", {"code": code_of(receiver)}).json()["verified_at"]

    again = alice.post(f"{path}/verify/", {"code": code_of(receiver)})
    assert (again.status_code, again.json()["code"]) == (409, "AlreadyVerified")
    tested = alice.post(f"{path}/test/").json()
    assert tested["arrived"] is True
    assert "This is a test" in receiver.came[-1].json["text"]
    assert actions() == [
        "channel.created",
        "channel.code_sent",
        "channel.verified",
        "channel.tested",
    ]


def test_a_code_cannot_be_guessed_and_ends(alice: Api, receiver: Receiver) -> None:
    found = made(alice, address=f"{receiver.address}/mine")
    path = f"channels/{found['id']}"
    alice.post(f"{path}/test/")
    right = code_of(receiver)
    Channel.objects.update(code_until=now_ms() - 1)
    assert alice.post(f"{path}/verify/", {"code": right}).json()["code"] == "CodeExpired"
    Channel.objects.update(code_until=now_ms() + 60_000)

    for _ in range(proving.GUESSES - 1):
        alice.post(f"{path}/verify/", {"code": "x"})
    refused = alice.post(f"{path}/verify/", {"code": right})

    assert (refused.status_code, Channel.objects.get().verified_at) == (429, None)


def test_another_address_has_to_be_proven_anew(
    olga: Api, people: People, receiver: Receiver
) -> None:
    found = made(olga, of="workspace", address=f"{receiver.address}/ops")
    path = f"channels/{found['id']}/"
    assert olga.post(f"{path}test/").json()["channel"]["verified_at"] is not None

    named = olga.patch(path, {"name": "Ops", "quiet": {"begin": "20:00", "end": "07:00"}}).json()
    moved = olga.patch(path, {"address": f"{receiver.address}/other"}).json()

    assert named["verified_at"] is not None
    assert named["quiet"] == {"begin": "20:00", "end": "07:00"}
    assert moved["verified_at"] is None
    assert olga.patch(path, {"quiet": None}).json()["quiet"] is None


def test_a_test_that_does_not_arrive_proves_nothing_and_says_why(
    olga: Api, receiver: Receiver
) -> None:
    receiver.answers = [Answer(404)]
    found = made(olga, of="workspace", address=f"{receiver.address}/ops")

    said = olga.post(f"channels/{found['id']}/test/").json()

    assert (said["arrived"], said["status"], said["reason"]) == (False, 404, "answered 404")
    assert said["channel"]["verified_at"] is None


def test_a_webhooks_secret_is_shown_once(olga: Api, receiver: Receiver) -> None:
    address = f"{receiver.address}/hook"
    found = made(olga, of="workspace", kind="webhook", address=address)
    path = f"channels/{found['id']}/"

    assert found["secret"].startswith("whsec_")
    assert "secret" not in olga.get(path).json()
    assert found["secret"].encode() not in bytes(ChannelSecret.objects.get().sealed)
    new = olga.post(f"{path}secret/").json()
    assert new["secret"] != found["secret"]
    assert new["former_until"] == olga.get(path).json()["former_secret_until"]


def test_the_workspaces_channels_take_an_admin_and_a_persons_are_their_own(
    olga: Api, alice: Api, bob: Api, people: People
) -> None:
    ours, mine = made(olga, of="workspace"), made(alice)

    assert alice.get("channels/?of=workspace").status_code == 403
    assert (
        alice.post("channels/", {"of": "workspace", "kind": "slack", "address": SLACK}).status_code
        == 403
    )
    assert alice.patch(f"channels/{ours['id']}/", {"name": "x"}).status_code == 403
    for api in (bob, olga):
        assert api.get(f"channels/{mine['id']}/").status_code == 404
        assert api.get("channels/").json()["results"] == []
    rule = alice.post("notice-rules/", {"channel": mine["id"], "kinds": ["run.failed"]}).json()
    assert olga.get(f"notice-rules/{rule['id']}/").status_code == 404
    assert (
        bob.post("notice-rules/", {"channel": mine["id"], "kinds": ["run.failed"]}).status_code
        == 404
    )


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        ({"address": "https://evil.example.com/services/x"}, "address"),
        ({"address": "http://hooks.slack.com/services/x"}, "address"),
        ({"kind": "teams", "address": "https://logic.azure.com.evil.example/x"}, "address"),
        ({"kind": "discord", "address": "https://discord.com/invite/x"}, "address"),
        ({"kind": "telegram", "address": "12", "key": "no token"}, "key"),
        ({"kind": "ntfy", "address": "http://ntfy.example/topic"}, "address"),
        ({"kind": "mail", "address": "a@b\r\nBcc: x@example.com"}, "address"),
        ({"kind": "webhook", "address": "https://example.com/x"}, "kind"),
        ({"zone": "Mars/Olympus"}, "zone"),
        ({"quiet": {"begin": "07:00", "end": "07:00"}}, "quiet"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(
    alice: Api, wanted: dict[str, Any], path: str
) -> None:
    answer = alice.post("channels/", {"kind": "slack", "address": SLACK, **wanted})

    assert (answer.status_code, answer.json()["problems"][0]["path"]) == (400, path)


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        ({"kinds": []}, "kinds"),
        ({"kinds": ["run.exploded"]}, "kinds"),
        ({"kinds": ["run.failed"], "graph": "not-ours"}, "graph"),
    ],
)
def test_a_rule_asks_for_what_there_is(alice: Api, wanted: dict[str, Any], path: str) -> None:
    found = made(alice)

    answer = alice.post("notice-rules/", {"channel": found["id"], **wanted})

    assert (answer.status_code, answer.json()["problems"][0]["path"]) == (400, path)


def test_ones_own_mail_about_what_waits_is_chosen_in_one_place(alice: Api, olga: Api) -> None:
    mine = made(alice, kind="mail", address="alice@example.com")
    ours = made(olga, of="workspace", kind="mail", address="ops@example.com")
    kinds = {"kinds": ["approval.opened"]}

    assert alice.post("notice-rules/", {"channel": mine["id"], **kinds}).status_code == 400
    assert olga.post("notice-rules/", {"channel": ours["id"], **kinds}).status_code == 201


def test_a_rule_is_made_changed_and_removed(alice: Api) -> None:
    found = made(alice)
    rule = alice.post("notice-rules/", {"channel": found["id"], "kinds": ["run.failed"]}).json()
    wanted = {"kinds": ["run.completed", "run.failed"], "when": "daily", "at": "07:30"}

    changed = alice.patch(f"notice-rules/{rule['id']}/", wanted).json()
    assert (changed["kinds"], changed["when"], changed["at"]) == (
        ["run.completed", "run.failed"],
        "daily",
        "07:30",
    )
    assert alice.delete(f"notice-rules/{rule['id']}/").status_code == 204
    assert alice.get("notice-rules/").json()["results"] == []
    assert actions()[1:] == ["notice_rule.created", "notice_rule.changed", "notice_rule.removed"]
