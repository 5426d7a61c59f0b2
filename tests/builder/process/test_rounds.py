"""The threads beside the engine go on, whatever happens on a round."""

from __future__ import annotations

import logging
import threading

import pytest
from django.db import DatabaseError

from builder.process.house import audit_thread, mail_thread
from builder.services.audit import refused_sign_ins, run_actions
from builder.services.mail import account_mail, alert_mail, comment_mail, trigger_mail
from builder.services.mail import inbox_mail as mail
from engine.core.errors import StorageFull


@pytest.mark.parametrize("error", [DatabaseError, ValueError, RecursionError, OSError])
def test_an_error_of_any_kind_is_told_and_the_next_round_follows(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rounds: list[str] = []
    third = threading.Event()

    def fail() -> int:
        rounds.append("came")
        if len(rounds) == 3:
            third.set()
        raise error("a letter that nobody can write")

    monkeypatch.setattr(mail_thread, "ROUND_SECONDS", 0.001)
    monkeypatch.setattr(mail, "deliver_due", fail)
    monkeypatch.setattr(account_mail, "deliver_due", lambda: 0)
    one = mail_thread.mail_thread()

    with caplog.at_level(logging.ERROR, logger="graphwright.mail"):
        one.start()
        came = third.wait(20)
        one.stop()

    assert came
    assert "the next round follows" in caplog.text
    assert error.__name__ in caplog.text


def test_a_full_disk_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    told = threading.Event()

    def fail() -> int:
        told.set()
        raise StorageFull("the database refused to write: database or disk is full")

    monkeypatch.setattr(mail_thread, "ROUND_SECONDS", 0.001)
    monkeypatch.setattr(mail, "deliver_due", fail)
    monkeypatch.setattr(mail, "forget_old", lambda now: 0)
    monkeypatch.setattr(account_mail, "deliver_due", lambda: 0)
    monkeypatch.setattr(alert_mail, "deliver_due", lambda: 0)
    monkeypatch.setattr(comment_mail, "deliver_due", lambda: 0)
    monkeypatch.setattr(trigger_mail, "deliver_due", lambda: 0)
    one = mail_thread.mail_thread()

    with caplog.at_level(logging.ERROR, logger="graphwright.mail"):
        one.start()
        assert told.wait(20)
        one.stop()

    assert "the next round follows: the database refused to write" in caplog.text
    assert "Traceback" not in caplog.text


def test_one_kind_of_mail_that_fails_keeps_no_other_back(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = threading.Event()

    def fail() -> int:
        raise DatabaseError("busy")

    monkeypatch.setattr(mail_thread, "ROUND_SECONDS", 0.001)
    monkeypatch.setattr(account_mail, "deliver_due", fail)
    monkeypatch.setattr(mail, "deliver_due", sent.set)
    one = mail_thread.mail_thread()
    one.start()

    assert sent.wait(20)
    one.stop()


@pytest.mark.parametrize("error", [DatabaseError, ValueError])
def test_the_audit_thread_goes_on_too(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds: list[str] = []
    third = threading.Event()

    def fail() -> int:
        raise error("an action that nobody can read")

    def tell() -> int:
        rounds.append("came")
        if len(rounds) == 3:
            third.set()
        return 0

    monkeypatch.setattr(audit_thread, "ROUND_SECONDS", 0.001)
    monkeypatch.setattr(run_actions, "enter_all", fail)
    monkeypatch.setattr(refused_sign_ins, "tell_refused", tell)
    one = audit_thread.audit_thread()
    one.start()

    assert third.wait(20)
    one.stop()


def test_what_came_until_the_stop_is_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[str] = []
    monkeypatch.setattr(audit_thread, "ROUND_SECONDS", 600)
    monkeypatch.setattr(run_actions, "enter_all", lambda: rounds.append("came"))
    monkeypatch.setattr(refused_sign_ins, "tell_refused", lambda: 0)
    one = audit_thread.audit_thread()
    one.start()
    one.stop()

    assert rounds == ["came"]


def test_mail_that_is_due_after_the_stop_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[str] = []
    monkeypatch.setattr(mail_thread, "ROUND_SECONDS", 600)
    monkeypatch.setattr(account_mail, "deliver_due", lambda: rounds.append("came"))
    one = mail_thread.mail_thread()
    one.start()
    one.stop()

    assert rounds == []
