"""A server that speaks OpenAI's Chat Completions API, with a record of all it was asked.

In a test:    async with FakeOpenAI([{"text": "hi"}]) as server: ... server.base_url
As a process: python -m tests.fake_openai --port 0 --record FILE --delay-ms 50 [--plan FILE]

The process prints `{"port": N, "base_url": …}` as its first line. Every request that a provider
would charge for is appended to the record, flushed to disk, before the answer begins
(`event: charged`), and once more when the last byte was handed over (`event: answered`).

A plan is a list of replies, taken in the order of arrival; the last repeats. A reply has one of
`text`, `json`, `tool_calls` [{name, arguments}], `error` {status, message, retry_after?}, and may
have `usage` {prompt_tokens, completion_tokens} or null (none reported), `delay_ms` (before the
answer), `piece_delay_ms`, `cut_after` (close the connection after so many streamed pieces, without
streaming before any byte), `finish_reason`, `forever` (the text again and again, until the client
goes), `silent_after` (nothing more after so many pieces), `counts_on` (usage in every chunk), or `raw` {status, type, body}: an answer
that is none, as it is. `{if: text, replies: […]}` in a plan answers, in a row of its own, the
requests whose messages hold that text. Without a plan the server repeats the last user message.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

PIECE = 8
REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found"}


class FakeOpenAI:
    """The server. `requests` are the charged ones in order, with headers and body."""

    def __init__(
        self,
        plan: Sequence[dict[str, Any]] = (),
        *,
        record: Path | None = None,
        delay_ms: int = 0,
        port: int = 0,
        models: Sequence[str] = ("fake-small", "fake-large"),
        refuse_schema: bool = False,
    ) -> None:
        self.plan = list(plan)
        self.requests: list[dict[str, Any]] = []
        self.seen_paths: list[tuple[str, dict[str, str]]] = []
        self.charged = asyncio.Event()
        self.broken_off = asyncio.Event()
        self._record = record
        self._delay_ms = delay_ms
        self._port = port
        self._models = list(models)
        self._refuse_schema = refuse_schema
        self._arrived: Counter[int] = Counter()
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """The port that is listened on, once entered."""
        return self._port

    @property
    def base_url(self) -> str:
        """The address to give to a client."""
        return f"http://127.0.0.1:{self.port}/v1"

    async def __aenter__(self) -> FakeOpenAI:
        self._server = await asyncio.start_server(self._connection, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()

    async def serve_forever(self) -> None:
        """Serve until cancelled."""
        assert self._server is not None
        await self._server.serve_forever()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._exchange(reader, writer):
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            self.broken_off.set()
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = head[0].split(" ", 2)
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head[1:] if line)
        }
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.seen_paths.append((path, headers))
        if method == "GET" and path.endswith("/models"):
            listed = [{"id": name, "object": "model", "owned_by": "fake"} for name in self._models]
            return send(writer, 200, {"object": "list", "data": listed})
        if method == "POST" and path.endswith("/chat/completions"):
            return await self._chat(json.loads(body), headers, reader, writer)
        return await self.elsewhere(path, headers, body, writer)

    async def elsewhere(
        self, path: str, headers: dict[str, str], body: bytes, writer: asyncio.StreamWriter
    ) -> bool:
        """Answer what is no question to a model; return whether the connection goes on."""
        return send(writer, 404, {"error": {"message": f"no such path {path}"}})

    async def _chat(
        self,
        request: dict[str, Any],
        headers: dict[str, str],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        if self._refuse_schema and "response_format" in request:
            return send(writer, 400, {"error": {"message": "response_format is not supported"}})
        reply = self.next_reply(request)
        error = reply.get("error")
        if error is not None:
            await asyncio.sleep(reply.get("delay_ms", 0) / 1000)
            extra = {"Retry-After": str(error["retry_after"])} if "retry_after" in error else {}
            body = {"error": {"message": error.get("message", "error"), "type": "fake"}}
            return send(writer, error["status"], body, extra)
        entry = {
            "number": len(self.requests) + 1,
            "idempotency_key": headers.get("idempotency-key"),
            "authorization": headers.get("authorization"),
            "request": request,
        }
        self.requests.append(entry)
        self.charged.set()
        self.note({"event": "charged", **entry})
        await self._until_hang_up(reader, reply.get("delay_ms", self._delay_ms) / 1000)
        if "raw" in reply:
            alive = _send_raw(writer, **reply["raw"])
        elif request.get("stream"):
            alive = await self._stream(request, reply, reader, writer)
        elif "cut_after" in reply:
            return False
        else:
            alive = send(writer, 200, _completion(request, reply))
        await writer.drain()
        self.note({"event": "answered", "number": entry["number"]})
        return alive

    def next_reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return what the model says to this request, in the form of a plan's reply."""
        said = json.dumps(request["messages"], ensure_ascii=False)
        rule = next((r for r in self.plan if "if" in r and r["if"] in said), None)
        row = [r for r in self.plan if "if" not in r] if rule is None else rule["replies"]
        number = self._arrived[id(rule)]
        self._arrived[id(rule)] += 1
        if row:
            return row[min(number, len(row) - 1)]
        schema = request.get("response_format", {}).get("json_schema", {}).get("schema")
        if schema is not None:
            return {"json": _emptiest(schema)}
        asked = [m["content"] for m in request["messages"] if m["role"] == "user"]
        return {"text": f"You said: {asked[-1] if asked else ''}"}

    async def _stream(
        self,
        request: dict[str, Any],
        reply: dict[str, Any],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        )
        pause = reply.get("piece_delay_ms", 0) / 1000
        chunks: Iterable[dict[str, Any]] = _chunks(request, reply)
        if reply.get("forever"):
            chunks = itertools.cycle(list(chunks)[:-2])
        for number, chunk in enumerate(chunks):
            if number == reply.get("cut_after"):
                return False
            if number == reply.get("silent_after"):
                await self._until_hang_up(reader, 3600)
            await self._until_hang_up(reader, pause)
            writer.write(f"data: {json.dumps(chunk)}\n\n".encode())
            await writer.drain()
        writer.write(b"data: [DONE]\n\n")
        return False

    async def _until_hang_up(self, reader: asyncio.StreamReader, seconds: float) -> None:
        """Wait, but notice at once when the client goes away."""
        if seconds <= 0:
            return
        try:
            async with asyncio.timeout(seconds):
                if not await reader.read(1):
                    raise ConnectionResetError("the client closed the connection")
        except TimeoutError:
            return

    def note(self, entry: dict[str, Any]) -> None:
        """Write a line of the record to the disk."""
        if self._record is None:
            return
        with self._record.open("a") as file:
            file.write(json.dumps(entry) + "\n")
            file.flush()
            os.fsync(file.fileno())


