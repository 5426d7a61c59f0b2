"""Actions that the logs of runs tell of, in the audit log: who decided what, started, cancelled, came in."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import orjson
import pytest
from django.contrib.auth import authenticate
from django.test import Client, RequestFactory
from django.utils import timezone

from builder.admin import audit as admin_audit
from builder.base.audited_events import is_audited
from builder.models import (
    AuditEntry,
    Graph,
    GraphVersion,
    Interrupt,
    InterruptCard,
    PendingDeed,
    RefusedSignIns,
    Run,
)
from builder.reads.audited import steps
from builder.services.audit import chain as audit
from builder.services.audit import run_actions
from builder.services.audit.refused_sign_ins import refuse, tell_refused
from builder.services.runs import runs
from builder.services.runs.runs import Start
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.conftest import Api, People
from tests.builder.fakes import append, open_interrupt


def told(action: str = "") -> list[dict[str, Any]]:
    entries = [orjson.loads(entry.entry) for entry in AuditEntry.objects.order_by("n")]
    return [entry for entry in entries if entry["action"].startswith(action)]


def happened(run: Run, kind: str, **data: Any) -> None:
    """Write an event and, in the same way as the engine's store, that it is an action."""
    event = append(run, kind, **data)
    if is_audited(kind, data):
        PendingDeed.objects.create(place=event.place)


def test_a_decision_is_entered_with_its_content_edits_policy_and_channel(
    people: People, run: Run
) -> None:
    """I14: Who decided what, on which content, under which policy, what they changed, and how."""
    row = open_interrupt(run)
    policy = {"rule": "any", "four_eyes": ["starter"]}
    opened = append(
        run,
        "InterruptOpened",
        key=row.key,
        content_hash="first",
        request={"policy": policy, "data": {"amount": 77}},
    )
    Interrupt.objects.filter(pk=row.pk).update(opened_seq=opened.seq)
    bob = people.bob.user_id
    changes = [{"key": "amount", "before": 77, "after": 12, "by": bob, "seq": 3}]
    happened(
        run,
        "InterruptResolved",
        key=row.key,
        request_id=row.pk,
        outcome="answered",
        by=bob,
        decision="approved",
        answer="approved",
        content_hash="second",
        changes=changes,
        via="page",
        comment="x" * 5_000,
    )

    assert run_actions.enter_all() == 1
    [entry] = told("interrupt.decided")
    assert (entry["actor"], entry["target"]) == (bob, row.pk)
    detail = entry["detail"]
    assert (detail["decision"], detail["content_hash"], detail["via"]) == (
        "approved",
        "second",
        "page",
    )
    assert (detail["changes"], detail["policy"]) == (changes, policy)
    assert detail["comment"]["bytes"] == 5_002
    assert audit.first_broken(run.workspace_id) is None


@pytest.mark.parametrize("kind", ["DecisionRecorded", "DecisionDropped"])
def test_a_decision_of_several_is_entered_with_the_content_it_was_about(
    people: People, run: Run, kind: str
) -> None:
    """I14: What was edited since the question is in it, though this decision edited nothing."""
    row = open_interrupt(run)
    opened = append(run, "InterruptOpened", key=row.key, content_hash="first", request={})
    Interrupt.objects.filter(pk=row.pk).update(opened_seq=opened.seq)
    said = {"request_id": row.pk, "by": people.bob.user_id, "decision": "approved"}
    happened(run, kind, key=row.key, content_hash="second", **said)

    assert run_actions.enter_all() == 1
    [entry] = told("decision.")
    assert entry["detail"]["content_hash"] == "second"


