"""The row that says that a process runs activations."""

from __future__ import annotations

import pytest

from builder.models import Worker
from builder.process.engine_thread import embedded
from engine.runtime.runner import Runner


@pytest.mark.django_db(transaction=True)
def test_a_process_is_listed_while_its_engine_runs() -> None:
    Worker.objects.create(boot_id="gone", host="x", pid=1, started_at=0, last_seen_at=0)
    with embedded():
        [row] = Worker.objects.all()

        assert row.host
        assert row.started_at == row.last_seen_at > 0
    assert not Worker.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_start_knows_whether_the_process_before_it_died(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """I1: What was under way at an orderly stop is not suspected of having ended its process."""
    told: list[bool] = []
    recover = Runner.recover

    async def watched(runner: Runner, *, crashed: bool) -> int:
        told.append(crashed)
        return await recover(runner, crashed=crashed)

    monkeypatch.setattr(Runner, "recover", watched)
    with embedded():
        died = Worker.objects.get()
    with embedded():
        pass
    died.save(force_insert=True)
    with embedded():
        pass
    with embedded():
        pass

    assert told == [False, False, True, False]
