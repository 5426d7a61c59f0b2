"""Whoever waits for somebody else's server leaves threads to all the others."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from builder.base.errors import TooMany
from builder.models import AuditEntry, ToolSource
from builder.services.tools import outside
from tests.builder.conftest import Api, People


@pytest.fixture
def hung() -> Iterator[None]:
    """As many requests as may wait for servers that hang."""
    with ExitStack() as held:
        for _ in range(outside.MOST):
            held.enter_context(outside.waiting())
        yield


@pytest.mark.usefixtures("hung")
def test_who_finds_no_place_is_told_when_to_come_back(olga: Api) -> None:
    body = {"base_url": "http://192.0.2.1/v1", "protocol": "openai_chat"}
    asks = [
        olga.post("models/find/", body),
        olga.post("models/trial/", {"model": "builtin/extractive"}),
        olga.post("tool-sources/nosuch/accept/", {"hashes": {"a": "0" * 64}}),
    ]

    for answer in asks:
        assert (answer.status_code, answer.json()["code"]) == (429, "TooManyRequests")
        assert answer["Retry-After"] == str(outside.AGAIN_S)
    assert olga.get("session/").status_code == 200
    assert not AuditEntry.objects.filter(entry__contains="model.tried").exists()


@pytest.mark.usefixtures("hung")
def test_a_source_that_nobody_looked_at_is_not_said_to_have_failed(
    olga: Api, people: People
) -> None:
    fields = {"url": "https://crm.example/mcp", "revision": 1, "status": "ready"}
    crm = ToolSource.objects.create(
        workspace=people.olga.workspace, slug="crm", kind="mcp_http", **fields
    )
    at = "https://shop.example/openapi.json"
    shop = ToolSource.objects.create(
        workspace=people.olga.workspace, slug="shop", kind="openapi", document_url=at, **fields
    )

    answers = [olga.post(f"tool-sources/{name}/refresh/") for name in ("crm", "shop")]

    assert [answer.status_code for answer in answers] == [429, 429]
    for row in (crm, shop):
        row.refresh_from_db()
        assert (row.status, row.error) == ("ready", "")


@pytest.mark.usefixtures("hung")
def test_the_tools_are_shown_as_they_were_heard_last(olga: Api) -> None:
    assert olga.get("tool-sources/").status_code == 200


def test_a_place_is_free_again_whatever_came_of_the_asking() -> None:
    async def fails() -> None:
        raise ValueError("away")

    for _ in range(2 * outside.MOST):
        with pytest.raises(ValueError, match="away"):
            outside.asked(fails())

    assert outside.asked(asyncio.sleep(0, "here")) == "here"


@pytest.mark.usefixtures("hung")
def test_what_is_not_asked_is_closed() -> None:
    asking = asyncio.sleep(0)

    with pytest.raises(TooMany):
        outside.asked(asking)

    with pytest.raises(RuntimeError, match="cannot reuse"):
        asyncio.run(asking)
