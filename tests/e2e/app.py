"""A served Graphwright as the browser tests see it: the process, its log, its API, slow models."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

from playwright.sync_api import Locator, Page, expect

from tests.e2e.forked import Forked
from tests.services import free_port

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "static" / "build" / "manifest.json"
START_S = 90
END_S = 90
ENDED = {"completed", "failed", "cancelled", "timeout"}
OWNER = {
    "name": "Ada Owner",
    "email": "ada@example.org",
    "password": "a quiet harbour 7",
    "workspace": "Harbour",
}

Json = Any


class Refused(Exception):
    """An API answer of 400 or more."""

    def __init__(self, status: int, body: Json) -> None:
        super().__init__(f"{status}: {json.dumps(body)}")
        self.status = status
        self.body = body


def wait_until(true: Callable[[], Any], what: str, seconds: float = END_S) -> Any:
    """Return the first truthy answer. Raises `AssertionError` after `seconds`."""
    begun = time.monotonic()
    while True:
        found = true()
        if found:
            return found
        waited = time.monotonic() - begun
        assert waited < seconds, f"waited {seconds} s in vain for: {what}"
        time.sleep(min(0.05 + waited / 10, 0.25))  # what takes long is not asked for all the time


class Api:
    """The JSON API as one person uses it, with a session of its own."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self._token = ""

    def sign_in(self, email: str, password: str) -> Api:
        """Sign in and return this client."""
        self._token = self.get("session/")["csrf_token"]
        self._token = self.post("session/", {"email": email, "password": password})["csrf_token"]
        return self

    def set_up(self) -> None:
        """Become the owner of an installation that has none."""
        self._token = self.get("session/")["csrf_token"]
        self.post("setup/", OWNER)

    def join(self, code: str, person: dict[str, str]) -> None:
        """Follow an invitation as somebody new."""
        self._token = self.get("session/")["csrf_token"]
        self.post("join/", {"code": code, **person})

    def get(self, path: str) -> Json:
        """Return the answer of a GET. Raises `Refused`."""
        return self._call("GET", path, None)

    def post(self, path: str, body: Json = None) -> Json:
        """Return the answer of a POST. Raises `Refused`."""
        return self._call("POST", path, {} if body is None else body)

    def patch(self, path: str, body: Json) -> Json:
        """Return the answer of a PATCH. Raises `Refused`."""
        return self._call("PATCH", path, body)

    def _call(self, method: str, path: str, body: Json) -> Json:
        headers = {"X-CSRFToken": self._token, "Origin": self.address}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        request = Request(f"{self.address}/api/{path}", data, headers, method=method)
        try:
            with self._opener.open(request, timeout=60) as answer:
                return json.loads(answer.read() or b"null")
        except HTTPError as error:
            raise Refused(error.code, json.loads(error.read() or b"null")) from None

    def graph(self, slug: str) -> Json:
        """Return the list entry of a graph by its slug."""
        listed = self.get(f"graphs/?search={slug}")["results"]
        return next(graph for graph in listed if graph["slug"] == slug)

    def make(self, document: Json, *, publish: bool = False) -> str:
        """Import a document and return the id of the graph."""
        graph = self.post("graphs/", {"document": document})
        if publish:
            self.post(f"graphs/{graph['id']}/publish/", {"revision": graph["revision"]})
        return str(graph["id"])

    def start(self, graph_id: str, input: Json, **more: Json) -> str:
        """Start a run and return its id."""
        return str(self.post(f"graphs/{graph_id}/runs/", {"input": input, **more})["id"])

    def run(self, run_id: str) -> Json:
        """Return the detail of a run."""
        return self.get(f"runs/{run_id}/")

    def events(self, run_id: str) -> list[Json]:
        """Return the whole log of a run."""
        found: list[Json] = []
        while True:
            page = self.get(f"runs/{run_id}/events/?after={len(found)}&limit=500")
            found += page["events"]
            if not page["events"] or len(found) >= page["head"]:
                return found

    def wait(self, run_id: str, *statuses: str) -> Json:
        """Return the run once it has one of the statuses. An end that was not asked for fails."""

        def reached() -> Json:
            run = self.run(run_id)
            if run["status"] in statuses:
                return run
            assert run["status"] not in ENDED, (run["status"], run["error"])
            return None

        return wait_until(reached, f"run {run_id} to be {' or '.join(statuses)}")

    def open_interrupt(self, run_id: str) -> Json:
        """Return the open interrupt of a run that waits for one."""
        self.wait(run_id, "waiting")
        return self.get(f"interrupts/?state=open&run={run_id}")["results"][0]

    def clear_inbox(self) -> None:
        """Let nothing wait: tests of a worker share the inbox, and a decision leads to the next item."""

        def waiting() -> Json:
            return self.get("interrupts/?state=open&limit=200")["results"]

        for item in waiting():
            self.post(f"runs/{item['run']['id']}/cancel/")
        wait_until(lambda: not waiting(), "an empty inbox")

    def answer(self, interrupt: Json, **answer: Json) -> Json:
        """Answer an interrupt."""
        body = {"token": interrupt["resume_token"], **answer}
        if interrupt["content_hash"]:
            body["content_hash"] = interrupt["content_hash"]
        return self.post(f"interrupts/{interrupt['request_id']}/answer/", body)


