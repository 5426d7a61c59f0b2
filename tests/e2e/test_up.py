"""`manage.py up`: all processes at one address, kept running, and ended by one key."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.collector import collecting
from tests.e2e.server import ROOT, Server, is_there, serving, wait_until
from tests.e2e.test_kill import add_graph, line, tool

pytestmark = [pytest.mark.slow, pytest.mark.postgres]


class Up(Server):
    """The command, in a session of its own."""

    def spawn(self) -> subprocess.Popen[bytes]:
        """Start it on the folder and return it without waiting."""
        command = [sys.executable, "manage.py", "up", "--port", str(self.port)]
        with self.log.open("ab") as log:
            return subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def children(self) -> list[int]:
        """Return the processes that it keeps."""
        assert self.process is not None
        own = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(child) for child in own.read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are listed on Linux")
def test_all_of_it_at_one_address(tmp_path: Path, migrated_url: str) -> None:
    """I1: half of it is killed, and the next run ends all the same. Its trace is sent."""
    with (
        collecting() as collector,
        serving(
            tmp_path,
            Up,
            DATABASE_URL=migrated_url,
            OTEL_EXPORTER_OTLP_ENDPOINT=collector.address,
            LOG_FORMAT="json",
        ) as up,
    ):
        assert isinstance(up, Up)
        up.start()
        client = up.client()
        client.set_up()
        orders = add_graph(client, line("orders", tool("ship")))
        run = client.start_run(orders, {"input": {"order": "A"}})
        assert client.wait_ended(run)["status"] == "completed"

        names = {"run orders", "tool ship", "execute_tool ship"}
        wait_until(lambda: {span.name for span in collector.spans()} == names, "the run's trace")

        before = up.children()
        assert len(before) == 4
        for child in (before[0], before[2]):  # a web process and a worker
            os.kill(child, signal.SIGKILL)
        wait_until(lambda: before[0] not in up.children(), "the end of a web process")
        run = client.start_run(orders, {"input": {"order": "B"}})
        assert client.wait_ended(run)["status"] == "completed"
        wait_until(lambda: len(up.children()) == 4, "all processes again")

        kept = up.children()
        assert up.stop() == 0
        assert not any(map(is_there, kept))
        said = up.log.read_text()
        assert said.count("Graphwright is at") == said.count("web.1     Graphwright is at")
        assert "Traceback" not in said