def test_an_entry_calls_an_item_what_it_was_called_then(
    olga: Api, people: People, run: Run
) -> None:
    row = open_interrupt(run)
    request = {"prompt": "Pay 1476.17?", "data": {"amount": 1476.17}}
    opened = append(run, "InterruptOpened", key=row.key, content_hash="first", request=request)
    InterruptCard.objects.create(interrupt=row, title="Pay 1300?", amount=1300, words=" pay ")
    Interrupt.objects.filter(pk=row.pk).update(
        opened_seq=opened.seq, edited_seq=opened.seq + 2, content_hash="third"
    )
    said = {"request_id": row.pk, "by": people.bob.user_id, "decision": "approved"}
    for content in ("first", "second", "third"):
        happened(run, "DecisionRecorded", key=row.key, content_hash=content, **said)

    shown = olga.get("audit/?action=decision").json()["results"]

    now, between, then = (entry["target_name"] for entry in shown)
    assert (now, then) == ("Pay 1300?", "Pay 1,476.17?")
    assert between.startswith("Review of ")


def test_entries_call_steps_as_people_do(olga: Api, run: Run) -> None:
    """In the version that ran: what was renamed since is called so there, what is unknown has its id."""
    version = GraphVersion.objects.get(pk=run.version_id)
    nodes = [{"id": "pay_out", "label": "Pay the customer"}, {"id": "plain"}]
    GraphVersion.objects.filter(pk=version.pk).update(document={"nodes": nodes})
    started = {"started_by": "u", "parent": None, "until": "pay_out"}
    happened(run, "RunStarted", breakpoints=["plain", "pay_out"], pins={"pay_out": {}}, **started)
    said = {"request_id": open_interrupt(run).pk, "by": None, "decision": "approved"}
    happened(run, "DecisionRecorded", key="outer#1/pay_out[2]#1", **said)

    decided, begun = olga.get("audit/").json()["results"][:2]

    assert decided["names"]["node:pay_out"] == begun["names"]["node:pay_out"] == "Pay the customer"
    assert "node:plain" not in begun["names"]
    assert (decided["detail"]["node"], begun["detail"]["until"]) == ("pay_out", "pay_out")
    rows = list(AuditEntry.objects.order_by("-n")[:2])
    written = olga.get("audit/?format=csv").content.decode()
    assert written.count('""node:pay_out"":""Pay the customer""') == 2
    of_decision, of_start = (admin_audit.told(rows)[row.pk].details for row in rows)
    assert "step: Pay the customer" in of_decision
    assert "until: Pay the customer" in of_start
    assert "stops before: plain and Pay the customer, " in of_start


