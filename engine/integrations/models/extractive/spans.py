"""Values that stand in a text: amounts, numbers, dates, addresses, names, identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from engine.integrations.models.extractive.text import plain, stems

CURRENCY = {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "usd": "USD",
    "eur": "EUR",
    "gbp": "GBP",
    "chf": "CHF",
    "dollar": "USD",
    "dollars": "USD",
    "euro": "EUR",
    "euros": "EUR",
    "pounds": "GBP",
}
_NUMBER = (
    r"(?>\d{1,3}(?:[.,' ]\d{3}(?!\d)){1,6}(?:[.,]\d{1,2}(?!\d))?)|(?>\d{1,30}(?:[.,]\d{1,10})?)"
)
_MARK = r"US\$|[$€£¥]|(?:USD|EUR|GBP|CHF|euros?|dollars?|pounds)\b"
MONEY = re.compile(
    rf"(?P<before>{_MARK})\s?(?P<a>{_NUMBER})|(?<!\d)(?P<b>{_NUMBER})\s?(?P<after>{_MARK})",
    re.IGNORECASE,
)
NUMBER = re.compile(rf"(?<![\w.,#-])-?(?:{_NUMBER})(?![\w]|[.,]\d)")
PERCENT = re.compile(rf"(?<!\d)({_NUMBER})\s?(?:%|percent|prozent|por ciento)", re.IGNORECASE)
EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
URL = re.compile(r"https?://[^\s<>\"')\]]+[^\s<>\"')\].,;!?]")
PHONE = re.compile(r"(?<!\w)\+?\d[\d ()/-]{6,20}\d(?!\w)")
IDENTIFIER = re.compile(
    r"(?<!\w)(?:#\s?)?([A-Z]{1,6}[-_ ]?\d{2,}[\w-]*|\d{4,}(?:-\d+)*)(?!\w)|#\s?(\w+)"
)
_LETTER = "A-ZÄÖÜÁÉÍÓÚÑ"
_NAME = rf"[{_LETTER}][\w'’-]+(?: (?:[{_LETTER}][\w'’-]+|von|van|de|del|la|da)){{0,3}}"  # noqa: RUF001
_INTRODUCED = re.compile(
    rf"(?:my name is|i am|i'm|this is|name:|mein name ist|ich heiße|ich bin|me llamo|mi nombre es|soy)"
    rf"\s++((?-i:{_NAME}))",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    rf"(?:regards|sincerely|cheers|thanks|thank you|yours|grüße|gruß|grüßen|saludos|gracias)[,.!]?[^\S\n]*+\n"
    rf"\s*+((?-i:{_NAME}))",
    re.IGNORECASE,
)
_COMPANY = re.compile(
    rf"((?:[{_LETTER}][\w&'’-]{{0,40}}\s){{1,5}}?(?:GmbH|AG|Inc|Ltd|LLC|LLP|Corp|Corporation|Company|Co|S\.A|SA|SL|BV|KG|plc))\b"  # noqa: RUF001
)
_CAPITALIZED = rf"[{_LETTER}][\w'’-]{{1,60}}"  # noqa: RUF001
_CAPITALS = re.compile(rf"(?<![.!?]\s)(?<!^)\b({_CAPITALIZED}(?: {_CAPITALIZED})+)")
_CAPITAL = re.compile(rf"(?<=[a-zäöüß,;:] )([{_LETTER}][\w'’-]{{2,}})")  # noqa: RUF001
_WORD = rf"[{_LETTER}](?:[&.'’-]{{0,3}}\w{{1,60}}){{1,9}}+"  # noqa: RUF001
_PARTY = rf"{_WORD}(?:,? (?:of |for |the |de |von )?{_WORD}){{0,5}}"
_BETWEEN = re.compile(
    rf"\b(?:between|zwischen|entre)\s++(?:the\s++)?((?-i:{_PARTY}))\.?[^.;\n]{{0,80}}?,?\s{{1,3}}(?:and|und|y)\s++"
    rf"(?:the\s++)?((?-i:{_PARTY}))",
    re.IGNORECASE,
)
_MONTHS = "jan ene,feb,mar maer,apr abr,may mai,jun,jul,aug ago,sep,oct okt,nov,dec dez dic"
MONTHS = {
    prefix: number for number, group in enumerate(_MONTHS.split(","), 1) for prefix in group.split()
}
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_DAY_FIRST = re.compile(r"\b(\d{1,2})[.](\d{1,2})[.](\d{4})\b")
_SLASHED = re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b")
_DAY_MONTH = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th|\.)?(?: of| de)? ([^\W\d_]{3,})\.?,?(?: de)? (\d{4})\b"
)
_MONTH_DAY = re.compile(r"\b([^\W\d_]{3,})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b")


@dataclass(frozen=True, slots=True)
class Found:
    """A value and where it stands. `quote` is its wording in the text."""

    value: object
    quote: str
    start: int
    end: int


def parse_number(text: str) -> float:
    """Return the number that `text` writes, with points or commas for thousands or decimals."""
    digits = re.sub(r"[' ]", "", text)
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return float(digits)
    mark = digits[last]
    whole, tail = digits[:last], digits[last + 1 :]
    grouped = len(tail) == 3 and digits.count(mark) >= 1 and whole.lstrip("-") not in ("", "0")
    if grouped and (digits.count(mark) > 1 or not re.search(r"[.,]", whole)):
        return float(re.sub(r"[.,]", "", digits))
    return float(f"{re.sub(r'[.,]', '', whole)}.{tail}")


def money(text: str) -> list[Found]:
    """Return the amounts with a currency, as numbers."""
    return [
        Found(parse_number(m["a"] or m["b"]), m.group(), m.start(), m.end())
        for m in MONEY.finditer(text)
    ]


def currencies(text: str) -> list[Found]:
    """Return the currencies of the amounts, as ISO 4217 codes."""
    out: list[Found] = []
    for m in MONEY.finditer(text):
        mark = (m["before"] or m["after"]).lower().removeprefix("us")
        out.append(Found(CURRENCY.get(mark, mark.upper()), m.group(), m.start(), m.end()))
    return out


def numbers(text: str) -> list[Found]:
    """Return the plain numbers; parts of identifiers, dates, amounts and telephones are none."""
    found = (*dates(text), *money(text), *matches(PHONE, text))
    taken = _covered(text, found)
    return [
        Found(parse_number(m.group()), m.group(), m.start(), m.end())
        for m in NUMBER.finditer(text)
        if not taken[m.start()]
    ]


def _covered(text: str, found: Iterable[Found]) -> bytearray:
    """Return one byte for each character of `text`: 1 where something found stands."""
    covered = bytearray(len(text) + 1)
    for f in found:
        covered[f.start : f.end] = b"\x01" * (f.end - f.start)
    return covered


def percents(text: str) -> list[Found]:
    """Return the percentages, as the number before the sign."""
    return [
        Found(parse_number(m[1]), m.group(), m.start(), m.end()) for m in PERCENT.finditer(text)
    ]


def dates(text: str) -> list[Found]:
    """Return the complete dates as ISO 8601, in order; `3/4/2026` is read month first."""
    out: list[Found] = []
    for pattern, order in (
        (_ISO, "ymd"),
        (_DAY_FIRST, "dmy"),
        (_SLASHED, "mdy"),
        (_DAY_MONTH, "dmy"),
        (_MONTH_DAY, "mdy"),
    ):
        for m in pattern.finditer(text):
            parts = dict(zip(order, m.groups(), strict=True))
            iso = _iso(parts["y"], parts["m"], parts["d"])
            if iso is not None:
                out.append(Found(iso, m.group(), m.start(), m.end()))
    return sorted(out, key=lambda found: found.start)


def _iso(year: str, month: str, day: str) -> str | None:
    name = plain(month)
    number = int(month) if month.isdigit() else MONTHS.get(name[:3], MONTHS.get(name[:4], 0))
    for first, second in ((number, int(day)), (int(day), number)):
        try:
            return date(int(year), first, second).isoformat()
        except ValueError:
            continue
    return None


def matches(pattern: re.Pattern[str], text: str) -> list[Found]:
    """Return what `pattern` finds: its first group that took part, else the whole match."""
    out: list[Found] = []
    for m in pattern.finditer(text):
        value = next((group for group in m.groups() if group), m.group()).strip()
        out.append(Found(value, m.group(), m.start(), m.end()))
    return out


def identifiers(text: str) -> list[Found]:
    """Return order, invoice and ticket numbers; amounts, dates and years are none."""
    taken = _covered(text, (*dates(text), *money(text)))
    return [
        f
        for f in matches(IDENTIFIER, text)
        if any(c.isdigit() for c in str(f.value)) and not taken[f.start]
    ]


def people(text: str) -> list[Found]:
    """Return the names by which people introduce or sign themselves, else capitalised pairs."""
    return [*matches(_INTRODUCED, text), *matches(_SIGNED, text)] or matches(_CAPITALS, text)


def companies(text: str) -> list[Found]:
    """Return the names that end like a company's."""
    return matches(_COMPANY, text)


