"""Where nothing is due, the threads of the house ask with SQL that was made before."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.db.models.sql.compiler import SQLCompiler
from django.test.utils import CaptureQueriesContext

from builder.process.house.audit_thread import audit_thread
from builder.process.house.bulk_thread import bulk_thread
from builder.process.house.door_thread import door_thread
from builder.process.house.hold_thread import hold_thread
from builder.process.house.telling_thread import telling_thread

BUSY = [audit_thread, bulk_thread, door_thread, hold_thread, telling_thread]
"""Those that go a round each second or more often."""


@pytest.mark.parametrize("thread", BUSY)
def test_a_round_with_nothing_to_do_makes_no_sql(
    thread: Any, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some seventeen times a second, making it took more CPU than all else of an idle server."""
    rounds = thread()
    steps = [step for number in (1, 2) for step in rounds._plan.steps(number)]
    for step in steps:
        step()
    made: list[str] = []
    real = SQLCompiler.as_sql

    def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
        found = real(self, *args, **kwargs)
        made.append(found[0])
        return found

    monkeypatch.setattr(SQLCompiler, "as_sql", counted)

    with CaptureQueriesContext(connection) as asked:
        for step in steps:
            step()

    assert len(asked) >= len(steps)
    assert made == []
