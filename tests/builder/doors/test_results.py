"""A webhook that answers with its run's result: in time, too late, too many, again."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest

from builder.api.triggers import results
from builder.base.bells import hub, run_topic
from builder.models import Run
from tests.builder.conftest import Api
from tests.builder.doors.conftest import Made
from tests.builder.fakes import append

pytestmark = pytest.mark.django_db(transaction=True)


def end(run_id: str, status: str = "completed", **more: Any) -> None:
    """End a run as the engine's store does, and ring."""
    append(Run.objects.get(pk=run_id), f"Run{status.title()}", **more.pop("data", {}))
    Run.objects.filter(pk=run_id).update(status=status, **more)
    hub.ring(run_topic(run_id))


def settled(response: Any) -> Any:
    """Return the answer as the server sends it."""
    asyncio.run(response.settle())
    return response.status_code, json.loads(response.content)


def test_a_run_that_ends_in_time_is_the_answer(hook: Made) -> None:
    first = hook(config={"answer_s": 25}).standard({"n": 1})
    run = first.json()["run"]
    timer = threading.Timer(0.2, end, (run,), {"data": {"result": {"total": 7}}})
    timer.start()

    status, said = settled(first)

    timer.join()
    assert (first.headers["Content-Length"], status) == (str(len(first.content)), 200)
    assert said == {
        "run": run,
        "delivery": said["delivery"],
        "status": "completed",
        "result": {"total": 7},
        "error": None,
    }


def test_one_that_does_not_is_accepted_and_a_repeat_brings_the_result(hook: Made) -> None:
    sender = hook(config={"answer_s": 1})
    first = sender.standard({"n": 1})

    assert settled(first)[0] == 202
    end(first.json()["run"], "failed", error='{"code": "NodeFailed", "message": "secret"}')
    status, said = settled(sender.standard({"n": 1}))

    assert (status, said["repeated"], said["status"]) == (200, True, "failed")
    assert (said["result"], said["error"]) == (None, "NodeFailed")


def test_no_more_than_so_many_wait(hook: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "MOST_OF_ONE", 1)
    sender = hook(config={"answer_s": 25})
    first, second = sender.standard({"n": 1}, "a"), sender.standard({"n": 2}, "b")

    async def both() -> None:
        waiting = asyncio.ensure_future(first.settle())
        await asyncio.sleep(0)
        await second.settle()
        assert not waiting.done()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

    asyncio.run(both())

    assert (second.status_code, results._waiting) == (202, {})


def test_without_a_time_nothing_is_waited_for(alice: Api, hook: Made) -> None:
    sender = hook()
    place = f"triggers/{sender.trigger.pk}/"

    assert not hasattr(sender.standard({"n": 1}), "settle")
    for wrong in (26, -1, True, "5"):
        refused = alice.patch(place, {"config": {"signature": "standard", "answer_s": wrong}})
        assert refused.json()["problems"][0]["path"] == "config.answer_s"
