"""`run_graph --store database --resume` goes on with child runs that a former process left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _graph(name: str, *nodes: Mapping[str, Any], edges: str = "") -> dict[str, Any]:
    """Return a document; `edges` are pairs such as `a>b`."""
    ends = [pair.split(">") for pair in edges.split()]
    drawn = [{"source": source, "target": target} for source, target in ends]
    return {"graphwright": 1, "id": name, "nodes": list(nodes), "edges": drawn}


SUB = {"id": "sub", "type": "subgraph", "config": {"subgraph_id": "child"}}
WORK = {"id": "work", "type": "function", "config": {"handler": "work"}}
GRAPH = _graph("parent", SUB, {"id": "end", "type": "output"}, edges="sub>end")
CHILD = _graph(
    "child", {"id": "review", "type": "approval", "config": {}}, WORK, edges="review>work"
)
SCRIPT = {"functions": {"work": {"returns": {"output": "done"}}}}
DECISION = {"review": [{"decision": "approved"}]}


@pytest.mark.slow
def test_an_answer_from_another_process_resumes_child_and_parent_C86_I19(tmp_path: Path) -> None:
    """C86, I19: An answer from another process resumes the child, and that the parent."""
    parts = {"graph": GRAPH, "child": CHILD, "script": SCRIPT, "decide": DECISION}
    for name, value in parts.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    environ = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    environ["GRAPHWRIGHT_VAR"] = str(tmp_path / "var")

    def command(*flags: str) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "manage.py", "run_graph", str(tmp_path / "graph.json"),
             "--graphs", str(tmp_path / "child.json"), "--script", str(tmp_path / "script.json"),
             "--store", "database", *flags],
            cwd=ROOT, env=environ,
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.stdout, done.stderr
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    waiting = command()
    resume = ["--resume", waiting["run_id"]]
    looked = command(*resume)
    done = command(*resume, "--decide", str(tmp_path / "decide.json"))

    assert [entry["node"] for entry in waiting["interrupts"]] == ["review"]
    assert looked["interrupts"] == waiting["interrupts"]
    assert (done["status"], done["result"], done["path"]) == ("completed", "done", ["sub", "end"])
