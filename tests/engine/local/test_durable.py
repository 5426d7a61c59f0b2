"""`local.open`: runs of a file by their key, across processes, with people, and refusals."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from engine.sdk import (
    Answer,
    AnswerFields,
    EffectClass,
    FunctionTools,
    GraphHasErrors,
    Installed,
    InvalidJson,
    LocalEngine,
    NodeConfig,
    NodeContext,
    NodeResult,
    NodeType,
    NodeTypes,
    RequestRefused,
    RunNotFound,
    StoreInUse,
    StoreUnusable,
    ToolContext,
    local,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

CALL: dict[str, Any] = {
    "graphwright": 1,
    "id": "call",
    "nodes": [
        {
            "id": "send",
            "type": "tool",
            "read_keys": ["input"],
            "config": {"tool_id": "send", "arguments": {"text": "{{ input }}"}},
        }
    ],
    "edges": [{"source": "__start__", "target": "send"}],
}
ASK: dict[str, Any] = {
    "graphwright": 1,
    "id": "ask",
    "nodes": [{"id": "name", "type": "question", "config": {"kind": "text", "question": "Name?"}}],
    "edges": [{"source": "__start__", "target": "name"}],
}
AROUND: dict[str, Any] = {
    "graphwright": 1,
    "id": "around",
    "nodes": [{"id": "inner", "type": "subgraph", "config": {"subgraph_id": "ask"}}],
    "edges": [{"source": "__start__", "target": "inner"}],
}


class Outside:
    """What a tool does to the world, which may hang, as one process after the other sees it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sent: list[tuple[str, str]] = []
        self.hangs = False
        self.answers = asyncio.Event()

    def installed(self, effect_class: EffectClass) -> Installed:
        """Return a process in which the tool is installed."""
        functions = FunctionTools()

        @functions.tool(effect_class=effect_class)
        async def send(text: str, ctx: ToolContext) -> str:
            """Send a text."""
            self.sent.append((ctx.idempotency_key, text))
            if self.hangs:
                await self.answers.wait()
            return f"sent {text}"

        return Installed(functions=functions)

    @asynccontextmanager
    async def process(
        self, *graphs: Any, effect_class: EffectClass = EffectClass.KEYED
    ) -> AsyncIterator[LocalEngine]:
        """Give the engine of one process, which ends as in a crash: nothing more is recorded."""
        given = graphs or (CALL,)
        async with local.open(self.path, given, installed=self.installed(effect_class)) as engine:
            yield engine

    async def crash(self, effect_class: EffectClass) -> None:
        """Be a process that ends while the tool is at work."""
        self.hangs = True
        async with self.process(effect_class=effect_class) as engine:
            await engine.start("k", "hello")
            async with asyncio.timeout(10):
                while not self.sent:  # noqa: ASYNC110  the tool rings no bell
                    await asyncio.sleep(0.01)
        self.hangs = False


@pytest.fixture
def outside(tmp_path: Path) -> Outside:
    return Outside(tmp_path / "runs.db")


async def test_a_run_is_one_run_for_its_key(outside: Outside) -> None:
    """I1."""
    async with outside.process() as engine:
        first = await engine.run("k", "hello")
        again = await asyncio.gather(*(engine.run("k", "hello") for _ in range(3)))
    async with outside.process() as engine:
        later = await engine.run("k", "hello")
        other = await engine.run("k2", "hello")

    assert (first.status, first.result) == ("completed", "sent hello")
    assert {state.run_id for state in [*again, later]} == {first.run_id}
    assert (later.status, later.result) == ("completed", "sent hello")
    assert other.run_id != first.run_id
    assert len(outside.sent) == 2


async def test_of_two_starts_at_once_one_makes_the_run(outside: Outside) -> None:
    """I3."""
    async with outside.process() as engine:
        ids = await asyncio.gather(*(engine.start("k", "hello") for _ in range(5)))
        await engine.rested(ids[0])

    assert len(set(ids)) == 1
    assert len(outside.sent) == 1


async def test_a_keyed_call_is_made_again_with_its_key(outside: Outside) -> None:
    """I5."""
    await outside.crash(EffectClass.KEYED)
    async with outside.process() as engine:
        state = await engine.run("k", "hello")

    assert state.status == "completed"
    first, second = outside.sent
    assert first == second


async def test_an_unsafe_call_in_doubt_waits_for_a_person(outside: Outside) -> None:
    """I5."""
    await outside.crash(EffectClass.UNSAFE)
    async with outside.process(effect_class=EffectClass.UNSAFE) as engine:
        state = await engine.run("k", "hello")
        assert state.status == "waiting"
        (question,) = await engine.questions(state.run_id)
        await engine.answer(question, decision="happened", result="sent by hand")
        state = await engine.rested(state.run_id)

    assert question.kind == "in_doubt"
    assert (state.status, state.result) == ("completed", "sent by hand")
    assert len(outside.sent) == 1


async def test_what_is_not_over_goes_on_when_the_file_is_opened(outside: Outside) -> None:
    """I1: Nobody has to ask for a run by its key."""
    await outside.crash(EffectClass.KEYED)
    outside.hangs = True
    async with outside.process() as engine:
        (run_id,) = await engine.unfinished()
        outside.answers.set()
        async with asyncio.timeout(20):
            state = await engine.rested(run_id)
        assert await engine.unfinished() == []
        events = await engine.events(run_id)

    assert state.status == "completed"
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert (events[0].type, events[-1].type) == ("RunStarted", "RunCompleted")


