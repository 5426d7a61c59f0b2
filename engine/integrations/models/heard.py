"""How much of a streamed answer has come, and what it can have cost by then.

Who breaks a call off is told nothing by the provider, which bills what it generated until it noticed.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.core.node_types.conversation import Usage
from engine.integrations.models.chat import OnDelta

STOP_TOKENS = 256
"""What a provider may have generated that had not come yet: about two seconds of a quick model."""


class Heard:
    """Takes the pieces of an answer; called with each piece of text that is to be shown.

    A model that knows that nothing is generated which it does not see `note`s the size of each
    piece. One that does not leaves it: what it may have cost is then all that was held.
    """

    __slots__ = ("_goes_on", "_is_void", "_show", "_size", "_told")

    def __init__(self, show: OnDelta, goes_on: Callable[[], bool] = lambda: True) -> None:
        self._show = show
        self._goes_on = goes_on
        self._size = 0
        self._told = Usage()
        self._is_void = False

    def __call__(self, text: str) -> None:
        self._show(text)

    def note(self, size: int, told: Usage | None = None) -> bool:
        """Add bytes of text, thoughts or tool calls, and what the provider has counted so far.

        Returns False where the call is settled already: then it is to be broken off.
        """
        self._size += size
        if told is not None:
            self._told = told
        return self._goes_on()

    def void(self) -> None:
        """Forget it: the other side ended the call, and may have generated anything."""
        self._is_void = True

    def most(self, worst: Usage) -> Usage | None:
        """Return what can have been used by now, at most `worst`; None where nobody can say.

        A token is not shorter than a byte. What the provider counted of the request holds.
        """
        if self._is_void or not self._size:
            return None
        made = self._told.output_tokens + self._size + STOP_TOKENS
        asked = self._told.input_tokens or worst.input_tokens
        return Usage(min(asked, worst.input_tokens), min(made, worst.output_tokens))
