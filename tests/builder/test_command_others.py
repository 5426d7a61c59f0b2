"""`run_graph --store database` beside stored runs of other documents."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
Command = Callable[..., tuple[int, Any]]
Json = dict[str, Any]

ASK = {"kind": "text", "question": "Name?"}
CHILD = {
    "id": "child",
    "nodes": [
        {"id": "ask", "type": "question", "config": ASK},
        {"id": "say", "type": "output", "read_keys": ["previous"]},
    ],
    "edges": [{"source": "ask", "target": "say"}],
}
PARENT = {
    "id": "parent",
    "nodes": [{"id": "s", "type": "subgraph", "config": {"subgraph_id": "child"}}],
}
ALONE = {"id": "alone", "nodes": [{"id": "o", "type": "output", "config": {"value": "1 + 1"}}]}
LEFT = (
    "INSERT INTO builder_outbox (topic, ref, payload, available_at, tries) "
    "VALUES ('child_ended', ?, ?, 0, 0)"
)


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Return what runs the command in a process of its own: exit status, and report or problem."""
    environ = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    environ |= {"GRAPHWRIGHT_VAR": str(tmp_path / "var"), "OMP_NUM_THREADS": "1"}

    def run(document: Json, *flags: str, **files: Json) -> tuple[int, Any]:
        paths = {}
        for name, content in {"graph": document, **files}.items():
            paths[name] = tmp_path / f"{name}.json"
            paths[name].write_text(json.dumps(content))
        given = [f"--{name}={path}" for name, path in paths.items() if name != "graph"]
        done = subprocess.run(
            [sys.executable, "manage.py", "run_graph", str(paths["graph"]), *given,
             "--store", "database", *flags],
            cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, json.loads(done.stdout or done.stderr.splitlines()[0])

    return run


@pytest.mark.slow
def test_word_for_other_runs_is_left_alone_I19(command: Command, tmp_path: Path) -> None:
    """I19: What waits for a run of another document neither stops this one nor is used up."""
    _status, waiting = command(PARENT, graphs=CHILD)
    with sqlite3.connect(tmp_path / "var" / "graphwright.sqlite3") as connection:
        connection.execute(LEFT, (waiting["run_id"], json.dumps({"run_id": "gone"})))
    ended, report = command(ALONE)
    other, problem = command(ALONE, "--resume", waiting["run_id"])
    connection = sqlite3.connect(tmp_path / "var" / "graphwright.sqlite3")
    left = connection.execute("SELECT count(*) FROM builder_outbox").fetchone()
    connection.close()

    assert (ended, report["result"], left) == (0, 2, (1,))
    assert (other, problem["code"], problem["path"]) == (2, "RunNotFound", "--resume")
