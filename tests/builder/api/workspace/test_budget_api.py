"""Budgets over the API: who sets them, what they say, what is refused."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from builder.base import clock
from builder.models import (
    AuditEntry,
    Budget,
    BudgetLimit,
    Graph,
    PendingDeed,
    Run,
    RunSpending,
    Spending,
    Trigger,
    TriggerSpending,
)
from builder.reads.money.budgets import budget_statuses
from builder.services.audit import chain as audit
from builder.services.audit import run_actions
from builder.services.permissions import RIGHTS, Right
from builder.services.runs.runs import Start, start_run
from engine.core.people.eligibility import RAISING_ROLES
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor, append

NOON = 1_795_305_600_000  # 2026-11-22 00:00 UTC


@pytest.fixture
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of a day has passed."""
    monkeypatch.setattr(clock, "now_ms", lambda: NOON + 12 * clock.HOUR_MS)


def made(olga: Api, **body: Any) -> dict[str, Any]:
    answer = olga.post("budgets/", {"period": "day", "limit_usd": "10.00", **body})
    assert answer.status_code == 201, answer.content
    found: dict[str, Any] = answer.json()
    return found


def spent(row_id: str, **columns: Any) -> None:
    Budget.objects.create(id=row_id, level=row_id.split(":", maxsplit=1)[0], **columns)


@pytest.mark.usefixtures("noon")
def test_a_budget_says_what_is_used_held_and_left(olga: Api, alice: Api) -> None:
    """C43: Used, held, left, and what it comes to at the end of the period."""
    budget = made(olga, limit_tokens=1_000)
    spent(
        f"workspace:{budget['id']}:2026-11-22",
        spent_pico=2 * 10**12,
        held_pico=10**12,
        spent_tokens=900,
        held_tokens=50,
        raised_pico=5 * 10**12,
    )
    shown = alice.get("budgets/").json()
    [row] = shown["results"]

    assert shown["can_edit"] is False
    assert olga.get("budgets/").json()["can_edit"] is True
    assert (row["level"], row["graph"], row["current"]) == ("workspace", None, "2026-11-22")
    assert (row["limit_usd"], row["raised_usd"]) == ("15", "5")
    assert (row["used_usd"], row["held_usd"], row["left_usd"]) == ("2", "1", "12")
    assert (row["used_tokens"], row["left_tokens"], row["taken"]) == (900, 50, 0.95)
    assert (row["forecast_usd"], row["forecast_tokens"]) == ("4", 1_800)
    assert row["ends_at"] == "2026-11-23T00:00:00.000Z"


@pytest.mark.usefixtures("noon")
def test_a_period_is_the_one_on_the_workspaces_clock(olga: Api, people: People) -> None:
    budget = made(olga)
    assert (
        olga.patch("workspace/", {"settings": {"timezone": "Pacific/Auckland"}}).status_code == 200
    )

    row = olga.get("budgets/").json()["results"][0]
    assert (row["id"], row["current"]) == (budget["id"], "2026-11-23")


@pytest.mark.usefixtures("people")
def test_a_graph_has_budgets_of_its_own(olga: Api, graph: Graph) -> None:
    budget = made(olga, graph=graph.pk, period="total", limit_usd=None, limit_tokens=5)

    assert budget["graph"] == {"id": graph.pk, "slug": "support", "name": "Support"}
    assert (budget["level"], budget["ends_at"], budget["forecast_usd"]) == ("graph", None, None)
    assert (budget["limit_usd"], budget["left_tokens"]) == (None, 5)


@pytest.fixture
def hook(people: People, graph: Graph) -> Trigger:
    """A webhook of the workflow."""
    return Trigger.objects.create(
        workspace=people.olga.workspace,
        graph=graph,
        kind=Trigger.Kind.WEBHOOK,
        name="Orders",
        account=people.olga.user,
        made_at=1,
    )


