"""Being called where nobody who serves executes: start at one process, hear of it at another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openai import OpenAI

from builder.process.advisory_lock import HOUSE_KEY
from tests.e2e.apart import Apart
from tests.e2e.called import House, furnished
from tests.e2e.server import Client, Server, lines, serving, wait_until
from tests.e2e.test_called_mcp import use

pytestmark = [pytest.mark.slow, pytest.mark.postgres]
ASK: Any = [{"role": "user", "content": "hi"}]


def elsewhere(here: House, server: Server) -> House:
    """Return the house as its owner sees it at another process."""
    owner = Client(server.port, cookies=dict(here.owner.cookies), csrf=here.owner.csrf)
    return replace(here, server=server, owner=owner)


def model(house: House, token: str) -> OpenAI:
    """Return the official client at a process."""
    return OpenAI(base_url=f"{house.address}/v1", api_key=token, max_retries=0)


def test_a_call_is_the_same_at_every_process(tmp_path: Path, migrated_url: str) -> None:
    """I1: MCP and the models' door, at two processes that serve and one that executes."""
    with (
        serving(tmp_path, Apart, DATABASE_URL=migrated_url) as first,
        serving(tmp_path, Apart, DATABASE_URL=migrated_url) as second,
    ):
        assert isinstance(first, Apart)
        here = furnished(first)
        first.add_worker()
        second.start()
        there = elsewhere(here, second)
        token = here.token("runs:start", "runs:read")

        begun = use(here, token, "refund", {"input": "40"}, "k1").structured_content
        assert begun is not None
        again = use(there, token, "refund", {"input": "40"}, "k1").structured_content
        assert again is not None
        asked = use(there, token, "run_status", {"run": begun["run"]}).structured_content
        assert asked is not None
        assert (begun["status"], asked["status"]) == ("waiting", "waiting")
        assert again["run"] == begun["run"]
        there.owner.answer(there.owner.wait_for_interrupt(begun["run"], "approval"), "approved")
        there.owner.wait_ended(begun["run"])
        told = use(here, token, "run_status", {"run": begun["run"]}).structured_content
        assert told is not None
        assert (told["status"], told["result"]) == ("completed", "refunded")

        key = {"Idempotency-Key": "k2"}
        chunks = list(
            model(there, token).chat.completions.create(
                model="chat-order", messages=ASK, stream=True, extra_headers=key
            )
        )
        whole = model(here, token).chat.completions.create(
            model="chat-order", messages=ASK, extra_headers=key
        )
        assert {chunk.id for chunk in chunks} == {whole.id}
        assert chunks[-1].choices[0].finish_reason == "stop"
        assert len(here.runs("chat-order")) == 1
        assert len(lines(first.world / "pay.sent")) == 1


def test_another_worker_keeps_the_house_when_its_keeper_is_killed(
    tmp_path: Path, migrated_url: str
) -> None:
    """I1, I7: Ends of runs start others; whoever hands them out is killed on the way."""
    with serving(tmp_path, Apart, DATABASE_URL=migrated_url) as apart:
        assert isinstance(apart, Apart)
        house = furnished(apart)
        first = apart.add_worker()
        wait_until(lambda: keepers(apart), "somebody who keeps the house")
        second = apart.add_worker()
        ended = {"on": ["run.completed"], "workflow": house.graphs["echo"]}
        place = f"/api/graphs/{house.graphs['greet']}/triggers/"
        by_run = {"kind": "event", "config": ended, "mapping": {"name": "body.run.id"}}
        trigger = house.owner.post(place, by_run)["id"]
        begun = [
            house.owner.post(f"/api/graphs/{house.graphs['echo']}/runs/", {"input": "x"})["id"]
            for _ in range(4)
        ]
        apart.kill_worker(first)

        def all_started() -> bool:
            return len(apart.rows("SELECT 1 FROM builder_delivery WHERE state = 'started'")) == 4

        def let_claims_lapse() -> bool:
            apart.write("UPDATE builder_housetask SET available_at = 0 WHERE done_at IS NULL")
            apart.write("UPDATE builder_delivery SET available_at = 0 WHERE state = 'received'")
            return all_started()

        wait_until(let_claims_lapse, "a run for each end", 60)
        causes = apart.rows("SELECT cause FROM builder_delivery")
        assert sorted(cause for (cause,) in causes) == sorted(begun)
        started = house.owner.get(f"/api/runs/?trigger={trigger}")["results"]
        assert len(started) == 4
        assert apart.boot_of(second)


def keepers(apart: Apart) -> list[Any]:
    """Return who holds the lock of the house."""
    query = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = %s"
    return apart.rows(query, HOUSE_KEY & 0xFFFFFFFF)
