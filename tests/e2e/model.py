"""A model server as a process of its own, and a workspace's agreement to use it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.server import ROOT, Server, lines


@dataclass(slots=True)
class FakeModel:
    """The model server as a process of its own, with the record of what it charged for."""

    process: subprocess.Popen[bytes]
    base_url: str
    record: Path

    @property
    def charged(self) -> list[dict[str, Any]]:
        """Every call that a provider would ask money for, in order."""
        return [fact for fact in lines(self.record) if fact["event"] == "charged"]


REPLY_TOKENS = {"prompt_tokens": 10, "completion_tokens": 2}


@contextmanager
def fake_model(folder: Path, delay_ms: int, replies: Any = None) -> Iterator[FakeModel]:
    """Run the fake model server until the block ends.

    Without `replies` (a plan of `tests.fake_openai`) it says "Fine." and charges 12 tokens a call.
    """
    record, plan = folder / "model.jsonl", folder / "plan.json"
    usual = [{"text": "Fine.", "usage": REPLY_TOKENS}]
    plan.write_text(json.dumps(usual if replies is None else replies))
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tests.fake_openai",
            "--record",
            str(record),
            "--delay-ms",
            str(delay_ms),
            "--plan",
            str(plan),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        yield FakeModel(process, json.loads(process.stdout.readline())["base_url"], record)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


ACCEPT = (
    "INSERT INTO builder_acceptedprovider (workspace_id, provider_id, provider, label, source, "
    "base_url, model_names, accepted_at) VALUES (?, 'fake', 'fake', 'Fake', 'loopback', ?, ?, ?)"
)


def accept_provider(server: Server, workspace: str, base_url: str) -> None:
    """Let the workspace use the model server, as if it had been found and accepted."""
    row = (workspace, base_url, json.dumps(["fake-small"]), "2026-01-01 00:00:00")
    connection = sqlite3.connect(server.database, timeout=30)
    try:
        with connection:
            connection.execute(ACCEPT, row)
    finally:
        connection.close()
