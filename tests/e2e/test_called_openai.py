"""The official OpenAI client against a served Graphwright: answers, streams, refusals, a kill between."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from openai import OpenAI

from tests.e2e.called import House, house
from tests.e2e.server import wait_until

pytestmark = pytest.mark.slow
ASK: Any = [{"role": "user", "content": "hi"}]


@pytest.fixture(scope="module")
def called(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[House]:
    """A house for the tests of this file."""
    with house(tmp_path_factory.mktemp("called"), sqlite_template) as found:
        yield found


def client(house: House, token: str, retries: int = 0) -> OpenAI:
    """Return the official client with a token."""
    return OpenAI(base_url=f"{house.address}/v1", api_key=token, max_retries=retries)


def test_a_workflow_answers_as_a_model(called: House) -> None:
    """Also with parts, and with earlier messages."""
    ai = client(called, called.token("runs:start"))

    names = {model.id for model in ai.models.list()}
    one = ai.models.retrieve("echo")
    parts: Any = [
        {"role": "developer", "content": "Be brief."},
        {"role": "assistant", "content": None},
        {
            "role": "user",
            "content": [{"type": "text", "text": "good "}, {"type": "text", "text": "day"}],
        },
    ]
    answer = ai.chat.completions.create(model="echo", messages=parts, temperature=0.5)

    assert names == set(called.graphs)
    assert (one.id, one.owned_by) == ("echo", "my-workspace")
    [choice] = answer.choices
    assert (choice.message.content, choice.finish_reason) == ("You said good day", "stop")
    assert answer.usage is not None
    [run] = [each for each in called.runs("echo") if f"chatcmpl-{each['id']}" == answer.id]
    assert run["source"] == "openai"


def test_a_stream_has_one_id_and_an_end(called: House) -> None:
    ai = client(called, called.token("runs:start"))

    with ai.chat.completions.create(
        model="echo", messages=ASK, stream=True, stream_options={"include_usage": True}
    ) as stream:
        chunks = list(stream)

    assert len({chunk.id for chunk in chunks}) == 1
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == "You said hi"
    reasons = [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices]
    assert reasons[-1] == "stop"
    assert set(reasons[:-1]) == {None}
    assert chunks[-1].usage is not None
    assert [bool(chunk.usage) for chunk in chunks[:-1]] == [False] * (len(chunks) - 1)


def test_a_stream_says_each_message_while_the_run_goes_on(called: House) -> None:
    """The workflow speaks and then sleeps: what it said is there before it wakes."""
    ai = client(called, called.token("runs:start"))
    hail: Any = [{"role": "user", "content": "The ship has come in."}]

    with ai.chat.completions.create(model="speak", messages=hail, stream=True) as stream:
        pieces = (chunk for chunk in stream if chunk.choices and chunk.choices[0].delta.content)
        first = next(pieces)
        [run] = called.runs("speak")
        rest = list(pieces)

    assert "ship" in (first.choices[0].delta.content or "")
    assert run["status"] == "running", "a piece that comes with the end is no stream"
    assert rest == []
    assert called.runs("speak")[0]["status"] == "completed"


def test_a_run_that_waits_says_so_in_words_and_beside(called: House) -> None:
    ai = client(called, called.token("runs:start"))

    answer = ai.chat.completions.create(model="refund", messages=ASK)
    streamed = list(ai.chat.completions.create(model="refund", messages=ASK, stream=True))

    for told in (answer, streamed[-1]):
        beside = told.model_extra["graphwright"]  # type: ignore[index]
        [wait] = beside["interrupts"]
        assert (beside["status"], wait["waits_for"]) == ("waiting", ["Olga"])
        assert f"/inbox/{wait['id']}" in wait["link"]
    assert "Olga" in str(answer.choices[0].message.content)
    assert streamed[-1].choices[0].finish_reason == "stop"


def test_what_fails_is_an_error_that_is_not_sent_again(called: House) -> None:
    ai = client(called, called.token("runs:start"), retries=2)
    before = len(called.runs("broken"))

    with pytest.raises(openai.UnprocessableEntityError) as whole:
        ai.chat.completions.create(model="broken", messages=ASK)
    with pytest.raises(openai.APIError) as streamed:
        list(ai.chat.completions.create(model="broken", messages=ASK, stream=True))

    assert whole.value.code == streamed.value.code
    assert len(called.runs("broken")) == before + 2


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tools"),
        ({"n": 2}, "n"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"messages": [{"role": "tool", "content": "x", "tool_call_id": "1"}]}, "messages.0.role"),
        ({"messages": []}, "messages"),
    ],
)
def test_what_is_not_served_is_refused_by_name(
    called: House, more: dict[str, Any], param: str
) -> None:
    ai = client(called, called.token("runs:start"))

    with pytest.raises(openai.BadRequestError) as refused:
        ai.chat.completions.create(**{"model": "echo", "messages": ASK, **more})

    assert refused.value.param == param


def test_who_may_not_come_is_told_why(called: House) -> None:
    revoked = called.owner.post("/api/tokens/", {"name": "x", "scopes": ["runs:start"]})
    called.owner.ok("DELETE", f"/api/tokens/{revoked['id']}/")
    one = called.token("runs:start", graphs=("greet",))

    def ask(token: str, model: str = "echo", text: str = "hi") -> Any:
        messages: Any = [{"role": "user", "content": text}]
        return client(called, token).chat.completions.create(model=model, messages=messages)

    with pytest.raises(openai.AuthenticationError):
        ask("gw_wrong")
    with pytest.raises(openai.AuthenticationError):
        ask(revoked["token"])
    with pytest.raises(openai.PermissionDeniedError) as narrow:
        ask(called.token("runs:read"))
    assert narrow.value.code == "ScopeMissing"
    with pytest.raises(openai.NotFoundError) as other:
        ask(one)
    assert other.value.code == "model_not_found"
    assert [model.id for model in client(called, one).models.list()] == ["greet"]
    with pytest.raises(openai.APIStatusError) as large:
        ask(called.token(), text="x" * 1024 * 1024)
    assert large.value.status_code == 413
    cookie = httpx.get(f"{called.address}/v1/models", headers={"Cookie": called.owner.cookie})
    assert (cookie.status_code, cookie.json()["error"]["type"]) == (401, "authentication_error")
    assert httpx.get(f"{called.address}/v1/files").json()["error"]["code"] == "unknown_url"


def test_the_same_key_is_the_same_run_also_after_a_kill(called: House) -> None:
    token = called.token("runs:start")
    document: Any = [{"role": "user", "content": "K2"}]
    key = {"Idempotency-Key": "kill-2"}

    def call() -> None:
        with pytest.raises(openai.APIConnectionError):
            client(called, token).chat.completions.create(
                model="chat-order", messages=document, extra_headers=key
            )

    calling = threading.Thread(target=call)
    calling.start()
    wait_until(lambda: called.sleeps("chat-order"), "the payment")
    called.server.kill()
    calling.join(30)
    called.server.start()
    first, again = (
        client(called, token).chat.completions.create(
            model="chat-order", messages=document, extra_headers=key
        )
        for _ in range(2)
    )
    with pytest.raises(openai.ConflictError):
        client(called, token).chat.completions.create(
            model="chat-order", messages=ASK, extra_headers=key
        )

    assert first.id == again.id
    assert len(called.runs("chat-order")) == 1
