"""What clients of chat completions send, as far as a workflow can keep it.

What only steers a model's sampling is passed over, as a workflow has settings of its own. What would
change what comes back is refused: a client that asked for it would misread the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

MAX_MESSAGES: Final = 2_000
ROLES: Final[Mapping[str, str]] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
}
UNSERVED: Final[Mapping[str, str]] = {
    "tools": "the workflow has tools of its own",
    "functions": "the workflow has tools of its own",
    "audio": "a workflow answers in text",
    "logprobs": "a workflow has no probabilities",
    "top_logprobs": "a workflow has no probabilities",
    "stop": "a workflow ends by itself",
    "prediction": "a workflow takes no prediction",
}


class Unserved(ValueError):
    """A request that cannot be kept; `param` is its part that is to blame."""

    def __init__(self, message: str, param: str) -> None:
        super().__init__(message)
        self.message = message
        self.param = param


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class TextPart(_Loose):
    """A piece of a message."""

    type: str
    text: str | None = None


class SaidMessage(_Loose):
    """One message."""

    role: str
    content: str | list[TextPart] | None = None


class StreamOptions(_Loose):
    """What a stream also tells."""

    include_usage: bool = False


class Completion(_Loose):
    """A request for a completion."""

    model: str = Field(min_length=1, max_length=200)
    messages: list[SaidMessage] = Field(min_length=1, max_length=MAX_MESSAGES)
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: int | None = None
    tool_choice: Any = None
    response_format: Any = None
    modalities: list[str] | None = None

    @property
    def with_usage(self) -> bool:
        """Whether a stream is to end with what it cost in tokens."""
        return self.stream_options is not None and self.stream_options.include_usage

    @property
    def said(self) -> list[dict[str, str]]:
        """The messages as chats take them. Raises `Unserved`."""
        return [_said(message, at) for at, message in enumerate(self.messages)]


def read(data: Any) -> Completion:
    """Return a request that can be kept. Raises `Unserved`."""
    if not isinstance(data, Mapping):
        raise Unserved("the body is a JSON object", "")
    for name, why in UNSERVED.items():
        if data.get(name):
            raise Unserved(f"{name} is not served: {why}", name)
    try:
        found = Completion.model_validate(dict(data))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise Unserved(first["msg"], ".".join(map(str, first["loc"]))) from None
    if found.n not in (None, 1):
        raise Unserved("n is not served: a run gives one answer", "n")
    if found.tool_choice not in (None, "none", "auto"):
        raise Unserved(
            "tool_choice is not served: the workflow has tools of its own", "tool_choice"
        )
    if found.response_format is not None and found.response_format != {"type": "text"}:
        message = "response_format is not served: the workflow says what it answers"
        raise Unserved(message, "response_format")
    if found.modalities not in (None, ["text"]):
        raise Unserved("modalities is not served: a workflow answers in text", "modalities")
    return found


def _said(message: SaidMessage, at: int) -> dict[str, str]:
    role = ROLES.get(message.role)
    if role is None:
        shown = message.role[:40]
        raise Unserved(f"the role {shown!r} is not served", f"messages.{at}.role")
    content = message.content
    if content is None:
        return {"role": role, "content": ""}
    if isinstance(content, str):
        return {"role": role, "content": content}
    for n, part in enumerate(content):
        if part.type != "text":
            shown, where = part.type[:40], f"messages.{at}.content.{n}.type"
            raise Unserved(f"a part of type {shown!r} is not served: send text", where)
        if part.text is None:
            raise Unserved("a part of type 'text' has its text", f"messages.{at}.content.{n}.text")
    return {"role": role, "content": "".join(part.text or "" for part in content)}