def test_a_trigger_has_budgets_beside_those_of_its_workflow(
    olga: Api, alice: Api, graph: Graph, run: Run, hook: Trigger
) -> None:
    """C43: it begins with what its runs and those below have cost, and is no other run's matter."""
    today = datetime.now(UTC).date().isoformat()
    Run.objects.filter(pk=run.pk).update(trigger=hook.pk, source="webhook")
    below = Run.objects.create(**_below(run))
    sums = {"workspace": hook.workspace, "tokens": 7, "pico": 10**12}
    TriggerSpending.objects.create(day=today, graph=graph.slug, trigger=hook.pk, **sums)
    TriggerSpending.objects.create(day=today, graph=graph.slug, trigger="another", **sums)
    RunSpending.objects.create(run=below.pk, day=today, node="a", tokens=3, pico=10**12)

    whole = made(olga, graph=graph.pk)
    own = made(olga, trigger=hook.pk, limit_usd="2.50")

    assert (own["level"], own["trigger"]["name"]) == ("trigger", "Orders")
    assert own["graph"]["slug"] == "support"
    assert (own["used_usd"], own["used_tokens"], own["left_usd"]) == ("2", 10, "0.5")
    assert whole["trigger"] is None
    again = olga.post("budgets/", {"trigger": hook.pk, "period": "day", "limit_tokens": 1})
    assert (again.status_code, again.json()["code"]) == (409, "BudgetExists")
    assert "this trigger" in again.json()["detail"]
    assert alice.get(f"runs/{run.pk}/").json()["spend"]["tightest"]["id"] == own["id"]
    Run.objects.filter(pk=run.pk).update(trigger=None)
    assert alice.get(f"runs/{run.pk}/").json()["spend"]["tightest"]["id"] == whole["id"]


def _below(run: Run) -> dict[str, Any]:
    names = ("workspace", "graph", "status", "waiting_for", "started_at")
    same = {name: getattr(run, name) for name in names}
    return {**same, "parent_run": run.pk, "graph_slug": "helper", "number": None}


def test_a_budget_ends_with_its_trigger_and_the_engine_hears_of_it(
    olga: Api, hook: Trigger, door: FakeDoor, django_capture_on_commit_callbacks: Any
) -> None:
    made(olga, trigger=hook.pk)
    before = door.budget_changes
    with django_capture_on_commit_callbacks(execute=True):
        assert olga.delete(f"triggers/{hook.pk}/").status_code == 204

    assert not BudgetLimit.objects.exists()
    assert door.budget_changes == before + 1
    entry = AuditEntry.objects.order_by("-n").values_list("entry", flat=True)[0]
    assert '"budgets":1' in entry


def test_a_trigger_of_another_workflow_is_refused(olga: Api, people: People, hook: Trigger) -> None:
    other = olga.post("graphs/", {"name": "Other"}).json()["id"]
    answer = olga.post("budgets/", {"graph": other, "trigger": hook.pk, "limit_tokens": 1})

    assert (answer.status_code, answer.json()["problems"][0]["path"]) == (400, "trigger")
    assert not BudgetLimit.objects.exists()


def test_a_trigger_of_another_workspace_gets_no_budget(carol: Api, hook: Trigger) -> None:
    answer = carol.post("budgets/", {"trigger": hook.pk, "limit_tokens": 1})

    assert (answer.status_code, answer.json()["code"]) == (404, "TriggerNotFound")


@pytest.mark.parametrize("who", ["alice", "bob", "oscar", "vera"])
def test_only_admins_set_budgets_and_everyone_reads_them(
    who: str, people: People, olga: Api
) -> None:
    budget = made(olga)
    caller = Api(getattr(people, who))

    assert caller.get("budgets/").json()["results"][0]["id"] == budget["id"]
    for answer in (
        caller.post("budgets/", {"period": "week", "limit_tokens": 1}),
        caller.patch(f"budgets/{budget['id']}/", {"limit_tokens": 1}),
        caller.delete(f"budgets/{budget['id']}/"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "NotAllowed")
    assert BudgetLimit.objects.get().limit_tokens is None


def test_who_may_edit_budgets_is_one_list_for_engine_and_services() -> None:
    assert {role for role, rights in RIGHTS.items() if Right.BUDGET in rights} == RAISING_ROLES


@pytest.mark.usefixtures("people")
def test_a_change_is_told_to_the_engine_and_kept_in_the_audit_log(
    olga: Api, door: FakeDoor, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        budget = made(olga)
        changed = olga.patch(f"budgets/{budget['id']}/", {"limit_usd": None, "limit_tokens": 7})
        assert olga.delete(f"budgets/{budget['id']}/").status_code == 204
        assert olga.patch("workspace/", {"settings": {"timezone": "Asia/Tokyo"}}).status_code == 200

    assert (changed.json()["limit_usd"], changed.json()["limit_tokens"]) == (None, 7)
    assert door.budget_changes == 4
    actions = "".join(AuditEntry.objects.order_by("n").values_list("entry", flat=True))
    assert all(
        f'"action":"budget.{action}"' in actions for action in ("created", "changed", "deleted")
    )
    assert '"limit_usd":"10"' in actions
    assert audit.first_broken(AuditEntry.objects.first().workspace_id) is None  # type: ignore[union-attr]
    assert olga.delete(f"budgets/{budget['id']}/").json()["code"] == "BudgetNotFound"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"period": "day"}, "InputInvalid"),
        ({"period": "year", "limit_tokens": 1}, "InputInvalid"),
        ({"limit_usd": "-1"}, "InputInvalid"),
        ({"limit_usd": "1e400"}, "InputInvalid"),
        ({"limit_tokens": 1.5}, "InputInvalid"),
        ({"limit_tokens": 1, "graph": "nowhere"}, "GraphNotFound"),
        ({"limit_tokens": 1, "period": "month"}, "BudgetExists"),
    ],
)
@pytest.mark.usefixtures("people")
def test_what_limits_nothing_or_exists_is_refused(
    olga: Api, body: dict[str, Any], code: str
) -> None:
    made(olga, period="month")

    assert olga.post("budgets/", body).json()["code"] == code
    assert BudgetLimit.objects.count() == 1


