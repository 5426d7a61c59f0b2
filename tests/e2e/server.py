"""The real server as a process, and a client that speaks its API."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.e2e.forked import Forked, Nursery
from tests.services import free_port

ROOT = Path(__file__).resolve().parents[2]
START_S = 40
Process = Forked | subprocess.Popen[bytes]
TERMINAL = {"completed", "failed", "cancelled", "timeout"}


def wait_until(true: Callable[[], Any], what: str, seconds: float = 30) -> Any:
    """Return the first truthy answer. Raises AssertionError after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        found = true()
        if found:
            return found
        assert time.monotonic() < deadline, f"waited {seconds} s in vain for: {what}"
        time.sleep(0.02)


def lines(path: Path) -> list[dict[str, Any]]:
    """Return the JSON lines of a file that may not be there yet."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def environment(folder: Path, port: int, **more: str) -> dict[str, str]:
    """Return the environment of a server on `folder`: its tools are those of `outside`."""
    var, site, world = folder / "var", folder / "site", folder / "world"
    info = site / "outside-1.0.dist-info"
    for path in (var, info, world):
        path.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[graphwright.tools]\nship = tests.e2e.outside:ship\npay = tests.e2e.outside:pay\n"
        "look_up = tests.e2e.outside:look_up\n"
    )
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.e2e.settings",
        "GRAPHWRIGHT_VAR": str(var),
        "GRAPHWRIGHT_TEST_WORLD": str(world),
        "PYTHONPATH": str(site),
        "PORT": str(port),
        "OMP_NUM_THREADS": "1",
        "DRAIN_SECONDS": "1",  # many a test ends with a call that never will
        **more,
    }


class Server:
    """One folder that is served, by one process after the other."""

    def __init__(self, folder: Path, **environ: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.environ = environment(folder, self.port, **environ)
        self.log = folder / "server.log"
        self.process: Process | None = None

    @property
    def world(self) -> Path:
        """Where the tools note what happened."""
        return self.folder / "world"

    @property
    def database(self) -> Path:
        """The embedded database."""
        return self.folder / "var" / "graphwright.sqlite3"

    def spawn(self) -> Process:
        """Start a process on the folder and return it without waiting."""
        return Forked(["serve", "--port", str(self.port)], self.environ, self.log)

    def start(self) -> float:
        """Start and return the seconds until the first answer."""
        began = time.monotonic()
        self.process = self.spawn()
        self.wait_up()
        return time.monotonic() - began

    def wait_up(self) -> None:
        """Return once the server answers."""

        def answers() -> bool:
            assert self.process is None or self.process.poll() is None, self.log.read_text()[-3000:]
            try:
                return self.client().request("GET", "/api/session/")[0] == 200
            except (OSError, http.client.HTTPException):
                return False

        wait_until(answers, "the server's first answer", START_S)

    def client(self) -> Client:
        """Return a client that is nobody yet."""
        return Client(self.port)

    def kill(self) -> None:
        """End the process without any warning."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        self.process = None

    def stop(self, within_s: float = 20) -> int:
        """Ask the process to end and return its exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(within_s)
        self.process = None
        return code

    def close(self) -> None:
        """End what still runs."""
        if self.process is not None:
            self.kill()


def is_there(process: int, send: int = 0) -> bool:
    """Send a signal and return whether there was a process to get it."""
    try:
        os.kill(process, send)
    except ProcessLookupError:
        return False
    return True


class QuickServer(Server):
    """A server that starts in a fraction of a second, for tests that kill it many times."""

    command = "serve"

    def __init__(self, folder: Path, **environ: str) -> None:
        super().__init__(folder, **environ)
        self._nursery = Nursery(self.environ, self.log)
        self._child = 0

    def start(self) -> float:
        """Fork a server and return the seconds until the first answer."""
        began = time.monotonic()
        self._child = self.fork(self.command)
        self.wait_up()
        return time.monotonic() - began

    def fork(self, command: str) -> int:
        """Fork a process that runs a command; return its id."""
        try:
            return self._nursery.fork(command)
        except EOFError:
            said = self.log.read_text()[-3000:]
            raise AssertionError(f"what starts servers is gone:\n{said}") from None

    def kill(self) -> None:
        """End the server without any warning."""
        child, self._child = self._child, 0
        if child and is_there(child, signal.SIGKILL):
            wait_until(lambda: not is_there(child), "the end of a killed server")

    def close(self) -> None:
        """End the server and what starts it."""
        self.kill()
        self._nursery.close()


@contextmanager
def serving(
    folder: Path, kind: type[Server] = Server, template: Path | None = None, **environ: str
) -> Iterator[Server]:
    """Give a server that has not been started, on a migrated template or nothing; end it after."""
    server = kind(folder, **environ)
    if template is not None:
        shutil.copy(template, server.database)
    try:
        yield server
    finally:
        server.close()


@dataclass(slots=True)
class Client:
    """A browser: cookies, CSRF token, JSON."""

    port: int
    timeout_s: float = 30
    cookies: dict[str, str] = field(default_factory=dict)
    csrf: str = ""

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Return status and decoded body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout_s)
        try:
            sent = {"X-CSRFToken": self.csrf, "Cookie": self.cookie, **headers}
            if body is not None:
                sent["Content-Type"] = "application/json"
            sent.setdefault("Origin", self.origin)
            raw = None if body is None else json.dumps(body)
            connection.request(method, path, raw, sent)
            answer = connection.getresponse()
            for value in answer.headers.get_all("Set-Cookie") or ():
                self.cookies |= {k: morsel.value for k, morsel in SimpleCookie(value).items()}
            text = answer.read()
            return answer.status, json.loads(text) if text else None
        finally:
            connection.close()

    @property
    def origin(self) -> str:
        """What a page of this server sends as its origin."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def cookie(self) -> str:
        """The Cookie header."""
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def ok(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Return the body of an answer that must be a success."""
        status, answer = self.request(method, path, body, **headers)
        assert status < 300, (method, path, status, answer)
        return answer

    def get(self, path: str) -> Any:
        """GET that must succeed."""
        return self.ok("GET", path)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        """POST that must succeed."""
        return self.ok("POST", path, body if body is not None else {}, **headers)

    def set_up(self) -> None:
        """Become the first owner."""
        self.csrf = self.get("/api/session/")["csrf_token"]
        session = self.post(
            "/api/setup/",
            {"name": "Olga", "email": "olga@example.com", "password": "correct horse battery"},
        )
        self.csrf = session["csrf_token"]

    @property
    def workspace(self) -> str:
        """The id of the current workspace."""
        return str(self.get("/api/session/")["workspace"]["id"])

    def start_run(self, graph: str, body: dict[str, Any] | None = None, key: str = "") -> str:
        """Start a run of the draft and return its id."""
        headers = {"Idempotency-Key": key} if key else {}
        path = f"/api/graphs/{graph}/runs/"
        return str(self.post(path, {"draft": True, **(body or {})}, **headers)["id"])

    def run(self, run_id: str) -> Any:
        """Return the run."""
        return self.get(f"/api/runs/{run_id}/")

    def events(self, run_id: str) -> list[dict[str, Any]]:
        """Return the whole log."""
        found: list[dict[str, Any]] = []
        while True:
            after = found[-1]["seq"] if found else 0
            page = self.get(f"/api/runs/{run_id}/events/?after={after}&limit=200")
            found += page["events"]
            if not page["events"] or found[-1]["seq"] >= page["head"]:
                return found

    def open_interrupts(self, run_id: str = "") -> list[dict[str, Any]]:
        """Return what waits for people."""
        suffix = f"&run={run_id}" if run_id else ""
        return list(self.get(f"/api/interrupts/?state=open{suffix}")["results"])

    def answer(self, interrupt: dict[str, Any], decision: str, **more: Any) -> Any:
        """Decide one interrupt."""
        body = {"token": interrupt["resume_token"], "decision": decision, **more}
        if interrupt.get("content_hash"):
            body["content_hash"] = interrupt["content_hash"]
        return self.post(f"/api/interrupts/{interrupt['request_id']}/answer/", body)

    def wait_for_interrupt(self, run_id: str, kind: str, seconds: float = 30) -> dict[str, Any]:
        """Return the open interrupt of that kind once it is there."""

        def found() -> Any:
            return next((i for i in self.open_interrupts(run_id) if i["kind"] == kind), None)

        return dict(wait_until(found, f"an open interrupt {kind}", seconds))

    def wait_ended(self, run_id: str, seconds: float = 30) -> Any:
        """Return the run once it is over."""

        def ended() -> Any:
            run = self.run(run_id)
            return run if run["status"] in TERMINAL else None

        return wait_until(ended, f"the end of run {run_id}", seconds)


class Tail:
    """A page that follows a run over the websocket, from where it was."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.events: list[dict[str, Any]] = []

    @property
    def last(self) -> int:
        """The last seq that was seen."""
        return int(self.events[-1]["seq"]) if self.events else 0

    @contextmanager
    def open(self, client: Client) -> Iterator[ClientConnection]:
        """Connect and subscribe after the last seq."""
        with connect(
            f"ws://127.0.0.1:{client.port}/ws/",
            additional_headers={"Cookie": client.cookie},
            origin=Origin(client.origin),
        ) as stream:
            stream.send(json.dumps({"op": "sub", "run": self.run_id, "after": self.last}))
            yield stream

    def read(self, stream: ClientConnection, until: Callable[[], Any], seconds: float = 30) -> None:
        """Take frames until `until` holds or the connection breaks."""
        deadline = time.monotonic() + seconds
        while not until():
            assert time.monotonic() < deadline, "the socket did not bring what was expected"
            try:
                frame = json.loads(stream.recv(timeout=0.1))
            except TimeoutError:
                continue
            except ConnectionClosed:
                return
            assert frame["op"] != "refused", frame
            if frame["op"] == "ev":
                self.events += frame["events"]