def send(
    writer: asyncio.StreamWriter,
    status: int,
    body: dict[str, Any],
    headers: dict[str, str] | None = None,
) -> bool:
    """Write an answer in JSON; return that the connection goes on."""
    payload = json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Error')}", "Content-Type: application/json"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    lines += [f"Content-Length: {len(payload)}", "", ""]
    writer.write("\r\n".join(lines).encode() + payload)
    return True


def _send_raw(writer: asyncio.StreamWriter, status: int, type: str, body: str) -> bool:
    head = f"HTTP/1.1 {status} {REASONS.get(status, 'Error')}\r\nContent-Type: {type}\r\n"
    writer.write(f"{head}Content-Length: {len(body.encode())}\r\n\r\n{body}".encode())
    return True


def _text(reply: dict[str, Any]) -> str:
    return json.dumps(reply["json"]) if "json" in reply else str(reply.get("text", ""))


def _tool_calls(reply: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "index": i,
            "id": call.get("id", f"call_{i}"),
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call.get("arguments", {}))},
        }
        for i, call in enumerate(reply.get("tool_calls", ()))
    ]


def _usage(request: dict[str, Any], reply: dict[str, Any]) -> dict[str, int] | None:
    usage = reply.get("usage", {})
    if usage is None:
        return None
    sent = sum(len(str(message.get("content") or "")) for message in request["messages"])
    counted = {"prompt_tokens": sent // 4 + 1, "completion_tokens": len(_text(reply)) // 4 + 1}
    counted.update(usage)
    return {**counted, "total_tokens": sum(counted.values())}


def _reason(reply: dict[str, Any], calls: list[dict[str, Any]]) -> str:
    return str(reply.get("finish_reason", "tool_calls" if calls else "stop"))


def _completion(request: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
    calls = _tool_calls(reply)
    message: dict[str, Any] = {"role": "assistant", "content": _text(reply) or None}
    if calls:
        message["tool_calls"] = calls
    return {
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": 0,
        "model": request["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": _reason(reply, calls)}],
        "usage": _usage(request, reply),
    }


def _chunks(request: dict[str, Any], reply: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the chunks of an answer one by one: a giant one is never there as a whole."""
    base = {
        "id": "chatcmpl-fake",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": request["model"],
    }
    calls = _tool_calls(reply)
    for number, delta in enumerate(_deltas(reply, calls)):
        said = {"role": "assistant", **delta} if number == 0 else delta
        chunk = {**base, "choices": [{"index": 0, "delta": said, "finish_reason": None}]}
        yield {**chunk, "usage": _usage(request, reply)} if reply.get("counts_on") else chunk
    end = {"index": 0, "delta": {}, "finish_reason": _reason(reply, calls)}
    yield {**base, "choices": [end]}
    usage = _usage(request, reply)
    if usage is not None and request.get("stream_options", {}).get("include_usage"):
        yield {**base, "choices": [], "usage": usage}


def _deltas(reply: dict[str, Any], calls: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Give what each chunk adds; an answer without words or calls begins all the same."""
    text = _text(reply)
    yield from ({"content": text[i : i + PIECE]} for i in range(0, len(text), PIECE))
    yield from ({"tool_calls": [call]} for call in calls)
    if not text and not calls:
        yield {}


def _emptiest(schema: dict[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "object")
    if kind == "object":
        return {key: _emptiest(part) for key, part in schema.get("properties", {}).items()}
    values: dict[str, Any] = {"string": "text", "integer": 0, "number": 0, "boolean": False}
    return values.get(kind, [])


async def _main(options: argparse.Namespace) -> None:
    plan = json.loads(options.plan.read_text()) if options.plan else []
    server = FakeOpenAI(plan, record=options.record, delay_ms=options.delay_ms, port=options.port)
    async with server:
        print(json.dumps({"port": server.port, "base_url": server.base_url}), flush=True)  # noqa: T201 - the port is this program's output
        await server.serve_forever()


def main() -> None:
    """Run the server until it is killed."""
    parser = argparse.ArgumentParser(description="A fake OpenAI-compatible server.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--delay-ms", type=int, default=0)
    parser.add_argument("--plan", type=Path)
    asyncio.run(_main(parser.parse_args()))


if __name__ == "__main__":
    main()
