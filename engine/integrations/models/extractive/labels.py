"""Which label fits a text, and whether a claim holds in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.integrations.models.embeddings import local as embedding
from engine.integrations.models.extractive.lexicon import concepts_of, hits
from engine.integrations.models.extractive.mood import mood_asked_for, mood_of
from engine.integrations.models.extractive.sentences import sentences
from engine.integrations.models.extractive.text import plain, stems, words_of_name

KEYWORD_WEIGHT = 0.015
"""Cosine that one keyword is worth. The measured best lies between 0.01 and 0.02."""
MAX_KEYWORDS = 3
MOOD_WEIGHT = 0.08
"""Cosine that the mood of a sentence is worth: more than keywords, which tasks and remarks share."""
RESIDUAL = re.compile(
    r"^(?:other|others|general|misc|miscellaneous|unknown|none|neutral|normal|else|default|"
    r"unclear|anything else|sonstiges|allgemein|otro|otros)$"
)
RESIDUAL_MARGIN = 0.004
MAX_LIKELY = 32
LIKELY_MARGIN = 0.02
"""Cosine by which a sentence must be nearer to a claim than common messages are; measured."""
_COMMON = (
    "Hello, I have a question.",
    "Please help me with this.",
    "Thank you for your answer.",
    "I wrote to you yesterday.",
    "This is a message from a customer.",
    "The weather is nice today.",
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|don t|doesn t|didn t|isn t|won t|neither|nicht|kein\w*|ohne|nie|sin|nunca)\b"
)
_CLAIM_WORDS = frozenset(
    "is are has have whether true false flag customer user request reques wants want asks asked ask mentio "  # noqa: SIM905
    "contai includ needs need text ticket message messag should".split()
)


@dataclass(frozen=True, slots=True)
class Label:
    """One value to choose, with what is known of its meaning."""

    value: object
    words: str
    told: str = ""

    @property
    def meaning(self) -> str:
        """The words and the explanation as one text."""
        return f"{self.words}: {self.told}" if self.told else self.words


def make_label(value: object, told: str = "") -> Label:
    """Return the label for an enum's `value`; `told` is what the prompt says about it."""
    name = str(value).strip("_")
    return Label(value, "finish, done, end" if value == "__end__" else words_of_name(name), told)


def explain(value: str, instruction: str, notes: Sequence[tuple[str, str]]) -> str:
    """Return what `instruction` or `notes` say of `value`, as in "billing: invoices, refunds"."""
    for name, told in notes:
        if name == value:
            return told
    for name in {value, words_of_name(value)}:
        pattern = (
            rf"(?:^|[\s\"'`*(;,|-]){re.escape(name)}[\"'`*]*\s*(?::|=|–|—| - |→|->|\()\s*"  # noqa: RUF001
            r"([^\n;|)]{3,200})"
        )
        match = re.search(pattern, instruction, re.IGNORECASE)
        if match:
            return match.group(1).strip()
    return ""


def score_labels(text: str, labels: Sequence[Label]) -> list[float]:
    """Return one number for each label, higher fits better: similarity of meaning plus keywords."""
    words = [
        KEYWORD_WEIGHT * min(_keywords(label, text), MAX_KEYWORDS) + mood
        for label, mood in zip(labels, _moods(text, labels), strict=True)
    ]
    if not embedding.available() or not text.strip():
        return words
    (vector,) = embedding.embed([text])
    scores: list[float] = []
    for label, said in zip(labels, words, strict=True):
        prototypes = embedding.embed(_prototypes(label))
        near = max(embedding.similarity(vector, p) for p in prototypes)
        scores.append(near + said)
    return scores


def _moods(text: str, labels: Sequence[Label]) -> list[float]:
    """Return what the mood of one sentence adds, where the labels are told apart by mood."""
    asked = [mood_asked_for(label.words) for label in labels]
    if len(set(asked)) < 2 or len(sentences(text)) != 1:
        return [0.0] * len(labels)
    found = mood_of(text)
    return [MOOD_WEIGHT * (found is not None and mood is found) for mood in asked]


def choose(text: str, labels: Sequence[Label]) -> object:
    """Return the value of the label nearest to `text`; the first of equals.

    A label such as `other` or `neutral` has no meaning of its own: it is taken when no other
    label has a keyword in the text and none stands out from the rest.
    """
    scores = score_labels(text, labels)
    residual = [i for i, label in enumerate(labels) if RESIDUAL.match(label.words)]
    named = [i for i in range(len(labels)) if i not in residual]
    if not named:
        return labels[scores.index(max(scores))].value
    best = max(named, key=lambda i: scores[i])
    if residual and (not stems(text) or not _stands_out(text, labels, scores, best, named)):
        return labels[residual[0]].value
    return labels[best].value


def _stands_out(
    text: str, labels: Sequence[Label], scores: Sequence[float], best: int, named: Sequence[int]
) -> bool:
    if _keywords(labels[best], text) > 0:
        return True
    others = [scores[i] for i in named if i != best]
    if not others or not embedding.available():
        return False
    return scores[best] - sum(others) / len(others) > 5 * RESIDUAL_MARGIN


def _keywords(label: Label, text: str) -> float:
    own = hits(tuple(stems(label.meaning)), text)
    known = {
        stem for concept in concepts_of(label.meaning) for stem in hits(concept.evidence, text)
    }
    return float(len({*own, *known}))


@lru_cache(maxsize=1024)
def _prototypes(label: Label) -> tuple[str, ...]:
    out = [label.words]
    if label.told:
        out.append(label.meaning)
    out.extend(concept.gloss for concept in concepts_of(label.meaning))
    return tuple(out)


def holds(claim: str, text: str) -> bool:
    """Return whether `text` says what `claim` (a key and its description) asks about.

    A sentence supports the claim when it shows a concept or the meaningful words of the claim
    and no negation stands shortly before; the first supporting sentence decides. A claim of no
    known concept is judged by meaning where no sentence has its words.
    """
    wanted = [stem for stem in stems(claim) if stem not in _CLAIM_WORDS]
    concepts = concepts_of(claim)
    for sentence in sentences(text):
        found = [stem for concept in concepts for stem in hits(concept.evidence, sentence)]
        within = {word for stem in found if "*" in stem for word in stem.split()}
        own = [stem for stem in hits(tuple(wanted), sentence) if stem not in within]
        if (found or (own and len(own) * 2 >= len(wanted))) and not _negated(
            sentence, [*found, *own]
        ):
            return True
    return not concepts and embedding.available() and _likely(claim, sentences(text)[:MAX_LIKELY])


def _likely(claim: str, parts: Sequence[str]) -> bool:
    """Judge a claim without known words by meaning alone, against what any message looks like."""
    (meant,) = embedding.embed([claim])
    common = embedding.embed(_COMMON)
    usual = sum(embedding.similarity(meant, other) for other in common) / len(common)
    for part in embedding.embed(parts):
        own = sum(embedding.similarity(part, other) for other in common) / len(common)
        if embedding.similarity(meant, part) - (usual + own) / 2 > LIKELY_MARGIN:
            return True
    return False


def _negated(sentence: str, found: Sequence[str]) -> bool:
    folded = plain(sentence)
    for stem in found:
        at = folded.find(stem.partition(" * ")[0])
        before = " ".join(folded[:at].split()[-4:])
        if not _NEGATION.search(before):
            return False
    return True
