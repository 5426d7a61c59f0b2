"""Django admin writes nothing past the services: each page reads, or saves through one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client, RequestFactory

from builder.admin.audit import told
from builder.admin.navigation import GROUPS, ICONS
from builder.admin.read_only import ReadOnlyAdmin
from builder.admin.tables import dashboard
from builder.base.failure_words import REJECTED
from builder.models import (
    ApiToken,
    AuditEntry,
    BudgetLimit,
    FailureCause,
    Graph,
    Interrupt,
    Membership,
    Run,
    RunFailure,
    Spending,
    Timer,
    User,
)
from builder.services.audit import chain
from tests.builder.conftest import Api, People
from tests.builder.fakes import open_interrupt

SERVED = {
    "BudgetLimit": ("save_model", "delete_model"),
    "Fact": ("delete_model", "delete_queryset"),
    "User": ("save_model",),
}
"""Models that can be changed here, and what of their page goes through a service."""


def pages() -> list[Any]:
    return sorted(admin.site._registry.items(), key=lambda pair: pair[0].__name__)


@pytest.mark.parametrize(("model", "page"), pages(), ids=lambda one: getattr(one, "__name__", ""))
def test_every_page_reads_or_saves_through_a_service(
    people: People, model: Any, page: admin.ModelAdmin[Any]
) -> None:
    request = RequestFactory().get("/admin/")
    request.user = User(is_superuser=True, is_staff=True, is_active=True)
    may = {
        "save_model": page.has_add_permission(request) or page.has_change_permission(request),
        "delete_model": page.has_delete_permission(request),
    }

    if model.__name__ not in SERVED:
        assert isinstance(page, ReadOnlyAdmin)
        assert not any(may.values())
        return
    served = SERVED[model.__name__]
    assert all(name in type(page).__dict__ for name in served)
    assert all(name in served for name, allowed in may.items() if allowed)
    mass = page.get_actions(request)
    assert "delete_selected" not in mass or "delete_queryset" in served


def test_every_table_stands_in_one_group_of_the_list(staff: Client) -> None:
    listed = [name for _title, names in GROUPS for name in names]

    assert sorted(listed) == sorted(str(model._meta.model_name) for model, _page in pages())
    assert set(listed) == set(ICONS)
    shown = staff.get("/admin/").content.decode()
    assert "/admin/builder/triggerspending/" in shown
    assert "Budget limits" in shown


def test_tables_and_rows_are_called_as_people_call_them(staff: Client, people: People) -> None:
    pages = [
        staff.get(f"/admin/builder/{path}").content.decode()
        for path in ("", "apitoken/", "refusedsignins/", f"membership/{people.bob.pk}/change/")
    ]

    assert "API tokens" in pages[0]
    assert not any("Api token" in page or "api token" in page for page in pages)
    assert "Refused sign-ins" in pages[2]
    assert "sign ins" not in pages[2]
    assert f"Bob is {people.bob.role} of {people.bob.workspace.name}" in pages[3]


def test_audit_entries_name_people_and_lead_to_what_they_are_of(
    staff: Client, people: People, graph: Graph, django_assert_max_num_queries: Any
) -> None:
    for n in range(20):
        about = {"note": f"note {n}", "hash": "f" * 64, "person": people.bob.user_id}
        chain.record(graph.workspace_id, people.alice.user_id, "graph.published", graph.pk, **about)
    with django_assert_max_num_queries(40):
        listed = staff.get("/admin/builder/auditentry/").content.decode()
    row = AuditEntry.objects.get(entry__contains="note 19")
    one = staff.get(f"/admin/builder/auditentry/{row.pk}/change/").content.decode()

    for shown in (listed, one):
        assert f'<a class="underline" href="/workflows/{graph.pk}">{graph.name}</a>' in shown
        assert "Alice" in shown
        assert "Workflow published" in shown
        assert "note: note 19, person: Bob" in shown
    assert "f" * 64 not in listed
    assert "&quot;action&quot;" not in listed


def change(staff: Client, user: User, **flags: str) -> Any:
    return staff.post(f"/admin/builder/user/{user.pk}/change/", flags)


def test_policies_alerts_and_moments_are_told_in_words(people: People, graph: Graph) -> None:
    bob = f"user:{people.bob.user_id}"
    policy = {
        "eligible": ["group:finance", bob, "role:admin"],
        "rule": {"at_least": 2},
        "four_eyes": ["starter"],
        "veto": True,
        "require_reason": "reject",
    }
    for action, said in (
        ("interrupt.decided", {"policy": policy, "held_ms": 8104}),
        ("interrupt.decided", {"policy": {"sha256": "f" * 64, "bytes": 9000}}),
        ("interrupt.decided", {"policy": {"eligible": 7, "rule": {}, "four_eyes": "x"}}),
        ("alert.created", {"what": "in_doubt", "threshold": 3, "to": [bob, "group:finance"]}),
        ("alert.muted", {"until": 1_795_000_000_000, "group": "ops"}),
        ("item.answered", {"answer": {"what": "in_doubt", "to": [7], "until": 9e99}}),
    ):
        chain.record(graph.workspace_id, None, action, graph.pk, **said)

    shown = [one.details for one in told(list(AuditEntry.objects.order_by("n"))).values()]

    assert shown[-6:] == [
        "could be taken back for: 8.1 s, policy: 2 of finance, Bob, Admins; not the starter; a no ends it; a reason for a no",
        "policy: 9,000 bytes, kept as a hash",
        "policy: any one of all reviewers",
        "threshold: 3, to: Bob and finance, watches: Calls in doubt",
        "group: ops, until: 2026-11-18 11:06",
        "answer: (to: 7, until: 9e+99, what: in_doubt)",
    ]


def test_who_may_come_in_is_changed_by_the_service(staff: Client, people: People) -> None:
    bob = people.bob.user

    assert change(staff, bob, is_active="on", is_staff="on").status_code == 302
    bob.refresh_from_db()
    assert (bob.is_active, bob.is_staff, bob.is_superuser) == (True, True, False)
    [entry] = AuditEntry.objects.filter(entry__contains="account.changed")
    assert '"detail":{"is_staff":true}' in entry.entry
    assert f'"actor":"{people.olga.user_id}"' in entry.entry


def test_nobody_locks_everybody_out(staff: Client, people: People) -> None:
    olga = people.olga.user

    answer = change(staff, olga, is_active="on", is_staff="on")
    assert b"somebody has to be superuser" in answer.content
    User.objects.filter(pk=people.bob.user_id).update(is_superuser=True)
    answer = change(staff, olga, is_staff="on", is_superuser="on")
    assert b"keeps at least one admin" in answer.content
    olga.refresh_from_db()
    assert olga.is_active
    assert olga.is_superuser


def test_people_and_roles_are_not_added_changed_or_deleted_here(
    staff: Client, people: People
) -> None:
    bob = people.bob
    for path in (
        f"user/{bob.user_id}/delete/",
        "user/add/",
        f"membership/{bob.pk}/delete/",
        f"workspace/{bob.workspace_id}/delete/",
        "workspace/add/",
        "group/add/",
    ):
        assert staff.post(f"/admin/builder/{path}", {"post": "yes"}).status_code == 403
    staff.post(f"/admin/builder/membership/{bob.pk}/change/", {"role": "admin"})

    assert Membership.objects.get(pk=bob.pk).role == bob.role


def test_running_means_on_the_first_page_what_it_means_on_the_dashboard(
    staff: Client, people: People, run: Run
) -> None:
    """A run of which all waits for a moment sleeps, on both pages: it does not run."""
    Run.objects.filter(pk=run.pk).update(status="running", number=7)
    Timer.objects.create(id=f"{run.pk}:x", run=run.pk, key="a#1", kind="sleep", fire_at=10**14)
    seen = Api(people.alice).get("overview/").json()["runs"]
    figures = dict(dashboard(RequestFactory().get("/admin/"), {})["figures"])

    assert (figures["Running"], figures["Sleeping"], figures["Waiting"]) == (0, 1, 0)
    assert (seen["running"], seen["asleep"], seen["waiting"]) == (0, 1, 0)


def test_a_row_shows_moments_and_amounts_as_its_list_does(staff: Client, run: Run) -> None:
    item = open_interrupt(run)
    Run.objects.filter(pk=run.pk).update(started_at=1_795_953_188_922, spent_pico=2_500_000_000_000)
    Interrupt.objects.filter(pk=item.pk).update(opened_at=1_795_953_188_922)
    pages = [f"run/{run.pk}", f"interrupt/{item.pk}"]

    for page in pages:
        shown = staff.get(f"/admin/builder/{page}/change/").content.decode()
        assert "2026-11-29T11:53:08.922Z" in shown
        assert "1795953188922" not in shown
    assert "2.5 USD" in staff.get(f"/admin/builder/{pages[0]}/change/").content.decode()


def test_only_what_is_changed_here_has_a_history(staff: Client, people: People, run: Run) -> None:
    read, changed = (
        staff.get(f"/admin/builder/{path}/change/").content.decode()
        for path in (f"run/{run.pk}", f"user/{people.bob.user_id}")
    )

    assert "/history/" not in read
    assert "/history/" in changed


def test_a_run_that_was_rejected_stands_so_in_its_list_and_on_its_page(
    staff: Client, run: Run, graph: Graph
) -> None:
    Run.objects.filter(pk=run.pk).update(status="failed", number=7)
    cause = FailureCause.objects.create(
        id="0" * 64,
        workspace=graph.workspace,
        graph=graph,
        graph_slug=graph.slug,
        code=REJECTED,
        sample="not our charge",
        first_at=1,
        last_at=1,
    )
    RunFailure.objects.create(number=7, cause=cause, at=1)

    for page in ("", f"{run.pk}/change/"):
        shown = staff.get(f"/admin/builder/run/{page}").content.decode()
        assert re.search(r">\s*Rejected\s*</(?:td|div)>", shown)
        assert not re.search(r">\s*Failed\s*</(?:td|div)>", shown)


def test_large_numbers_have_separators_in_lists_and_on_pages(
    staff: Client, run: Run, graph: Graph
) -> None:
    Run.objects.filter(pk=run.pk).update(spent_tokens=1_234_567, limit_pico=1_250 * 10**12)
    BudgetLimit.objects.create(workspace=graph.workspace, graph=graph, limit_tokens=2_500_000)
    Spending.objects.create(
        workspace=graph.workspace, day="2026-11-29", graph=graph.slug, tokens=7_654_321, calls=4_321
    )
    one = staff.get(f"/admin/builder/run/{run.pk}/change/").content.decode()
    limits = staff.get("/admin/builder/budgetlimit/").content.decode()
    spent = staff.get("/admin/builder/spending/").content.decode()

    assert "1,234,567" in one
    assert "1,250 USD" in one
    assert "no limit" in one
    assert "2,500,000" in limits
    assert "7,654,321" in spent
    assert "4,321" in spent


def test_no_list_breaks_a_moment_over_lines(staff: Client, run: Run, graph: Graph) -> None:
    chain.record(graph.workspace_id, None, "graph.published", graph.pk)

    for model in ("run", "auditentry"):
        listed = staff.get(f"/admin/builder/{model}/").content.decode()
        assert '<span class="whitespace-nowrap">20' in listed


def test_a_row_says_in_words_what_it_keeps_as_codes_and_ids(
    staff: Client, people: People, run: Run, graph: Graph
) -> None:
    error = '{"code":"ToolFailed","message":"no finite number","node":"divide"}'
    Run.objects.filter(pk=run.pk).update(
        error=error, started_by=people.bob.user_id, place_at=-1, graph=graph
    )
    shown = staff.get(f"/admin/builder/run/{run.pk}/change/").content.decode()
    assert "no finite number (ToolFailed, at the step divide)" in shown
    assert "Bob" in shown
    assert people.bob.user_id not in shown
    assert "1969" not in shown

    token = ApiToken.objects.create(
        user=people.bob.user,
        workspace=graph.workspace,
        name="CI",
        hash="0" * 64,
        scopes=["runs:start", "runs:read"],
        graphs=[graph.pk],
    )
    shown = staff.get(f"/admin/builder/apitoken/{token.pk}/change/").content.decode()
    assert "start workflows, read runs" in shown
    assert "runs:start" not in shown
    assert graph.name in shown
    chain.record(graph.workspace_id, None, "token.created", token.pk, scopes=["runs:start"])
    assert "may: start workflows" in staff.get("/admin/builder/auditentry/").content.decode()
