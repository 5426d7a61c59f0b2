"""The postman goes on, whatever happens on his round."""

from __future__ import annotations

import logging
import threading

import pytest
from django.db import DatabaseError

from builder import postman
from builder.postman import Postman
from builder.services import account_mail, mail


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

    monkeypatch.setattr(postman, "ROUND_SECONDS", 0.001)
    monkeypatch.setattr(mail, "deliver_due", fail)
    monkeypatch.setattr(account_mail, "deliver_due", lambda: 0)
    one = Postman()

    with caplog.at_level(logging.ERROR, logger="graphwright.mail"):
        one.start()
        came = third.wait(20)
        one.stop()

    assert came
    assert "the next round follows" in caplog.text
    assert error.__name__ in caplog.text