@pytest.mark.usefixtures("people")
def test_a_limit_cannot_lose_its_last_amount(olga: Api) -> None:
    budget = made(olga)

    assert olga.patch(f"budgets/{budget['id']}/", {"limit_usd": None}).status_code == 400
    assert olga.patch(f"budgets/{budget['id']}/", {}).status_code == 400


def test_a_graph_of_another_workspace_gets_no_budget(carol: Api, graph: Graph) -> None:
    answer = carol.post("budgets/", {"graph": graph.pk, "limit_tokens": 1})

    assert (answer.status_code, answer.json()["code"]) == (404, "GraphNotFound")


@pytest.mark.usefixtures("noon")
def test_a_run_shows_the_tightest_budget_around_it(
    olga: Api, alice: Api, graph: Graph, run: Run
) -> None:
    """C43: Of workspace and graph, the one with least left."""
    assert alice.get(f"runs/{run.pk}/").json()["spend"]["tightest"] is None
    wide = made(olga)
    tight = made(olga, graph=graph.pk)
    spent(f"workspace:{wide['id']}:2026-11-22", spent_pico=10**12)
    spent(f"graph:{tight['id']}:2026-11-22", held_pico=9 * 10**12)

    shown = alice.get(f"runs/{run.pk}/").json()["spend"]["tightest"]
    assert (shown["id"], shown["left_usd"], shown["taken"]) == (tight["id"], "1", 0.9)


def test_a_raise_by_a_person_is_in_the_audit_log(people: People, run: Run) -> None:
    said = {"budget": "workspace:1:total", "add_usd": "5", "by": people.olga.user_id}
    event = append(run, "BudgetRaised", key="draft#1", **said)
    PendingDeed.objects.create(place=event.place)

    assert run_actions.enter_all() == 1
    entry = AuditEntry.objects.order_by("-n").values_list("entry", flat=True)[0]
    assert '"action":"budget.raised"' in entry
    assert '"usd":"5"' in entry


@pytest.mark.usefixtures("noon")
def test_where_many_budgets_stand_is_one_query(
    people: People, olga: Api, django_assert_num_queries: Any
) -> None:
    for period in ("day", "week", "month", "total"):
        made(olga, period=period)
    limits = list(BudgetLimit.objects.all())

    with django_assert_num_queries(1):
        assert len(budget_statuses(limits, "UTC")) == 4


def test_a_new_budget_begins_with_what_its_period_has_cost(
    people: People, graph: Graph, run: Run, olga: Api
) -> None:
    """C43: what was spent before it was set counts, of a workflow with what its runs have started."""
    today = datetime.now(UTC).date().isoformat()
    child = Run.objects.get(pk=start_run(people.alice, graph, Start(draft=True)))
    Run.objects.filter(pk=child.pk).update(parent_run=run.pk, graph_slug="helper")
    sums = {"workspace": people.olga.workspace, "node": "draft", "tokens": 7, "pico": 2 * 10**12}
    Spending.objects.create(day=today, graph=graph.slug, **sums)
    Spending.objects.create(day=today, graph="helper", **sums)
    Spending.objects.create(day="2001-01-01", graph=graph.slug, **sums)
    RunSpending.objects.create(run=child.pk, day=today, node="draft", tokens=7, pico=2 * 10**12)

    mine = made(olga, graph=graph.pk)
    month = made(olga, period="month")
    ever = made(olga, period="total")

    used = [(row["used_usd"], row["used_tokens"]) for row in (mine, month, ever)]
    assert used == [("4", 14), ("4", 14), ("6", 21)]
    other = olga.patch(f"budgets/{month['id']}/", {"period": "week"}).json()
    assert (other["used_usd"], other["left_usd"]) == ("4", "6")