def test_each_step_is_called_as_in_the_version_that_its_run_ran(
    people: People, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many versions there are: no more than some drawings are in memory at a time."""
    monkeypatch.setattr(steps, "DRAWN_AT_ONCE", 2)
    named = {}
    for n in range(5):
        started = runs.start_run(people.alice, graph, Start(input="hi", draft=True))
        document = {"nodes": [{"id": "pay", "label": f"Pay {n}"}]}
        version = GraphVersion.objects.create(
            graph=graph, revision=70 + n, is_draft=True, document=document, hash=str(n)
        )
        Run.objects.filter(pk=started).update(version=version)
        named[started, "pay"] = f"Pay {n}"
    actions = [{"action": "x", "detail": {"run": run, "node": node}} for run, node in named]
    actions += [{"action": "run.started", "target": started, "detail": {"until": "gone"}}]

    assert steps.steps_of(actions, graph.workspace_id) == named
    assert steps.steps_of(actions, "elsewhere") == {}


def test_starts_and_cancels_are_entered_once_and_children_are_not(run: Run) -> None:
    """I14: Each event is in the chain once, however often it is looked for."""
    happened(run, "RunStarted", started_by="u", parent=None)
    happened(run, "RunStarted", started_by="u", parent={"run_id": "p"})
    happened(run, "RunStarted", started_by="u", parent=None, forked_from={"run_id": "o", "seq": 3})
    happened(run, "RunEnding", status="cancelled", reason="too late", by="u")
    happened(run, "RunEnding", status="cancelled", reason="parent failed", by="parent")
    happened(run, "RunEnding", status="failed", reason="failed")

    assert run_actions.enter_all() == 3
    assert run_actions.enter_all() == 0
    assert [one["action"] for one in told("run.")] == ["run.started", "run.forked", "run.cancelled"]
    refs = AuditEntry.objects.filter(ref__isnull=False).values_list("ref", flat=True)
    assert len(set(refs)) == 3


def test_a_process_that_dies_before_the_entry_leaves_it_to_the_next(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I14: Entry and mark change together: after a crash in between neither has happened."""
    happened(run, "RunStarted", started_by="u", parent=None)
    mine = run.number or 0

    def die(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(audit, "append", die)
        with pytest.raises(KeyboardInterrupt):
            run_actions.enter_all()
    assert PendingDeed.objects.filter(place__gt=mine * EVENTS_PER_RUN).exists()

    run_actions.enter_all()
    assert len(told("run.started")) == 1
    assert not PendingDeed.objects.exists()


def test_what_a_fork_copies_is_nobodys_deed_again() -> None:
    """I14: A decision that a fork inherits was made in the run before, and is entered there."""
    said = {"outcome": "answered", "by": "u"}

    assert is_audited("InterruptResolved", {**said, "request_id": "human-1"})
    assert not is_audited("InterruptResolved", {**said, "request_id": "human-1.ab12cd34"})
    assert is_audited("InterruptResolved", {"outcome": "expired", "request_id": "human-1"})
    assert not is_audited("InterruptResolved", {"outcome": "superseded", "request_id": "human-1"})


def came(email: str, password: str) -> Any:
    request = RequestFactory().post("/api/session/")
    return authenticate(request, username=email, password=password)


def test_refused_sign_ins_fill_one_row_and_two_entries_an_hour(people: People) -> None:
    """I14: A stranger who guesses for an hour leaves what a line says: that he did, and how often."""
    email = people.olga.user.email
    for _ in range(5):
        refuse(people.olga.user_id, timezone.now(), via="page")
        refuse("", timezone.now(), via="page")
    assert came(email, "wrong") is None
    assert came("nobody@example.org", "wrong") is None

    assert [one["detail"]["count"] for one in told("session.refused")] == [1]
    assert RefusedSignIns.objects.count() == 2

    later = timezone.now() + timedelta(hours=2)
    assert tell_refused(later) == 2
    assert [one["detail"]["count"] for one in told("session.refused")] == [1, 5]
    assert not RefusedSignIns.objects.exists()


def test_signing_in_and_out_and_a_new_password_are_entered(people: People) -> None:
    """I14: The doors of a person's account: in, out, and another password."""
    olga = people.olga.user
    olga.set_password("a third harbour 9")
    olga.save()

    client = Client(REMOTE_ADDR="192.0.2.7")
    assert client.login(username=olga.email, password="a third harbour 9")
    client.logout()

    assert [one["action"] for one in told() if one["target"] == olga.pk] == [
        "password.changed",
        "session.opened",
        "session.closed",
    ]
    assert {one["actor"] for one in told("session.")} == {olga.pk}


def test_the_list_has_names_dates_and_a_file(olga: Api, people: People, run: Run) -> None:
    """I14: Ids are told by name, and the list narrows by action and time, also as CSV."""
    happened(run, "RunStarted", started_by=people.bob.user_id, parent=None)
    happened(run, "RunEnding", status="cancelled", reason="=1+1", by=people.bob.user_id)

    shown = olga.get("audit/?action=run").json()["results"]
    assert [one["action"] for one in shown] == ["run.cancelled", "run.started"]
    assert shown[0]["actor"]["name"] == "Bob"
    assert shown[0]["target_name"] == "Support: hi"
    at = shown[0]["at"]
    for name, left in (("until", "run.started"), ("since", "run.cancelled")):
        narrowed = olga.get(f"audit/?action=run&{name}={at}").json()["results"]
        assert [one["action"] for one in narrowed] == [left]
    assert olga.get("audit/?since=yesterday").status_code == 400
    lines = olga.get("audit/?action=run&format=csv").content.decode().splitlines()
    assert (len(lines), lines[0].split(",")[:3]) == (3, ["n", "at", "actor_id"])
    assert ",Bob,run.cancelled," in lines[1]
