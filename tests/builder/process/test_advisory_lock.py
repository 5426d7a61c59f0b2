"""The lock of PostgreSQL under which one server runs: held, lost with its connection, taken again."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from builder.adapters.run_store.database import postgres_dialect
from builder.process import advisory_lock
from builder.process.advisory_lock import sole_server
from builder.process.process_lock import AlreadyServed

pytestmark = pytest.mark.postgres
MINE = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"


def never(error: AlreadyServed) -> None:
    raise AssertionError(error)


def test_one_holds_the_database_and_the_next_after_it(postgres_url: str) -> None:
    connect = postgres_dialect(postgres_url).connect
    with (
        sole_server(connect, never),
        pytest.raises(AlreadyServed, match=r"process \d+ on "),
        sole_server(connect, never),
    ):
        pass
    with sole_server(connect, never):
        pass


def test_a_lost_lock_is_taken_again_and_told_if_another_was_quicker(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = postgres_dialect(postgres_url).connect
    opened: list[Any] = []
    again, lost = threading.Event(), threading.Event()

    def counted() -> Any:
        opened.append(connect())
        if len(opened) > 1:
            again.set()
        return opened[-1]

    monkeypatch.setattr(advisory_lock, "LOOK_AGAIN_S", 0.05)
    look = connect()
    with sole_server(counted, lambda _error: lost.set()):
        look.execute(MINE)
        assert again.wait(10)
        assert not lost.is_set()
        # another server is there before this one has looked again
        monkeypatch.setattr(advisory_lock, "_locked", refused)
        for _ in range(100):  # the lock may not be taken yet: whoever has it by then loses it
            look.execute(MINE)
            if lost.wait(0.1):
                break
        assert lost.is_set()
    look.close()


def refused(_connect: object, _how: str) -> Any:
    raise AlreadyServed("another server runs on this database")
