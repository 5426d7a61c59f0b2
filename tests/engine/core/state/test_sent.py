"""What people are shown of a call: enough to find it elsewhere, and no secret by its name."""

from __future__ import annotations

import time
from typing import Any

import pytest

from engine.core.state.sent import MAX_SHOWN, shown_answer, shown_request


def shown(body: Any = None, url: str = "https://shop.example/pay", **query: Any) -> dict[str, Any]:
    return shown_request({"method": "POST", "url": url, "query": query, "body": body})


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"amount": 12, "api_key": "s3cr3t"}, '{"amount":12,"api_key":"[hidden]"}'),
        ('{"amount": 12, "token": "s3cr3t"}', '{"amount":12,"token":"[hidden]"}'),
        ("user=ann&password=s3cr3t", "user=ann&password=[hidden]"),
        ([{"deep": {"Authorization": "s3cr3t"}}], '[{"deep":{"Authorization":"[hidden]"}}]'),
        ("plain words", "plain words"),
        ("{broken", "{broken"),
        (5, "5"),
        ("", ""),
    ],
)
def test_a_body_is_shown_without_secrets_by_name(body: Any, said: str) -> None:
    assert shown(body)["body"] == said


def test_an_address_is_shown_with_its_query_and_without_its_secrets() -> None:
    found = shown(url="https://ann:s3cr3t@shop.example/pay?id=7&access_token=s3cr3t", page=2)

    assert found == {
        "method": "POST",
        "url": "https://shop.example/pay?id=7&access_token=[hidden]&page=2",
    }


def test_an_odd_address_is_shown_without_its_query() -> None:
    assert shown(url="http://[::1/?token=a")["url"] == "http://[::1/"


@pytest.mark.parametrize(
    "body", ["x" * 5_000_000, "[" * 1_000_000, [0] * 500_000, "a=" * 500_000, "[" * 60_000]
)
def test_a_giant_body_costs_little_and_is_cut(body: Any) -> None:
    start = time.perf_counter()

    found = shown_answer(500, body)

    assert len(found["body"]) < MAX_SHOWN + 60
    assert time.perf_counter() - start < 1
