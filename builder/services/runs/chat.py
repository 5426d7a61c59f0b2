"""Chats: which message is the input, which graph answers, and answers to open questions.

A chat is a run like any other: the newest user message is its start input, earlier messages are
kept for orchestration, and what it emits is read from its log (rows K10 to K15).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from builder.base.errors import InvalidInput, NotFound
from builder.models import Graph, Interrupt, Membership
from builder.models.querysets import GraphQuerySet
from builder.services.runs.interrupts import answer_interrupt
from builder.services.runs.runs import Start, start_run
from engine.core.people.chat_answers import Resume

Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Chat:
    """One chat request. Blank ids mean the same as none; `key` makes a repetition the same run."""

    messages: Sequence[Message]
    session_id: str | None = None
    graph_id: str | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = None
    source: str = "chat"


def start_chat(member: Membership, graphs: GraphQuerySet, chat: Chat) -> str:
    """Start the run that answers a chat, of the published graph it names, and return its id.

    `graphs` are those that the caller may see. Raises `InvalidInput` without a user message that
    has text, `NotFound` `GraphNotFound`, and what `start_run` raises.
    """
    at = newest_user_message(chat.messages)
    graph = _graph(member, graphs, chat.graph_id)
    start = Start(
        input=chat.messages[at]["content"],
        context=chat.context,
        key=chat.key,
        session_id=(chat.session_id or "").strip() or None,
        messages=[_said(message) for message in chat.messages[:at]],
        chat=True,
        source=chat.source,
    )
    return start_run(member, graph, start)


def newest_user_message(messages: Sequence[Message]) -> int:
    """Return the index of the last user message with text. Raises `InvalidInput` without one."""
    for at in range(len(messages) - 1, -1, -1):
        if messages[at]["role"] == "user" and messages[at]["content"].strip():
            return at
    raise InvalidInput("a chat needs a user message with text", path="messages")


def answer_in_chat(
    member: Membership, interrupt: Interrupt, resume: Resume, *, interactive: bool
) -> int:
    """Hand a chat's answer to the decision service; return the seq before it was recorded.

    Raises `RequestRefused` as the engine does: no answer ever starts a run.
    """
    answer_interrupt(member, interrupt, resume.answer, interactive=interactive, via="chat")
    interrupt.refresh_from_db()
    return (interrupt.resolved_seq or interrupt.opened_seq) - 1


def _said(message: Message) -> dict[str, str]:
    return {"role": message["role"], "content": message["content"]}


def _graph(member: Membership, graphs: GraphQuerySet, wanted: str | None) -> Graph:
    rows = graphs.in_workspace(member.workspace_id).active()
    name = (wanted or "").strip() or member.workspace.all_settings["default_graph"]
    if not name:
        message = "name a graph, or choose the default workflow in the workspace's settings"
        raise NotFound(message, code="GraphNotFound")
    found = rows.filter(slug=name).first() or rows.filter(pk=name).first()
    if found is None:
        raise NotFound("no such graph", code="GraphNotFound")
    return found