async def test_a_run_goes_on_with_its_own_document(outside: Outside) -> None:
    """The script has another graph of the name by now, and then none."""
    await outside.crash(EffectClass.KEYED)
    node = CALL["nodes"][0]
    config = {"tool_id": "send", "arguments": {"text": "new {{ input }}"}}
    changed = {**CALL, "nodes": [{**node, "config": config}]}
    async with outside.process(changed) as engine:
        old = await engine.run("k", "hello")
        new = await engine.run("k2", "hello")
    async with outside.process(ASK) as engine:
        read = await engine.rested(old.run_id)

    assert (old.result, new.result, read.result) == ("sent hello", "sent new hello", "sent hello")


async def test_a_run_whose_node_type_is_gone_waits_for_it(outside: Outside) -> None:
    """Nothing fails because a script forgot to register a type."""

    class Passing(NodeType):
        """Give on what came before."""

        type = "passing"
        label = "Passing"
        effect_class = EffectClass.PURE

        async def run(self, ctx: NodeContext, config: NodeConfig) -> NodeResult:
            """Return it."""
            return NodeResult(output=ctx.view.previous)

    types = NodeTypes(package="engine.nodes")
    types.register(Passing)
    having, lacking = Installed(types=types), Installed(types=NodeTypes(package="engine.nodes"))
    both = {
        **ASK,
        "id": "both",
        "nodes": [*ASK["nodes"], {"id": "pass", "type": "passing", "read_keys": ["previous"]}],
        "edges": [*ASK["edges"], {"source": "name", "target": "pass"}],
    }
    async with local.open(outside.path, both, installed=having) as engine:
        run_id = (await engine.run("k")).run_id
    async with local.open(outside.path, ASK, installed=lacking) as engine:
        await engine.answer((await engine.questions(run_id))[0], values="Ada")
        assert (await engine.rested(run_id)).status == "waiting"
    async with local.open(outside.path, both, installed=having) as engine:
        (doubt,) = await engine.questions(run_id)
        await engine.answer(doubt, decision="retry")
        state = await engine.rested(run_id)

    assert doubt.request["reason"] == "missing_type"
    assert (state.status, state.outputs["pass"]) == ("completed", "Ada")


async def test_a_question_of_a_child_run_is_answered_in_a_later_process(outside: Outside) -> None:
    async with outside.process(AROUND, ASK) as engine:
        waiting = await engine.run("k")
    async with outside.process(AROUND, ASK) as engine:
        (question,) = await engine.questions(waiting.run_id)
        await engine.answer(question, values="Ada")
        state = await engine.run("k")

    assert waiting.status == "waiting"
    assert question.request["question"] == "Name?"
    assert (state.status, state.result) == ("completed", "Ada")


async def test_a_cancelled_run_ends(outside: Outside) -> None:
    async with outside.process(ASK) as engine:
        run_id = (await engine.run("k")).run_id
        await engine.cancel(run_id, "no more")
        state = await engine.rested(run_id)

        assert state.status == "cancelled"
        with pytest.raises(RunNotFound):
            await engine.cancel("nobody")


# --- refusals --------------------------------------------------------------------------------------


async def test_a_key_with_another_input_is_refused(outside: Outside) -> None:
    async with outside.process(CALL, ASK) as engine:
        state = await engine.run("k", "hello", budget_usd=Decimal(1))
        same = await engine.run("k", "hello", budget_usd=Decimal(1))
        for more in ({}, {"budget_usd": Decimal(2)}, {"graph": "ask", "budget_usd": Decimal(1)}):
            with pytest.raises(RequestRefused, match="another key") as caught:
                await engine.start("k", "hello", **more)
            assert caught.value.code == "IdempotencyConflict"
            assert caught.value.detail == {"run": state.run_id}

    assert same.run_id == state.run_id


async def test_what_cannot_be_started_is_refused(outside: Outside) -> None:
    async with outside.process() as engine:
        for wrong in ("", "k" * 201):
            with pytest.raises(RequestRefused, match="1 to 200 characters"):
                await engine.start(wrong, "hello")
        with pytest.raises(RequestRefused, match="no graph 'nothing' is given; known: 'call'"):
            await engine.start("k", "hello", graph="nothing")
        with pytest.raises(InvalidJson):
            await engine.start("k", object())
        assert await engine.unfinished() == []


async def test_a_document_with_errors_opens_nothing(outside: Outside) -> None:
    broken = {**CALL, "id": "broken", "nodes": [{"id": "send", "type": "nothing_like_it"}]}
    for documents in ([CALL, broken], "nodes: ["):
        with pytest.raises(GraphHasErrors):
            async with local.open(outside.path, documents):
                pass

    assert not outside.path.exists()


async def test_two_documents_of_one_id_are_refused(outside: Outside) -> None:
    with pytest.raises(RequestRefused, match="more than one of the graphs has the id 'ask'"):
        async with local.open(outside.path, [ASK, CALL, {**ASK, "name": "Another"}]):
            pass

    assert not outside.path.exists()


async def test_a_file_that_cannot_be_had_is_refused(outside: Outside, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("dear diary\n" * 100)
    for path, said in ((tmp_path, "is a folder"), (notes, "no SQLite database")):
        with pytest.raises(StoreUnusable, match=said):
            async with local.open(path, ASK):
                pass
    async with local.open(outside.path, ASK) as engine:
        with pytest.raises(StoreInUse, match="open it once and share it"):
            async with local.open(outside.path, ASK):
                pass
        assert (await engine.run("k")).status == "waiting"


async def test_one_document_may_stand_without_a_list(outside: Outside) -> None:
    async with local.open(outside.path, ASK) as engine:
        assert (await engine.run("k")).status == "waiting"


def test_an_answer_takes_what_the_engine_takes() -> None:
    fields = set(Answer.__dataclass_fields__) - {"token", "content_hash"}

    assert set(AnswerFields.__annotations__) == fields
