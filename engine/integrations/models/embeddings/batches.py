"""Texts of all callers, embedded a few at a time: short ones together, a long one alone.

Whoever waits works: the first caller without a vector takes the next batch, of its own texts and of the
others', and leaves the lock while it is computed. So a caller waits no longer than for one long text, however
many texts another one brought, and nobody waits for what is known already.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from engine.integrations.models.embeddings.similarity import Kind, Vector

Encode = Callable[[Sequence[str], Kind], list[Vector]]
MOST_TEXTS: Final = 8
CACHED: Final = 4096


@dataclass(slots=True, eq=False)
class _Text:
    """A text that somebody waits for."""

    text: str
    kind: Kind
    taken: bool = False
    vector: Vector | None = None
    error: Exception | None = None

    @property
    def is_done(self) -> bool:
        return self.vector is not None or self.error is not None


@dataclass(slots=True, eq=False)
class _Caller:
    """Who waits for texts, and at which batch they had their last one."""

    texts: list[_Text]
    served: int = 0


class Batches:
    """Gives each text its vector by `encode`, which may be called by `abreast` threads at once.

    A batch has at most `most_chars` characters, or one text.
    """

    def __init__(self, encode: Encode, *, most_chars: int, abreast: int = 1) -> None:
        self._encode = encode
        self._most_chars = most_chars
        self._abreast = abreast
        self._under_way = 0
        self._callers: list[_Caller] = []
        self._count = 0
        self._wanted: dict[tuple[Kind, str], _Text] = {}
        self._cache: OrderedDict[tuple[Kind, str], Vector] = OrderedDict()
        self._changed = threading.Condition()

    def vectors(self, texts: Sequence[str], kind: Kind) -> list[Vector]:
        """Return the vectors of the texts in their order. Raises what `encode` raised for one of them."""
        with self._changed:
            mine = [self._text(text, kind) for text in texts]
            caller = _Caller([each for each in mine if not each.is_done])
            self._callers.append(caller)
            try:
                while not all(each.is_done for each in caller.texts):
                    self._work_or_wait()
            finally:
                self._callers.remove(caller)
        return [_vector_of(each) for each in mine]

    def _text(self, text: str, kind: Kind) -> _Text:
        key = (kind, text)
        known = self._cache.get(key)
        if known is not None:
            self._cache.move_to_end(key)
            return _Text(text, kind, vector=known)
        return self._wanted.setdefault(key, _Text(text, kind))

    def _work_or_wait(self) -> None:
        batch = self._next() if self._under_way < self._abreast else []
        if not batch:
            self._changed.wait()
            return
        self._under_way += 1
        self._changed.release()
        try:
            self._compute(batch)
        finally:
            self._changed.acquire()
            self._under_way -= 1
            for each in batch:
                self._keep(each)
            self._changed.notify_all()

    def _next(self) -> list[_Text]:
        """Take a text of each who waits, then their second ones, as many as fit together.

        Who was served longest ago comes first.
        """
        batch: list[_Text] = []
        chars = 0
        self._count += 1
        for caller, each in self._in_turn():
            chars += len(each.text)
            if batch and (each.kind != batch[0].kind or chars > self._most_chars):
                break
            each.taken, caller.served = True, self._count
            batch.append(each)
            if len(batch) == MOST_TEXTS:
                break
        return batch

    def _in_turn(self) -> Iterator[tuple[_Caller, _Text]]:
        callers = sorted(self._callers, key=lambda caller: caller.served)
        waiting = [[(c, each) for each in c.texts if not each.taken] for c in callers]
        for turn in zip_longest(*waiting):
            yield from (one for one in turn if one is not None and not one[1].taken)

    def _compute(self, batch: Sequence[_Text]) -> None:
        """Fill in vectors; where that fails, each text alone, so that it harms nobody else."""
        try:
            found = self._encode([each.text for each in batch], batch[0].kind)
            for each, vector in zip(batch, found, strict=True):
                each.vector = vector
        except Exception as error:  # noqa: BLE001  whatever it is, whoever brought the text is told
            if len(batch) == 1:
                batch[0].error = error
                return
            for each in batch:
                self._compute([each])

    def _keep(self, done: _Text) -> None:
        key = (done.kind, done.text)
        del self._wanted[key]
        if done.vector is None:
            done.error = done.error or RuntimeError("the embedding was broken off")
            return
        self._cache[key] = done.vector
        if len(self._cache) > CACHED:
            self._cache.popitem(last=False)


def _vector_of(done: _Text) -> Vector:
    if done.vector is None:
        raise done.error or RuntimeError("there is no vector")
    return done.vector
