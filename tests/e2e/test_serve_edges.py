"""The server's edges: a port that is taken, its own origin and no other, what a load balancer asks."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.e2e.server import ROOT, QuickServer, Server, serving
from tests.services import free_port

pytestmark = pytest.mark.slow
MIB = 1024 * 1024


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


def sent(server: Server, head: str, body: Iterator[bytes]) -> bytes:
    """Send a request piece by piece, until it is whole or the line is cut, and return the answer."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(f"{head}\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for piece in body:
                line.sendall(piece)
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while piece := line.recv(65_536):
                answer += piece
    return answer


def chunks(most: int) -> Iterator[bytes]:
    piece = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
    yield from (piece for _ in range(most // 65_536))
    yield b"0\r\n\r\n"


def test_nobody_sends_more_than_anything_takes(tmp_path: Path, sqlite_template: Path) -> None:
    """Whatever the door, signed in or not, and whether the length is said or found out.

    What is no form at all, under a form's name, reaches the door: the server reads no forms.
    """
    with serving(tmp_path, QuickServer, sqlite_template) as server:
        server.start()
        for path in ("/hooks/x", "/api/session/", "/v1/chat/completions", "/healthz"):
            head = f"POST {path} HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json"
            told = sent(server, f"{head}\r\nContent-Length: 999999999", iter(()))
            counted = sent(server, f"{head}\r\nTransfer-Encoding: chunked", chunks(40 * MIB))
            for answer in (told, counted):
                assert answer.startswith(b"HTTP/1.1 413 "), (path, answer[:200])
                assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "InputTooLarge"
        figures = urlopen(f"http://127.0.0.1:{server.port}/metrics").read().decode()
        assert 'requests_total{area="api",method="POST",status="413"} 2.0' in figures
        assert server.log.read_text().count("Request Entity Too Large: /hooks/x") == 2

        status, session = server.client().request("GET", "/api/session/")
        assert (status, session["authenticated"]) == (200, False)
        body = b'{"a": 1}'
        head = "POST /hooks/x HTTP/1.1\r\nConnection: close\r\n"
        form = "Content-Type: multipart/form-data; boundary=x"
        answer = sent(server, f"{head}{form}\r\nContent-Length: {len(body)}", iter([body]))
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "HookNotFound"
