"""A real engine behind the API, graphs to talk to, and what comes over a stream of frames."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from builder.base import engine_door
from builder.live.readers import close_readers
from builder.models import Graph, GraphVersion, Membership, Run
from builder.process.engine_thread import EmbeddedEngine
from builder.process.runner import dialect, make_runner
from engine.core.node_types.registry import Handlers
from tests.builder.conftest import People

Json = dict[str, Any]
Line = Sequence[Json]


def function(id: str, handler: str, **fields: Any) -> Json:
    """Return a function node that may read everything and write everything."""
    return {
        "id": id,
        "type": "function",
        "config": {"handler": handler},
        "write_keys": ["*"],
        "read_keys": ["input", "context", "*"],
        "failure_policy": {"max_retries": 0},
        **fields,
    }


def question(id: str, **config: Any) -> Json:
    """Return a question node."""
    return {"id": id, "type": "question", "config": {"question": "Which?", **config}}


def publish(member: Membership, slug: str, nodes: Line, **document: Any) -> Graph:
    """Make a published graph whose nodes stand in line."""
    ids = ["__start__", *(node["id"] for node in nodes)]
    edges = [{"source": a, "target": b} for a, b in zip(ids, ids[1:], strict=False)]
    graph = Graph.objects.create(workspace=member.workspace, slug=slug, name=slug.title())
    GraphVersion.objects.create(
        graph=graph,
        number=1,
        document={"graphwright": 1, "id": slug, "nodes": list(nodes), "edges": edges, **document},
        revision=1,
        published_at=timezone.now(),
    )
    return graph


publishing = sync_to_async(publish)


@dataclass(frozen=True)
class Frame:
    """One frame as it came: `id` is None where it has none."""

    type: str
    data: Json
    id: int | None = None


@dataclass
class Stream:
    """The frames of one answer, read one by one."""

    response: Any
    seen: list[Frame] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._chunks: AsyncIterator[bytes] = self.response.streaming_content.__aiter__()

    async def next(self) -> Frame:
        """Return the next frame. Raises `StopAsyncIteration` at the end."""
        while True:
            frame = read_frame((await self._chunks.__anext__()).decode())
            if frame is not None:
                self.seen.append(frame)
                return frame

    async def until(self, type: str) -> Frame:
        """Return the next frame of a type."""
        while (frame := await self.next()).type != type:
            pass
        return frame

    async def rest(self) -> list[Frame]:
        """Return everything up to the end of the stream."""
        found = []
        while True:
            try:
                found.append(await self.next())
            except StopAsyncIteration:
                return found

    async def cut(self) -> None:
        """Leave, as a client does whose connection breaks."""
        await self._chunks.aclose()  # type: ignore[attr-defined]
        self.response.close()


def read_frame(text: str) -> Frame | None:
    """Return the frame in a block of lines, None for a comment."""
    lines = dict(
        line.split(": ", 1) for line in text.splitlines() if line and not line.startswith(":")
    )
    if "event" not in lines:
        return None
    number = lines.get("id")
    return Frame(lines["event"], json.loads(lines["data"]), None if number is None else int(number))


class Talker:
    """A signed-in person, or a bearer of a token, who chats."""

    def __init__(self, client: AsyncClient, **headers: str) -> None:
        self.client = client
        self.headers = headers

    async def post(self, path: str, body: Any, **headers: str) -> Any:
        """Return the answer of a POST."""
        raw = body if isinstance(body, str | bytes) else json.dumps(body)
        given = {**self.headers, **headers}
        return await self.client.post(
            f"/api/{path}", raw, content_type="application/json", headers=given
        )

    async def get(self, path: str, **headers: str) -> Any:
        """Return the answer of a GET."""
        return await self.client.get(f"/api/{path}", headers={**self.headers, **headers})

    async def say(
        self,
        text: str,
        graph: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        **body: Any,
    ) -> Stream:
        """Say one thing to a graph and return the stream of the answer."""
        named = {} if graph is None else {"graphId": graph}
        messages = [{"role": "user", "content": text}]
        answer = await self.post(
            "chat/", {"messages": messages, **named, **body}, **(headers or {})
        )
        assert answer.status_code == 200, answer.content
        assert answer["Content-Type"] == "text/event-stream"
        return Stream(answer)

    async def listen(self, run_id: str, after: int | None = None) -> Stream:
        """Return the stream of a run, after a frame."""
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        answer = await self.get(f"runs/{run_id}/chat/", **headers)
        assert answer.status_code == 200, answer.content
        return Stream(answer)

    async def ask(self, body: Mapping[str, Any], **headers: str) -> Json:
        """Return the one JSON answer of a chat."""
        answer = await self.post("chat/", body, Accept="application/json", **headers)
        assert answer.status_code == 200, answer.content
        text = b"".join([chunk async for chunk in answer.streaming_content])
        found: Json = json.loads(text)
        return found


async def talker(member: Membership | None) -> Talker:
    """Return the member's browser, a stranger's without one."""
    client = AsyncClient()
    if member is not None:
        await sync_to_async(client.force_login)(member.user)
    return Talker(client)


@dataclass
class Seen:
    """What the first node of a run was given, one entry a run."""

    inputs: list[Any] = field(default_factory=list)
    params: list[Any] = field(default_factory=list)
    contexts: list[Any] = field(default_factory=list)
    messages: list[Any] = field(default_factory=list)


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
async def engine(people: People, seen: Seen) -> AsyncIterator[EmbeddedEngine]:
    """The real engine over the test's database, with handlers that talk."""
    handlers = Handlers()

    @handlers.register("look")
    def look(ctx: Any, params: Any) -> Any:
        seen.inputs.append(ctx.view.input)
        seen.params.append(params)
        seen.contexts.append(dict(ctx.view.context))
        seen.messages.append(list(ctx.messages))
        return {}

    @handlers.register("say")
    def say(ctx: Any, params: Any) -> Any:
        ui = {"message": f"{ctx.node.id} speaks", "structured": {ctx.node.id: True}}
        return {"ui": ui, "data": {ctx.node.id: 1}}

    @handlers.register("plain")
    def plain(ctx: Any, params: Any) -> Any:
        return {"output": {"answer": 42}}

    @handlers.register("hand_over")
    def hand_over(ctx: Any, params: Any) -> Any:
        return {"transition_to": "billing", "data": {"x": 1}}

    @handlers.register("fail")
    def fail(ctx: Any, params: Any) -> Any:
        raise ValueError("no luck")

    running = EmbeddedEngine(lambda: make_runner(dialect(), handlers=handlers))
    await sync_to_async(running.start)()
    former = engine_door.install(running)
    yield running
    engine_door.install(former)
    await sync_to_async(running.stop)()
    close_readers()


@pytest.fixture
async def alice(people: People, engine: EmbeddedEngine) -> Talker:
    return await talker(people.alice)


async def count_runs() -> int:
    return await Run.objects.acount()


def user(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **more}


def types(frames: list[Frame]) -> list[str]:
    return [frame.type for frame in frames]


async def answer(who: Talker, asked: Frame, **given: Any) -> Any:
    """Answer at the inbox's endpoint."""
    path = f"interrupts/{asked.data['requestId']}/answer/"
    return await who.post(path, {"token": asked.data["resumeToken"], **given})
