"""Which sentences of a text speak most of something."""

from __future__ import annotations

import re

from engine.integrations.models.embeddings import local as embedding
from engine.integrations.models.extractive.lexicon import concepts_of, hits
from engine.integrations.models.extractive.sentences import sentences
from engine.integrations.models.extractive.text import overlap, stems

MAX_EMBEDDED = 64
MAX_EMBEDDED_CHARS = 10_000
MAX_EMBEDDED_TOKENS = 2_500
"""What 10,000 characters of prose come to; of brackets alone it would be four times as much."""
OVERLAP_WEIGHT = 0.04
FRAGMENT = 1.0
_CONTACT = re.compile(r"[\w.+-]@[\w-]+\.\w|\d{3}[ -]\d{3}")
_TASK_HEADING = re.compile(
    r"^#{1,6}\s.*\b(?:task|prompt|instructions?|question|step|what to do)\b.*$|^(?:Task|Prompt|Question):",
    re.IGNORECASE | re.MULTILINE,
)


def task_of(instruction: str) -> str:
    """Return the part of an instruction that names the task, at most 600 characters."""
    match = _TASK_HEADING.search(instruction)
    if match is None:
        return instruction[-600:]
    body = instruction[match.end() :]
    following = re.search(r"^#{1,6}\s", body, re.MULTILINE)
    return (body[: following.start()] if following else body).strip()[:600] or instruction[-600:]


def rank(text: str, wanted: str) -> list[tuple[float, str]]:
    """Return the sentences of `text` with how near each is to `wanted`, in text order."""
    found = sentences(text)
    stems_wanted = stems(wanted)
    evidence = tuple(s for concept in concepts_of(wanted) for s in concept.evidence)
    lexical = [
        overlap(stems_wanted, sentence)
        + 0.5 * min(2, len(hits(evidence, sentence)))
        - (FRAGMENT if _is_fragment(sentence) else 0)
        for sentence in found
    ]
    if not embedding.available() or not wanted.strip():
        return list(zip(lexical, found, strict=True))
    order = _first(sorted(range(len(found)), key=lambda i: (-lexical[i], i)), found)
    (query,) = embedding.embed([wanted], "query")
    passages = embedding.embed([found[i] for i in sorted(order)], "passage")
    near = dict(zip(sorted(order), passages, strict=True))
    return [
        (
            OVERLAP_WEIGHT * lexical[i]
            + (embedding.similarity(query, near[i]) if i in near else 0.0),
            sentence,
        )
        for i, sentence in enumerate(found)
    ]


def _first(order: list[int], found: list[str]) -> list[int]:
    """Return the beginning of `order` that is not too much to embed."""
    size = tokens = 0
    for count, i in enumerate(order[:MAX_EMBEDDED]):
        size += min(len(found[i]), embedding.MAX_CHARS)
        tokens += embedding.count_tokens(found[i][: embedding.MAX_CHARS])
        if (size > MAX_EMBEDDED_CHARS or tokens > MAX_EMBEDDED_TOKENS) and count:
            return order[:count]
    return order[:MAX_EMBEDDED]


def _is_fragment(sentence: str) -> bool:
    """Return whether it is a greeting, a closing or a line of contact data."""
    return len(sentence.split()) < 3 or sentence.endswith(",") or bool(_CONTACT.search(sentence))


def best(text: str, wanted: str, count: int = 1) -> list[str]:
    """Return the `count` sentences of `text` nearest to `wanted`, in text order."""
    ranked = rank(text, wanted)
    order = sorted(range(len(ranked)), key=lambda i: (-ranked[i][0], i))[:count]
    return [ranked[i][1] for i in sorted(order)]


def similarity(one: str, other: str) -> float:
    """Return how alike two texts are in meaning, 0 to 1.

    The embedding's cosines of unrelated texts lie about 0.74 and of paraphrases about 0.94;
    that range is stretched to 0..1. Without the embedding: the share of common words.
    """
    if not one.strip() or not other.strip():
        return 0.0
    if not embedding.available():
        return overlap(stems(one), other)
    first, second = embedding.embed([one, other])
    return min(1.0, max(0.0, (embedding.similarity(first, second) - 0.74) / 0.20))
