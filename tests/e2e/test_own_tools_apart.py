"""A tool of the operator's own program, whose worker is killed: what is repeated, and what is asked."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import desk_server
from tests.e2e.apart import Apart
from tests.e2e.server import lines, serving, wait_until
from tests.e2e.test_kill import add_graph, assert_dense, line, ready

pytestmark = [pytest.mark.slow, pytest.mark.postgres]


def named(world: Path) -> str:
    """Return the operator's file: the program is trusted, and only `find` is said to read."""
    desk = {
        "command": sys.executable,
        "args": [desk_server.__file__, str(world)],
        "trusted": True,
        "effects": {"find": "read"},
    }
    return json.dumps({"mcpServers": {"desk": desk}})


def step(name: str) -> dict[str, Any]:
    """Return a node that calls a tool of the program."""
    return {
        "id": name,
        "type": "tool",
        "label": name,
        "read_keys": ["input"],
        "write_keys": [f"{name}_result"],
        "config": {"tool_id": f"desk/{name}", "arguments": {"room": "{{ input.room }}"}},
    }


def test_another_worker_reads_again_and_asks_about_what_may_have_been_done(
    tmp_path: Path, migrated_url: str
) -> None:
    """I5, I7: one worker is killed within a call that reads and within one that does not."""
    with serving(tmp_path, Apart, DATABASE_URL=migrated_url) as apart:
        assert isinstance(apart, Apart)
        (tmp_path / "var" / "mcp.json").write_text(named(apart.world))
        client = ready(apart)
        first = apart.add_worker()
        graphs = {name: add_graph(client, line(name, step(name))) for name in ("find", "book")}
        slow = apart.world / "slow"
        slow.touch()
        runs = {
            name: client.start_run(graph, {"input": {"room": "12"}})
            for name, graph in graphs.items()
        }
        sent = [apart.world / f"{name}.sent" for name in runs]
        wait_until(lambda: all(lines(path) for path in sent), "both calls under way")
        assert {apart.owner_of(run) for run in runs.values()} == {first}

        second = apart.add_worker()
        apart.kill_worker(first)
        slow.unlink()
        doubt = client.wait_for_interrupt(runs["book"], "in_doubt")
        assert client.wait_ended(runs["find"])["status"] == "completed"
        assert apart.owner_of(runs["book"]) == second
        assert doubt["request"]["reason"] == "unknown_outcome"
        assert len(lines(apart.world / "book.sent")) == 1
        client.answer(doubt, "happened", result={"booked": "12"})

        assert client.wait_ended(runs["book"])["status"] == "completed"
        assert {name: len(lines(apart.world / f"{name}.sent")) for name in runs} == {
            "find": 2,
            "book": 1,
        }
        for run in runs.values():
            assert_dense(client.events(run))
        assert apart.stop() == 0
        assert "Traceback" not in apart.log.read_text()
