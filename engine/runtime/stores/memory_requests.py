"""The mailbox of runs that live in a dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core.errors import StoreError
from engine.runtime.stores.requests import Request, Told, Wish


@dataclass(slots=True)
class Posted:
    """All requests of a medium, and what became of them; both by number."""

    requests: list[Request] = field(default_factory=list)
    told: dict[int, Told] = field(default_factory=dict)

    def post(self, run_id: str, wish: Wish, at: int) -> int:
        """Keep a wish as others of the medium leave it, and return its number."""
        number = len(self.requests) + 1
        self.requests.append(Request(number, run_id, wish, at))
        return number

    def tell(self, answers: Sequence[tuple[int, Told]]) -> None:
        """Answer requests. Raises `StoreError` for one that is answered, and answers none then."""
        if any(number in self.told for number, _told in answers):
            raise StoreError("a request of the commit is answered already")
        self.told.update(answers)


class MemoryRequests:
    """`Requests` over a medium's lists."""

    def __init__(self, posted: Posted) -> None:
        self.posted = posted

    async def open(self, run_id: str) -> Sequence[Request]:
        """Return what was asked of a run and not answered, in the order asked."""
        return [one for one in self._open() if one.run_id == run_id]

    async def asked_of(self) -> Sequence[str]:
        """Return the runs of which something was asked that is not answered."""
        return list(dict.fromkeys(one.run_id for one in self._open()))

    async def told(self, number: int) -> Told | None:
        """Return what became of a request, None where nothing did yet."""
        return self.posted.told.get(number)

    def _open(self) -> list[Request]:
        told = self.posted.told
        if len(told) == len(self.posted.requests):
            return []
        return [one for one in self.posted.requests if one.number not in told]
