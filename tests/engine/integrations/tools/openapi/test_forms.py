"""Bodies that are forms, and definitions that say what goes where."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl

import pytest

from engine.core.errors import ToolFailed
from engine.core.values.json import freeze
from engine.integrations.egress import AllowList, Egress
from engine.integrations.tools.openapi import OpenApiSource, Operation, read_catalog
from engine.integrations.tools.openapi.source import Api
from tests.engine.integrations.tools.openapi.shop import recording
from tests.engine.integrations.tools.openapi.test_calls import vault
from tests.engine.integrations.tools.origins import origin

FORM = "application/x-www-form-urlencoded"


def document(place: str = "query", media: str = FORM) -> str:
    """Return one operation like those of payment providers."""
    content = {
        "schema": {"type": "object", "properties": {"amount": {"type": "integer"}}},
        "encoding": {"metadata": {"style": "deepObject", "explode": True}},
    }
    operation = {
        "operationId": "charge",
        "parameters": [{"name": "X-Team", "in": place, "schema": {"type": "string"}}],
        "requestBody": {"content": {media: content}},
    }
    paths = {"/charges": {"post": operation}}
    return json.dumps({"openapi": "3.1.0", "info": {"title": "Pay"}, "paths": paths})


def charge(**options: str) -> Operation:
    [found] = read_catalog(document(**options)).operations
    return found


async def sent(body: Any) -> list[tuple[str, str]]:
    kept = Operation.from_json(json.loads(json.dumps(charge().to_json())))
    async with recording() as shop:
        api = Api(shop.url, Egress(AllowList.of([shop.url])), vault)
        tool = await OpenApiSource("pay", [kept], api).find("charge")
        assert tool is not None
        await tool.call(freeze({"body": body}), origin())
        [call] = shop.calls
    assert call["headers"]["content-type"] == FORM
    return parse_qsl(call["body"])


async def test_a_form_arrives_with_lists_repeated_and_brackets_where_they_are_asked_for() -> None:
    body = {
        "amount": 7,
        "note": "a&b=c é",
        "gone": None,
        "tag": ["x", "y"],
        "plain": {"k": [1]},
        "metadata": {"order": "9", "deep": {"a": [True]}},
    }
    assert await sent(body) == [
        ("amount", "7"),
        ("note", "a&b=c é"),
        ("tag", "x"),
        ("tag", "y"),
        ("plain", '{"k":[1]}'),
        ("metadata[order]", "9"),
        ("metadata[deep][a][0]", "true"),
    ]


async def test_what_is_no_object_is_told_and_not_sent() -> None:
    with pytest.raises(ToolFailed, match="as an object") as wrong:
        await sent("amount=7")
    assert not wrong.value.retryable


def test_files_are_not_taken() -> None:
    catalog = read_catalog(document(media="multipart/form-data"))
    assert catalog.operations == ()
    assert "multipart/form-data" in catalog.refused[0].why


def test_another_place_of_an_argument_is_another_definition() -> None:
    before, after = charge().spec("pay"), charge(place="header").spec("pay")
    assert before.parameters == after.parameters
    assert before.hash != after.hash
    assert before.description.endswith(f"query X-Team · body as {FORM} with metadata in brackets")
