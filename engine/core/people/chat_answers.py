"""Answers in a chat: the `resume` object of a user message (rows I5, I6, I9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.node_types.node_type import UNSET
from engine.core.state.requests import Answer


@dataclass(frozen=True, slots=True)
class Resume:
    """Which request is answered, and with what."""

    request_id: str
    answer: Answer


def resume_of(messages: Sequence[Mapping[str, Any]]) -> Resume | None:
    """Return the answer that the last message of a chat carries, None if it is no answer."""
    if not messages or messages[-1].get("role") != "user":
        return None
    content = messages[-1].get("content")
    metadata = messages[-1].get("metadata")
    if not isinstance(content, str) or not content.strip() or not isinstance(metadata, Mapping):
        return None
    return read_resume(metadata.get("resume"))


def read_resume(resume: object) -> Resume | None:
    """Return a `resume` object as an answer; None without a usable token and requestId."""
    if not isinstance(resume, Mapping):
        return None
    token, request_id = resume.get("token"), resume.get("requestId")
    if not (isinstance(token, str) and token and isinstance(request_id, str) and request_id):
        return None
    given = {name: resume.get(name, UNSET) for name in ("selected", "choice", "choices", "values")}
    return Resume(request_id, Answer(token=token, cancel=resume.get("cancel") is True, **given))
