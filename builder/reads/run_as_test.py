"""A run as a test case: what it was given, what models, tools and people said, what came of it.

The case is a Python test that plays the run again with `manage.py run_graph`: every model and tool
is replaced by what it answered then, so it needs no key, no network and no workspace.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

import orjson

from builder.base.errors import Unprocessable
from builder.models import GraphVersion, Run
from builder.reads import event_log as log
from engine.cli.report import place_of
from engine.core.state.events import node_of

MAX_CHILDREN: Final = 50
KINDS: Final = (
    "RunStarted",
    "AgentPinned",
    "NodeCompleted",
    "NodeFailed",
    "StepIntended",
    "StepCompleted",
    "StepFailed",
    "InterruptOpened",
    "InterruptResolved",
    "RunCompleted",
    "RunFailed",
    "RunTimedOut",
)
PAGE: Final = 1000
BLOB: Final = b'"$blob"'
Event = tuple[str, str | None, dict[str, Any]]

TEST: Final = '''"""{name}: what happened in run {run}, played again without models, tools or people."""

import json
import subprocess
import sys
from pathlib import Path

CASE = json.loads(r\'\'\'
{case}
\'\'\')


def lasting(value: object) -> object:
    """Return a result without who decided and when: that differs each time."""
    if isinstance(value, list):
        return [lasting(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {{k: lasting(v) for k, v in value.items() if k not in ("decided_by", "decided_at")}}


def test_{slug}(tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "run_graph", str(tmp_path / "document.json")]
    for name in ("document", "script", "decide"):
        (tmp_path / f"{{name}}.json").write_text(json.dumps(CASE[name]))
    for number, graph in enumerate(CASE["graphs"]):
        (tmp_path / f"graph{{number}}.json").write_text(json.dumps(graph))
        command += ["--graphs", str(tmp_path / f"graph{{number}}.json")]
    command += ["--script", str(tmp_path / "script.json"), "--decide", str(tmp_path / "decide.json")]
    for name, value in CASE["given"].items():
        command += [f"--{{name}}", value if name == "goal" else json.dumps(value)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    report = json.loads(done.stdout)
    expected = CASE["expected"]
    assert (report["status"], (report["error"] or {{}}).get("code")) == (expected["status"], expected["error"])
    assert sorted(report["path"]) == expected["nodes"]
    assert lasting(report["result"]) == lasting(expected["result"])
'''


def as_test(run: Run) -> str:
    """Return the run as a Python test. Raises `Unprocessable` `NotRecordable` for one that is not
    over, that was forked or that holds values too large for a file of text.
    """
    text = orjson.dumps(case_of(run), option=orjson.OPT_INDENT_2).decode()
    slug = "".join(sign if sign.isalnum() else "_" for sign in run.graph_slug.lower())
    # In the raw string nothing may end it; in JSON an apostrophe may be written by its number.
    safe = text.replace("'''", "\\u0027" * 3)
    return TEST.format(name=run.graph_slug, run=run.pk[:8], slug=slug, case=safe)


def case_of(run: Run) -> dict[str, Any]:
    """Return the parts of the case: `{document, graphs, given, script, decide, expected}`."""
    if run.status not in Run.ENDED or run.status == Run.Status.CANCELLED:
        raise _not("only a run that ended by itself can be played again")
    events = list(_events(run))
    started = next(data for kind, _key, data in events if kind == "RunStarted")
    if started.get("forked_from"):
        raise _not("a forked run begins with another's log: copy that one")
    if started.get("only") or started.get("pins"):
        raise _not("parts of the run were not played: copy one that ran as a whole")
    if started.get("until"):
        raise _not("the run was to stop at a node: copy one that went to its end")
    children = _children(run)
    logs = [events, *(list(_events(child)) for child in children)]
    return {
        "document": _document(run, events),
        "graphs": _graphs(children),
        "given": _given(started),
        "script": _script(logs),
        "decide": _decisions(logs),
        "expected": _expected(run, events),
    }


def _not(why: str) -> Unprocessable:
    return Unprocessable(why, code="NotRecordable")


def _events(run: Run) -> Iterator[Event]:
    after = 0
    while page := log.page_after(run.pk, after, PAGE, kinds=KINDS):
        for seq, kind, _at, key, data in page:
            after = seq
            if BLOB in bytes(data):
                raise _not("it holds values too large for a test case")
            yield kind, key, orjson.loads(data)


def _children(run: Run) -> list[Run]:
    """Return the runs below a run, in the order of their start."""
    found: list[Run] = []
    above = [run.pk]
    while above and len(found) < MAX_CHILDREN:
        rows = list(Run.objects.filter(parent_run__in=above).order_by("started_at"))
        found += rows
        above = [row.pk for row in rows]
    return found[:MAX_CHILDREN]


def _document(run: Run, events: list[Event]) -> dict[str, Any]:
    """Return what ran, with the agents that it took from the workspace."""
    rows = GraphVersion.objects.filter(pk=run.version_id).values_list("document", flat=True)
    document = dict(rows.first() or {})
    known = {agent.get("id") for agent in document.get("agents") or ()}
    pinned = [data for kind, _key, data in events if kind == "AgentPinned"]
    taken = [
        {"id": data["agent_id"], **{k: v for k, v in data["definition"].items() if v is not None}}
        for data in pinned
        if data["agent_id"] not in known
    ]
    return {**document, "agents": [*(document.get("agents") or ()), *taken]} if taken else document


def _graphs(children: list[Run]) -> list[dict[str, Any]]:
    found = {child.graph_slug: _document(child, list(_events(child))) for child in children}
    return list(found.values())


def _given(started: Mapping[str, Any]) -> dict[str, Any]:
    given = {name: started[name] for name in ("input", "memory") if started.get(name) is not None}
    return given | ({"goal": started["goal"]} if started.get("goal") else {})


def _script(logs: list[list[Event]]) -> dict[str, Any]:
    """Return what models and tools answered, in the order in which they were asked."""
    nodes: dict[str, list[Any]] = defaultdict(list)
    tools: dict[str, list[Any]] = defaultdict(list)
    for events in logs:
        answers = {
            (key, data["path"], data["attempt"]): (kind, data)
            for kind, key, data in events
            if kind in ("StepCompleted", "StepFailed")
        }
        for kind, key, step in events:
            if kind != "StepIntended" or key is None:
                continue
            answer = answers.get((key, step["path"], step["attempt"]))
            if answer is not None and step["kind"] == "model":
                nodes[node_of(key)].append(_reply(*answer))
            elif answer is not None and step["kind"] == "tool":
                tools[step["tool"]].append(_result(*answer))
                if len(tools[step["tool"]]) == 1:
                    tools[step["tool"]][0]["effect_class"] = step["effect_class"]
    return {"nodes": nodes, "tools": tools}


def _reply(kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    if kind == "StepFailed":
        return {"error": _error(data)}
    result = data["result"]
    calls = [
        {"name": call["name"], "arguments": call["arguments"]} for call in result["tool_calls"]
    ]
    usage = {"usage": result["usage"]} if result.get("usage") else {}
    if calls:
        said = {"text": result["text"]} if result.get("text") else {}
        return {**said, "tool_calls": calls, **usage}
    if result.get("structured") is not None:
        return {"json": result["structured"], **usage}
    return {"text": result["text"], **usage}


def _result(kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    return {"error": _error(data)} if kind == "StepFailed" else {"result": data["result"]}


def _error(data: Mapping[str, Any]) -> dict[str, Any]:
    error = data["error"]
    status = (error.get("detail") or {}).get("status")
    return {"message": error["message"], **({"status": status} if status else {})}


def _decisions(logs: list[list[Event]]) -> dict[str, list[Any]]:
    """Return what people decided, by node, in the order in which they were asked."""
    found: dict[str, list[Any]] = defaultdict(list)
    for events in logs:
        said = {data["request_id"]: data for kind, _, data in events if kind == "InterruptResolved"}
        for kind, key, asked in events:
            if kind == "InterruptOpened" and key is not None and asked["request_id"] in said:
                decision = _decision(asked, said[asked["request_id"]])
                if decision is not None:
                    found[node_of(key)].append(decision)
    return found


def _decision(asked: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any] | None:
    if said["outcome"] == "expired":
        return {"expire": True}
    if said["outcome"] == "cancelled":
        return {"cancel": True}
    if said["outcome"] != "answered":
        return None
    kind = asked["kind"]
    if kind in ("approval", "in_doubt"):
        names = ("decision", "comment", "edits")
        return {name: said[name] for name in names if said.get(name)}
    if kind == "budget":
        return _raise(asked["request"], said)
    given = said["given"] if "given" in said else said.get("answer")
    return {"values": given} if kind == "form" else {"selected": given}


def _raise(request: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    if said["decision"] != "raise":
        return {"decision": said["decision"]}
    out: dict[str, Any] = {"decision": "raise"}
    if request.get("limit_usd") is not None:
        out["max_cost_usd"] = str(
            Decimal(request["limit_usd"]) + Decimal(said["answer"]["add_usd"])
        )
    if request.get("limit_tokens") is not None:
        out["max_tokens"] = request["limit_tokens"] + said["answer"]["add_tokens"]
    return out


def _expected(run: Run, events: list[Event]) -> dict[str, Any]:
    ends = [
        data for kind, _key, data in events if kind in ("RunCompleted", "RunFailed", "RunTimedOut")
    ]
    last = ends[-1] if ends else {}
    nodes = [
        place_of(key)
        for kind, key, _data in events
        if kind in ("NodeCompleted", "NodeFailed") and key is not None and "[undo" not in key
    ]
    return {
        "status": run.status,
        "error": (last.get("error") or {}).get("code"),
        "result": last.get("result"),
        "nodes": sorted(nodes),
    }