@dataclass
class App:
    """A running server. `state` is the browser storage of its owner once there is one."""

    address: str
    folder: Path
    log: Path
    environ: dict[str, str]
    state: Any = None
    _api: Api | None = field(default=None, repr=False)

    @property
    def api(self) -> Api:
        """The API in the name of the owner."""
        if self._api is None:
            self._api = Api(self.address).sign_in(OWNER["email"], OWNER["password"])
        return self._api

    def logged(self) -> str:
        """Return what the server has written."""
        return self.log.read_text(errors="replace")

    def ensure_member(self, *, role: str = "viewer", **person: str) -> None:
        """Let a person join the workspace, unless there is one of that address."""
        listed = self.api.get("members/")["results"]
        if all(member["user"]["email"] != person["email"] for member in listed):
            code = self.api.post("invitations/", {"role": role})["code"]
            Api(self.address).join(code, person)

    def shell(self, code: str) -> None:
        """Run Python with the server's settings and database."""
        subprocess.run(
            [sys.executable, "manage.py", "shell", "-v", "0", "-c", code],
            cwd=ROOT,
            env=self.environ,
            check=True,
            capture_output=True,
        )

    def accept_models(self, **addresses: str) -> None:
        """Accept OpenAI-compatible servers on this machine: `<name>/fake-small` is then a model.

        A worker may come back to a module, and its server has another address then.
        """
        rows = repr(list(addresses.items()))
        self.shell(
            "from builder.models import AcceptedProvider, Workspace\n"
            f"for name, address in {rows}:\n"
            "    AcceptedProvider.objects.update_or_create(workspace=Workspace.objects.get(),\n"
            "        provider_id='loopback-' + name, defaults={'provider': name, 'label': name,\n"
            "        'base_url': address, 'source': 'loopback', 'model_names': ['fake-small']})\n"
        )


LOOK = """pane => new Promise(done => {
    const wait = () => setTimeout(done, 250);
    let timer = wait();
    new MutationObserver(() => {
        clearTimeout(timer);
        timer = wait();
    }).observe(pane, {attributes: true, attributeFilter: ['data-shown', 'data-request']});
})"""
"""What stays on screen for a moment: an item whose content came later than its line is shown anew."""


def looked(at: Page | Locator) -> None:
    """Look at the item that is open, as people do: what was on screen for a moment decides nothing.

    A busy machine paints late, so the time counts from when the page says that it has.
    """
    page = at.page if isinstance(at, Locator) else at
    pane = page.locator("article[data-request]")
    expect(pane).to_have_attribute("data-shown", "true")
    pane.evaluate(LOOK)
    expect(pane).to_have_attribute("data-shown", "true")


def ensure_build() -> None:
    """Build the front end when nobody has."""
    if not BUILD.is_file():
        subprocess.run([sys.executable, ".ci/bootstrap.py", "setup", "run"], cwd=ROOT, check=True)


def environment(folder: Path, port: int, **more: str) -> dict[str, str]:
    """Return the environment of a server whose data lives in `folder`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.endswith("_API_KEY") and name != "DJANGO_ALLOW_ASYNC_UNSAFE"
    }
    own = {
        "DJANGO_SETTINGS_MODULE": "tests.e2e.settings",
        "GRAPHWRIGHT_VAR": str(folder / "var"),
        "PORT": str(port),
        "OMP_NUM_THREADS": "1",
        "PYTHONUNBUFFERED": "1",
        "DRAIN_SECONDS": "1",
    }
    return {**kept, **own, **more}


@contextmanager
def served(folder: Path, template: Path | None = None, **more: str) -> Iterator[App]:
    """Serve a folder on a free port while the block lasts; without a migrated template it is empty."""
    ensure_build()
    if template is not None:
        (folder / "var").mkdir()
        shutil.copy(template, folder / "var" / "graphwright.sqlite3")
    port = free_port()
    log = folder / "server.log"
    app = App(f"http://localhost:{port}", folder, log, environment(folder, port, **more))
    process = Forked(["serve", "--port", str(port)], app.environ, log)
    try:
        wait_until(lambda: _answers(app, process), "the first answer of the server", START_S)
        yield app
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _answers(app: App, process: Forked) -> bool:
    assert process.poll() is None, app.logged()
    try:
        with urlopen(f"{app.address}/api/session/", timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@contextmanager
def model_server(plan: list[dict[str, Any]], folder: Path, name: str) -> Iterator[str]:
    """Run the fake model server with `plan`; give its address."""
    file = folder / f"{name}.json"
    file.write_text(json.dumps(plan))
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.fake_openai", "--plan", str(file)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["base_url"]
    finally:
        process.terminate()
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()
