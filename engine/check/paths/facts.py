"""What can hold in a run, as bits: that a node has run, that a memory key is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


class Facts:
    """The facts of a graph: bit n says that node n of `order` has completed, others are keys.

    Keys that the same nodes write share a bit, and a key that one node writes has that node's:
    they always hold together.
    """

    def __init__(self, order: Sequence[str], written: Mapping[str, Sequence[str]]) -> None:
        self.order = order
        self.nodes = {name: 1 << place for place, name in enumerate(order)}
        self.gains = dict(self.nodes)
        self.keys: list[tuple[int, int]] = []
        """The bit of each set of keys, and the bits of the nodes that write it."""
        writers: dict[str, int] = {}
        for name, labels in written.items():
            for label in labels:
                writers[label] = writers.get(label, 0) | self.nodes[name]
        shared: dict[int, int] = {}
        for mask in writers.values():
            if mask & (mask - 1) and mask not in shared:
                shared[mask] = 1 << (len(order) + len(shared))
        self.keys = [(bit, mask) for mask, bit in shared.items()]
        self._bits = {label: shared.get(mask, mask) for label, mask in writers.items()}
        self._bits |= {f"outputs.{name}": bit for name, bit in self.nodes.items()}
        for name, labels in written.items():
            for label in labels:
                self.gains[name] |= self._bits[label]
        self.everything = (1 << (len(order) + len(shared))) - 1

    def bit(self, label: str) -> int:
        """Return the bit of `outputs.NODE` or `memory.KEY`, 0 for what nothing ever makes true."""
        return self._bits.get(label, 0)

    def places(self, bits: int) -> Iterator[int]:
        """Yield the places in `order` of the nodes among some bits."""
        while bits:
            low = bits & -bits
            yield low.bit_length() - 1
            bits ^= low
