"""Alerts over the API: rules, what is so now, and that its address lists exactly what was counted."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import pytest
from django.core import mail as outgoing

from builder.base import clock
from builder.models import (
    Alert,
    AlertRule,
    AuditEntry,
    Budget,
    BudgetLimit,
    Graph,
    Interrupt,
    Outbox,
    Run,
    Timer,
)
from builder.reads.money.budgets import row_id_of
from builder.services.audit import chain as audit
from builder.services.mail import alert_mail
from builder.services.runs import runs
from builder.services.runs.alerts import counts, watch
from builder.services.runs.alerts.counts import Look
from builder.services.runs.runs import Start
from engine.core.budgets.periods import period_at
from tests.builder.conftest import Api, People
from tests.builder.fakes import fail, open_interrupt

pytestmark = pytest.mark.django_db
HOUR = 3_600_000


@pytest.fixture
def failed(people: People, graph: Graph) -> list[Run]:
    """Three runs that failed just now, and one yesterday."""
    found = []
    for n in range(4):
        run = Run.objects.get(pk=runs.start_run(people.alice, graph, Start(draft=True)))
        at = clock.now_ms() - (1_000 if n < 3 else 30 * HOUR)
        Run.objects.filter(pk=run.pk).update(status="failed", started_at=at - 10, ended_at=at)
        found.append(run)
    return found


def make(api: Api, **rule: Any) -> Any:
    answer = api.post("alerts/", {"what": "failures", "threshold": 3, **rule})
    assert answer.status_code == 201, answer.content
    return answer.json()


def rows_at(api: Api, rows: str) -> int:
    """How many rows the page at an address lists."""
    parts = urlsplit(rows)
    query = parts.query.replace("view=all&", "")
    listed = {"/runs": f"runs/?{query}", "/inbox": f"interrupts/?state=open&{query}"}[parts.path]
    answer = api.get(listed)
    assert answer.status_code == 200, answer.content
    return int(answer.json()["total"])


def told() -> list[str]:
    return [audit.read(row)["action"] for row in AuditEntry.objects.order_by("n")]


@pytest.mark.usefixtures("failed")
def test_a_rule_that_is_met_opens_one_alert_whose_rows_are_those_counted(alice: Api) -> None:
    made = make(alice)
    watch.look_at_all()

    [listed] = alice.get("alerts/").json()["results"]
    assert Alert.objects.count() == 1
    assert made["open"]["value"] == listed["open"]["value"] == 3
    assert listed["open"]["said"] == "3 runs failed in the last hour"
    assert rows_at(alice, listed["open"]["rows"]) == 3


@pytest.mark.usefixtures("failed")
def test_each_time_that_a_rule_was_met_is_a_line_of_a_file(alice: Api, carol: Api) -> None:
    make(alice)
    watch.look_at_all()
    Alert.objects.update(closed_at=Alert.objects.get().opened_at + 1)
    lines = alice.get("alerts/?format=csv").content.decode().splitlines()

    assert lines[0] == "alert,workflow,open_since,open_until,looked_at,told_at"
    assert len(lines) == 2 and lines[1].startswith("3 runs failed in the last hour,,")
    assert len(carol.get("alerts/?format=csv").content.decode().splitlines()) == 1


def test_what_people_rejected_is_not_counted_as_a_failure(alice: Api, failed: list[Run]) -> None:
    fail(failed[0], "rejected: not ours", code="ApprovalRejected")
    Run.objects.filter(pk=failed[0].pk).update(ended_at=clock.now_ms() - 1_000)
    made = make(alice, threshold=2)

    assert made["open"]["value"] == rows_at(alice, made["open"]["rows"]) == 2


@pytest.mark.usefixtures("failed")
def test_a_rule_that_cannot_be_counted_keeps_no_other_back(
    alice: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, whole = make(alice, threshold=2), make(alice)
    Alert.objects.all().delete()
    counted = counts.counted

    def count(look: Look) -> int:
        if look.rule.pk == broken["id"]:
            raise ValueError("nobody can count this")
        return counted(look)

    monkeypatch.setattr(watch, "counted", count)
    assert watch.look_at_all() == 1
    assert Alert.objects.get().rule_id == whole["id"]


@pytest.mark.usefixtures("failed")
def test_it_closes_when_it_is_over_and_is_the_same_if_it_comes_back_soon(alice: Api) -> None:
    make(alice)
    now = clock.now_ms()
    Run.objects.update(status="completed")
    watch.look_at_all(now + 1)
    assert alice.get("alerts/").json()["results"][0]["open"] is None

    Run.objects.update(status="failed")
    watch.look_at_all(now + 2)

    assert Alert.objects.count() == 1
    actions = [action for action in told() if action.startswith("alert.")]
    assert actions == ["alert.created", "alert.opened", "alert.closed", "alert.opened"]


def test_each_kind_counts_what_its_address_lists(
    people: People, graph: Graph, run: Run, alice: Api
) -> None:
    open_interrupt(run)
    doubt = open_interrupt(run, "in_doubt")
    Interrupt.objects.update(opened_at=clock.now_ms() - 3 * HOUR)
    Timer.objects.create(id="t", run=run.pk, kind="sleep", fire_at=clock.now_ms() - HOUR)
    down = Run.objects.get(pk=runs.start_run(people.alice, graph, Start(draft=True)))
    at = clock.now_ms() - 1_000
    fail(down, code="ProviderUnavailable")
    Run.objects.filter(pk=down.pk).update(ended_at=at)

    for what in ("failures", "provider_down", "waiting", "in_doubt", "stuck"):
        now = make(alice, what=what, threshold=1, graph=graph.pk)["open"]
        assert (now["value"], rows_at(alice, now["rows"])) == (1, 1), what
    assert "nobody knows" in make(alice, what="in_doubt", threshold=1)["open"]["said"]
    doubt.delete()
    watch.look_at_all()
    assert not Alert.objects.filter(rule__what="in_doubt", closed_at__isnull=True).exists()


def test_a_run_that_waits_for_a_timer_is_not_stuck(alice: Api, run: Run) -> None:
    Timer.objects.create(id="t", run=run.pk, kind="sleep", fire_at=clock.now_ms() + HOUR)

    assert make(alice, what="stuck", threshold=1)["open"] is None


@pytest.mark.usefixtures("failed")
def test_mail_goes_once_to_whom_the_rule_names_and_to_nobody_while_it_is_muted(
    people: People, alice: Api, settings: Any
) -> None:
    settings.MAIL = True
    to = [f"user:{people.bob.user_id}", "role:operator", f"user:{people.bob.user_id}"]
    rule = make(alice, to=to)
    watch.look_at_all()
    assert alert_mail.deliver_due() == 2
    assert sorted(one for m in outgoing.outbox for one in m.to) == [
        "bob@example.com",
        "oscar@example.com",
    ]
    assert outgoing.outbox[0].subject == "3 runs failed in the last hour · Home"
    body = outgoing.outbox[0].body
    counted_at = "/runs?status=failed%2Ctimeout&rejected=false&ended_since="
    assert counted_at in body, "what is counted is one click away"
    assert "/dashboard" in body
    assert not Outbox.objects.exists()

    Alert.objects.all().delete()
    until = "2099-01-01T00:00:00Z"
    assert alice.post(f"alerts/{rule['id']}/mute/", {"until": until}).status_code == 400
    AlertRule.objects.update(muted_until=clock.now_ms() + HOUR)
    watch.look_at_all()
    assert not Outbox.objects.exists()
    assert alice.get("alerts/").json()["results"][0]["open"]["value"] == 3
    alice.post(f"alerts/{rule['id']}/mute/", {"until": None})
    watch.look_at_all()
    assert Outbox.objects.count() == 2


@pytest.mark.usefixtures("failed")
def test_what_is_over_before_the_mail_leaves_is_not_told(
    people: People, alice: Api, settings: Any
) -> None:
    settings.MAIL = True
    make(alice, to=["role:reviewer"])
    Run.objects.update(status="completed")
    watch.look_at_all()

    assert alert_mail.deliver_due() == 0
    assert not Outbox.objects.exists()


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"what": "spend", "threshold": 5}, ""),
        ({"what": "failures", "threshold": 0}, "threshold"),
        ({"what": "failures", "threshold": 1, "window_minutes": 10**6}, "window_minutes"),
        ({"what": "failures", "threshold": 1, "to": ["role:king"]}, "to[0]"),
        ({"what": "weather", "threshold": 1}, "what"),
    ],
)
def test_a_rule_that_says_nothing_sensible_is_refused(alice: Api, body: Any, path: str) -> None:
    answer = alice.post("alerts/", body)

    assert answer.status_code == 400
    assert answer.json()["problems"][0]["path"] == path


def test_a_changed_rule_keeps_what_is_not_named(alice: Api, run: Run) -> None:
    rule = make(alice, what="spend", threshold=None, threshold_usd="2.5")
    changed = alice.patch(f"alerts/{rule['id']}/", {"to": ["role:admin"]}).json()
    assert (changed["threshold_usd"], changed["to"]) == ("2.5", ["role:admin"])

    other = alice.patch(f"alerts/{rule['id']}/", {"what": "in_doubt", "threshold": 2}).json()
    assert (other["what"], other["threshold"], other["threshold_usd"]) == ("in_doubt", 2, None)
    assert alice.delete(f"alerts/{rule['id']}/").status_code == 204
    assert told()[-3:] == ["alert.changed", "alert.changed", "alert.deleted"]


def test_a_rule_is_changed_though_somebody_it_names_has_left(alice: Api, people: People) -> None:
    gone = f"user:{people.vera.user_id}"
    body = {"what": "failures", "threshold": 5, "to": [gone, "role:admin"]}
    rule = alice.post("alerts/", body).json()
    people.vera.delete()

    changed = alice.patch(f"alerts/{rule['id']}/", {"to": [gone, "role:operator"]})

    assert (changed.status_code, changed.json()["to"]) == (200, ["role:operator"])
    refused = alice.patch(f"alerts/{rule['id']}/", {"to": ["user:nobody"]})
    assert refused.status_code == 400


def test_an_alert_about_a_budget_says_which_and_how_much_of_how_much(
    settings: Any, alice: Api, people: People, graph: Graph
) -> None:
    settings.MAIL = True
    everything = {"workspace": graph.workspace, "period": "day", "limit_pico": 10**14}
    BudgetLimit.objects.create(**everything)
    limit = BudgetLimit.objects.create(
        workspace=graph.workspace, graph=graph, period="total", limit_pico=10 * 10**12
    )
    row = row_id_of(limit, period_at("total", ZoneInfo("UTC"), clock.now_ms()))
    Budget.objects.create(id=row, spent_pico=8 * 10**12, held_pico=10**11)
    made = make(alice, what="budget", threshold=80, to=[f"user:{people.alice.user_id}"])
    alert_mail.deliver_due()

    said = "The budget of “Support” is used to 81 %: $8.10 of $10.00"
    assert made["open"]["said"] == said
    assert outgoing.outbox[0].subject.startswith(said)
    assert said in outgoing.outbox[0].body

    AlertRule.objects.update(threshold=90)
    watch.look_at_all()
    BudgetLimit.objects.all().delete()
    [line] = alice.get("alerts/?format=csv").content.decode().splitlines()[1:]
    assert line.startswith(said), "a past alert names its budget, too"
