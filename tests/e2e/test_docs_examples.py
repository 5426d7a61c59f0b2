"""The examples of the doors' pages run as they are written, against a served Graphwright."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.builder.api.sign_in.firm import Firm
from tests.e2e.app import model_server
from tests.e2e.called import House, house
from tests.e2e.server import Client, wait_until
from tests.repository import ROOT
from tests.services import free_port

pytestmark = pytest.mark.slow
in_shell = pytest.mark.skipif(
    not (shutil.which("curl") and shutil.which("openssl")),
    reason="these examples are lines for a shell that has curl and openssl",
)
WRITTEN = "http://127.0.0.1:8000"
"""The address that the pages name."""
SHOP: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1"},
    "servers": [{"url": "https://shop.example/v1"}],
    "paths": {
        "/orders": {"post": {"operationId": "createOrder", "responses": {"200": {}}}},
        "/orders/{id}": {
            "get": {
                "operationId": "getOrder",
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
                ],
                "responses": {"200": {}},
            }
        },
    },
}


@contextmanager
def files_of(folder: Path) -> Iterator[str]:
    """Serve a folder on loopback and give its address."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What stands on the same machine: a model server, a document of an API, a firm's sign-in."""

    model: str
    document: str
    issuer: str
    """Where the provider will be that one of the tests starts."""


@pytest.fixture(scope="module")
def neighbours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neighbours]:
    """Start them for the tests of this file."""
    folder = tmp_path_factory.mktemp("neighbours")
    (folder / "openapi.json").write_text(json.dumps(SHOP))
    with model_server([{"text": "ready"}], folder, "ollama") as model, files_of(folder) as files:
        yield Neighbours(model, f"{files}/openapi.json", f"http://127.0.0.1:{free_port()}")


@pytest.fixture(scope="module")
def called(
    tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path, neighbours: Neighbours
) -> Iterator[House]:
    """A house for the tests of this file, whose operator lets it call its neighbours."""
    model, document = (origin_of(each) for each in (neighbours.model, neighbours.document))
    allowed = f"model={model},tool={document},{neighbours.issuer}"
    folder = tmp_path_factory.mktemp("docs")
    with house(folder, sqlite_template, EGRESS_ALLOW=allowed) as found:
        yield found


