"""An installation from before the doors is brought up to date with its rows in it, on both databases."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

from builder.base import environment
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.databases import drop, with_name

pytestmark = pytest.mark.slow
BEFORE = ("builder", "0036_trigger_notices")
PRICE = {"dated": "2026-03-01", "input_per_million": "0.15", "output_per_million": "0.60"}
NOTHING = {
    "status": "waiting",
    "waiting_for": "[]",
    "spent_tokens": 0,
    "spent_pico": 0,
    "held_tokens": 0,
    "held_pico": 0,
}
LONG = {**PRICE, "input_per_million": "0." + "1" * 40}


@contextmanager
def empty(kind: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Give the alias of a database that has nothing in it."""
    url, server, name = "", "", f"test_{uuid.uuid4().hex}"
    if kind == "postgres":
        server = request.getfixturevalue("postgres_server_url")
        with psycopg.connect(server, autocommit=True) as admin:
            admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        url = with_name(server, name)
    own = {**environment.database(url, folder / "old.sqlite3"), "OPTIONS": {}}
    connections.databases[name] = connections.configure_settings({"default": own})["default"]
    try:
        yield name
    finally:
        connections[name].close()
        del connections[name]
        del connections.databases[name]
        if server:
            drop(server, name)


def rows_of_before(apps: Any, alias: str) -> None:
    """Write what an installation had then: people, a workflow, a provider with prices, a token."""

    def made(model: str, **fields: Any) -> Any:
        return apps.get_model("builder", model).objects.using(alias).create(**fields)

    olga = made("User", email="olga@example.com", name="Olga", password="x")
    home = made("Workspace", name="Home", slug="home")
    made("Membership", user=olga, workspace=home, role="admin")
    graph = made("Graph", workspace=home, slug="orders", name="Orders", created_by=olga)
    prices = {"small": PRICE, "precise": LONG}
    made(
        "AcceptedProvider",
        workspace=home,
        provider_id="acme",
        provider="compatible",
        label="Acme",
        source="own",
        base_url="https://llm.example.com/v1",
        model_names=["small", "precise"],
        prices=prices,
        accepted_by=olga,
    )
    made("ApiToken", user=olga, workspace=home, name="ci", hash="h" * 64)
    trigger = made(
        "Trigger", workspace=home, graph=graph, kind="webhook", name="Hook", account=olga, made_at=1
    )
    made(
        "Delivery", door=trigger, key="id:evt_1", state="started", input="{}", at=1, available_at=1
    )
    made("Run", id="r", workspace=home, graph_slug="orders", number=7, started_at=1, **NOTHING)
    apart = b'{"approval_type":"tool_call","data":{}}'
    made("Blob", hash="b", size=len(apart), data=apart)
    asked = [
        ("approval", b'{"request":{"approval_type":"human_review"}}'),
        ("approval", b'{"request":{"$blob":"b","bytes":38}}'),
        ("text", b'{"request":{"question":"?"}}'),
        ("approval", None),
    ]
    for seq, (kind, data) in enumerate(asked, start=2):
        made(
            "Interrupt",
            request_id=f"i{seq}",
            run="r",
            workspace=home,
            key="a#1",
            node="a",
            kind=kind,
            status="open",
            opened_at=1,
            opened_seq=seq,
        )
        if data:
            place = 7 * EVENTS_PER_RUN + seq
            made("RunEvent", place=place, type="InterruptOpened", at=1, data=data)


def one_by_one(load: Callable[[MigrationLoader], None]) -> Callable[[MigrationLoader], None]:
    """Return what loads the migrations as that installation had them: one by one, not at once."""

    def load_all_but_one(loader: MigrationLoader) -> None:
        load(loader)
        del loader.disk_migrations["builder", "0001_squashed_0043_sign_in"]

    return load_all_but_one


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_rows_from_before_the_doors_are_kept(
    kind: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    django_db_blocker: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(MigrationLoader, "load_disk", one_by_one(MigrationLoader.load_disk))
    with django_db_blocker.unblock(), empty(kind, tmp_path, request) as alias:
        executor = MigrationExecutor(connections[alias])
        executor.migrate([BEFORE])
        rows_of_before(executor.loader.project_state([BEFORE]).apps, alias)

        executor = MigrationExecutor(connections[alias])
        leaves = [leaf for leaf in executor.loader.graph.leaf_nodes() if leaf[0] == "builder"]
        executor.migrate(leaves)
        now = executor.loader.project_state(leaves).apps

        def of(model: str) -> Any:
            return now.get_model("builder", model).objects.using(alias)

        provider = of("AcceptedProvider").get()
        assert (provider.protocol, provider.extra_body, provider.capabilities) == (
            "openai_chat",
            {},
            {},
        )
        told = {row.pattern: row for row in of("ModelPrice").all()}
        assert set(told) == {"small", "precise"}
        assert (told["small"].input, told["small"].output) == ("0.15", "0.60")
        assert str(told["small"].from_date) == PRICE["dated"]
        assert len(told["precise"].input) == 32
        token = of("ApiToken").get()
        assert (token.scopes, token.graphs, token.expires_at) == (["*"], [], None)
        assert of("Workspace").get().sign_in == "password"
        assert of("Delivery").get().state == "started"
        types = dict(of("Interrupt").values_list("pk", "approval_type"))
        assert types == {"i2": "human_review", "i3": "tool_call", "i4": "", "i5": ""}
        assert not of("HouseEvent").exists()
        assert not of("Channel").exists()
