"""Event data as it is kept: small enough for every browser that follows, and whole when read back."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from engine.runtime.stores.sql.payloads import INLINE_BYTES, decode, encode

JUST_LESS = "x" * (INLINE_BYTES - 1_000)


@pytest.mark.parametrize(
    "data",
    [
        {"output": JUST_LESS, "input": JUST_LESS[:-7], "memory": JUST_LESS[:-9], "tokens": 7},
        {"data": {"a": JUST_LESS, "b": 1}, "output": [JUST_LESS], "reason": "done"},
        {"data": {f"k{n}": "y" * 900 for n in range(60)}, "output": JUST_LESS},
        {"output": {"$blob": "what a person wrote"}, "input": JUST_LESS, "memory": JUST_LESS[1:]},
        {"data": {"a": JUST_LESS * 2, "b": JUST_LESS}, "output": JUST_LESS[2:]},
        {"data": {"a": "a" * 40_000}, "ui": {"b": "b" * 40_000}},
    ],
)
def test_an_event_of_several_large_values_goes_by_reference(data: dict[str, Any]) -> None:
    """Ten values just under the limit made one frame of 640 KB for each who looked."""
    raw, blobs = encode(data)

    assert len(raw) <= INLINE_BYTES
    assert decode(raw, dict(blobs).__getitem__) == data


def test_no_more_goes_by_reference_than_must_and_the_form_stays() -> None:
    raw, blobs = encode({"data": {"a": "a" * 62_000, "b": "b" * 2_000}, "node": "n" * 2_000})

    kept = orjson.loads(raw)
    assert len(blobs) == 1
    assert kept["data"]["b"] == "b" * 2_000
    assert kept["node"] == "n" * 2_000


def test_what_fits_stays_as_it_is() -> None:
    data = {"output": "x" * 30_000, "data": {"a": "y" * 30_000}}

    assert encode(data) == (orjson.dumps(data), [])


def test_a_request_of_several_large_members_keeps_its_prompt() -> None:
    request = {
        "prompt": "Pay this?",
        "data": {f"k{n}": "x" * 20_000 for n in range(3)},
        "more": "y" * 30_000,
    }

    raw, blobs = encode({"request_id": "r", "request": request})

    stored = orjson.loads(raw)["request"]
    assert stored["prompt"] == "Pay this?"
    assert len(raw) <= INLINE_BYTES
    assert decode(raw, dict(blobs).__getitem__) == {"request_id": "r", "request": request}


def test_an_event_of_very_many_values_is_written_out_a_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[int] = []
    dumps = orjson.dumps

    def counted(value: Any) -> bytes:
        raw = dumps(value)
        written.append(len(raw))
        return raw

    event = {f"part{p}": {f"k{n}": "x" * 1_100 for n in range(50)} for p in range(20)}
    size = len(dumps(event))
    monkeypatch.setattr(orjson, "dumps", counted)

    raw, blobs = encode(event)

    assert sum(written) < 20 * size
    monkeypatch.undo()
    assert len(raw) < size
    assert decode(raw, dict(blobs).__getitem__) == event
