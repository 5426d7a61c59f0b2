"""Making facts of what a run has learned: by sentences, or by an agent; and storing them once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from engine.core.effects import EffectClass
from engine.core.errors import EngineError, NodeError
from engine.core.node_types.view import View, readable_at
from engine.core.ports import FactSource, NewFact
from engine.core.values.json import JsonObject, as_text
from engine.integrations.memory.facts import MAX_NAME, entity_key

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls
    from engine.core.node_types.context import NodeContext

MAX_FACTS: Final = 1_000
"""Most facts of one visit; what is beyond is dropped and counted."""

INSTRUCTION: Final = (
    "Distil from the sources below what is worth knowing in later runs: lessons, decisions, "
    "preferences, and facts that will still be true. Write each as one sentence that can be "
    "understood on its own, and name the people, companies and things that it is about. "
    "Leave out what only matters to this run."
)
EXTRACTION: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string", "description": "one sentence"},
                    "entities": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": "names of what it is about",
                    },
                },
                "required": ["text"],
            },
        }
    },
    "required": ["facts"],
}
_BREAK = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\n+")  # noqa: RUF001
_TAIL = 16
"""More characters than the longest abbreviation has: what stands before them says nothing."""
_GOES_ON = re.compile(r"\b(?:mr|mrs|ms|dr|prof|st|vs|approx|e\.g|i\.e|z\.b|bzw)\.$", re.IGNORECASE)
_BULLET = re.compile(r"^(?:[-*•–]|\d{1,3}[.)])\s+")  # noqa: RUF001


def sources_of(view: View, keys: Iterable[str]) -> dict[str, Any]:
    """Return the values at the keys that hold anything: absent and blank ones are left out."""
    found = {key: readable_at(view, key) for key in keys}
    return {key: value for key, value in found.items() if any(t.strip() for t in _texts(value))}


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in a value, in order; a lone number or boolean counts as its text."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    elif value is not None:
        yield as_text(value)


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text; a line break ends one too, and marks of lists are left out."""
    held: list[str] = []
    for piece in _BREAK.split(text):
        piece = _BULLET.sub("", _line(piece))
        if not piece and not held:
            continue
        held.append(piece)
        if not _GOES_ON.search(" ".join(held[-2:])[-_TAIL:]):
            yield " ".join(held)
            held = []
    if held:
        yield " ".join(held)


def _line(text: str) -> str:
    """Return a text as one line, without the character that databases refuse."""
    return " ".join(text.replace("\0", " ").split())


def by_sentences(sources: Mapping[str, Any], min_length: int) -> list[NewFact]:
    """Return every sentence of at least `min_length` characters as a fact, no model involved."""
    found = (s for value in sources.values() for text in _texts(value) for s in sentences(text))
    return _distinct(NewFact(text) for text in found if len(text) >= min_length)


async def by_agent(
    ctx: NodeContext,
    agent_id: str,
    sources: Mapping[str, Any],
    max_facts: int,
    instruction: str | None,
) -> list[NewFact]:
    """Return the facts that an agent finds, perhaps more than asked for."""
    parts = [instruction or INSTRUCTION, f"At most {max_facts} facts."]
    if ctx.view.goal:
        parts.append(f"## Goal of the run\n{ctx.view.goal}")
    parts += [f"## Source: {key}\n{as_text(value)}" for key, value in sources.items()]
    talk = await ctx.reason(agent_id, "\n\n".join(parts), schema=EXTRACTION, recall=False)
    return _distinct(
        NewFact(_line(fact["text"]), (), _names(fact.get("entities") or ()))
        for fact in talk.output["facts"]
    )


def _distinct(facts: Iterable[NewFact]) -> list[NewFact]:
    """Return facts with a text, those that are equal but for case once."""
    known: dict[str, NewFact] = {}
    for fact in facts:
        if fact.text:
            known.setdefault(fact.text.casefold(), fact)
    return list(known.values())


def _names(values: Iterable[Any]) -> tuple[str, ...]:
    return tuple(value for value in values if _is_name(value))


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(entity_key(value)) <= MAX_NAME


async def entities_of(ctx: ActivationCalls, keys: Sequence[str]) -> tuple[str, ...]:
    """Return the names at the keys; what names nothing is skipped, and an event says so."""
    names: list[str] = []
    skipped = []
    for key in keys:
        value = readable_at(ctx.view, key)
        listed = value if isinstance(value, list) else [value]
        names += _names(listed)
        if not all(map(_is_name, listed)):
            skipped.append(key)
    if skipped:
        reason = f"names no entity: text of 1 to {MAX_NAME} characters, or a list of such texts"
        await ctx.record_event("WriteDropped", {"keys": skipped, "reason": reason})
    return tuple(names)


async def limited(ctx: ActivationCalls, facts: Sequence[NewFact], most: int) -> Sequence[NewFact]:
    """Return the first `most` facts; an event counts what is dropped."""
    if len(facts) > most:
        surplus = len(facts) - most
        data = {"keys": ["facts"], "reason": f"{surplus} facts beyond the most of {most}"}
        await ctx.record_event("WriteDropped", {**data, "count": surplus})
    return facts[:most]


def marked(facts: Iterable[NewFact], tags: Sequence[str], entities: Sequence[str]) -> list[NewFact]:
    """Return the facts with these tags, linked to these entities beside their own."""
    unique = tuple(dict.fromkeys(tags))
    return [replace(f, tags=unique, entities=_joined(f.entities, entities)) for f in facts]


async def remember(ctx: ActivationCalls, facts: Sequence[NewFact], at: int) -> list[str]:
    """Store the facts, once per visit, and return their ids.

    Raises `NodeError` `MemoryStoreFailed` (retryable).
    """
    if not facts:
        return []
    request = {"facts": [fact.to_json() for fact in facts]}

    async def store(_key: str) -> list[str]:
        return await _stored(ctx, facts, at)

    ids: list[str] = await ctx.perform("memory", request, EffectClass.KEYED, store)
    return list(ids)


def _joined(own: Sequence[str], shared: Sequence[str]) -> tuple[str, ...]:
    """Return the names of both, each entity once."""
    known: dict[str, str] = {}
    for name in (*own, *shared):
        known.setdefault(entity_key(name), _line(name))
    return tuple(known.values())


async def _stored(ctx: ActivationCalls, facts: Sequence[NewFact], at: int) -> list[str]:
    memory = ctx.memory
    if memory is None:
        raise NodeError("MemoryStoreMissing", "no memory store is configured")
    graph_id = ctx.run.started["graph_id"]
    source = FactSource(ctx.run_id, ctx.act.key, graph_id, ctx.node.id, at)
    try:
        return await memory.store(ctx.workspace_id, source, facts)
    except Exception as error:  # whatever a store raises, the facts are not there: try again
        said = (
            error.message if isinstance(error, EngineError) else f"{type(error).__name__}: {error}"
        )
        raise NodeError("MemoryStoreFailed", said, retryable=True) from error
