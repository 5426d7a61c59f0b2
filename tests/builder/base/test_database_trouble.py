"""A full disk, and a database that is away or locked: named, with a code, in every door."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from django.db import OperationalError

from builder.base import engine_door
from builder.base.database_trouble import trouble_of
from builder.models import Graph
from engine.core.errors import StorageFull, StoreError, StoreUnavailable
from engine.runtime.stores.sql.trouble import refusal
from tests.builder.conftest import Api, People


def broken(code: int, text: str) -> OperationalError:
    """Return Django's error as SQLite causes it."""
    cause = sqlite3.OperationalError(text)
    cause.sqlite_errorcode = code
    error = OperationalError(text)
    error.__cause__ = cause
    return error


FULL = broken(sqlite3.SQLITE_FULL, "database or disk is full")
LOCKED = broken(sqlite3.SQLITE_BUSY, "database is locked")
GONE = OperationalError("connection to server at 10.0.0.7 failed")


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (StorageFull("no room"), 507, "StorageFull"),
        (StoreUnavailable("away"), 503, "StoreUnavailable"),
        (FULL, 507, "StorageFull"),
        (LOCKED, 503, "StoreUnavailable"),
        (GONE, 503, "StoreUnavailable"),
    ],
)
def test_a_start_says_what_is_wrong_with_the_database(
    people: People,
    graph: Graph,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
    code: str,
) -> None:
    def start_run(*_request: object) -> str:
        raise error

    monkeypatch.setattr(engine_door.engine(), "start_run", start_run)

    answer = Api(people.alice).post(f"graphs/{graph.pk}/runs/", {"input": "x", "draft": True})

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer["Content-Type"] == "application/problem+json"
    assert int(answer["Retry-After"]) > 0
    assert "nothing was recorded" in answer.json()["detail"]
    assert "10.0.0.7" not in answer.content.decode()


@pytest.mark.parametrize("path", ["session/", "runs/", "nowhere/"])
def test_a_database_that_is_away_is_no_page_of_html(
    people: People, settings: Any, path: str
) -> None:
    api = Api(people.alice)
    api.client.raise_request_exception = False
    settings.SESSION_ENGINE = "tests.builder.away_sessions"

    answer = api.get(path)

    assert answer.status_code in (404, 503)
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.status_code == 404 or answer["Retry-After"]


def test_what_is_no_trouble_of_the_database_is_a_plain_500(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    from builder.api.runs import lists as runs

    def page(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(runs.RunsView, "get", page)
    api = Api(people.alice)
    api.client.raise_request_exception = False

    answer = api.client.get("/api/runs/")  # a 500 is no answer that the schema declares

    assert (answer.status_code, answer.json()["code"]) == (500, "ServerError")


def test_what_drivers_raise_is_told_apart() -> None:
    missing = broken(sqlite3.SQLITE_ERROR, "no such table: x")

    assert trouble_of(missing) is None
    assert trouble_of(ValueError("x")) is None
    assert isinstance(trouble_of(OSError(28, "No space left on device")), StorageFull)
    assert type(refusal(sqlite3.IntegrityError("x"), "refused")) is StoreError
    assert type(refusal(FULL, "refused")) is StorageFull
    assert refusal(FULL, "refused").message == "refused: database or disk is full"


def test_a_driver_of_postgresql_says_the_same() -> None:
    psycopg = pytest.importorskip("psycopg")

    assert isinstance(trouble_of(psycopg.errors.DiskFull("x")), StorageFull)
    assert isinstance(trouble_of(psycopg.OperationalError("x")), StoreUnavailable)
    assert trouble_of(psycopg.errors.UniqueViolation("x")) is None
    wrapped = OperationalError("x")
    wrapped.__cause__ = psycopg.errors.DiskFull("x")
    assert isinstance(trouble_of(wrapped), StorageFull)
