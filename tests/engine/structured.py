"""Structured programs: random ones, how they run, and the graphs they compile to.

A program is nested sequences, forks, choices of one branch or of some, while and do-while loops.
`Interpreter` runs it the way its structure says and is what the token machine is measured against.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.engine.graphs import Edge, Graph, Node

Exit = tuple[str, str | None]
"""A loose end: the node, and the token on which it goes that way."""


@dataclass
class Step:
    name: str


@dataclass
class Sequence:
    parts: list[Program]


@dataclass
class Fork:
    """All branches at once; `join` is the node where they meet, None: the node that comes next."""

    name: str
    branches: list[Program]
    join: str | None


@dataclass
class Choice:
    name: str
    branches: list[Program]
    merge: str | None


@dataclass
class Some:
    """Each of the branches whose condition holds, at once; where none does, all of `others`."""

    name: str
    branches: list[Program]
    others: list[Program]
    merge: str | None


@dataclass
class While:
    name: str
    body: Program


@dataclass
class DoWhile:
    body: Program
    name: str


Program = Step | Sequence | Fork | Choice | Some | While | DoWhile


KINDS = ["sequence", "sequence", "fork", "fork", "choice", "some", "while", "do"]


class Maker:
    """Makes random programs."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.count = 0

    def name(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def program(self, size: int) -> Program:
        if size <= 1:
            return Step(self.name("s"))
        kind = self.random.choice(KINDS)
        if kind == "sequence":
            return Sequence([self.program(part) for part in self.split(size)])
        if kind == "fork":
            join = self.name("j") if self.random.random() < 0.5 else None
            return Fork(self.name("f"), self.branches(size), join)
        if kind == "choice":
            merge = self.name("m") if self.random.random() < 0.5 else None
            return Choice(self.name("c"), self.branches(size), merge)
        if kind == "some":
            merge = self.name("m") if self.random.random() < 0.5 else None
            return Some(self.name("t"), self.branches(size), self.branches(size // 2), merge)
        body = self.program(size - 1)
        return While(self.name("w"), body) if kind == "while" else DoWhile(body, self.name("d"))

    def branches(self, size: int) -> list[Program]:
        found = [self.program(part) for part in self.split(size)]
        if not found or self.random.random() < 0.25:
            found.append(Sequence([]))
        return found

    def split(self, size: int) -> list[int]:
        parts = []
        while size > 0:
            part = self.random.randint(1, size)
            parts.append(part)
            size -= part
        return parts


class Builder:
    """Compiles a program to a graph."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.taking_all: set[str] = set()
        self.edges: list[Edge] = []

    def graph(self, program: Program) -> Graph:
        self.connect(self.build(program, [("__start__", None)]), "__end__")
        return Graph([self.node(name) for name in self.names], self.edges)

    def node(self, name: str) -> Node:
        return Node(name, branching="all" if name in self.taking_all else "first")

    def connect(self, exits: list[Exit], target: str) -> None:
        if not target.startswith("__") and target not in self.names:
            self.names.append(target)
        for source, token in exits:
            if source in self.taking_all:
                self.edges.append(Edge(source, target, condition=token))
            else:
                self.edges.append(Edge(source, target, when=token))

    def build(self, program: Program, before: list[Exit]) -> list[Exit]:
        match program:
            case Step(name):
                self.connect(before, name)
                return [(name, None)]
            case Sequence(parts):
                for part in parts:
                    before = self.build(part, before)
                return before
            case Fork(name, branches, join):
                self.connect(before, name)
                return self.meet(join, [e for b in branches for e in self.build(b, [(name, None)])])
            case Choice(name, branches, merge):
                self.connect(before, name)
                ends = [e for i, b in enumerate(branches) for e in self.build(b, [(name, str(i))])]
                return self.meet(merge, ends)
            case Some(name, branches, others, merge):
                self.taking_all.add(name)
                self.connect(before, name)
                ends = [e for i, b in enumerate(branches) for e in self.build(b, [(name, str(i))])]
                ends += [e for b in others for e in self.build(b, [(name, None)])]
                return self.meet(merge, ends)
            case While(name, body):
                self.connect(before, name)
                self.connect(self.build(body, [(name, "more")]), name)
                return [(name, "done")]
            case DoWhile(body, name):
                first = len(self.edges)
                self.connect(self.build(body, before), name)
                self.connect([(name, "more")], self.edges[first].target)
                return [(name, "done")]

    def meet(self, node: str | None, ends: list[Exit]) -> list[Exit]:
        if node is None:
            return ends
        self.connect(ends, node)
        return [(node, None)]


@dataclass
class Interpreter:
    """Runs a program by its structure. `enabled` are the nodes that can run; `complete` ends one."""

    program: Program
    random: Random
    enabled: dict[str, Callable[[str | None], None]] = field(default_factory=dict)
    visits: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, list[str]] = field(default_factory=dict)
    some: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._collect(self.program)
        self._start(self.program, lambda: None)

    def _collect(self, program: Program) -> None:
        match program:
            case Sequence(parts):
                for part in parts:
                    self._collect(part)
            case Fork(_, branches, _) | Choice(_, branches, _):
                if isinstance(program, Choice):
                    self.tokens[program.name] = [str(i) for i in range(len(branches))]
                for branch in branches:
                    self._collect(branch)
            case Some(name, branches, others, _):
                self.some[name] = len(branches)
                for branch in (*branches, *others):
                    self._collect(branch)
            case While(name, body) | DoWhile(body, name):
                self.tokens[name] = ["more", "done", "done"]
                self._collect(body)
            case Step():
                pass

    def complete(self, name: str) -> str | None:
        """End the node `name`; return the routing token it ends with."""
        token = self._said_by(name)
        self.visits[name] = self.visits.get(name, 0) + 1
        self.enabled.pop(name)(token)
        return token

    def _said_by(self, name: str) -> str | None:
        """Return a token at random; of a choice of some, the conditions that hold, with commas."""
        if name in self.some:
            held = [str(i) for i in range(self.some[name]) if self.random.random() < 0.5]
            return ",".join(held)
        return self.random.choice(self.tokens[name]) if name in self.tokens else None

    def _enable(self, name: str, then: Callable[[str | None], None]) -> None:
        assert name not in self.enabled
        self.enabled[name] = then

    def _start(self, program: Program, done: Callable[[], None]) -> None:
        match program:
            case Step(name):
                self._enable(name, lambda _: done())
            case Sequence(parts):
                self._sequence(parts, done)
            case Fork():
                self._fork(program, done)
            case Some():
                self._some(program, done)
            case Choice(name, branches, merge):
                after = self._meeting(merge, done)
                self._enable(name, lambda token: self._start(branches[int(token or 0)], after))
            case While(name, body):
                self._loop(name, body, done)
            case DoWhile(body, name):
                self._start(body, lambda: self._loop(name, body, done))

    def _sequence(self, parts: list[Program], done: Callable[[], None]) -> None:
        if parts:
            self._start(parts[0], lambda: self._sequence(parts[1:], done))
        else:
            done()

    def _fork(self, fork: Fork, done: Callable[[], None]) -> None:
        after = self._meeting(fork.join, done)
        self._enable(fork.name, lambda _: self._all(fork.branches, after))

    def _some(self, some: Some, done: Callable[[], None]) -> None:
        after = self._meeting(some.merge, done)

        def begin(held: str | None) -> None:
            chosen = [some.branches[int(i)] for i in held.split(",")] if held else some.others
            self._all(chosen, after)

        self._enable(some.name, begin)

    def _all(self, branches: list[Program], then: Callable[[], None]) -> None:
        """Run branches at once, and what follows when the last of them has ended."""
        left = len(branches)

        def ended() -> None:
            nonlocal left
            left -= 1
            if left == 0:
                then()

        for branch in branches:
            self._start(branch, ended)

    def _meeting(self, node: str | None, done: Callable[[], None]) -> Callable[[], None]:
        return done if node is None else lambda: self._enable(node, lambda _: done())

    def _loop(self, name: str, body: Program, done: Callable[[], None]) -> None:
        """Run the deciding node `name`, then its body and itself again for as long as it says so."""

        def decided(token: str | None) -> None:
            if token == "more":
                self._start(body, lambda: self._loop(name, body, done))
            else:
                done()

        self._enable(name, decided)
