"""Web and worker processes on one PostgreSQL, as an operator starts them, and eyes on their rows."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import psycopg

from tests.e2e.server import QuickServer, is_there, wait_until

LEASE_MS = 20_000


class Apart(QuickServer):
    """One web process, and workers that come and go."""

    command = "web"

    def __init__(self, folder: Path, **environ: str) -> None:
        super().__init__(folder, **environ)
        self.workers: list[int] = []

    def rows(self, query: str, *parameters: Any) -> list[Any]:
        """Return what a query finds."""
        with psycopg.connect(self.environ["DATABASE_URL"]) as connection:
            return connection.execute(query, parameters).fetchall()

    def write(self, change: str) -> None:
        """Change rows, as time would."""
        with psycopg.connect(self.environ["DATABASE_URL"]) as connection:
            connection.execute(change)

    def add_worker(self) -> int:
        """Start a worker and return its process id once it has a sign of life."""
        worker = self.fork("worker")
        self.workers.append(worker)
        wait_until(lambda: self.boot_of(worker), "a worker's sign of life")
        return worker

    def boot_of(self, worker: int) -> str:
        """Return the id under which a worker owns runs, empty before it begins and after it leaves."""
        found = self.rows("SELECT boot_id FROM builder_worker WHERE pid = %s", worker)
        return str(found[0][0]) if found else ""

    def owner_of(self, run_id: str) -> int | None:
        """Return the process id of the worker that owns a run."""
        query = (
            "SELECT w.pid FROM builder_run r JOIN builder_worker w ON w.boot_id = r.owner "
            "WHERE r.id = %s"
        )
        found = self.rows(query, run_id)
        return int(found[0][0]) if found else None

    def kill_worker(self, worker: int) -> None:
        """End a worker without any warning, and let its lease end as time would."""
        boot = self.boot_of(worker)
        is_there(worker, signal.SIGKILL)
        self._gone(worker)
        with psycopg.connect(self.environ["DATABASE_URL"]) as connection:
            connection.execute(
                "UPDATE builder_worker SET last_seen_at = last_seen_at - %s WHERE boot_id = %s",
                (LEASE_MS, boot),
            )

    def drain_worker(self, worker: int) -> None:
        """Ask a worker to end, and wait until it has."""
        os.kill(worker, signal.SIGTERM)
        self._gone(worker)

    def stop(self, within_s: float = 20) -> int:
        """Ask all processes to end, and wait until they have; what was left is ended by `close`."""
        for worker in list(self.workers):
            self.drain_worker(worker)
        web, self._child = self._child, 0
        os.kill(web, signal.SIGTERM)
        wait_until(lambda: not is_there(web), "the end of the web process", within_s)
        return 0

    def close(self) -> None:
        """End all processes."""
        for worker in self.workers:
            is_there(worker, signal.SIGKILL)
        super().close()

    def _gone(self, worker: int) -> None:
        wait_until(lambda: not is_there(worker), "the end of a worker")
        self.workers.remove(worker)
