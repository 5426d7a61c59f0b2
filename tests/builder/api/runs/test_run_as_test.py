"""A run that is copied as a test case plays again, and fails when the graph does something else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from builder.models import Run
from tests.builder.conftest import Api
from tests.builder.fakes import append

ROOT = Path(__file__).resolve().parents[4]
DRAFT = "It's '''quoted''' and it has a \\ in it."


def logged(run: Run, event_type: str, key: str, **data: Any) -> None:
    """Append an event that carries a `kind` of its own."""
    event = append(run, event_type, key=key)
    event.data = orjson.dumps(data)
    event.save()


def step(run: Run, path: str, kind: str, result: Any, **more: Any) -> None:
    """One call of the run's node `draft` and its answer."""
    common = {"path": path, "attempt": 1, "kind": kind, **more}
    logged(run, "StepIntended", "draft#1", effect_class="read", **common)
    logged(run, "StepCompleted", "draft#1", result=result, **common)


@pytest.fixture
def played(run: Run) -> Run:
    """A run whose writer used a tool and whose reviewer approved."""
    call = {"name": "add", "arguments": {"a": 1, "b": 2}}
    step(run, "0", "model", {"text": "", "structured": None, "tool_calls": [call]})
    step(run, "0/0", "tool", 3, tool="add", arguments=call["arguments"])
    step(run, "1", "model", {"text": DRAFT, "structured": None, "tool_calls": []})
    append(run, "NodeCompleted", key="draft#1", output=DRAFT)
    logged(run, "InterruptOpened", "review#1", request_id="r", kind="approval", request={})
    said = {"outcome": "answered", "decision": "approved", "answer": "approved", "comment": "Fine."}
    append(run, "InterruptResolved", key="review#1", request_id="r", **said)
    append(run, "NodeCompleted", key="review#1", output="approved")
    then = {"decided_by": "somebody", "decided_at": "2026-01-01T00:00:00Z", "edits": {}}
    append(run, "RunCompleted", result={"decision": "approved", "comment": "Fine.", **then})
    run.status = "completed"
    run.save()
    return run


def play(text: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "test_copied.py"
    file.write_text(text)
    code = (
        "import pathlib, sys, test_copied\n"
        "[test] = [v for k, v in vars(test_copied).items() if k.startswith('test_')]\n"
        "test(pathlib.Path(sys.argv[1]))\n"
    )
    return subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )


@pytest.mark.slow
def test_a_copied_run_passes_and_notices_a_change(played: Run, alice: Api, tmp_path: Path) -> None:
    answer = alice.get(f"runs/{played.pk}/test-case/")
    assert answer["Content-Type"].startswith("text/x-python")
    text = answer.content.decode()
    passed = play(text, tmp_path)
    assert passed.returncode == 0, passed.stderr

    failed = play(text.replace('"approved"', '"rejected"'), tmp_path)
    assert "AssertionError" in failed.stderr


def test_what_cannot_be_played_again_says_so(run: Run, alice: Api) -> None:
    answer = alice.get(f"runs/{run.pk}/test-case/")
    assert (answer.status_code, answer.json()["code"]) == (422, "NotRecordable")

    append(run, "NodeCompleted", key="draft#1", output={"$blob": "ab" * 32, "bytes": 70_000})
    run.status = "completed"
    run.save()
    refused = alice.get(f"runs/{run.pk}/test-case/").json()
    assert "too large" in refused["detail"]
