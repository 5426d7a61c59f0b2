"""What sort of value a property asks for, judged by its format, name and description."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from engine.integrations.models.extractive import spans
from engine.integrations.models.extractive.spans import Found
from engine.integrations.models.extractive.text import plain, words_of_name

Finder = Callable[[str], list[Found]]

MONEY_WORDS = re.compile(
    r"\b(?:amount|price|total|cost|fee|budget|refund|payment|betrag|preis|summe|kosten|importe|precio|"
    r"costo|usd|eur|money|salary|total value|order value|deal value)\b"
)
PERCENT_WORDS = re.compile(r"\b(?:percent|percentage|prozent|porcentaje|discount rate|rate)\b")
SCORE_WORDS = re.compile(
    r"\b(?:score|confidence|probability|relevance|similarity|quality|fitness|rating|likelihood)\b"
)


def _as_quotes(finder: Finder) -> Finder:
    return lambda text: [Found(f.quote, f.quote, f.start, f.end) for f in finder(text)]


_FORMATS: dict[str, Finder] = {
    "email": lambda text: spans.matches(spans.EMAIL, text),
    "uri": lambda text: spans.matches(spans.URL, text),
    "date": spans.dates,
    "date-time": lambda text: [
        Found(f"{f.value}T00:00:00Z", f.quote, f.start, f.end) for f in spans.dates(text)
    ],
}
_BY_NAME: tuple[tuple[re.Pattern[str], Finder], ...] = (
    (
        re.compile(r"\b(?:e ?mails?|email addresse?s?|mail addresse?s?|correos?)\b"),
        _FORMATS["email"],
    ),
    (re.compile(r"\b(?:urls?|links?|websites?|web ?pages?)\b"), _FORMATS["uri"]),
    (
        re.compile(r"\b(?:phones?|telephones?|mobile|telefon\w*|tel)\b"),
        lambda text: spans.matches(spans.PHONE, text),
    ),
    (re.compile(r"\b(?:dates?|deadlines?|due|datum|fechas?|day|expir\w+)\b"), spans.dates),
    (re.compile(r"\b(?:currenc(?:y|ies)|wahrung|moneda)\b"), spans.currencies),
    (
        re.compile(r"\b(?:ids?|number|numbers|no|nr|code|reference|ref|sku|nummer|numero)$"),
        spans.identifiers,
    ),
    (
        re.compile(
            r"\b(?:compan(?:y|ies)|organi[sz]ations?|firma|empresas?|vendors?|suppliers?|employer)\b"
        ),
        spans.companies,
    ),
    (re.compile(r"\b(?:parties|party|vertragspartner|partes)\b"), spans.parties),
    (
        re.compile(r"\b(?:names?|persons?|people|authors?|senders?|signers?|contacts?|nombres?)\b"),
        lambda text: spans.companies(text) + spans.people(text),
    ),
    (
        re.compile(r"\b(?:entit(?:y|ies)|places?|cit(?:y|ies)|countr(?:y|ies))\b"),
        spans.named_things,
    ),
    (MONEY_WORDS, _as_quotes(spans.money)),
)
_COUNT_WORDS = re.compile(r"\b(?:count|number of|quantity|how many|days|months|years|hours|age)\b")
_CENTS = re.compile(r"\d[.,]\d\d$")
SEVERAL = re.compile(
    r"\b(?:parties|names|people|persons|companies|entities|emails|dates|contacts|ids|numbers|signers)\b"
)
_PLAIN_TEXT = re.compile(
    r"\b(?:summary|reason|reasoning|explanation|description|text|answer|draft|content|note|quote|"
    r"sentence|title|subject|message|reply|response|rationale|evidence|comment)s?\b"
)


def claim_of(name: str, schema: Mapping[str, Any]) -> str:
    """Return what a property asks for, in words: its name, title and description."""
    told = [words_of_name(name), str(schema.get("title", "")), str(schema.get("description", ""))]
    return ". ".join(part for part in told if part)


def finder_for(name: str, schema: Mapping[str, Any]) -> Finder | None:
    """Return what finds values for a text property; None where a sentence is the answer."""
    by_format = _FORMATS.get(str(schema.get("format", "")))
    if by_format is not None:
        return by_format
    words = plain(words_of_name(name))
    if _PLAIN_TEXT.search(words):
        return None
    for told in (words, plain(str(schema.get("description", "")))):
        for pattern, finder in _BY_NAME:
            if pattern.search(told):
                return finder
        if _PLAIN_TEXT.search(told):
            return None
    return None


def numbers_for(claim: str, text: str) -> list[Found]:
    """Return the numbers in `text` of the sort that `claim` asks for, plain numbers last."""
    asked = plain(claim)
    plain_numbers = spans.numbers(text)
    if MONEY_WORDS.search(asked):
        return spans.money(text) or [
            found
            for found in plain_numbers
            if _CENTS.search(found.quote)
            or MONEY_WORDS.search(plain(text[max(0, found.start - 40) : found.start]))
        ]
    if PERCENT_WORDS.search(asked):
        return spans.percents(text) or plain_numbers
    return plain_numbers or ([] if _COUNT_WORDS.search(asked) else spans.money(text))
