"""The server's edges: a port that is taken, its own origin and no other, what a load balancer asks."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.e2e.server import ROOT, Server
from tests.services import free_port

pytestmark = pytest.mark.slow


def test_a_port_that_is_taken_is_said_before_any_address(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with socket.create_server(("127.0.0.1", server.port)):
        ended = subprocess.run(
            [sys.executable, "manage.py", "serve", "--port", str(server.port)],
            cwd=ROOT,
            env=server.environ,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    assert ended.returncode == 1
    assert "http://" not in ended.stdout
    assert f"port {server.port}" in ended.stderr
    assert "choose another port with --port" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not server.database.exists()


def opens(server: Server, cookie: str, origin: str) -> bool:
    try:
        with connect(
            f"ws://127.0.0.1:{server.port}/ws/",
            additional_headers={"Cookie": cookie},
            origin=Origin(origin),
        ) as stream:
            stream.send(json.dumps({"op": "ping"}))
            return bool(json.loads(stream.recv(timeout=10)) == {"op": "pong"})
    except InvalidStatus:
        return False


def test_only_pages_of_the_port_that_is_served_are_ours(tmp_path: Path) -> None:
    """The settings' port, at which another program may serve its pages, is not."""
    elsewhere = free_port()
    server = Server(tmp_path, PORT=str(elsewhere))
    try:
        server.start()
        owner = server.client()
        owner.set_up()
        status, _ = owner.request("GET", "/api/session/")
        refused, problem = owner.request(
            "POST", "/api/graphs/", {"document": {}}, Origin=f"http://127.0.0.1:{elsewhere}"
        )
        policy = _policy(server)

        assert status == 200
        assert opens(server, owner.cookie, owner.origin)
        assert not opens(server, owner.cookie, f"http://127.0.0.1:{elsewhere}")
        assert (refused, problem["code"]) == (403, "CsrfFailed")
        assert f"ws://127.0.0.1:{server.port}" in policy
        assert str(elsewhere) not in policy
    finally:
        server.close()


def _policy(server: Server) -> str:
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", "/")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.headers["Content-Security-Policy"] or ""
