"""What the audit log calls what it is about."""

from __future__ import annotations

import pytest

from builder.base.clock import now_ms
from builder.models import AlertRule, BulkItem, BulkJob, FailureCause, Run
from builder.reads.audited.things import LONGEST, line, things
from builder.services.people import invitations
from tests.builder.conftest import People

pytestmark = pytest.mark.django_db


def test_alerts_jobs_and_causes_have_names(people: People, run: Run) -> None:
    here = people.alice.workspace
    rule = AlertRule.objects.create(workspace=here, what="failures", threshold=5, made_at=1)
    job = BulkJob.objects.create(
        workspace=here, by=people.alice.user, action="retry", made_at=now_ms()
    )
    BulkItem.objects.create(job=job, place=0, run=run.pk)
    BulkItem.objects.create(job=job, place=1, run="left out before it began", result="skipped")
    cause = FailureCause.objects.create(
        id="c1",
        workspace=here,
        node="pay",
        label="Pay out",
        code="HttpUnavailable",
        first_at=1,
        last_at=1,
    )
    ids = [rule.pk, job.pk, cause.pk]

    assert dict(things(ids, here.pk)) == {
        rule.pk: "Runs that fail",
        job.pk: "Retry 1 run",
        cause.pk: "Pay out: HttpUnavailable",
    }
    assert dict(things(ids, "elsewhere")) == {}


def test_invitations_and_versions_have_names(people: People, run: Run) -> None:
    here = people.olga.workspace
    link, _ = invitations.create_invitation(people.olga, role="viewer")
    named, _ = invitations.create_invitation(people.olga, role="author", email="kim@example.org")

    assert dict(things([link.pk, named.pk, run.version_id or ""], here.pk)) == {
        link.pk: "A link to join as viewer",
        named.pk: "kim@example.org as author",
        run.version_id: "a draft",
    }


def test_a_cut_name_says_that_it_goes_on() -> None:
    assert line("a\n b") == "a b"
    assert line("x" * LONGEST) == "x" * LONGEST
    assert line("word " * 40) == "word " * 15 + "word…"
    assert len(line("x" * 200)) == LONGEST