def origin_of(address: str) -> str:
    """Return scheme, host and port of an address."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def examples(page: str, language: str) -> list[str]:
    """Return the blocks of a page in a language, in their order."""
    text = (ROOT / "docs" / f"{page}.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def ran(house: House, code: str, language: str = "sh", **names: str) -> str:
    """Run an example, its server being `house`, with names of the environment; return what it said."""
    token = house.token("*")
    start = ["bash", "-euo", "pipefail", "-c"] if language == "sh" else [sys.executable, "-c"]
    done = subprocess.run(
        [*start, code.replace(WRITTEN, house.address)],
        env={**os.environ, "TOKEN": token, "GRAPHWRIGHT_TOKEN": token, **names},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_clients_of_being_called(called: House) -> None:
    [by_mcp, by_openai] = examples("being-called", "python")

    said = ran(called, by_mcp, "python")
    answered = ran(called, by_openai.replace('"support"', '"echo"'), "python")

    assert "'greet'" in said
    assert "Hello Ada" in said
    assert answered == "You said Where is my order?\n"


def webhook(house: House, signature: str) -> tuple[str, str]:
    """Return address and secret of a new webhook."""
    body = {"kind": "webhook", "name": signature, "config": {"signature": signature}}
    made = house.owner.post(f"/api/graphs/{house.graphs['echo']}/triggers/", body)
    return made["address"], made["secret"]


@in_shell
def test_a_signed_call_starts_a_run_and_its_repetition_does_not(called: House) -> None:
    standard, github = examples("triggers", "sh")[:2]
    address, secret = webhook(called, "standard")
    standard = re.sub("^ADDRESS=.*\n^SECRET=.*\n", "", standard, flags=re.MULTILINE)
    before = len(called.runs("echo"))

    twice = ran(called, standard + standard.split("\n", 1)[1], ADDRESS=address, SECRET=secret)
    at_github, its = webhook(called, "github")
    there = ran(called, github, ADDRESS=at_github, SECRET=its, BODY='{"order": 7}', ID="delivery-1")

    assert twice.count(" 202 ") == 1
    assert '"repeated":true' in twice.replace(" ", "")
    assert " 202 " in there
    wait_until(lambda: len(called.runs("echo")) == before + 2, "two runs, one of each webhook")


@in_shell
def test_a_schedule_and_a_trigger_by_an_event_are_made(called: House) -> None:
    by_time, by_event = examples("triggers", "sh")[2:]

    made = json.loads(ran(called, by_time, GRAPH=called.graphs["echo"]))
    heard = ran(called, by_event, GRAPH=called.graphs["echo"], IMPORT=called.graphs["broken"])

    assert (made["kind"], made["config"]["cron"]) == ("schedule", "30 8 * * 1-5")
    assert json.loads(heard)["config"]["on"] == ["run.failed", "run.timeout"]


@in_shell
def test_a_model_server_is_added_and_tried(called: House, neighbours: Neighbours) -> None:
    [code] = examples("models", "sh")

    said = ran(called, code.replace("http://127.0.0.1:11434/v1", neighbours.model))

    added, end = json.JSONDecoder().raw_decode(said)
    tried = json.loads(said[end:])
    assert added["id"] == "my-ollama", said
    assert tried["ok"], said


@in_shell
def test_sources_of_tools_are_added(called: House, neighbours: Neighbours) -> None:
    by_address, _, by_document = examples("tools", "sh")[:3]
    for name in ("crm", "crm-key", "shop"):
        body = {"name": name, "kind": "bearer", "value": "s", "hosts": ["*.example"]}
        called.owner.post("/api/credentials/", body)

    crm = json.loads(ran(called, by_address.replace("https://graphwright.example", WRITTEN)))
    # The page leaves out what the example before it shows.
    full = "curl -sS -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' "
    shortened = by_document.replace("https://shop.example/openapi.json", neighbours.document)
    ran(called, shortened.replace("curl … ", full + WRITTEN))

    assert (crm["name"], crm["kind"]) == ("crm", "mcp_http")
    sources = called.owner.get("/api/tool-sources/")["results"]
    [shop] = [each for each in sources if each["name"] == "shop"]
    assert sorted(tool["name"] for tool in shop["tools"]) == ["shop/createOrder", "shop/getOrder"]


@contextmanager
def provider_of_tests(line: str) -> Iterator[None]:
    """Keep running what the page starts."""
    program, *rest = line.split()
    process = subprocess.Popen([str(Path(sys.executable).parent / program), *rest])
    try:
        yield
    finally:
        process.kill()
        process.wait()


@in_shell
def test_a_firm_signs_its_people_in(called: House, neighbours: Neighbours) -> None:
    [code] = [block for block in examples("sign-in", "sh") if "oidc-provider-mock" in block]
    install, start, tell = code.split("\n", 2)
    port = str(urlsplit(neighbours.issuer).port)
    assert install.startswith("pip install ")
    with provider_of_tests(start.replace("9400", port)):
        again = "--retry 40 --retry-delay 1 --retry-connrefused"
        ran(called, tell.replace("9400", port).replace("curl ", f"curl -sSf {again} "))
        made = called.owner.post(
            "/api/identity-providers/",
            {
                "name": "Acme",
                "issuer": neighbours.issuer,
                "client_id": "any",
                "secret": "any",
                "group_map": [{"group": "finance", "role": "reviewer", "groups": []}],
            },
        )

        fay = Client(called.server.port)
        fay.csrf = fay.get("/api/session/")["csrf_token"]
        there = fay.post(f"/api/sign-in/{made['id']}/")["url"]
        query = Firm(neighbours.issuer).answer(there, "u1")
        status, _ = fay.request("GET", f"/sign-in/callback?{query}")

    said = fay.get("/api/session/")
    assert (status, said["user"]["name"], said["workspace"]["role"]) == (302, "Fay", "reviewer")
