"""Settings in Django admin's audit log read as the app's own pages say them."""

from __future__ import annotations

import pytest

from builder.admin import audit
from builder.admin.setting_words import cron_words, said
from builder.models import AuditEntry, Graph
from builder.services.audit import chain
from tests.builder.conftest import People


@pytest.mark.parametrize(
    ("cron", "words"),
    [
        ("5 * * * *", "every hour at minute 5"),
        ("30 8 * * *", "every day at 08:30"),
        ("0 8 * * 1-5", "Monday to Friday at 08:00"),
        ("0 8 * * 7", "every Sunday at 08:00"),
        ("0 18 * * 1", "every Monday at 18:00"),
        ("15 6 31 * *", "every month on day 31 at 06:15"),
        ("*/7 2 * * 1-5", "by the cron line */7 2 * * 1-5"),
        ("0 8 0 * *", "by the cron line 0 8 0 * *"),
        ("0 8 1 * 1", "by the cron line 0 8 1 * 1"),
        ("0 8 * 1 *", "by the cron line 0 8 * 1 *"),
        ("0 24 * * *", "by the cron line 0 24 * * *"),
        ("61 * * * *", "by the cron line 61 * * * *"),
        ("0 8 * *", "by the cron line 0 8 * *"),
    ],
)
def test_a_cron_line_is_told_as_on_the_page_of_triggers(cron: str, words: str) -> None:
    assert cron_words(cron) == words


def test_values_have_units_and_separators() -> None:
    assert said("limit_usd", "1250.50") == "at most 1,250.50 USD"
    assert said("window_minutes", 1) == "1 minute"
    assert said("rows", 2_500_000) == "2,500,000"
    assert said("number", 2026) is None
    assert said("on", True) is None
    assert said("until", 1_795_953_188_922) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limit_usd", "high"),
        ("limit_usd", "1,000"),
        ("limit_usd", "1e999999999"),
        ("limit_usd", "1e-999999999"),
        ("limit_usd", "sNaN"),
        ("missed", ["a"]),
        ("missed", "often"),
        ("signature", {}),
        ("cron", 1.5),
    ],
)
def test_what_no_setting_says_is_said_as_it_is_kept(name: str, value: object) -> None:
    assert said(name, value) is None


def test_the_answer_to_a_form_is_no_setting(people: People, graph: Graph) -> None:
    answer = {"limit_usd": "1e999999999", "missed": ["a"], "number": 5, "cron": "0 8 * * *"}
    detail = {"answer": answer, "comment": "at most 3 days", "config": ["number"]}
    chain.record(graph.workspace_id, None, "question.answered", graph.pk, **detail)
    [row] = AuditEntry.objects.order_by("-n")[:1]

    assert audit.told([row])[row.pk].details == (
        "answer: (cron: 0 8 * * *, limit usd: 1e999999999, missed: a, number: 5), "
        "comment: at most 3 days, settings: number"
    )


def test_the_settings_of_a_trigger_and_of_a_budget_are_words(people: People, graph: Graph) -> None:
    schedule = {"cron": "30 8 * * 1-5", "zone": "Europe/Berlin", "missed": "once"}
    webhook = {"signature": "github", "max_kib": 2048, "answer_s": 5}
    for detail in ({"config": schedule}, {"config": webhook}, {"limit_tokens": 10**9}):
        chain.record(graph.workspace_id, None, "trigger.created", graph.pk, **detail)
    rows = list(AuditEntry.objects.order_by("-n")[:3])
    found = audit.told(rows)
    tokens, call, due = [found[row.pk].details for row in rows]

    assert tokens == "at most 1,000,000,000 tokens"
    assert "at most 2,048 KiB a call" in call
    assert "signed as: GitHub" in call
    assert "answers: with the result, if it is there within 5 seconds" in call
    assert "due: Monday to Friday at 08:30" in due
    assert "time zone: Europe/Berlin" in due
    assert "times missed: start once for all of them" in due
