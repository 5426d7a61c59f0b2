"""The served schema tells the truth: whatever is asked, no answer is one that it does not know."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.server import Client, QuickServer, serving
from tests.e2e.test_kill import REVIEW, add_graph, line

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("SCHEMA_EXAMPLES", "2"))
"""Requests an operation; more with `SCHEMA_EXAMPLES=100`."""
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_schema_conformance"
)
LOSE_THE_SESSION = ("sign_out", "end_session", "end_sessions")
"""Operations after which the following ones would all be refused."""


def known_values(client: Client) -> dict[str, str]:
    """Make one of everything and return what to put into the paths."""
    document = line("orders", REVIEW)
    graph = add_graph(client, document)
    client.post(
        f"/api/graphs/{graph}/publish/",
        {"revision": client.get(f"/api/graphs/{graph}/")["revision"]},
    )
    run = client.start_run(graph, {"input": {"order": "A1"}})
    waiting = client.wait_for_interrupt(run, "approval")
    agent = client.post("/api/agents/", {"id": "ann", "name": "Ann", "model": "local/default"})
    return {
        "graph_id": graph,
        "run_id": run,
        "number": "1",
        "request_id": waiting["request_id"],
        "slug": agent["id"],
        "member_id": client.get("/api/members/")["results"][0]["id"],
    }


def settings_file(folder: Path, values: dict[str, str]) -> Path:
    """Write what the fuzzer is told: the values of the paths, in half of the requests."""
    file = folder / "schemathesis.toml"
    parameters = "".join(f'"path.{name}" = "{value}"\n' for name, value in values.items())
    file.write_text(f"[parameters]\n{parameters}")
    return file


def test_no_answer_is_unknown_to_the_schema(tmp_path: Path, sqlite_template: Path) -> None:
    with serving(tmp_path, QuickServer, sqlite_template) as server:
        server.start()
        client = server.client()
        client.set_up()
        config = settings_file(tmp_path, known_values(client))

        done = subprocess.run(
            [
                Path(sys.executable).with_name("schemathesis"),
                "--config-file",
                config,
                "run",
                f"{client.origin}/api/schema/",
                "--checks",
                CHECKS,
                "--seed",
                "7",
                "--phases",
                "examples,fuzzing",
                "--max-examples",
                str(EXAMPLES),
                "--no-shrink",
                *(part for name in LOSE_THE_SESSION for part in ("--exclude-operation-id", name)),
                "--continue-on-failure",
                "--suppress-health-check",
                "all",
                "--warnings",
                "off",
                "-H",
                f"Cookie: {client.cookie}",
                "-H",
                f"X-CSRFToken: {client.csrf}",
                "-H",
                f"Origin: {client.origin}",
            ],
            cwd=tmp_path,
            check=False,
            capture_output=True,
            text=True,
            timeout=280,
            env={**os.environ, "NO_COLOR": "1", "HYPOTHESIS_STORAGE_DIRECTORY": str(tmp_path)},
        )

        assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2_000:]
        assert client.get("/api/session/")["user"] is not None, "the fuzzer lost its session"
        assert "Traceback" not in server.log.read_text()
