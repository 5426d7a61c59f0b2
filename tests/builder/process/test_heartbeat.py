"""The row that says that a process runs activations."""

from __future__ import annotations

import pytest

from builder.models import Worker
from builder.process.engine_thread import embedded


@pytest.mark.django_db(transaction=True)
def test_a_process_is_listed_while_its_engine_runs() -> None:
    Worker.objects.create(boot_id="gone", host="x", pid=1, started_at=0, last_seen_at=0)
    with embedded():
        [row] = Worker.objects.all()

        assert row.host
        assert row.started_at == row.last_seen_at > 0
    assert not Worker.objects.exists()
