"""The live tokens of one run: what moves, what is parked, and what can run next.

A token travels along one edge. At its target it is *moving* (about to run, running, waiting for a
person) or, where several edges meet, *parked* until the join runs. The board does no I/O, keeps no
clock and is a function of the calls made: the same calls release the same nodes in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.core.graph.compiled import END, CompiledGraph
from engine.core.graph.joins import JoinGate


class Token:
    """One live token: `id` is unique in the run and grows with arrival; `payload` is opaque."""

    __slots__ = ("edge", "id", "payload")

    def __init__(self, id: int, edge: int, payload: Any = None) -> None:
        self.id = id
        self.edge = edge
        self.payload = payload

    def __repr__(self) -> str:
        return f"Token({self.id}, edge={self.edge})"


class Ready(NamedTuple):
    """A node that runs now and the tokens it takes, in the order of their arrival.

    `forced` says that the join ran although tokens parked elsewhere, and only those, held it.
    """

    node: int
    tokens: tuple[Token, ...]
    forced: bool = False


class TokenBoard:
    """The tokens of one run on one compiled graph.

    A step is: `finish` the tokens that a node took, `arrive` one for each edge it takes, then
    `release` what can run. `live` holds all tokens by id; the run's branches have ended when it is
    empty.
    """

    __slots__ = ("_arrived", "_gate", "_is_join", "_next_id", "_targets", "live")

    def __init__(self, graph: CompiledGraph) -> None:
        self.live: dict[int, Token] = {}
        self._arrived: dict[int, Token] = {}
        self._targets = graph.targets
        self._next_id = 1
        # chains and trees never touch the joins' bookkeeping
        self._gate: JoinGate[Token] | None = JoinGate(graph) if graph.has_joins else None
        self._is_join = [node.is_join for node in graph.nodes]

    def arrive(self, edge: int, payload: Any = None) -> Token | None:
        """Put a new token at the target of `edge`; None if that is the end."""
        node = self._targets[edge]
        if node == END:
            return None
        token = Token(self._next_id, edge, payload)
        self._next_id += 1
        self._place(token, node)
        return token

    def _place(self, token: Token, node: int) -> None:
        self.live[token.id] = token
        if self._gate is None:
            self._arrived[token.id] = token
        elif self._is_join[node]:
            earlier = self._gate.park(node, token.edge, token)
            if earlier is not None:
                del self.live[earlier.id]
        else:
            self._gate.enter(node)
            self._arrived[token.id] = token

    def finish(self, token: Token) -> None:
        """End a moving token. Raises KeyError if it is not live."""
        del self.live[token.id]
        self._arrived.pop(token.id, None)
        if self._gate is not None:
            self._gate.leave(self._targets[token.edge])

    def release(self) -> list[Ready]:
        """Return what can run now and was not returned before; its tokens are moving from then on.

        Nodes that wait for nobody come first, in the order of arrival, then joins in reverse
        postorder.
        """
        ready = [Ready(self._targets[token.edge], (token,)) for token in self._arrived.values()]
        self._arrived.clear()
        if self._gate is not None:
            ready.extend(Ready(*opened) for opened in self._gate.release())
        return ready

    def take(self, token_ids: Iterable[int]) -> Ready:
        """Note that a node has taken these tokens, as a log says; return it as `release` would.

        Raises KeyError if they are not waiting to be released, or not all that wait at a join.
        """
        ids = list(token_ids)
        node = self._targets[self.live[ids[0]].edge]
        if self._gate is None or not self._is_join[node]:
            return Ready(node, tuple(self._arrived.pop(number) for number in ids))
        if [token.id for token in self._gate.parked(node)] != sorted(ids):
            raise KeyError(f"tokens {ids} are not what is parked at node {node}")
        return Ready(node, self._gate.open(node))

    def claim(self, token_ids: Iterable[int]) -> list[Token]:
        """Return the tokens an activation takes, whether `release` has handed them out or not."""
        ids = list(token_ids)
        first = self.live[ids[0]]
        if first.id in self._arrived or (
            self._gate is not None
            and self._is_join[self._targets[first.edge]]
            and self._gate.is_parked(self._targets[first.edge], first.edge, first)
        ):
            return list(self.take(ids).tokens)
        return [self.live[number] for number in ids]

    def to_plain(self) -> dict[str, Any]:
        """Return the board as plain data: `next_id` and per token `[id, edge, state, payload]`.

        `state` is `arrived` (to be released), `moving` or `parked`.
        """
        return {
            "next_id": self._next_id,
            "tokens": [
                [token.id, token.edge, self._state(token), token.payload]
                for token in self.live.values()
            ],
        }

    def _state(self, token: Token) -> str:
        if token.id in self._arrived:
            return "arrived"
        gate, node = self._gate, self._targets[token.edge]
        return "parked" if gate and gate.is_parked(node, token.edge, token) else "moving"
