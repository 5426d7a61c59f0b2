"""The server on PostgreSQL: the same behaviour, and connections that do not pile up."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from tests.e2e.server import serving, wait_until
from tests.e2e.test_kill import REVIEW, add_graph, agent, assert_dense, line, ready

pytestmark = [pytest.mark.slow, pytest.mark.postgres]
RUNS = 12


def connections_of(url: str) -> int:
    """Return how many connections the database has, this one not counted."""
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchone()
    assert found is not None
    return int(found[0])


def test_a_second_server_on_one_postgresql_is_refused_with_the_reason(
    tmp_path: Path, migrated_url: str
) -> None:
    """It has a folder of its own, so that only the database can know; a killed one leaves it."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with (
        serving(tmp_path / "a", DATABASE_URL=migrated_url) as first,
        serving(tmp_path / "b", DATABASE_URL=migrated_url) as second,
    ):
        first.start()
        assert first.process is not None
        second.process = second.spawn()
        assert second.process.wait(60) == 2
        said = second.log.read_text()
        assert "another server runs on this database" in said
        assert f"process {first.process.pid} on" in said
        assert "DATABASE_URL" in said
        assert "Graphwright is at" not in said
        assert "Traceback" not in said
        assert first.client().request("GET", "/readyz")[0] == 200

        first.kill()
        wait_until(lambda: connections_of(migrated_url) == 0, "the end of the old connections")
        second.start()


def test_a_server_on_postgresql_runs_and_survives_a_kill(tmp_path: Path, migrated_url: str) -> None:
    """I1, I3."""
    with serving(tmp_path, DATABASE_URL=migrated_url) as server:
        client = ready(server)
        document = line("ask", agent("one"), agent("two"), REVIEW)
        document["agents"][0]["model"] = "builtin/extractive"
        graph = add_graph(client, document)
        runs = [client.start_run(graph, {"input": {"order": f"A{n}"}}) for n in range(RUNS)]
        wait_until(lambda: len(client.open_interrupts()) == RUNS, "all approvals", 60)
        assert connections_of(migrated_url) <= 12

        server.kill()
        wait_until(lambda: connections_of(migrated_url) == 0, "the end of the old connections")
        server.start()
        for interrupt in client.open_interrupts():
            client.answer(interrupt, "approved")
        for run_id in runs:
            assert client.wait_ended(run_id)["status"] == "completed"
            assert_dense(client.events(run_id))
        assert connections_of(migrated_url) <= 12
        assert server.stop() == 0
        assert "Traceback" not in server.log.read_text()
