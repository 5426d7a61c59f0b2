"""People: Alice (author) and Bob (reviewer) share a workspace with Olga (admin); Carol has her own."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.signals import user_logged_in
from django.core.cache import cache
from django.test import Client

import builder.project.urls  # noqa: F401  (modules first imported under a changed clock keep it)
from builder.base import engine_door
from builder.models import Graph, Membership, Run, User, Workspace
from builder.services.audit import sign_ins as sign_in_audit
from builder.services.graphs import graphs
from builder.services.runs import runs
from builder.services.runs.runs import Start
from tests.builder.fakes import FakeDoor
from tests.builder.served_schema import assert_declared

PASSWORD = "correct horse battery"
DOCUMENT: dict[str, Any] = {
    "graphwright": 1,
    "id": "support",
    "name": "Support",
    "agents": [{"id": "writer", "tools": ["add"]}],
    "nodes": [
        {
            "id": "draft",
            "type": "agent",
            "label": "Draft",
            "read_keys": ["input"],
            "config": {"agent_id": "writer"},
        },
        {"id": "review", "type": "approval", "label": "Review"},
    ],
    "edges": [
        {"id": "a", "source": "__start__", "target": "draft"},
        {"id": "b", "source": "draft", "target": "review"},
    ],
}


@pytest.fixture
def door() -> Iterator[FakeDoor]:
    """A fake engine, the process's one for the test."""
    fake = FakeDoor()
    former = engine_door.install(fake)
    cache.clear()
    yield fake
    engine_door.install(former)


@dataclass(frozen=True)
class People:
    """Members of two workspaces."""

    olga: Membership
    alice: Membership
    bob: Membership
    oscar: Membership
    vera: Membership
    carol: Membership


@pytest.fixture
def people(db: None, door: FakeDoor) -> People:
    """An admin, an author, a reviewer, an operator, a viewer; and Carol, admin of another place."""
    home = Workspace.objects.create(name="Home", slug="home")
    away = Workspace.objects.create(name="Away", slug="away")

    def join(name: str, role: str, workspace: Workspace) -> Membership:
        user = User.objects.create_user(f"{name}@example.com", PASSWORD, name=name.title())
        return Membership.objects.create(user=user, workspace=workspace, role=role)

    return People(
        olga=join("olga", "admin", home),
        alice=join("alice", "author", home),
        bob=join("bob", "reviewer", home),
        oscar=join("oscar", "operator", home),
        vera=join("vera", "viewer", home),
        carol=join("carol", "admin", away),
    )


def sign_in_unheard(client: Client, member: Membership) -> None:
    """Sign somebody in without a word in the audit log: tests count what they do after it."""
    user_logged_in.disconnect(dispatch_uid="audit-sign-in")
    try:
        client.force_login(member.user)
    finally:
        sign_in_audit.listen()


class Api:
    """A signed-in browser that speaks JSON; whatever it is told must be in the served schema."""

    def __init__(self, member: Membership | None = None, **headers: str) -> None:
        self.client = Client(headers=headers or None)
        if member is not None:
            sign_in_unheard(self.client, member)

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        raw = body if isinstance(body, str | bytes) else json.dumps(body or {})
        answer = self.client.generic(
            method,
            f"/api/{path}",
            raw if method != "GET" else "",
            content_type="application/json",
            headers=headers or None,
        )
        assert_declared(method, f"/api/{path}", answer)
        return answer

    def get(self, path: str, **headers: str) -> Any:
        return self("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self("POST", path, body, **headers)

    def patch(self, path: str, body: Any = None) -> Any:
        return self("PATCH", path, body)

    def delete(self, path: str) -> Any:
        return self("DELETE", path)


@pytest.fixture
def alice(people: People) -> Api:
    return Api(people.alice)


@pytest.fixture
def bob(people: People) -> Api:
    return Api(people.bob)


@pytest.fixture
def olga(people: People) -> Api:
    return Api(people.olga)


@pytest.fixture
def carol(people: People) -> Api:
    return Api(people.carol)


@pytest.fixture
def graph(people: People) -> Graph:
    """Alice's graph: a draft and its approval."""
    return graphs.import_graph(people.alice, DOCUMENT)


_keys = itertools.count()


@pytest.fixture
def run(people: People, graph: Graph) -> Run:
    """A run of the draft, started by Alice."""
    run_id = runs.start_run(people.alice, graph, Start(input="hi", draft=True))
    return Run.objects.get(pk=run_id)
