"""The live stream on a run page: long texts, a socket that brings nothing, and its return."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, WebSocketRoute, expect

from tests.e2e.app import App
from tests.e2e.conftest import Watch
from tests.e2e.documents import line

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TEXT = "All of it arrives. " * 2_800
"""53 KB: below what becomes a reference, so that each node that passes it on writes it in full."""
STEPS = 42
POLLING = "Live updates by polling"


def waits(duration_ms: int) -> dict[str, Any]:
    return {"id": "wait", "type": "delay", "config": {"duration_ms": duration_ms}}


def passing_on(slug: str, steps: int) -> dict[str, Any]:
    """Return a graph that waits for a moment, then passes its input on many times."""
    nodes = [waits(4_000)]
    nodes += [
        {"id": f"n{n}", "type": "output", "read_keys": ["input"], "config": {"value": "input"}}
        for n in range(steps)
    ]
    return line(slug, nodes)


def test_a_run_with_two_megabytes_of_text_is_watched_live_to_its_end(
    app: App, signed_in: Page
) -> None:
    seqs: list[int] = []
    sizes: list[int] = []
    closed: list[WebSocket] = []

    def heard(payload: str | bytes) -> None:
        frame = json.loads(payload)
        if frame["op"] == "ev":
            sizes.append(len(payload))
            seqs.extend(event["seq"] for event in frame["events"])

    def left(socket: WebSocket) -> None:
        closed.append(socket)

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", heard)
        socket.on("close", left)

    signed_in.on("websocket", opened)
    graph = app.api.make(passing_on("two-megabytes", STEPS), publish=True)
    run_id = app.api.start(graph, TEXT)

    signed_in.goto(f"/runs/{run_id}")
    head = signed_in.get_by_role("banner").or_(signed_in.locator("header")).first
    expect(head).to_contain_text("Running")
    expect(head).to_contain_text("Completed", timeout=60_000)

    last = len(app.api.events(run_id))
    assert closed == []
    assert seqs == list(range(seqs[0], last + 1))
    assert sum(sizes) > 2_000_000
    expect(signed_in.get_by_text(POLLING)).to_have_count(0)


def test_a_socket_that_brings_nothing_is_replaced_by_asking_and_returned_to(
    app: App, signed_in: Page, watch: Watch
) -> None:
    broken = [True]

    def route(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def from_page(message: str | bytes) -> None:
            if broken[0] and json.loads(message).get("run"):
                socket.close(code=4500)
            else:
                server.send(message)

        socket.on_message(from_page)

    signed_in.route_web_socket("**/ws/", route)
    graph = app.api.make(line("deaf-page", [waits(20_000), {**waits(9_000), "id": "again"}]))
    run_id = app.api.start(graph, "x", draft=True)
    signed_in.goto(f"/runs/{run_id}")

    expect(signed_in.get_by_role("status").filter(has_text=POLLING)).to_be_visible()
    broken[0] = False
    expect(signed_in.get_by_text(POLLING)).to_have_count(0)
    app.api.post(f"runs/{run_id}/cancel/")
    expect(signed_in.get_by_role("button", name="Cancel", exact=True)).to_have_count(0)


def test_what_the_socket_never_brings_is_shown_all_the_same(app: App, signed_in: Page) -> None:
    signed_in.route_web_socket("**/ws/", lambda socket: socket.close(code=4500))
    graph = app.api.make(line("never-live", [waits(7_000)]))
    run_id = app.api.start(graph, "x", draft=True)
    signed_in.goto(f"/runs/{run_id}")

    expect(signed_in.get_by_role("status").filter(has_text=POLLING)).to_be_visible()
    expect(signed_in.locator("header").first).to_contain_text("Completed")
