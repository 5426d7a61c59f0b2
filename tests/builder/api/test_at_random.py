"""Over the API of one process: what is sent is answered by a status and a code that the API knows."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.core.cache import cache
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from builder.api.urls import urlpatterns
from builder.models import Graph
from engine.core.graph.problems import SEVERITIES
from tests.builder.conftest import Api
from tests.fuzz.documents import AGENT_PARTS, DOCUMENTS, EDGES, HEADERS, NODES
from tests.fuzz.schemas import ANY as SCHEMAS
from tests.fuzz.soon import soon, tries
from tests.fuzz.texts import EXPRESSIONS, TEMPLATES, pumped
from tests.fuzz.trees import JSON, TEXTS

ROOT = Path(__file__).parents[3]
PATHS = [
    "graphs/",
    "runs/",
    "interrupts/",
    "facts/",
    "audit/",
    "causes/",
    "search/",
    "spend/",
    "members/",
    "triggers/",
]


@functools.cache
def codes() -> frozenset[str]:
    """Return every word that is written as a code in the sources and what tells of them."""
    said = (
        path.read_text() for top in ("builder", "engine") for path in (ROOT / top).rglob("*.py")
    )
    return frozenset(word for text in said for word in re.findall(r"\b[A-Z][A-Za-z]+\b", text))


def told(answer: Any) -> Any:
    """Hold an answer to what clients may rely on, and return its body."""
    assert answer.status_code < 500
    body = json.loads(answer.content)
    if answer.status_code >= 400:
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert body["code"] in codes(), body["code"]
        assert body["detail"]
    for problem in body.get("problems", []):
        assert problem["code"] in SEVERITIES or problem["code"] in codes(), problem
    return body


def ask(api: Api, method: str, path: str, body: Any = None) -> Any:
    """Send a body, as text that may be no JSON, and return what is told in time."""
    cache.clear()
    sent = body if isinstance(body, str) else json.dumps(body)
    with soon(f"{method} {path} of {len(sent)} characters"):
        answer = api(method, path, sent if method != "GET" else None)
    return told(answer)


@tries(30)
@given(document=DOCUMENTS)
def test_a_document_is_checked(alice: Api, graph: Graph, document: Any) -> None:
    ask(alice, "POST", f"graphs/{graph.pk}/check/", {"document": document})


@tries(15)
@given(document=DOCUMENTS, as_text=st.booleans())
def test_a_document_is_imported_read_and_exported(alice: Api, document: Any, as_text: bool) -> None:
    sent = json.dumps(document) if as_text else document
    made = ask(alice, "POST", "graphs/", {"document": sent})
    if "id" in made:
        ask(alice, "GET", f"graphs/{made['id']}/")
        with soon("an export"):
            alice.get(f"graphs/{made['id']}/export/?format=yaml")


YAML = ("a: ", "- ", "[", "]", "{", "}", ", ", "&a ", "*a ", "!!str ", "? ", "\n", "  ", "|\n", "'")


@tries(15)
@given(text=pumped(YAML, 200_000))
def test_a_text_is_read_as_a_document(alice: Api, graph: Graph, text: str) -> None:
    ask(alice, "POST", f"graphs/{graph.pk}/check/", {"document": text})


SAVES = st.fixed_dictionaries(
    {"revision": st.integers(0, 3) | st.just(2**60)},
    optional={
        "set_nodes": st.lists(NODES, max_size=3),
        "set_edges": st.lists(EDGES, max_size=3),
        "delete_nodes": st.lists(st.sampled_from(["n0", "draft", "x"]), max_size=2),
        "delete_edges": st.lists(st.sampled_from(["a", "b", "x"]), max_size=2),
        "set_graph": HEADERS | st.fixed_dictionaries({"agents": st.lists(AGENT_PARTS, max_size=2)}),
        "nodes_before": st.dictionaries(TEXTS, TEXTS, max_size=2),
        "client": TEXTS,
    },
)


@tries(30)
@given(save=SAVES, follow=st.booleans())
def test_a_draft_is_saved(alice: Api, graph: Graph, save: Any, follow: bool) -> None:
    if follow:
        save = {**save, "revision": Graph.objects.get(pk=graph.pk).revision}
    ask(alice, "PATCH", f"graphs/{graph.pk}/draft/", save)
    ask(alice, "GET", f"graphs/{graph.pk}/")


@tries(60)
@given(
    language=st.sampled_from(["template", "expression"]),
    text=TEMPLATES | EXPRESSIONS,
    value=JSON,
)
def test_a_text_is_tried(alice: Api, graph: Graph, language: str, text: str, value: Any) -> None:
    body = {"language": language, "text": text, "input": value}
    ask(alice, "POST", f"graphs/{graph.pk}/draft/evaluate/", body)


@tries(25)
@given(schema=SCHEMAS, value=JSON)
def test_a_schema_is_checked_and_held_against_memory(
    alice: Api, graph: Graph, schema: Any, value: Any
) -> None:
    document = {
        "graphwright": 1,
        "id": "x",
        "name": "x",
        "nodes": [],
        "state_schema": schema,
        "initial_memory": {"a": value},
        "interface": {"inputs": schema},
    }
    ask(alice, "POST", f"graphs/{graph.pk}/check/", {"document": document})


PLACES = [route.name for route in urlpatterns if "<" not in str(route.pattern)]


@tries(40)
@given(
    place=st.sampled_from(PATHS),
    fields=st.lists(
        st.tuples(
            st.sampled_from(
                [
                    "search",
                    "cursor",
                    "limit",
                    "ordering",
                    "since",
                    "until",
                    "graph",
                    "status",
                    "node",
                    "tag",
                    "person",
                    "format",
                    "of",
                    "waiting",
                    "spent_on",
                    "code",
                    "kind",
                    "state",
                    "by",
                    "zone",
                    "q",
                    "period",
                    "group",
                ]
            ),
            TEXTS | pumped(("a", "%", "_", "'", '"', "*", " ", "-", ":", "(", "\\"), 2_000),
        ),
        max_size=4,
    ),
)
def test_a_list_is_asked_for_anything(alice: Api, place: str, fields: Any) -> None:
    query = "&".join(f"{k}={quote(v.encode('utf-8', 'surrogatepass'))}" for k, v in fields)
    cache.clear()
    with soon(f"GET {place}?{query[:80]}"):
        answer = alice.get(f"{place}?{query}")
    if "csv" not in answer.headers["Content-Type"]:
        told(answer)


@tries(40)
@given(
    method=st.sampled_from(["GET", "POST", "PATCH", "PUT", "DELETE"]),
    parts=st.lists(
        st.sampled_from(
            ["graphs", "runs", "tools", "interrupts", "draft", "accept", "..", ".", "%00", "0"]
        )
        | TEXTS,
        max_size=5,
    ),
    body=JSON,
)
def test_any_address_is_answered(alice: Api, method: str, parts: list[str], body: Any) -> None:
    path = "/".join(quote(part.encode("utf-8", "surrogatepass")) for part in parts) + "/"
    ask(alice, method, path, body)


@tries(40)
@given(
    place=st.sampled_from(PLACES),
    body=JSON,
)
def test_any_body_is_answered(alice: Api, place: str, body: Any) -> None:
    cache.clear()
    path = reverse(place).removeprefix("/api/")
    with soon(f"POST {path}"):
        answer = alice.post(path, json.dumps(body))
    assert answer.status_code < 500


@pytest.fixture(autouse=True)
def _warm(alice: Api) -> None:
    """Generate what a process makes once before anything is measured."""
    alice.get("graphs/")
