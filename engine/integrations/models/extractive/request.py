"""What a request asks, and on which text: the instruction told apart from the content.

Requests come from the agent frame (sections with headings, the readable state as JSON), from
bare prompts, and from tool results. State outweighs prose: the text values in embedded JSON are
the content, and where the prompt repeats them they are taken out of the instruction. Without
any, content is what is quoted, fenced, tagged or stands after the instructing sentences.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.integrations.models.chat import ChatRequest
from engine.integrations.models.extractive.sentences import MAX_CHARS, sentences
from engine.integrations.models.extractive.text import plain

_DECODER = json.JSONDecoder()
_MAX_JSON_STARTS = 200
_MAX_TAGS = 20
_MAX_LEAVES = 1_000
"""Texts that are taken out of embedded JSON; each is compared with all others."""
MAX_REQUEST_CHARS = 100_000
"""What is read of one message; more is cut, so that the work of one call is bounded."""
_NOT_CONTENT = frozenset(
    {"goal", "constraints", "context", "metadata", "routing", "schema", "peer_delegation"}
)
"""Keys of embedded JSON whose texts instruct; the last is the form of a hand-over."""
_CONTENT_FIRST = ("input", "rawInput", "text", "message", "previous")
_ASKING = re.compile(
    r"^(?:(?:please|bitte|por favor|task|aufgabe|your (?:task|job|role|goal)|"
    r"you (?:are|will|must|should|have to|sort|classify|read|write|extract|decide))\b|(?:which|what|who|when|is|are|does|do|"
    r"has|how|classify|decide|sort|label|choose|pick|extract|find|read|determine|summari[sz]e|answer|"
    r"return|respond|give|write|list|tell|quote|identify|assign|route|score|rate|judge|evaluate|analy[sz]e|"
    r"categori[sz]e|detect|check|look|use|fill|select|mark|state|name|explain|describe|review|given|"
    r"welche|welches|was|wer|ordne|finde|lies|bestimme|nenne|klassifiziere|entscheide|"
    r"clasifica|decide|extrae|lee|resume|responde|indica|cual|que)\b)",
    re.IGNORECASE,
)
_DELIMITED = (
    re.compile(r"```(?:\w+\n|\n)?(.+?)```", re.DOTALL),
    re.compile(r'"""(.+?)"""', re.DOTALL),
    re.compile(r"[\"“„«]([^\"“”„«»\n]{25,})[\"”“»]"),
)
_TAG = re.compile(r"<([a-zA-Z_][\w-]{0,40})>")
_HEADING = re.compile(
    r"^(?:#{1,6}\s++(.+)|\*\*(.+?)\*\*:?|([A-Z][\w /-]{0,30}):)[ \t]*$", re.MULTILINE
)
_CONTENT_HEADING = re.compile(
    r"\b(?:input|text|ticket|message|content|document|e-?mail|customer|letter|article|source|"
    r"conversation|transcript|state|data|previous|memory|answer to judge|candidate)\b",
    re.IGNORECASE,
)


_TEXT_HEADING = re.compile(
    r"^(?:input|text|ticket|message|content|document|e-?mail|letter|article|source|"
    r"conversation|transcript)$",
    re.IGNORECASE,
)


_STATE = re.compile(
    r"^#{1,6}\s+(?:state|data|memory|previous)[ \t]*$", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Reading:
    """`instruction` says what is wanted, `content` holds the texts to work on, best first.

    `notes` are all pairs of names and explanations found on the way, such as targets with labels;
    `goal` is the run's goal where the state names one.
    """

    instruction: str
    content: tuple[str, ...]
    notes: tuple[tuple[str, str], ...] = ()
    goal: str = ""

    @property
    def text(self) -> str:
        """The content as one text, as much of it as is read."""
        return "\n".join(self.content)[:MAX_CHARS]


def read_request(request: ChatRequest) -> Reading:
    """Return what `request` asks and the texts it asks it about."""
    asked = [m.content for m in request.messages if m.role == "system"]
    users = [m.content[:MAX_REQUEST_CHARS] for m in request.messages if m.role == "user"]
    told = [m.content[:MAX_REQUEST_CHARS] for m in request.messages if m.role == "tool"]
    leaves: list[str] = []
    notes: list[tuple[str, str]] = []
    prose: list[str] = []
    goal = ""
    blank = False
    for text in users[-1:]:
        rest, values = _split_json(text)
        prose.append(rest)
        for value in values:
            notes.extend(_pairs(value))
            if isinstance(value, dict) and isinstance(value.get("goal"), str):
                goal = value["goal"]
            if not _is_schema(value):
                leaves.extend(_leaves(value))
                blank = blank or _is_blank_state(value)
    tool_texts = [leaf for text in told for leaf in (_tool_leaves(text))]
    blank = not leaves and (blank or _has_blank_section("\n".join(prose)))
    content, instruction = _tell_apart("\n".join(prose), _distinct(leaves))
    if blank:
        content = []
    content = _distinct([*content, *tool_texts])
    if not content and not blank:
        content = _distinct(users[-1:])
    return Reading("\n".join([*asked, instruction]).strip(), tuple(content), tuple(notes), goal)


def _tool_leaves(text: str) -> list[str]:
    rest, values = _split_json(text)
    return [leaf for value in values for leaf in _leaves(value)] or [rest]


def _tell_apart(prose: str, leaves: list[str]) -> tuple[list[str], str]:
    if leaves and not _STATE.search(prose) and (marked := _marked(prose)) is not None:
        return marked
    used = [leaf for leaf in leaves if len(leaf) > 2 and leaf in prose]
    instruction = prose
    for leaf in sorted(used, key=len, reverse=True):
        instruction = instruction.replace(leaf, " ")
    if used or leaves:
        return [*used, *(leaf for leaf in leaves if leaf not in used)], instruction
    return _from_prose(prose)


def _from_prose(prose: str) -> tuple[list[str], str]:
    """Find the content inside text that holds no state: delimited, under a heading, or the rest."""
    marked = _marked(prose)
    if marked is not None:
        return marked
    tagged = _tagged(prose)
    if tagged:
        untagged = prose
        for part in sorted(tagged, key=len, reverse=True):
            untagged = untagged.replace(part, " ")
        return tagged, untagged
    for pattern in _DELIMITED:
        found = [match.groups()[-1].strip() for match in pattern.finditer(prose)]
        if found:
            return found, pattern.sub(" ", prose)
    sections = _sections(prose)
    content = [
        body for title, body in sections if title and _CONTENT_HEADING.search(title) and body
    ]
    if content:
        rest = [f"{title}\n{body}" for title, body in sections if body not in content]
        return content, "\n".join(rest)
    return _after_the_asking(prose)


def _marked(prose: str) -> tuple[list[str], str] | None:
    """Return the content under Markdown headings; None where no such heading names any.

    What a prompt puts under a heading is marked by its author, so it goes before tags and quotes,
    which may as well stand in the words of whoever wrote to it.
    """
    marks = {match[1].strip() for match in _HEADING.finditer(prose) if match[1]}
    sections = _sections(prose)
    content = [
        body
        for title, body in sections
        if title in marks and _CONTENT_HEADING.search(title) and body
    ]
    if not content:
        return None
    return content, "\n".join(f"{title}\n{body}" for title, body in sections if body not in content)


def _has_blank_section(prose: str) -> bool:
    """Return whether a Markdown heading announces a text, and none follows under any of them."""
    marks = {match[1].strip() for match in _HEADING.finditer(prose) if match[1]}
    bodies = [
        body for title, body in _sections(prose) if title in marks and _TEXT_HEADING.search(title)
    ]
    return bool(bodies) and not any(bodies)


def _is_blank_state(value: object) -> bool:
    """Return whether `value` is a state whose input is a text without a word."""
    told = value.get("input") if isinstance(value, dict) else None
    if isinstance(told, dict):
        told = told.get("rawInput")
    return isinstance(told, str) and not told.strip()


def _tagged(prose: str) -> list[str]:
    """Return what stands between matching tags such as `<ticket>` and `</ticket>`."""
    out: list[str] = []
    at = 0
    for _ in range(_MAX_TAGS):
        match = _TAG.search(prose, at)
        if match is None:
            break
        end = prose.find(f"</{match[1]}>", match.end())
        at = match.end() if end < 0 else end
        if end >= 0 and (body := prose[match.end() : end].strip()):
            out.append(body)
    return out


def _sections(prose: str) -> list[tuple[str, str]]:
    out: list[tuple[str, str]] = []
    end, title = 0, ""
    for match in _HEADING.finditer(prose):
        out.append((title, prose[end : match.start()].strip()))
        title = next((group for group in match.groups() if group), "").strip()
        end = match.end()
    return [*out, (title, prose[end:].strip())]


def _after_the_asking(prose: str) -> tuple[list[str], str]:
    head, colon, tail = prose.partition(":")
    if (
        colon
        and len(tail.split()) >= 4
        and _ASKING.match(head.strip())
        and "\n" not in head.strip()
    ):
        return [tail.strip()], head
    parts = sentences(prose)
    asking = 0
    while asking < len(parts) and _ASKING.match(parts[asking]):
        asking += 1
    rest = parts[asking:]
    if asking and rest:
        return ["\n".join(rest)], "\n".join(parts[:asking])
    return [prose.strip()] if prose.strip() else [], prose


def _split_json(text: str) -> tuple[str, list[Any]]:
    """Return `text` without the JSON objects and arrays in it, and these parsed."""
    values: list[Any] = []
    kept: list[str] = []
    start = at = tried = 0
    while tried < _MAX_JSON_STARTS and (match := re.search(r"[{\[]", text[at:])):
        tried += 1
        begin = at + match.start()
        try:
            value, end = _DECODER.raw_decode(text, begin)
        except (json.JSONDecodeError, RecursionError):
            at = begin + 1
            continue
        kept.append(text[start:begin])
        values.append(value)
        start = at = end
    kept.append(text[start:])
    rest = re.sub(r"```(?:json)?\s*```", " ", "".join(kept))
    return rest, values


def _is_schema(value: object) -> bool:
    return isinstance(value, dict) and (
        "$schema" in value or (value.get("type") == "object" and "properties" in value)
    )


def _leaves(value: Any, key: str = "") -> list[str]:
    """Return the text values in `value`, those of input and messages first."""
    if isinstance(value, str):
        return [value.strip()] if value.strip() else []
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, (int, float)):
        return [f"{key}: {value}"] if key else []
    if isinstance(value, list):
        return [leaf for item in value for leaf in _leaves(item, key)]
    ranked = sorted(value, key=lambda k: k not in _CONTENT_FIRST)
    return [leaf for k in ranked if k not in _NOT_CONTENT for leaf in _leaves(value[k], str(k))]


def _pairs(value: object) -> Iterator[tuple[str, str]]:
    """Yield (name, explanation) for objects that name something and explain it beside."""
    if isinstance(value, list):
        for item in value:
            yield from _pairs(item)
    elif isinstance(value, dict):
        name = value.get("target") or value.get("id") or value.get("name") or value.get("const")
        told = " ".join(
            str(value[k])
            for k in ("label", "description", "title")
            if isinstance(value.get(k), str)
        )
        if isinstance(name, str) and told:
            yield name, told
        for item in value.values():
            yield from _pairs(item)


def _distinct(texts: list[str]) -> list[str]:
    out: list[str] = []
    for text in texts[:_MAX_LEAVES]:
        text = text.strip()
        if text and text not in out and not any(text in other for other in out if plain(text)):
            out.append(text)
    return out
