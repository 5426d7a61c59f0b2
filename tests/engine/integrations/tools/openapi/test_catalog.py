"""What is read of an OpenAPI document, and what is refused with its reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from engine.core.effects import EffectClass
from engine.core.values.json import thaw
from engine.integrations.tools.openapi import OpenApiRefused, Operation, read_catalog
from tests.engine.integrations.tools.openapi.shop import SHOP, text_of


def why(text: str) -> str:
    with pytest.raises(OpenApiRefused) as refused:
        read_catalog(text)
    return str(refused.value)


def paths(**operations: Any) -> str:
    """Return a document with one path for each of these operations."""
    return text_of(
        paths={
            f"/{name}": {"get": {"operationId": name, **given}}
            for name, given in operations.items()
        }
    )


def test_operations_are_tools_with_one_schema_of_arguments() -> None:
    catalog = read_catalog(text_of())

    find, create = catalog.operations
    assert (catalog.title, catalog.servers) == ("Shop", ("https://eu.shop.example/v1",))
    assert catalog.key_headers == ("X-Shop-Key",)
    assert (find.name, find.effect) == ("getOrder", EffectClass.READ)
    assert set(thaw(find.schema)["properties"]) == {"id", "fields", "tags", "filter", "X-Trace"}
    assert thaw(find.schema["required"]) == ["id"]
    assert (create.name, create.effect) == ("create_order", EffectClass.UNSAFE)
    assert find.spec("shop").description == (
        "Finds an order.\nGET /orders/{id} · query fields, tags, filter in brackets · header X-Trace"
    )


def test_json_and_yaml_give_the_same() -> None:
    assert read_catalog(yaml.safe_dump(SHOP, sort_keys=False)) == read_catalog(text_of())


def test_3_0_is_written_as_3_1_and_cycles_stay_references() -> None:
    schema = thaw(read_catalog(text_of()).operations[1].schema)

    assert schema["properties"]["body"] == {"$ref": "#/$defs/Order"}
    order = schema["$defs"]["Order"]["properties"]
    assert order["amount"] == {"type": "number", "exclusiveMinimum": 0}
    assert order["note"] == {"type": ["string", "null"]}
    assert order["parts"]["items"] == {"$ref": "#/$defs/Order"}


def test_an_operation_is_kept_and_read_again_as_it_was() -> None:
    for operation in read_catalog(text_of()).operations:
        assert Operation.from_json(json.loads(json.dumps(operation.to_json()))) == operation


def test_what_is_no_openapi_3_is_refused_with_the_cure() -> None:
    assert "openapi.json" in why("<!DOCTYPE html><html><body>API</body></html>")
    assert "convert it to OpenAPI 3" in why(json.dumps({"swagger": "2.0", "paths": {}}))
    assert "3.0 and 3.1" in why(json.dumps({"openapi": "4.0.0"}))
    assert "cannot be read" in why("{")
    assert "no fields" in why("[]")


def test_a_reference_that_leads_out_is_never_followed_but_listed() -> None:
    catalog = read_catalog(
        paths(
            fine={},
            metadata={"parameters": [{"$ref": "http://169.254.169.254/latest/meta-data"}]},
            file={"requestBody": {"$ref": "file:///etc/passwd"}},
            schema={
                "parameters": [
                    {
                        "name": "q",
                        "in": "query",
                        "required": True,
                        "schema": {"$ref": "other.json#/X"},
                    }
                ]
            },
        )
    )

    assert [each.name for each in catalog.operations] == ["fine"]
    assert [each.where for each in catalog.refused] == ["GET /metadata", "GET /file", "GET /schema"]
    assert all("#/…" in each.why for each in catalog.refused)


def test_references_in_a_circle_and_to_nothing_are_refused() -> None:
    circle = {
        "a": {"$ref": "#/components/parameters/b"},
        "b": {"$ref": "#/components/parameters/a"},
    }
    text = text_of(
        components={"parameters": circle},
        paths={
            "/x": {"get": {"parameters": [{"$ref": "#/components/parameters/a"}]}},
            "/y": {"get": {"parameters": [{"$ref": "#/components/parameters/none"}]}},
        },
    )

    first, second = read_catalog(text).refused
    assert "circle" in first.why
    assert "which the document has not" in second.why


def test_names_that_collide_and_names_of_control_tools_stay_apart() -> None:
    text = text_of(
        paths={
            f"/p{n}": {"get": {"operationId": name}}
            for n, name in enumerate(["a b", "a_b", "a-b", "ä", "set_context", "x" * 99, "x" * 98])
        }
    )

    names = [each.name for each in read_catalog(text).operations]

    assert names[:5] == ["a_b", "a_b_2", "a-b", "call", "set_context_2"]
    assert len(set(names)) == 7
    assert all(len(name) <= 64 for name in names)


def test_parameters_of_one_name_in_two_places_are_two_arguments() -> None:
    text = text_of(
        paths={
            "/x/{id}": {
                "get": {
                    "parameters": [
                        {"name": "id", "in": "path", "required": True, "schema": {}},
                        {"name": "id", "in": "query", "schema": {}},
                        {"name": "body", "in": "query", "schema": {}},
                    ]
                }
            }
        }
    )

    [operation] = read_catalog(text).operations
    assert set(thaw(operation.schema)["properties"]) == {"id", "id_query", "body_query"}


def test_what_cannot_be_sent_is_refused_where_it_is_needed_and_else_left_out() -> None:
    matrix = {"name": "m", "in": "query", "style": "pipeDelimited", "schema": {}}
    catalog = read_catalog(
        paths(
            needs={"parameters": [{**matrix, "required": True}]},
            may={"parameters": [matrix]},
            form={"requestBody": {"content": {"multipart/form-data": {}}}},
            gap={"parameters": [{"name": "id", "in": "path", "required": True}]},
        )
    )

    assert [each.name for each in catalog.operations] == ["may"]
    assert [each.where for each in catalog.refused] == [
        "GET /needs",
        "GET /may",
        "GET /form",
        "GET /gap",
    ]
    assert "left out" in catalog.refused[1].why
    assert "multipart/form-data" in catalog.refused[2].why
    assert "do not agree on id" in catalog.refused[3].why


def test_the_first_500_of_ten_thousand_operations_are_read() -> None:
    text = text_of(paths={f"/p{n}": {"get": {}} for n in range(10_000)})

    catalog = read_catalog(text)

    assert len(catalog.operations) == 500
    assert catalog.refused[-1].where == "9500 more operations"


def test_a_large_part_that_all_refer_to_is_no_large_work() -> None:
    big = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(20_000)}}
    one = {"name": "q", "in": "query", "required": True, "schema": big}
    text = text_of(
        components={"parameters": {"q": one}, "schemas": {"Big": big}},
        paths={
            f"/p{n}": {
                "get": {"parameters": [{"$ref": "#/components/parameters/q"}]},
                "post": {
                    "requestBody": {
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Big"}}
                        }
                    }
                },
            }
            for n in range(250)
        },
    )

    catalog = read_catalog(text)

    assert catalog.operations == ()
    assert "64 KiB" in catalog.refused[0].why


def test_depth_size_and_aliases_have_limits() -> None:
    deep: dict[str, Any] = {}
    for _ in range(80):
        deep = {"items": deep}
    assert "nested deeper than 64" in why(text_of(components=deep))
    assert "bytes are more than" in why(text_of(info={"title": "x" * 6_000_000}))
    bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{chr(97 + n)}: &{chr(97 + n)} [{','.join(['*' + chr(96 + n)] * 10)}]\n"
        for n in range(1, 9)
    )
    assert "aliases" in why(f"openapi: 3.1.0\n{bomb}")


@pytest.mark.parametrize(
    "odd",
    [
        {"paths": []},
        {"paths": {"/x": 5}},
        {"paths": {"/x": {"get": []}}},
        {"paths": {"/x": {"get": {"parameters": 5, "requestBody": 3}}}},
        {"paths": {"/x": {"get": {"parameters": [5, None, {"in": 3}]}}}},
        {
            "paths": {
                "/x": {
                    "get": {
                        "operationId": {},
                        "requestBody": {"content": {"application/json": {"schema": [1]}}},
                    }
                }
            }
        },
        {"servers": {"a": 1}, "info": 3, "components": []},
        {"servers": [{"url": "http://[::1"}, {"url": "ftp://x"}, {"url": "/v1"}, 5]},
        {"paths": {"/../x": {"get": {}}, "//evil.example/x": {"get": {}}, "x": {"get": {}}}},
    ],
)
def test_a_document_that_is_badly_formed_is_read_without_falling_over(odd: Any) -> None:
    catalog = read_catalog(text_of(**odd))

    assert all(each.why for each in catalog.refused)
