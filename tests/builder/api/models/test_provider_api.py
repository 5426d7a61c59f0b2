"""Model servers of one's own and keys of the known providers, over the API."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from builder.adapters.models.access import LISTS, model_problem
from builder.adapters.models.cures import with_cure
from builder.adapters.models.trial import Trial
from builder.models import Credential, ProviderPause, ProviderTrial, User
from builder.services import catalogue
from builder.services.models import trials
from engine.core.errors import ProviderError
from tests.builder.conftest import Api, People

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[4]
PUBLIC = "https://llm.example.com/v1"


@contextmanager
def running(folder: Path, plan: list[dict[str, Any]], port: int = 0) -> Iterator[str]:
    """Run the fake model server as a process and yield its address."""
    (folder / "plan.json").write_text(json.dumps(plan))
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tests.fake_openai",
            "--port",
            str(port),
            "--plan",
            str(folder / "plan.json"),
            "--record",
            str(folder / "record.jsonl"),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["base_url"]
    finally:
        process.kill()
        process.wait()


@pytest.fixture(autouse=True)
def fresh_lists() -> None:
    LISTS.forget()


@pytest.fixture
def owner(people: People) -> Api:
    """Olga, who also owns the installation."""
    User.objects.filter(pk=people.olga.user_id).update(is_superuser=True)
    return Api(people.olga)


def add(api: Api, base_url: str, **more: Any) -> Any:
    return api.post("models/providers/", {"id": "acme", "base_url": base_url, **more})


def test_server_of_ones_own_is_added_found_tried_and_removed(owner: Api, tmp_path: Path) -> None:
    with running(tmp_path, [{"text": "ready"}]) as base_url:
        added = add(
            owner,
            base_url,
            label="Acme",
            key="sk-acme",
            headers={"X-Team": "blue"},
            accept_address=True,
        )
        listed = owner.get("models/").json()
        tried = owner.post("models/trial/", {"model": "acme/fake-small"}).json()

    assert added.status_code == 201, added.content
    assert added.json()["models"] == ["fake-small", "fake-large"]
    assert (added.json()["reachable"], added.json()["has_key"]) == (True, True)
    assert added.json()["headers"] == ["X-Team"]
    assert "acme/fake-small" in [model["id"] for model in listed["models"]]
    assert (tried["ok"], tried["message"]) == (True, "ready"), tried
    assert 0 <= tried["first_token_ms"] <= tried["total_ms"]
    (asked,) = [json.loads(line) for line in (tmp_path / "record.jsonl").open()][:1]
    assert asked["authorization"] == "Bearer sk-acme"
    LISTS.forget()
    gone = [m["id"] for m in owner.get("models/").json()["models"]]
    assert "acme/fake-small" not in gone  # the server is gone, and nobody named its models
    assert owner.delete("models/providers/acme/").status_code == 204
    assert owner.get("models/providers/acme/").status_code == 404
    assert not Credential.objects.filter(name="acme").exists()


def test_own_price_is_dated_and_counts(owner: Api, tmp_path: Path) -> None:
    price = {"fake-small": {"input_per_million": "0.5", "output_per_million": "1.5"}}
    with running(tmp_path, []) as base_url:
        add(owner, base_url, accept_address=True, prices=price)
        models = {m["id"]: m["price"] for m in owner.get("models/").json()["models"]}

    found = models["acme/fake-small"]
    assert Decimal(found["input_per_million"]) == Decimal("0.5")
    assert found["dated"] is not None
    assert models["acme/fake-large"] is None


def test_trial_says_why_a_model_does_not_answer(owner: Api, tmp_path: Path) -> None:
    error = {"error": {"status": 401, "message": "bad key sk-acme"}}
    with running(tmp_path, [error]) as base_url:
        add(owner, base_url, key="sk-acme", accept_address=True)
        refused = owner.post("models/trial/", {"model": "acme/fake-small"}).json()
        unknown = owner.post("models/trial/", {"model": "acme/nosuch"}).json()
    LISTS.forget()
    away = owner.post("models/trial/", {"model": "acme/fake-small"}).json()

    assert (refused["ok"], refused["first_token_ms"]) == (False, None)
    assert "bad key [credential]" in refused["message"]
    assert "acme/fake-large" in unknown["message"]
    assert "is the server running?" in away["message"]


def test_of_a_hosted_provider_nobody_is_asked_whether_its_server_runs() -> None:
    away = ProviderError(
        "anthropic/x: no connection to https://a.example: is the server running?",
        status=None,
        sent=False,
    )

    assert "running? Look at the address" in with_cure(away)
    assert with_cure(away, hosted=True) == (
        "anthropic/x: no connection to https://a.example."
        " It is on the internet: look whether this server may reach it, then try again."
    )


def test_neither_key_nor_headers_can_be_read(owner: Api) -> None:
    added = add(owner, PUBLIC, key="sk-very-secret", headers={"X-Token": "hidden-value"})
    seen = [added, owner.get("models/"), owner.get("models/providers/acme/")]
    seen += [owner.get("credentials/"), owner.get("audit/")]

    text = "".join(answer.content.decode() for answer in seen)
    assert "sk-very-secret" not in text
    assert "hidden-value" not in text
    (kept,) = Credential.objects.filter(name="acme")
    assert kept.hosts == ["llm.example.com"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "127.1"])
def test_address_of_this_machine_is_its_owners_to_accept(
    people: People, olga: Api, owner: Api, settings: Any, host: str
) -> None:
    url = f"http://{host}:9/v1"
    User.objects.filter(pk=people.olga.user_id).update(is_superuser=False)
    refused = add(Api(people.olga), url, accept_address=True)
    User.objects.filter(pk=people.olga.user_id).update(is_superuser=True)
    asked = add(Api(people.olga), url)
    accepted = add(Api(people.olga), url, accept_address=True)

    assert (refused.status_code, refused.json()["code"]) == (422, "AddressNotAllowed")
    assert "EGRESS_ALLOW" in refused.json()["detail"]
    assert (asked.status_code, asked.json()["code"]) == (422, "AddressNeedsAcceptance")
    assert accepted.status_code == 201
    assert accepted.json()["source"] == "machine"


def test_address_that_the_operator_allows_is_every_admins(olga: Api, settings: Any) -> None:
    settings.EGRESS_ALLOW = ["http://127.0.0.1:9"]

    assert add(olga, "http://127.0.0.1:9/v1").json()["source"] == "own"


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("http://169.254.169.254/v1", 400),
        ("http://[fe80::1]/v1", 400),
        ("ftp://a/v1", 400),
        ("http://a:b@c.example/v1", 400),
        ("http://a.example/v1?key=1", 400),
        ("nonsense", 400),
        ("http://100.100.100.200/v1", 400),
        ("http://10.0.0.5:8000", 201),
    ],
)
def test_addresses_are_judged(owner: Api, url: str, status: int) -> None:
    answer = add(owner, url, accept_address=True)

    assert answer.status_code == status, answer.content
    if status == 201:
        assert answer.json()["base_url"] == f"{url}/v1"


@pytest.mark.parametrize("name", ["openai", "ollama", "local", "builtin", "Acme", "a b", "-x"])
def test_names_of_others_are_refused(olga: Api, name: str) -> None:
    answer = olga.post("models/providers/", {"id": name, "base_url": PUBLIC})

    assert answer.status_code == 400
    assert answer.json()["problems"][0]["path"] == "id"


def test_name_is_given_once(olga: Api) -> None:
    add(olga, PUBLIC)

    assert add(olga, PUBLIC).json()["code"] == "ProviderExists"


@pytest.mark.parametrize("headers", [{"Host": "x"}, {"a b": "x"}, {"X": "a\nb"}, {"X": "é"}])
def test_headers_that_cannot_be_sent_are_refused(olga: Api, headers: dict[str, str]) -> None:
    assert add(olga, PUBLIC, headers=headers).status_code == 400


def test_provider_in_use_is_removed_only_on_purpose(people: People, olga: Api) -> None:
    add(olga, PUBLIC, models=["small"])
    catalogue.create_agent(people.alice, slug="w", fields={"name": "W", "model": "acme/small"})

    refused = olga.delete("models/providers/acme/")
    users = olga.get("models/providers/acme/").json()["used_by"]
    removed = olga.delete("models/providers/acme/?anyway=true")

    assert (refused.status_code, refused.json()["code"]) == (409, "ProviderInUse")
    assert refused.json()["used_by"] == users == [{"kind": "agent", "id": "w", "name": "W"}]
    assert removed.status_code == 204


def test_a_provider_is_used_by_a_workflow_that_is_only_drafted(people: People, olga: Api) -> None:
    add(olga, PUBLIC, models=["small"])
    document = {
        "graphwright": 1,
        "id": "d",
        "name": "Drafted",
        "nodes": [],
        "edges": [],
        "agents": [{"id": "ann", "model": "acme/small"}],
    }
    drafted = Api(people.alice).post("graphs/", {"document": document}).json()

    users = olga.get("models/providers/acme/").json()["used_by"]

    assert users == [{"kind": "workflow", "id": drafted["id"], "name": "Drafted"}]


@pytest.mark.parametrize("provider", ["openai", "anthropic", "google"])
def test_keys_of_known_providers_are_set_and_forgotten(
    people: People, olga: Api, provider: str
) -> None:
    def known() -> Any:
        return next(p for p in olga.get("models/").json()["providers"] if p["id"] == provider)

    before = known()
    workspace = people.olga.workspace
    ProviderPause.objects.create(workspace=workspace, provider=provider, until=2**50)
    changed = olga.patch(f"models/providers/{provider}/", {"key": "sk-1"})
    assert not ProviderPause.objects.exists(), "it was asked of the key before"
    offered = [m["id"] for m in olga.get("models/").json()["models"]]
    removed = olga.delete(f"models/providers/{provider}/")

    assert not before["has_key"]
    assert changed.json()["has_key"]
    assert any(name.startswith(f"{provider}/") for name in offered)
    assert removed.status_code == 204
    assert not known()["has_key"]
    more = olga.patch(f"models/providers/{provider}/", {"label": "Mine"})
    assert more.status_code == 400


@pytest.mark.parametrize("key", ["two", ""])
def test_the_test_of_a_key_says_nothing_of_the_key_after_it(
    people: People, olga: Api, key: str
) -> None:
    olga.patch("models/providers/anthropic/", {"key": "one"})
    ProviderTrial.objects.create(
        workspace=people.olga.workspace,
        provider="anthropic",
        model="anthropic/claude-haiku-5-5",
        at=timezone.now(),
        total_ms=1,
        error="The key was refused.",
    )
    olga.patch("models/providers/anthropic/", {"key": key})

    shown = {one["id"]: one["tested"] for one in olga.get("models/").json()["providers"]}
    assert shown["anthropic"] is None


@pytest.mark.parametrize("key", [None, "two"])
def test_a_test_under_way_says_nothing_of_a_key_set_meanwhile(
    people: People, olga: Api, monkeypatch: pytest.MonkeyPatch, key: str | None
) -> None:
    olga.patch("models/providers/anthropic/", {"key": "one"})

    def tried(_coroutine: object) -> Trial:
        if key is not None:
            olga.patch("models/providers/anthropic/", {"key": key})
        return Trial(ok=False, message="The key was refused.", first_token_ms=None, total_ms=1)

    monkeypatch.setattr(trials, "try_model", lambda *_: None)
    monkeypatch.setattr(trials, "asyncio", SimpleNamespace(run=tried))
    olga.post("models/trial/", {"model": "anthropic/claude-haiku-5-5"})

    assert ProviderTrial.objects.exists() is (key is None)


@pytest.mark.parametrize("key", ["a\r\nX: y", "sk-é", " sk-1", "sk-1\n", "a\tb"])
def test_a_key_that_no_request_could_carry_is_refused(olga: Api, key: str) -> None:
    known = olga.patch("models/providers/openai/", {"key": key})
    added = add(olga, PUBLIC, key=key)

    for answer in (known, added):
        assert answer.status_code == 400, answer.content
        assert answer.json()["problems"][0]["path"] == "key"
    assert "acme" not in {each["id"] for each in olga.get("models/").json()["providers"]}


def test_only_admins_change_providers_and_everything_is_audited(
    people: People, alice: Api, olga: Api
) -> None:
    assert add(alice, PUBLIC).status_code == 403
    assert alice.post("models/trial/", {"model": "local/default"}).status_code == 403
    add(olga, PUBLIC)
    olga.patch("models/providers/acme/", {"label": "Other"})
    olga.delete("models/providers/acme/")

    said = [entry["action"] for entry in olga.get("audit/").json()["results"]]
    assert said[2::-1] == ["provider.added", "provider.changed", "provider.removed"]


def test_built_in_model_is_tried_too(olga: Api) -> None:
    assert olga.post("models/trial/", {"model": "local/default"}).json()["ok"]


def test_list_of_a_server_is_read_anew(people: People, owner: Api, tmp_path: Path) -> None:
    home = people.olga.workspace_id
    owner.patch("workspace/", {"settings": {"unknown_price": "allow"}})
    with running(tmp_path, []) as base_url:
        add(owner, base_url, accept_address=True)
        assert model_problem(home, "acme/fake-small") is None
        wrong = model_problem(home, "acme/nosuch")
    LISTS.forget()

    assert wrong is not None
    assert "acme/fake-small" in wrong
    assert model_problem(home, "acme/nosuch") is None  # away: nobody knows
    assert "no key for OpenAI" in str(model_problem(home, "openai/gpt-4o"))
    assert model_problem(home, "nobody/x") is not None
    assert model_problem(home, "local/default") is None


def test_a_model_without_price_is_a_problem_where_such_calls_are_refused(
    people: People, owner: Api, tmp_path: Path
) -> None:
    """Its first call would surely fail the run, so the drawing says so."""
    home = people.olga.workspace_id
    with running(tmp_path, []) as base_url:
        add(owner, base_url, accept_address=True)
        refused = model_problem(home, "acme/fake-small")
        owner.patch("workspace/", {"settings": {"unknown_price": "flat"}})
        held_flat = model_problem(home, "acme/fake-small")
        owner.patch("workspace/", {"settings": {"unknown_price": "refuse"}})
        free = {"input_per_million": "0", "output_per_million": "0"}
        owner.post("models/prices/", {"provider": "acme", "pattern": "fake-small", **free})
        priced = model_problem(home, "acme/fake-small")
    LISTS.forget()

    assert "there is no price for 'acme/fake-small'" in str(refused)
    assert (held_flat, priced) == (None, None)
