"""What is one cause by today's rule is one line, also where failures were counted before that rule."""

from __future__ import annotations

from importlib import import_module

from django.apps import apps
from django.db import connection

from builder.base.failure_words import cause_id
from builder.models import FailureCause, Graph, RunFailure

CODE = "RunBudgetExceeded"
SAID = "no room for 12 tokens: 3 of 40 are left"


def unite() -> None:
    module = import_module("builder.migrations.0062_causes_counted_as_one")
    module.unite(apps, connection.schema_editor())


def counted(graph: Graph, pk: str, at: int, runs: list[int], **more: str) -> FailureCause:
    row = FailureCause.objects.create(
        id=pk,
        workspace=graph.workspace,
        graph=graph,
        graph_slug=graph.slug,
        count=len(runs),
        first_at=at,
        last_at=at + 5,
        **{"node": "draft", "code": CODE, "sample": SAID, **more},
    )
    RunFailure.objects.bulk_create(RunFailure(number=n, cause=row, at=at) for n in runs)
    return row


def rule(graph: Graph, code: str = CODE, said: str = SAID) -> str:
    return cause_id(graph.workspace_id, graph.slug, "draft", code, said)


def test_failures_from_before_the_rule_count_for_the_cause_of_today(graph: Graph) -> None:
    old = counted(graph, "a" * 64, 10, [1, 2], state="resolved")
    counted(graph, "b" * 64, 1, [3])
    counted(graph, rule(graph), 20, [4])

    for _ in range(2):  # once more changes nothing
        unite()

    one = FailureCause.objects.get(count__gt=0)
    assert (one.pk, one.count, one.state) == (rule(graph), 4, "open")
    assert (one.first_at, one.last_at) == (1, 25)
    assert one.failures.count() == 4
    assert FailureCause.objects.filter(pk=old.pk, count=0).exists(), "the audit log names it"


def test_a_cause_that_nothing_came_to_since_stands_as_it_did(graph: Graph) -> None:
    counted(graph, "a" * 64, 10, [1], state="muted")

    unite()

    one = FailureCause.objects.get(count__gt=0)
    assert (one.pk, one.state, one.sample) == (rule(graph), "muted", SAID)


def test_of_several_from_before_the_latest_is_what_stands(graph: Graph) -> None:
    counted(graph, "a" * 64, 10, [1], state="resolved", sample="no room for 1 token")
    counted(graph, "b" * 64, 90, [2])

    unite()

    one = FailureCause.objects.get(count__gt=0)
    assert (one.state, one.sample, one.count) == ("open", SAID, 2)
    assert (one.first_at, one.last_at) == (10, 95)


def test_other_causes_stay_as_they_are(graph: Graph) -> None:
    counted(graph, "a" * 64, 10, [1], code="HttpUnavailable")
    counted(graph, "b" * 64, 10, [2], code="ApprovalRejected", sample="nobody decided in time")
    counted(graph, rule(graph, "ApprovalRejected", "no"), 10, [3], code="ApprovalRejected")

    unite()

    rows = FailureCause.objects.order_by("pk").values_list("pk", "count")
    assert dict(rows)["a" * 64] == 1
    assert sum(count for _pk, count in rows) == 3
