"""What bounds drafts from words: who may ask, which models can, money, time, a stop, a crash."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from builder.base import engine_door
from builder.models import AcceptedProvider, AuditEntry, BudgetHold, DraftProposal, Run
from builder.process.engine_thread import EmbeddedEngine
from builder.process.runner import dialect, make_runner
from builder.services import budgets
from builder.services.graphs.drafting import workflow
from tests.builder.api.drafting.conftest import MODEL, Asker, Scripted
from tests.builder.api.drafting.test_describe import NEW
from tests.builder.conftest import People
from tests.builder.talk import Talker, talker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]
ASK = {"words": "Anything", "model": MODEL}


async def test_without_a_capable_model_it_says_so(alice: Talker, people: People) -> None:
    told = (await alice.get("describe/models/")).json()
    assert (told["models"], told["may_connect"]) == ([], False)
    olga = await talker(people.olga)
    assert (await olga.get("describe/models/")).json()["may_connect"] is True

    answer = await alice.post("describe/", {**ASK, "model": "builtin/extractive"})
    assert (answer.status_code, answer.json()["code"]) == (422, "ModelCannotDraft")
    assert "built-in" in answer.json()["detail"]
    assert await Run.objects.acount() == 0


async def test_a_forecast_stands_beside_each_model(scripted: Scripted, alice: Talker) -> None:
    async with scripted({"json": NEW}, price="3.00"):
        told = (await alice.get("describe/models/")).json()

    model = next(each for each in told["models"] if each["id"] == MODEL)
    assert model["provider"] == "Fake"
    assert 0 < float(model["likely_usd"]) < float(model["at_most_usd"]) < 1
    assert (told["budget"], told["most_words"]) == (None, 8_000)


async def test_a_model_without_price_is_left_out_where_such_calls_are_refused(
    scripted: Scripted, alice: Talker
) -> None:
    async with scripted({"json": NEW}):
        await AcceptedProvider.objects.all().aupdate(source="machine")
        told = (await alice.get("describe/models/")).json()
        answer = await alice.post("describe/", ASK)

    assert told["models"] == []
    assert answer.json()["code"] == "ModelCannotDraft"


async def test_a_budget_that_is_too_small_refuses_before_anything_is_asked(
    scripted: Scripted, alice: Talker, people: People
) -> None:
    await _limit(people, "0.001")
    async with scripted({"json": NEW}, price="3.00") as server:
        answer = await alice.post("describe/", ASK)
        told = (await alice.get("describe/models/")).json()

    assert (answer.status_code, answer.json()["code"]) == (422, "BudgetTooSmall")
    assert told["budget"]["left_usd"] == "0.001"
    assert server.requests == []
    assert await DraftProposal.objects.acount() == 0


async def test_the_budget_of_the_workspace_pays(
    scripted: Scripted, asker: Asker, people: People
) -> None:
    await _limit(people, "5")
    async with scripted({"json": NEW}, price="3.00"):
        draft = await asker.drafted("Anything")
        told = (await asker.talker.get("describe/models/")).json()

    assert told["budget"]["used_usd"] == draft["spent_usd"] != "0"
    assert told["budget"]["held_usd"] == "0"


async def test_a_draft_can_be_stopped(scripted: Scripted, asker: Asker) -> None:
    async with scripted({"json": NEW, "delay_ms": 60_000}) as server:
        draft = await asker.ask("Anything")
        second = await asker.talker.post("describe/", ASK)
        await server.charged.wait()
        await asker.talker.post(f"describe/{draft['id']}/stop/", {})
        ended = await asker.over(draft["id"])

    assert (second.status_code, second.json()["code"]) == (409, "StillWriting")
    assert ended["status"] == "stopped"
    assert await BudgetHold.objects.filter(state="held").acount() == 0


async def test_a_model_that_never_answers_ends_at_the_time_limit(
    scripted: Scripted, asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workflow, "RUN_MS", 400)
    async with scripted({"json": NEW, "delay_ms": 60_000}):
        draft = await asker.drafted("Anything")

    assert draft["status"] == "failed"
    assert "did not answer in time" in draft["message"]


async def test_a_refusal_of_the_provider_is_told(scripted: Scripted, asker: Asker) -> None:
    async with scripted({"error": {"status": 401, "message": "bad key"}}):
        draft = await asker.drafted("Anything")

    assert draft["status"] == "failed"
    assert "bad key" in draft["message"]


# The first engine's loop ends in the midst of things, as that of a dead process does.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_a_draft_goes_on_after_a_restart_and_holds_nothing(
    scripted: Scripted, asker: Asker, engine: EmbeddedEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scripted({"json": NEW, "delay_ms": 60_000}, {"json": NEW}, price="1.00") as server:
        draft = await asker.ask("Anything")
        await server.charged.wait()
        await sync_to_async(engine.stop)()
        later = EmbeddedEngine(lambda: make_runner(dialect()))
        await sync_to_async(later.start)()
        engine_door.install(later)
        monkeypatch.setattr(engine, "stop", later.stop)
        ended = await asker.over(draft["id"])

    assert ended["status"] == "ready"
    assert await BudgetHold.objects.filter(state="held").acount() == 0


async def test_closing_is_written_down_with_what_it_cost(
    scripted: Scripted, asker: Asker, people: People
) -> None:
    async with scripted({"json": NEW}, price="1.00"):
        draft = await asker.drafted("Anything")
    open_ = (await asker.talker.get("describe/")).json()["results"]
    answer = await asker.talker.post(f"describe/{draft['id']}/close/", {"taken": 2})
    again = await asker.talker.post(f"describe/{draft['id']}/close/", {"taken": 0})

    assert [each["id"] for each in open_] == [draft["id"]]
    assert answer.json()["closed"]
    assert again.json()["closed"]
    assert (await asker.talker.get("describe/")).json()["results"] == []
    entries = [entry async for entry in AuditEntry.objects.order_by("n")]
    said = [entry.entry for entry in entries if '"draft.' in entry.entry]
    assert '"draft.described"' in said[0]
    assert f'"spent_usd":"{draft["spent_usd"]}"' in said[1]
    assert len(said) == 2


async def test_somebody_elses_draft_is_left_alone(
    scripted: Scripted, asker: Asker, people: People
) -> None:
    async with scripted({"json": NEW}):
        draft = await asker.drafted("Anything")
    vera = await talker(people.vera)

    for verb in ("stop", "close"):
        answer = await vera.post(f"describe/{draft['id']}/{verb}/", {})
        assert answer.status_code == 403
    assert (await vera.post("describe/", ASK)).status_code == 403


async def test_too_many_words_and_too_large_a_draft_are_refused(
    scripted: Scripted, alice: Talker, people: People
) -> None:
    document: dict[str, Any] = {
        "id": "big",
        "nodes": [{"id": "q", "type": "question", "config": {"question": "x" * 62_000}}],
    }
    made = await alice.post("graphs/", {"document": document})
    async with scripted({"json": NEW}):
        long = await alice.post("describe/", {**ASK, "words": "x" * 8_001})
        large = await alice.post("describe/", {**ASK, "graph": made.json()["id"]})

    assert long.status_code == 400
    assert large.json()["code"] == "TooLargeToDescribe"


async def _limit(people: People, usd: str) -> None:
    await sync_to_async(budgets.create_budget)(
        people.olga, graph=None, period="month", limit_usd=Decimal(usd), limit_tokens=None
    )
