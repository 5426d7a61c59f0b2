"""What goes out and what its answer means: each notice a row, tried again, given up, sent anew by hand."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.core import mail as outgoing
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from builder.base.clock import DAY_MS, now_ms
from builder.doors.telling.carrying import carrier, sending, settling
from builder.doors.telling.carrying.again import again
from builder.doors.telling.channels import places
from builder.doors.telling.channels import verbs as channels
from builder.models import (
    AuditEntry,
    Channel,
    ChannelNotice,
    Graph,
    Interrupt,
    Membership,
    Run,
)
from builder.services.audit import chain
from builder.services.graphs import graphs
from builder.services.runs import runs
from builder.services.runs.runs import Start
from engine.integrations.channels.verdict import TRIES
from tests.builder.conftest import Api, People
from tests.builder.doors.telling.conftest import Happen, MakeChannel, MakeRule, states
from tests.builder.doors.telling.receiver import Answer, Receiver
from tests.builder.fakes import open_interrupt

SOON = carrier.GAP_MS + 1
MINUTE = carrier.CLAIM_MS + 1


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def live(people: People, graph: Graph) -> Run:
    """A run of the published workflow, started by Alice."""
    graphs.publish(people.alice, graph, revision=1)
    return Run.objects.get(pk=runs.start_run(people.alice, graph, Start(input="hi")))


@pytest.fixture
def failed(channel: MakeChannel, rule: MakeRule, happen: Happen, live: Run) -> Any:
    """Return what lets a run fail that a channel of a kind is told of; it returns the channel."""

    def make(kind: str = "webhook", **wanted: Any) -> Channel:
        row = channel(kind, **wanted)
        rule(row, "run.failed")
        happen("run.failed", live, code="HttpUnavailable", node="draft", status="failed")
        return row

    return make


def notice() -> ChannelNotice:
    return ChannelNotice.objects.get()


def test_a_run_that_a_person_rejected_did_not_fail(
    olga: Api, receiver: Receiver, channel: MakeChannel, rule: MakeRule, happen: Happen, live: Run
) -> None:
    rule(channel(), "run.failed")
    happen("run.failed", live, code="ApprovalRejected", node="review", rejected=True)

    assert carrier.carry() == 1

    [came] = receiver.came
    assert came.json["text"].startswith("A run of “Support” was rejected at “Review” <http")
    [told] = olga.get("notices/?of=workspace").json()["results"]
    lines = olga.get("notices/?of=workspace&format=csv").content.decode().splitlines()
    assert lines[0].startswith("at,event,rejected,channel,") and len(lines) == 2
    assert lines[0].endswith(",about,workflow,run_title") and lines[1].endswith(",Support,hi")
    assert f",run.failed,1,{told['channel']['name']},slack,sent," in lines[1]
    assert olga.get("notices/?of=me&format=csv").content.decode().count("\n") == 1
    assert (told["kind"], told["rejected"]) == ("run.failed", True)
    assert (told["workflow"], told["run_title"]) == ("Support", "hi")


def test_an_approval_comes_to_a_slack_style_receiver_with_its_link_and_no_text_of_a_model(
    receiver: Receiver, channel: MakeChannel, rule: MakeRule, happen: Happen, live: Run
) -> None:
    item = open_interrupt(live, prompt="Pay <!channel> 4111 now?")
    rule(channel(), "approval.opened")
    happen("approval.opened", live, item.pk, kind="approval")

    assert carrier.carry() == 1

    [came] = receiver.came
    said = came.json["text"]
    assert said.startswith("“Review” of “Support” waits for a decision <http")
    assert f"/inbox/{item.pk}|Open>" in said
    assert "4111" not in said
    assert (states(), notice().status) == (["sent"], 200)
    assert Interrupt.objects.get(pk=item.pk).status == "open"


def test_what_happens_together_is_one_message(
    receiver: Receiver, channel: MakeChannel, rule: MakeRule, happen: Happen, live: Run
) -> None:
    rule(channel(), "run.failed")
    for _ in range(23):
        happen("run.failed", live)

    assert carrier.carry() == 23

    [came] = receiver.came
    lines = came.json["text"].splitlines()
    assert (lines[0], len(lines), lines[-1]) == ("Home: 23 notices", 22, "and 3 more")


def test_an_item_that_was_closed_is_dropped_and_a_program_hears_of_it_all_the_same(
    receiver: Receiver, channel: MakeChannel, rule: MakeRule, happen: Happen, live: Run
) -> None:
    item = open_interrupt(live)
    rule(channel(), "approval.opened")
    rule(channel("webhook"), "approval.opened")
    happen("approval.opened", live, item.pk, kind="approval")
    Interrupt.objects.update(status="answered")

    carrier.carry()

    assert sorted(states()) == ["dropped", "sent"]
    assert [one.path[:8] for one in receiver.came] == ["/webhook"]
    dropped = ChannelNotice.objects.get(state="dropped")
    assert dropped.reason == "it was closed before this was sent"


@pytest.mark.parametrize("lost", ["membership", "right"])
def test_who_lost_access_meanwhile_is_told_nothing(
    people: People,
    receiver: Receiver,
    channel: MakeChannel,
    rule: MakeRule,
    happen: Happen,
    live: Run,
    lost: str,
) -> None:
    item = open_interrupt(live)
    rule(channel("slack", people.bob), "approval.opened")
    happen("approval.opened", live, item.pk, kind="approval")
    bob = Membership.objects.filter(pk=people.bob.pk)
    bob.delete() if lost == "membership" else bob.update(role="viewer")

    carrier.carry()

    assert (receiver.came, states()) == ([], ["dropped"])


def test_a_webhook_is_signed_as_its_own_verifier_reads_it(receiver: Receiver, failed: Any) -> None:
    secret = places.new_secret()
    failed(secret=secret)

    carrier.carry()

    [came] = receiver.came
    said = Webhook(secret).verify(came.body, came.headers)
    assert came.headers["webhook-id"] == notice().pk
    assert said["type"] == "run.failed"
    assert said["data"]["code"] == "HttpUnavailable"
    assert said["data"]["run"] == notice().run
    with pytest.raises(WebhookVerificationError):
        Webhook(places.new_secret()).verify(came.body, came.headers)


def test_while_a_secret_is_changed_both_verify(
    people: People, receiver: Receiver, failed: Any
) -> None:
    former = places.new_secret()
    row = failed(secret=former)
    new = channels.rotate(people.olga, row)
    carrier.carry()
    [came] = receiver.came

    assert new is not None
    for secret in (former, new):
        Webhook(secret).verify(came.body, came.headers)
    assert len(came.headers["webhook-signature"].split(" ")) == 2
    assert len(places.secrets_of(row, now_ms() + DAY_MS + 1)) == 1


def test_no_log_holds_an_address(failed: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    failed("slack")

    assert carrier.carry() == 1

    assert "/slack" not in caplog.text


def test_again_keeps_id_and_body(people: People, receiver: Receiver, failed: Any) -> None:
    failed()
    carrier.carry()

    again(people.olga, notice())
    carrier.carry(now_ms() + SOON)

    first, second = receiver.came
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert first.body == second.body
    assert states() == ["sent"]


@pytest.mark.parametrize(
    ("answer", "state", "status", "on"),
    [
        (Answer(204), "sent", 204, True),
        (Answer(200, body=b"x" * 1_000_000), "sent", 200, True),
        (Answer(500), "waiting", 500, True),
        (Answer(408), "waiting", 408, True),
        (Answer(429, {"Retry-After": "7"}), "waiting", 429, True),
        (Answer(404), "failed", 404, True),
        (Answer(302, {"Location": "http://169.254.169.254/"}), "failed", 302, True),
        (Answer(410), "failed", 410, False),
    ],
)
def test_an_answer_is_judged_by_its_status(
    receiver: Receiver, failed: Any, answer: Answer, state: str, status: int, on: bool
) -> None:
    receiver.answers = [answer]
    row = failed()

    carrier.carry()

    row.refresh_from_db()
    assert (states(), notice().status, row.on) == ([state], status, on)
    assert len(receiver.came) == 1, "no redirect is followed"


def test_a_receiver_that_is_gone_switches_its_channel_off_and_says_so(
    receiver: Receiver, failed: Any
) -> None:
    receiver.answers = [Answer(410)]
    row = failed()

    carrier.carry()

    row.refresh_from_db()
    assert row.off_why == "the receiver says that this address is gone"
    [entry] = [
        said
        for one in AuditEntry.objects.all()
        if (said := chain.read(one))["action"] == "channel.went_off"
    ]
    assert entry["target"] == row.pk


def test_a_receiver_that_hangs_keeps_no_other_from_its_notices(
    receiver: Receiver,
    channel: MakeChannel,
    rule: MakeRule,
    happen: Happen,
    live: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sending, "TIMEOUT_S", 0.3)
    receiver.answers = [Answer(hangs=True), Answer()]
    for kind in ("webhook", "slack"):
        rule(channel(kind), "run.failed")
    happen("run.failed", live)

    assert carrier.carry() == 1

    assert sorted(states()) == ["sent", "waiting"]
    assert ChannelNotice.objects.get(state="waiting").reason == "no answer came in time"


def test_a_receiver_says_how_long_to_wait(receiver: Receiver, failed: Any) -> None:
    receiver.answers = [Answer(429, {"Retry-After": "300"}), Answer()]
    failed()
    now = now_ms()
    carrier.carry(now)

    assert notice().available_at == now + 300_000
    assert carrier.carry(now + 299_000) == 0
    assert carrier.carry(now + 300_001) == 1


def test_eight_tries_fit_into_a_day_and_then_it_is_given_up(
    people: People, receiver: Receiver, failed: Any
) -> None:
    receiver.answers = [Answer(503)]
    failed()
    begun = now = now_ms()
    for _ in range(TRIES):
        assert states() == ["waiting"]
        carrier.carry(now)
        now = notice().available_at + 1

    assert (states(), len(receiver.came), notice().tries) == (["failed"], TRIES, TRIES)
    assert now - begun < DAY_MS
    assert len({one.headers["webhook-id"] for one in receiver.came}) == 1
    receiver.answers = [Answer()]
    again(people.olga, notice())
    carrier.carry(now + DAY_MS)
    assert states() == ["sent"]


@pytest.mark.parametrize("dies", ["send", "settle"])
def test_one_who_dies_with_a_notice_leaves_it_under_the_same_id(
    receiver: Receiver, failed: Any, dies: str
) -> None:
    failed()
    now = now_ms()

    def end(*_args: Any, **_kwargs: Any) -> Any:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(carrier if dies == "send" else settling, dies, end)
        with pytest.raises(Killed):
            carrier.carry(now)
    known = notice().pk

    assert carrier.carry(now + 1000) == 0, "whoever has it may still be at it"
    assert carrier.carry(now + MINUTE) == 1
    ids = [one.headers["webhook-id"] for one in receiver.came]
    assert ids == [known] * (1 if dies == "send" else 2)


def test_of_two_one_gets_a_notice(failed: Any) -> None:
    failed()
    now = now_ms()

    assert carrier.claim(notice().pk, now)
    assert not carrier.claim(notice().pk, now)
    assert carrier.claim(notice().pk, now + MINUTE)


@pytest.mark.parametrize(
    "address",
    [
        "https://10.0.0.1/hook",
        "https://169.254.169.254/latest",
        "https://[::1]/hook",
        "https://[::ffff:127.0.0.1]/hook",
        "https://[64:ff9b::a9fe:a9fe]/hook",
        "https://0x7f.1/hook",
        "https://①②⑦.0.0.1/hook",
        "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/hook",
        "https://2130706433/hook",
        "https://localhost/hook",
        "https://example.com:8443/hook",
    ],
)
def test_no_address_leads_into_the_house(failed: Any, address: str) -> None:
    failed(address=address)

    carrier.carry()

    assert states() == ["failed"]
    assert "not public" in notice().reason or "allow-list" in notice().reason


def test_mail_goes_to_the_address_of_the_channel(
    settings: Any, channel: MakeChannel, rule: MakeRule, happen: Happen, live: Run
) -> None:
    settings.MAIL = True
    rule(channel("mail", address="ops@example.com"), "run.failed", "budget.mark")
    happen("run.failed", live, node="draft")
    happen("budget.mark", live, "b1", percent=90, level="workspace")

    assert carrier.carry() == 2

    [letter] = outgoing.outbox
    assert (letter.to, letter.subject) == (["ops@example.com"], "Home: 2 notices")
    assert "A run of “Support” failed at “Draft”" in letter.body
    assert "The budget of the workspace is used to 90 %" in letter.body


def test_a_channel_that_is_switched_off_drops_what_waits(
    people: People, receiver: Receiver, failed: Any
) -> None:
    row = failed()
    channels.change(people.olga, row, channels.Wanted(on=False))

    assert carrier.carry() == 0
    assert (states(), receiver.came) == (["dropped"], [])


def test_what_cannot_be_opened_is_tried_again_and_others_go_out(
    receiver: Receiver, failed: Any, channel: MakeChannel, rule: MakeRule, happen: Happen, live: Run
) -> None:
    row = failed()
    Channel.objects.filter(pk=row.pk).update(sealed=b"nonsense that nobody sealed")
    rule(channel(), "run.failed")
    happen("run.failed", live)

    assert carrier.carry() == 1
    assert sorted(states()) == ["sent", "waiting", "waiting"]