def parties(text: str) -> list[Found]:
    """Return who makes a contract: whom it is "between", else all companies and people in it."""
    match = _BETWEEN.search(text)
    if match is not None:
        return [Found(match[i], match[i], match.start(i), match.end(i)) for i in (1, 2)]
    named = companies(text)
    taken = _covered(text, named)
    return [*named, *(found for found in people(text) if not taken[found.start])]


def named_things(text: str) -> list[Found]:
    """Return companies, people and other capitalised words inside sentences, in text order."""
    found = [*companies(text), *people(text)]
    taken = _covered(text, found)
    single = [f for f in matches(_CAPITAL, text) if not taken[f.start]]
    return sorted([*found, *single], key=lambda f: f.start)


def nearest(
    found: list[Found], text: str, wanted: str, *, must_be_near: bool = False
) -> Found | None:
    """Return the value whose surroundings speak most of `wanted`; the first of equals.

    With `must_be_near`, several values of which none is near give None: it would be a guess.
    """
    stems_wanted = stems(wanted)

    def nearness(item: Found) -> float:
        before = plain(text[max(0, item.start - 60) : item.start]).split()[-8:]
        after = plain(text[item.end : item.end + 40]).split()[:5]
        score = 0.0
        for stem in stems_wanted:
            back = [i for i, word in enumerate(reversed(before)) if word.startswith(stem)]
            ahead = [i for i, word in enumerate(after) if word.startswith(stem)]
            score += max([1 / (1 + i) for i in back] + [0.8 / (1 + i) for i in ahead] + [0.0])
        return score

    best = max(found, key=nearness, default=None)
    if best is not None and must_be_near and len(found) > 1 and nearness(best) == 0:
        return None
    return best
