"""YAML 1.2 documents as plain JSON: the core schema only, and nothing that runs or multiplies.

Built from the parser's events, so that no constructor for a tag, no date and no YAML 1.1 word
(`on`, `yes`) exists at all. The events come from libyaml: a parser in Python took 90 s for a list
of 600,000 items, and squared time for a long text. An alias stands for a copy of what its anchor marks, and all copies
together for no more than `MAX_COPIED`: a document of 1 KB made of aliases could stand for
gigabytes.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterator
from typing import Any, Final

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from engine.core.values.json import MAX_DEPTH, Json
from engine.core.values.limits.json_input import parse_json, read_text
from engine.core.values.limits.numbers import MAX_BODY, MAX_VALUES
from engine.core.values.limits.refusals import Code, LimitExceeded, UnreadableInput
from engine.core.values.limits.storable import refuse_unstorable

_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
MAX_COPIED = 250_000
"""How much all aliases of a document stand for: one a value, and one a character of texts."""
_REASONS: Final = {
    "did not find expected ',' or": "a comma or a closing bracket is missing",
    "did not find expected key": "a name with a colon is missing, or a line is indented otherwise",
    "did not find expected '-' indicator": "a line of this list does not begin with -",
    "mapping values are not allowed": "a colon too many: put the text in quotes, or indent the line",
    "found unexpected end of stream": "a text has no closing quote",
    "found character that cannot start any token": "no value begins so; indent with spaces, not tabs",
}
"""What libyaml says, by its beginning, and what people can do with."""
_CORE = re.compile(r"tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)|!")


def parse_yaml(
    data: bytes | str,
    *,
    max_bytes: int = MAX_BODY,
    max_depth: int = MAX_DEPTH,
    code: Code = "UnreadableDocument",
) -> Json:
    """Return the value of one YAML 1.2 document; JSON is read as JSON.

    Raises `LimitExceeded` and `UnreadableInput` for what `parse_json` refuses, and for aliases
    that stand for too much, tags outside of the core schema, several documents and keys that are
    no text.
    """
    text = read_text(data, max_bytes, code)
    as_json: UnreadableInput | None = None
    if text.lstrip()[:1] in ("{", "["):
        try:
            return parse_json(
                text, max_bytes=max_bytes, max_depth=max_depth, max_values=MAX_VALUES, code=code
            )
        except LimitExceeded:
            raise
        except UnreadableInput as refused:
            if not refused.message.startswith("no JSON"):
                raise
            as_json = refused
    try:
        value = _Builder(yaml.parse(text, Loader=yaml.CSafeLoader), max_depth, code).document()
    except (yaml.YAMLError, RecursionError, ValueError) as refused:
        if as_json is not None and _begins_as_json(text):  # its author looks for what that lacks
            raise as_json from refused
        raise UnreadableInput(code, _place(refused), f"no YAML: {_reason(refused)}") from refused
    refuse_unstorable(value, code)
    return value


def _begins_as_json(text: str) -> bool:
    """Return whether what stands after the first bracket is JSON, and not a bare word of YAML."""
    inside = text.lstrip()[1:200].lstrip()
    return not inside or inside[0] in '"{[]}-0123456789'


def _reason(refused: Exception) -> str:
    said = str(getattr(refused, "problem", None) or str(refused).partition("\n")[0])
    return next((words for begun, words in _REASONS.items() if said.startswith(begun)), said)


def _place(refused: Exception) -> str:
    mark = getattr(refused, "problem_mark", None)
    return "" if mark is None else f"line {mark.line + 1}, column {mark.column + 1}"


class _Builder:
    def __init__(self, events: Iterator[Any], max_depth: int, code: Code) -> None:
        self.events = events
        self.max_depth = max_depth
        self.code: Code = code
        self.marked: dict[str, Any] = {}
        self.copied = 0
        self.values = 0

    def document(self) -> Json:
        value: Json = None
        documents = 0
        for event in self.events:
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise UnreadableInput(self.code, "", "there is more than one document")
                value = self.value(next(self.events), "", 0)
        return value

    def value(self, event: Any, path: str, depth: int) -> Any:
        self.values += 1
        if self.values > MAX_VALUES:
            raise LimitExceeded(self.code, path, f"there are more than {MAX_VALUES} values")
        if isinstance(event, AliasEvent):
            return self.copy(str(event.anchor), path, depth)
        self.marked.pop(event.anchor, None)
        value = self.plain(event, path, depth)
        if event.anchor is not None:
            self.marked[str(event.anchor)] = value
        return value

    def copy(self, anchor: str, path: str, depth: int) -> Any:
        """Return what the anchor marks; it is unknown inside of itself."""
        if anchor not in self.marked:
            raise UnreadableInput(self.code, path, f"there is no anchor {anchor!r} before it")
        value = self.marked[anchor]
        size, height = _extent(value)
        self.copied += size
        if self.copied > MAX_COPIED:
            raise LimitExceeded(self.code, path, f"the aliases stand for more than {MAX_COPIED}")
        if depth + height > self.max_depth:
            raise LimitExceeded(self.code, path, f"nested deeper than {self.max_depth}")
        return copy.deepcopy(value)

    def plain(self, event: Any, path: str, depth: int) -> Any:
        tag = str(event.tag) if event.tag is not None else None
        if tag is not None and not _CORE.fullmatch(tag):
            raise UnreadableInput(self.code, path, f"the tag {tag!r} is not taken")
        if isinstance(event, ScalarEvent):
            return self.scalar(event, path, tag)
        if depth >= self.max_depth:
            raise LimitExceeded(self.code, path, f"nested deeper than {self.max_depth}")
        if isinstance(event, SequenceStartEvent):
            return self.items(path, depth)
        assert isinstance(event, MappingStartEvent)
        return self.members(path, depth)

    def items(self, path: str, depth: int) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := next(self.events), SequenceEndEvent):
            items.append(self.value(event, f"{path}[{len(items)}]", depth + 1))
        return items

    def members(self, path: str, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        while not isinstance(event := next(self.events), MappingEndEvent):
            if not isinstance(event, ScalarEvent) or event.anchor is not None:
                raise UnreadableInput(self.code, path, "a key must be a plain text")
            key = str(event.value)
            place = f"{path}.{key}" if path else key
            if key in members:
                raise UnreadableInput(self.code, place, "the key is there twice")
            members[key] = self.value(next(self.events), place, depth + 1)
        return members

    def scalar(self, event: ScalarEvent, path: str, tag: str | None) -> Json:
        text = str(event.value)
        if event.style or tag == "!" or (tag or "").endswith(":str"):
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _NOT_FINITE.fullmatch(text):
            raise UnreadableInput(self.code, path, f"{text} is not JSON")
        if _INTEGER.fullmatch(text):
            return self.integer(text, path)
        if _NUMBER.fullmatch(text):
            number = float(text)
            if not math.isfinite(number):
                raise UnreadableInput(self.code, path, f"{text[:40]} is too large a number")
            return number
        return text

    def integer(self, text: str, path: str) -> int:
        base = {"0o": 8, "0x": 16}.get(text[:2], 10)
        value = int(text[2:] if base != 10 else text, base) if len(text) <= 24 else 2**63
        if not -(2**63) <= value < 2**63:
            raise UnreadableInput(self.code, path, f"{text[:40]} does not fit into 64 bits")
        return value


def _extent(value: Any) -> tuple[int, int]:
    """Return how large a value is, texts by their length, and how deep it nests."""
    if isinstance(value, str):
        return 1 + len(value), 0
    if not isinstance(value, (dict, list)):
        return 1, 0
    keys = sum(map(len, value)) if isinstance(value, dict) else 0
    inner = [_extent(item) for item in (value.values() if isinstance(value, dict) else value)]
    return 1 + keys + sum(size for size, _ in inner), 1 + max((h for _, h in inner), default=0)
