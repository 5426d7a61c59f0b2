"""A token that is for some things only, at every route: in its scope it may, elsewhere it is refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import get_resolver
from django.utils import timezone

from builder.api.urls import urlpatterns
from builder.doors.called.scopes import ALWAYS, NARROW, TABLE, Scope
from builder.models import ApiToken, Graph, Interrupt, Run, User
from builder.services.graphs import graphs
from builder.services.people import accounts
from builder.services.people.accounts import Allowed
from builder.services.runs.runs import Start, start_run
from tests.builder.api.test_two_tenants import address, methods_of, names
from tests.builder.conftest import DOCUMENT, Api, People
from tests.builder.fakes import open_interrupt

__all__ = ["names"]
Names = dict[str, Any]


def program(people: People, *scopes: str, graphs: tuple[str, ...] = (), who: str = "olga") -> Api:
    """Return a program with a token that may only this."""
    allowed = Allowed(list(scopes), list(graphs))
    text = accounts.create_api_token(getattr(people, who), name="ci-bot", allowed=allowed)[1]
    return Api(None, Authorization=f"Bearer {text}")


def test_every_row_of_the_table_is_a_route() -> None:
    v1 = {str(one.name) for one in get_resolver().url_patterns if hasattr(one, "name")}
    known = {(method.upper(), str(one.name)) for one in urlpatterns for method in methods_of(one)}

    assert {row for row in TABLE if row not in known and row[1] not in v1} == set()


@pytest.mark.parametrize("scope", NARROW)
def test_a_token_gets_by_the_routes_of_its_scope_and_no_other(
    people: People, names: Names, scope: Scope
) -> None:
    """Every route and method of the API, those of later included: what is not in the table is shut."""
    script = program(people, scope)
    open_to, shut = 0, 0
    for pattern in urlpatterns:
        for method in methods_of(pattern):
            answer = script(method.upper(), address(pattern, names))
            wanted = TABLE.get((method.upper(), str(pattern.name)), frozenset())
            refused = answer.status_code == 403 and answer.json()["code"] == "ScopeMissing"
            assert refused is (scope not in wanted), (method, pattern)
            open_to, shut = open_to + (not refused), shut + refused
    assert shut > 100
    assert open_to == sum(
        scope in wanted for (_, name), wanted in TABLE.items() if not name.startswith("openai")
    )


def test_what_every_token_may_names_nothing(people: People, names: Names) -> None:
    free = {row for row, wanted in TABLE.items() if wanted == ALWAYS}

    assert free == {("GET", "session"), ("GET", "schema")}


def test_a_token_for_one_workflow_finds_no_other(people: People, graph: Graph, run: Run) -> None:
    graphs.publish(people.alice, graph, revision=1)
    other = graphs.import_graph(people.alice, {**DOCUMENT, "id": "other", "name": "Other"})
    ask = open_interrupt(run, "text")
    one = program(
        people, "runs:start", "runs:read", "workflows:read", "questions:answer", graphs=(other.pk,)
    )

    for path in (
        f"graphs/{graph.pk}/",
        f"graphs/{graph.pk}/versions/",
    ):
        assert one.get(path).status_code == 404
    assert one.post(f"graphs/{graph.pk}/runs/", {"draft": True}).status_code == 404
    for path in ("", "events/", "state/", "chat/"):
        assert one.get(f"runs/{run.pk}/{path}").status_code == 404
    assert one.get(f"interrupts/{ask.pk}/").status_code == 404
    assert one.post(f"interrupts/{ask.pk}/answer/", {"response": "x"}).status_code == 404
    assert (
        one.post(
            "chat/", {"messages": [{"role": "user", "content": "x"}], "graphId": "support"}
        ).status_code
        == 404
    )
    for lists in ("runs/", "interrupts/", "runs/?source=person", "graphs/?search=supp"):
        assert one.get(lists).json()["results"] == [], lists
    assert [row["id"] for row in one.get("graphs/").json()["results"]] == [other.pk]
    assert one.get(f"graphs/{other.pk}/").status_code == 200


@pytest.mark.parametrize(
    "more",
    [{"draft": True}, {"version": 1}, {"until": "a"}, {"pins": True}, {"draft": True, "only": "a"}],
)
def test_a_limited_token_starts_what_is_published_and_tries_nothing_out(
    people: People, graph: Graph, more: dict[str, Any]
) -> None:
    """An earlier version may lack the approval that the live one has, a draft may be half done."""
    graphs.publish(people.alice, graph, revision=1)
    one = program(people, "runs:start", graphs=(graph.pk,))

    refused = one.post(f"graphs/{graph.pk}/runs/", more)

    assert (refused.status_code, refused.json()["code"]) == (403, "ScopeMissing")
    assert not Run.objects.exists()


def test_a_chat_asks_for_the_scope_of_what_it_does(people: People, graph: Graph, run: Run) -> None:
    graphs.publish(people.alice, graph, revision=1)
    said = {"messages": [{"role": "user", "content": "x"}], "graphId": "support"}
    resume = {"requestId": open_interrupt(run, "text").pk, "token": "x"}
    answer = {"messages": [{"role": "user", "content": "y", "metadata": {"resume": resume}}]}

    answering, starting = program(people, "questions:answer"), program(people, "runs:start")

    assert answering.post("chat/", said).json()["code"] == "ScopeMissing"
    assert starting.post("chat/", answer).json()["code"] == "ScopeMissing"
    assert Run.objects.count() == 1


def test_a_token_that_is_over_opens_nothing(people: People) -> None:
    script = program(people, "*")
    assert script.get("runs/").status_code == 200

    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    answer = script.get("runs/")
    assert (answer.status_code, "expired" in answer.json()["detail"]) == (401, True)
    assert Api(people.olga).get("tokens/").json()["results"] == []


def test_a_token_is_made_with_what_it_may(olga: Api, people: People, graph: Graph) -> None:
    until = "2099-03-01T00:00:00.000Z"
    made = olga.post(
        "tokens/",
        {"name": "ci-bot", "scopes": ["runs:start"], "graphs": [graph.pk], "expires_at": until},
    ).json()

    [listed] = olga.get("tokens/").json()["results"]
    assert made["token"].startswith("gw_")
    assert (listed["scopes"], listed["expires_at"]) == (["runs:start"], until)
    assert listed["graphs"] == [{"id": graph.pk, "name": graph.name}]
    [told] = olga.get("audit/?action=token").json()["results"]
    assert told["detail"]["scopes"] == ["runs:start"]
    assert made["token"] not in str(olga.get("audit/").json())


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"scopes": ["*", "runs:start"]}, "scopes"),
        ({"scopes": ["runs:everything"]}, "scopes[0]"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["runs:start"], "graphs": ["not-there"]}, "graphs"),
        ({"expires_at": "2001-01-01T00:00:00Z"}, "expires_at"),
        ({"expires_at": "soon"}, "expires_at"),
        ({"expires_at": "9999-12-31T23:59:59-23:59"}, "expires_at"),
        ({"expires_at": "0001-01-01T00:00:00+23:59"}, "expires_at"),
    ],
)
def test_what_no_token_can_be_is_refused(olga: Api, body: dict[str, Any], path: str) -> None:
    answer = olga.post("tokens/", {"name": "x", **body})

    assert (answer.status_code, answer.json()["problems"][0]["path"]) == (400, path)
    assert not ApiToken.objects.exists()


def test_a_token_for_some_workflows_says_what_it_may(olga: Api, graph: Graph) -> None:
    answer = olga.post("tokens/", {"name": "x", "graphs": [graph.pk]})

    assert answer.json()["problems"][0]["path"] == "scopes"


def test_an_account_calls_and_is_nobody(
    olga: Api, alice: Api, people: People, graph: Graph
) -> None:
    graphs.publish(people.alice, graph, revision=1)
    body = {
        "name": "nightly",
        "scopes": ["runs:start"],
        "account": {"name": "Importer", "role": "author"},
    }
    assert alice.post("tokens/", body).status_code == 403

    made = olga.post("tokens/", body).json()
    script = Api(None, Authorization=f"Bearer {made['token']}")
    started = script.post(f"graphs/{graph.pk}/runs/", {})

    assert (made["service"], made["user"]["name"]) == (True, "Importer")
    assert started.status_code == 201
    assert Run.objects.get().started_by == made["user"]["id"]
    account = User.objects.get(pk=made["user"]["id"])
    assert (account.is_active, account.has_usable_password()) == (False, False)
    assert "Importer" not in str(olga.get("members/").json())
    olga.delete(f"tokens/{made['id']}/")
    assert script.post(f"graphs/{graph.pk}/runs/", {}).status_code == 401


def test_a_key_of_a_caller_is_nobody_elses(people: People, graph: Graph) -> None:
    """A caller cannot take a key of a trigger, nor of another caller."""
    graphs.publish(people.alice, graph, revision=1)

    mine = start_run(people.alice, graph, Start(key="trg:x:1"))
    theirs = start_run(people.olga, graph, Start(key="trg:x:1"))

    assert mine != theirs
    keys = {run.trigger_key for run in Run.objects.filter(pk__in=[mine, theirs])}
    assert keys == {f"api:{one.user_id}:trg:x:1" for one in (people.alice, people.olga)}
    assert not Interrupt.objects.exists()
