"""One run in one file: lines of JSON, in gzip members each of which can be read alone.

`zcat` shows all of it: a line that says whose log it is, a line for each event, a line for each large
value. What reads a part opens the member that holds it, and never more than the index says it is.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO, Final

import orjson

from builder.base.errors import ArchiveDamaged
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

FORM: Final = 1
PART_BYTES: Final = 256 * 1024
"""Events are parted into members of about so much text."""
MAX_PART: Final = 64 * 1024 * 1024
"""No member is larger when it is unpacked: a run with a larger value is not archived."""
GZIP: Final = 31
"""Window bits by which zlib reads gzip."""
HASH: Final = 64
VALUE: Final = b'{"value":"'
VALUE_DATA: Final = b'","data":'

Row = tuple[int, str, int, str | None, bytes]
"""Seq, type, moment, key and data of an event, as `event_log` reads them."""
Part = tuple[int, int, int]
"""Where a member begins, its bytes, and its bytes unpacked."""


class TooLargeToArchive(Exception):
    """A run holds a value that no part of a file takes."""


@dataclass(slots=True)
class Index:
    """Where in a file things are: events by the first seq of their member, values by hash."""

    events: list[tuple[int, int, int, int]] = field(default_factory=list)
    values: dict[str, Part] = field(default_factory=dict)

    def text(self) -> str:
        """Return the index as JSON."""
        return orjson.dumps({"events": self.events, "values": self.values}).decode()

    @classmethod
    def read(cls, text: str) -> Index:
        """Return an index that was kept as JSON."""
        said = orjson.loads(text)
        events = [(first, start, size, plain) for first, start, size, plain in said["events"]]
        values = {
            name: (start, size, plain) for name, (start, size, plain) in said["values"].items()
        }
        return cls(events, values)


@dataclass(slots=True)
class Written:
    """What was written: the index, bytes packed and unpacked, and the file's SHA-256."""

    index: Index
    size: int = 0
    plain: int = 0
    sha256: str = ""


def write(
    file: IO[bytes],
    about: dict[str, object],
    events: Iterable[Row],
    values: Iterable[tuple[str, bytes]],
) -> Written:
    """Write a run's file. The same run gives the same bytes. Raises `TooLargeToArchive`."""
    out, digest = Written(Index()), hashlib.sha256()

    def member(text: bytes) -> Part:
        if len(text) > MAX_PART:
            raise TooLargeToArchive(f"a value of {len(text)} bytes")
        packed = gzip.compress(text, 6, mtime=0)
        part = (out.size, len(packed), len(text))
        file.write(packed)
        digest.update(packed)
        out.size += len(packed)
        out.plain += len(text)
        return part

    member(orjson.dumps({"graphwright_run": FORM, **about}) + b"\n")
    for first, text in _members(events):
        out.index.events.append((first, *member(text)))
    for name, raw in values:
        out.index.values[name] = member(VALUE + name.encode() + VALUE_DATA + raw + b"}\n")
    out.sha256 = digest.hexdigest()
    return out


def _members(events: Iterable[Row]) -> Iterator[tuple[int, bytes]]:
    first, lines, size = 0, [], 0
    for row in events:
        line = _line(row)
        first = first or row[0]
        lines.append(line)
        size += len(line)
        if size >= PART_BYTES:
            yield first, b"".join(lines)
            first, lines, size = 0, [], 0
    if lines:
        yield first, b"".join(lines)


def _line(row: Row) -> bytes:
    seq, kind, at, key, data = row
    head = orjson.dumps({"seq": seq, "type": kind, "at": at, "key": key})
    return head[:-1] + b',"data":' + bytes(data) + b"}\n"


def unpacked(packed: bytes, plain: int) -> bytes:
    """Return what a member holds. Raises `ArchiveDamaged` where it is not exactly `plain` bytes."""
    if not 0 <= plain <= MAX_PART:
        raise ArchiveDamaged("a part of it would be too large")
    opener = zlib.decompressobj(GZIP)
    try:
        text = opener.decompress(packed, plain + 1)
    except zlib.error as error:
        raise ArchiveDamaged(f"a part of it cannot be unpacked: {error}") from error
    if len(text) != plain or not opener.eof or opener.unused_data:
        raise ArchiveDamaged("a part of it is not what was written")
    return text


def events_in(text: bytes) -> Iterator[Row]:
    """Yield the events of an unpacked member."""
    for line in text.splitlines():
        said = orjson.loads(line)
        yield said["seq"], said["type"], said["at"], said["key"], orjson.dumps(said["data"])


def value_in(text: bytes, name: str) -> bytes:
    """Return the value of an unpacked member. Raises `ArchiveDamaged` where its hash is another."""
    raw = text[len(VALUE) + HASH + len(VALUE_DATA) : -2]
    if hashlib.sha256(raw).hexdigest() != name:
        raise ArchiveDamaged(f"the value {name} is not what was written")
    return raw


def is_gap(after: int, seqs: Iterable[int]) -> bool:
    """Return whether events are missing above `after`: of an archived run some stay in the tables."""
    last = after
    for seq in seqs:
        if seq != last + 1:
            return True
        last = seq
    return False


LAST_SEQ: Final = EVENTS_PER_RUN - 1
