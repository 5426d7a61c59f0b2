"""Whatever comes in, the answer is a problem with a code, and never a 500."""

from __future__ import annotations

import json
from typing import Any

import pytest

from builder.models import Graph
from tests.builder.conftest import Api

DEEP = "[" * 100 + "]" * 100
BODIES = [
    "",
    "{",
    "[]",
    "null",
    '"text"',
    "5",
    '{"name": NaN}',
    '{"name": 1e999}',
    '{"name": Infinity}',
    '{"name": ' + "9" * 5000 + "}",
    '{"name": 99999999999999999999}',
    '{"name": "a", "name": "b"}',
    '{"name": "\\u0000"}',
    '{"name": "\\ud800"}',
    '{"document": ' + DEEP + "}",
    '{"name": ' + DEEP + "}",
    '{"name": {"$gt": ""}}',
    '{"name": ["a"]}',
    '{"name": true}',
    '{"name": ""}',
    '{"name": "' + "x" * 300 + '"}',
    '{"__proto__": {}}',
    "\ufeff{}",
]


@pytest.mark.parametrize("body", BODIES)
def test_a_malformed_body_is_refused_everywhere(alice: Api, graph: Graph, body: str) -> None:
    for method, path in (
        ("POST", "graphs/"),
        ("POST", "agents/"),
        ("PATCH", f"graphs/{graph.pk}/draft/"),
        ("POST", f"graphs/{graph.pk}/publish/"),
        ("POST", "session/"),
    ):
        answer = alice(method, path, body.encode("utf-8", "surrogatepass"))
        assert answer.status_code in (400, 403), (path, answer.content)
        problem = answer.json()
        assert answer["Content-Type"] == "application/problem+json"
        assert problem["code"] in ("InputInvalid", "NotAllowed")
        assert problem["status"] == answer.status_code
        assert {"type", "title", "detail"} <= set(problem)


def test_bytes_that_are_no_text_are_400(alice: Api) -> None:
    assert alice("POST", "graphs/", b'{"name": "\xff\xfe"}').status_code == 400


def test_a_body_over_the_limit_is_413(alice: Api, graph: Graph) -> None:
    big = json.dumps({"revision": 1, "note": "x" * (1024 * 1024)})

    assert alice("POST", f"graphs/{graph.pk}/publish/", big).status_code == 413


def test_a_document_may_be_larger_than_other_bodies(alice: Api) -> None:
    document = {"id": "big", "description": "x" * (2 * 1024 * 1024), "nodes": []}

    assert alice.post("graphs/", {"document": document}).status_code == 201


def test_other_media_types_are_415(alice: Api) -> None:
    answer = alice.client.post("/api/graphs/", {"name": "form"})

    assert answer.status_code == 415
    assert answer.json()["code"] == "UnsupportedMediaType"


@pytest.mark.parametrize(
    "path",
    [
        "nothing/",
        "graphs/not-a-uuid/",
        "runs/00000000-0000-0000-0000-000000000000/",
        "runs/00000000-0000-0000-0000-000000000000/blobs/xyz/",
        "interrupts/nothing/",
        "graphs",
    ],
)
def test_what_does_not_exist_is_a_404_in_the_same_form(alice: Api, path: str) -> None:
    answer = alice.get(path)

    assert answer.status_code == 404
    assert answer.json()["code"].endswith("NotFound")


def test_a_method_that_is_not_there_is_405(alice: Api) -> None:
    answer: Any = alice("PUT", "graphs/")

    assert answer.status_code == 405
    assert answer.json()["code"] == "MethodNotAllowed"


def test_answers_are_not_cached_and_not_sniffed(alice: Api) -> None:
    answer = alice.get("graphs/")

    assert answer["Cache-Control"] == "no-store"
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_the_schema_describes_every_route(alice: Api) -> None:
    schema = alice.client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    operations = {op["operationId"] for path in schema["paths"].values() for op in path.values()}

    assert {"graphs", "save_draft", "start_run", "answer_interrupt", "overview"} <= operations
    assert "RunItemList" in schema["components"]["schemas"]
    item = schema["components"]["schemas"]["RunItem"]
    assert {"id", "status", "spend"} <= set(item["properties"])
