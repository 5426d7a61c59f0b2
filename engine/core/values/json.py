"""JSON values as the engine holds them: immutable, normalised once, shared without copying.

Everything that enters a run passes `freeze`; from then on lanes, views, events and journals may
share the value freely, because nobody can change it.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Any, Final, NoReturn, TypeAlias
from uuid import UUID

import orjson

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
JsonObject: TypeAlias = "dict[str, Json]"

MAX_DEPTH = 64
"""Deepest nesting accepted anywhere; matches the input limits of every entry."""

_INT64 = 2**63


class InvalidJson(ValueError):
    """A value is not plain JSON. `path` is the place, in dotted form."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path or 'value'}: {message}")
        self.path = path


def refuse_change(*_args: object, **_kwargs: object) -> NoReturn:
    """Raise the `TypeError` that tells node code how changes are made."""
    raise TypeError("what a node sees is read-only: return the change in the result instead")


class FrozenDict(dict[str, Any]):
    """A JSON object that cannot be changed; reads, comparison and encoding are those of `dict`.

    `weight` is kept by `engine.core.values.weight`, once it was asked for.
    """

    __slots__ = ("weight",)
    weight: int
    __setitem__ = __delitem__ = update = pop = popitem = clear = setdefault = __ior__ = (
        refuse_change
    )

    def __reduce__(self) -> tuple[Any, ...]:
        """Be as frozen in another process."""
        return FrozenDict, (dict(self),)


class FrozenList(list[Any]):
    """A JSON array that cannot be changed. `weight` as of an object."""

    __slots__ = ("weight",)
    weight: int
    __setitem__ = __delitem__ = append = extend = insert = pop = remove = refuse_change
    clear = sort = reverse = __iadd__ = __imul__ = refuse_change

    def __reduce__(self) -> tuple[Any, ...]:
        """Be as frozen in another process."""
        return FrozenList, (list(self),)


EMPTY = FrozenDict()


def freeze(value: object, path: str = "", depth: int = 0) -> Any:
    """Return `value` as immutable plain JSON, sharing what is already frozen.

    Text is made storable: NUL and lone surrogates become U+FFFD. Raises `InvalidJson` for NaN,
    infinities, integers beyond 64 bits, keys that are no text, foreign types and depth over 64.
    """
    kind = type(value)
    if kind is str:
        return clean_text(value)  # type: ignore[arg-type]
    if value is None or kind is bool or kind is FrozenDict or kind is FrozenList:
        return value
    if kind is int:
        if not -_INT64 <= value < _INT64:  # type: ignore[operator]
            raise InvalidJson(path, "integers must fit into 64 bits")
        return value
    if kind is float:
        if not math.isfinite(value):  # type: ignore[arg-type]
            raise InvalidJson(path, "NaN and Infinity are not JSON")
        return value
    if depth >= MAX_DEPTH:
        raise InvalidJson(path, f"nested deeper than {MAX_DEPTH}")
    return _freeze_other(value, path, depth)


def _freeze_other(value: object, path: str, depth: int) -> Any:
    if isinstance(value, Mapping):
        frozen: dict[str, Any] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise InvalidJson(path, f"object keys must be text, not {key!r}")
            frozen[clean_text(key)] = freeze(item, f"{path}.{key}" if path else key, depth + 1)
        return FrozenDict(frozen)
    if isinstance(value, (list, tuple)):
        return FrozenList([freeze(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(value)])
    if isinstance(value, bool | int | float | str):  # subclasses, such as StrEnum
        for base in (bool, int, float, str):
            if isinstance(value, base):
                return freeze(base(value), path, depth)
    raise InvalidJson(path, f"{type(value).__name__} is not a JSON value")


def clean_text(text: str) -> str:
    """Return `text` with NUL and lone surrogates replaced, so that every store can keep it."""
    if text.isascii():
        return text.replace("\0", "\ufffd") if "\0" in text else text
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def thaw(value: object) -> Any:
    """Return a mutable deep copy of a frozen value."""
    if isinstance(value, dict):
        return {key: thaw(item) for key, item in value.items()}
    if isinstance(value, list):
        return [thaw(item) for item in value]
    return value


def deep_merge(base: object, patch: object) -> Any:
    """Return `base` with `patch` merged in: objects key by key, everything else replaced."""
    if not isinstance(base, dict) or not isinstance(patch, dict):
        return patch
    merged = dict(base)
    for key, item in patch.items():
        merged[key] = deep_merge(merged[key], item) if key in merged else item
    return FrozenDict(merged)


def is_number(value: object) -> bool:
    """Return whether `value` is a JSON number; booleans are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def json_equal(one: object, other: object) -> bool:
    """Return whether two values are the same JSON: 1 is 1.0, and true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(json_equal(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(json_equal, one, other))
    if is_number(one) and is_number(other):
        return bool(one == other)
    return type(one) is type(other) and bool(one == other)


def canonical(value: object) -> bytes:
    """Return the one JSON encoding of `value`: sorted keys, no spaces, UTF-8."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def digest(value: object) -> str:
    """Return the SHA-256 of the canonical encoding, in hexadecimal."""
    return hashlib.sha256(canonical(value)).hexdigest()


def digest_id(value: object) -> str:
    """Return an id in the form of a UUID that is always the same for this value."""
    return str(UUID(hex=digest(value)[:32]))


FINGERPRINT: Final = 16
"""Hexadecimal digits of a fingerprint: 64 bits tell any two requests of a run apart, and only two
that are made at the same place are ever compared."""


def fingerprint(value: object) -> str:
    """Return the beginning of the digest, for what is only ever compared within one run."""
    return digest(value)[:FINGERPRINT]


def as_text(value: object) -> str:
    """Return text as it is and any other value as compact JSON."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()
