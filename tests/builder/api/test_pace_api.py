"""Who asks too quickly is told so, with the time after which to ask again."""

from __future__ import annotations

import pytest

from builder.api.http import caller_pace
from builder.services.people.pace import Pace
from tests.builder.conftest import Api


def test_too_many_requests_are_refused_with_a_time(
    alice: Api, bob: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caller_pace, "PACE", Pace(12))

    answers = [alice.get("graphs/") for _ in range(4)]

    assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
    refused = answers[-1]
    assert refused.json()["code"] == "TooManyRequests"
    assert 1 <= int(refused.headers["Retry-After"]) <= 5
    assert refused.json()["retry_after_s"] == int(refused.headers["Retry-After"])
    assert bob.get("graphs/").status_code == 200


def test_each_answer_says_how_much_is_left(alice: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caller_pace, "PACE", Pace(60))

    first, second = alice.get("graphs/"), alice.get("graphs/?nothing=1")

    assert first.headers["RateLimit-Policy"] == '"caller";q=60;w=60'
    assert first.headers["RateLimit"] == '"caller";r=9;t=1'
    assert (second.status_code, second.headers["RateLimit"]) == (400, '"caller";r=8;t=2')


def test_nothing_is_said_where_nothing_is_counted(
    alice: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caller_pace, "PACE", Pace(0))

    assert "RateLimit" not in alice.get("graphs/").headers
