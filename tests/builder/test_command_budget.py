"""`run_graph --store database` spends from the budgets of its workspace as the server does."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
GRAPH = {
    "graphwright": 1, "id": "g", "name": "G",
    "agents": [{"id": "writer"}],
    "nodes": [
        {"id": "a", "type": "agent",
         "config": {"agent_id": "writer", "prompt": "Say it.", "frame": "bare"}},
    ],
    "edges": [{"source": "__start__", "target": "a"}],
}  # fmt: skip
SCRIPT = {"default": [{"text": "a", "usage": {"input_tokens": 30, "output_tokens": 5}}]}
LIMIT = (
    "INSERT INTO builder_budgetlimit (id, workspace_id, period, limit_tokens, created_at) "
    "SELECT 'l', id, 'total', 50, '2026-01-01' FROM builder_workspace WHERE slug = 'command-line'"
)


@pytest.mark.slow
def test_the_command_line_keeps_to_the_workspaces_budget_C43(tmp_path: Path) -> None:
    """C43: 35 of 50 tokens fit once; the second run is refused before the provider is asked."""
    (tmp_path / "graph.json").write_text(json.dumps(GRAPH))
    (tmp_path / "script.json").write_text(json.dumps(SCRIPT))

    environ = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    environ["GRAPHWRIGHT_VAR"] = str(tmp_path / "var")

    def command() -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "manage.py", "run_graph", str(tmp_path / "graph.json"),
             "--script", str(tmp_path / "script.json"), "--store", "database"],
            cwd=ROOT, env=environ,
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.stdout, done.stderr
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    unlimited = command()
    with sqlite3.connect(tmp_path / "var" / "graphwright.sqlite3") as connection:
        assert connection.execute(LIMIT).rowcount == 1
    first, second = command(), command()
    connection = sqlite3.connect(tmp_path / "var" / "graphwright.sqlite3")
    rows = connection.execute("SELECT spent_tokens, held_tokens FROM builder_budget").fetchall()
    connection.close()

    assert (unlimited["status"], first["status"]) == ("completed", "completed")
    assert second["error"]["code"] == "WorkspaceBudgetExceeded"
    assert rows == [(35, 0)]
