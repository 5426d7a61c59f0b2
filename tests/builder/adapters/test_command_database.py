"""`run_graph --store database`, each command in a process of its own on one stored database."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
Command = Callable[..., tuple[int, Any]]
Json = dict[str, Any]

pytestmark = pytest.mark.slow


@pytest.fixture
def stored(tmp_path: Path, sqlite_template: Path) -> Path:
    """The database of the commands, migrated and empty."""
    path = tmp_path / "var" / "graphwright.sqlite3"
    path.parent.mkdir()
    shutil.copy(sqlite_template, path)
    return path


@pytest.fixture
def command(tmp_path: Path, stored: Path) -> Command:
    """Return what runs the command in a process of its own: exit status, and report or problem."""
    environ = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    environ |= {"GRAPHWRIGHT_VAR": str(stored.parent), "OMP_NUM_THREADS": "1"}

    def run(document: Json, *flags: str, **files: Json) -> tuple[int, Any]:
        paths = {}
        for name, content in {"graph": document, **files}.items():
            paths[name] = tmp_path / f"{name}.json"
            paths[name].write_text(json.dumps(content))
        given = [f"--{name}={path}" for name, path in paths.items() if name != "graph"]
        done = subprocess.run(
            [
                sys.executable,
                "manage.py",
                "run_graph",
                str(paths["graph"]),
                *given,
                "--store",
                "database",
                *flags,
            ],
            cwd=ROOT,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, json.loads(done.stdout or done.stderr.splitlines()[0])

    return run


def change(path: Path, statement: str, parameters: tuple[Any, ...] = ()) -> int:
    """Execute one statement; return the number of its rows."""
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement, parameters).rowcount


def query(path: Path, text: str) -> list[Any]:
    """Return what a query finds."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(text).fetchall()


def graph(name: str, *nodes: Json, edges: str = "", **more: Any) -> Json:
    """Return a document; `edges` are pairs such as `a>b`."""
    ends = [pair.split(">") for pair in edges.split()]
    drawn = [{"source": source, "target": target} for source, target in ends]
    return {"graphwright": 1, "id": name, "nodes": list(nodes), "edges": drawn, **more}


SUB = {"id": "sub", "type": "subgraph", "config": {"subgraph_id": "child"}}
END = {"id": "end", "type": "output"}
REVIEW = {"id": "review", "type": "approval", "config": {}}
WORK = {"id": "work", "type": "function", "config": {"handler": "work"}}
WORKED = {"functions": {"work": {"returns": {"output": "done"}}}}


def test_an_answer_from_another_process_resumes_child_and_parent(command: Command) -> None:
    """C86, I19: An answer from another process resumes the child, and that the parent."""
    document = graph("parent", SUB, END, edges="sub>end")
    parts = {"graphs": graph("child", REVIEW, WORK, edges="review>work"), "script": WORKED}
    _status, waiting = command(document, **parts)
    resume = f"--resume={waiting['run_id']}"
    _status, looked = command(document, resume, **parts)
    decision = {"review": [{"decision": "approved"}]}
    _status, done = command(document, resume, **parts, decide=decision)

    assert [entry["node"] for entry in waiting["interrupts"]] == ["review"]
    assert looked["interrupts"] == waiting["interrupts"]
    assert (done["status"], done["result"], done["path"]) == ("completed", "done", ["sub", "end"])


PROMPT = {"agent_id": "writer", "prompt": "Say it.", "frame": "bare"}
SAYS = {"default": [{"text": "a", "usage": {"input_tokens": 30, "output_tokens": 5}}]}
LIMIT = (
    "INSERT INTO builder_budgetlimit (id, workspace_id, period, limit_tokens, created_at) "
    "SELECT 'l', id, 'total', 50, '2026-01-01' FROM builder_workspace WHERE slug = 'command-line'"
)


def test_the_command_line_keeps_to_the_workspaces_budget(command: Command, stored: Path) -> None:
    """C43: 35 of 50 tokens fit once; the second run is refused before the provider is asked."""
    document = graph("g", {"id": "a", "type": "agent", "config": PROMPT}, agents=[{"id": "writer"}])
    _status, unlimited = command(document, script=SAYS)
    assert change(stored, LIMIT) == 1
    _status, first = command(document, script=SAYS)
    _status, second = command(document, script=SAYS)

    assert (unlimited["status"], first["status"]) == ("completed", "completed")
    assert second["error"]["code"] == "WorkspaceBudgetExceeded"
    assert query(stored, "SELECT spent_tokens, held_tokens FROM builder_budget") == [(35, 0)]


NAME = {"id": "ask", "type": "question", "config": {"kind": "text", "question": "Name?"}}
SAY = {"id": "say", "type": "output", "read_keys": ["previous"]}
ALONE = graph("alone", {"id": "o", "type": "output", "config": {"value": "1 + 1"}})
LEFT = (
    "INSERT INTO builder_outbox (topic, ref, payload, available_at, tries) "
    "VALUES ('child_ended', ?, ?, 0, 0)"
)


def test_word_for_other_runs_is_left_alone(command: Command, stored: Path) -> None:
    """I19: What waits for a run of another document neither stops this one nor is used up."""
    _status, waiting = command(
        graph("parent", SUB), graphs=graph("child", NAME, SAY, edges="ask>say")
    )
    change(stored, LEFT, (waiting["run_id"], json.dumps({"run_id": "gone"})))
    ended, report = command(ALONE)
    other, problem = command(ALONE, "--resume", waiting["run_id"])
    left = query(stored, "SELECT count(*) FROM builder_outbox")

    assert (ended, report["result"], left) == (0, 2, [(1,)])
    assert (other, problem["code"], problem["path"]) == (2, "RunNotFound", "--resume")
