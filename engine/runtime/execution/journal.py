"""The journal of one execution: where a call stands, and whether its result is already recorded.

A step path is the position of the call (`3`, or `3/1/0` inside parallel calls). After a crash,
retry or resume the node's code runs again and each call finds its step here.
"""

from __future__ import annotations

import asyncio
import re
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from weakref import ref

from engine.core.effects import MADE_ONCE, EffectClass
from engine.core.errors import NodeError
from engine.core.state.run_state import Activation, Step


@dataclass(slots=True)
class Scope:
    """One sequence of calls. Parallel branches have a scope each.

    `task` is whose calls these are, None for anybody's. Its context has the scope: it is known
    weakly, or the two would be left to the garbage collector.
    """

    prefix: str
    task: ref[asyncio.Task[Any]] | None
    count: int = 0
    marks: dict[str, int] = field(default_factory=dict)

    def next_mark(self, request_hash: str) -> str:
        """Return the path of the next emission of this very content; it moves no other path."""
        mark = request_hash[:16]
        number = self.marks[mark] = self.marks.get(mark, -1) + 1
        return f"{self.prefix}~{mark}.{number}"

    @classmethod
    def of_branch(cls, path: str, index: int) -> Scope:
        """Return the scope of a branch that the running task is, by its place."""
        task = asyncio.current_task()
        assert task is not None, "branches are tasks"
        return cls(f"{path}/{index}/", ref(task))

    @property
    def coming(self) -> str:
        """The path of the next call, which is not taken yet."""
        return f"{self.prefix}{self.count}"

    def next_path(self) -> str:
        """Take the path of the next call."""
        path = self.coming
        self.count += 1
        return path


SCOPE: ContextVar[Scope | None] = ContextVar("journal_scope", default=None)
ACTIVATION: ContextVar[tuple[str, str] | None] = ContextVar("activation", default=None)
"""The run and the key of the activation whose code runs here: logs name them."""


def current_scope(root: Scope) -> Scope:
    """Return the scope of the running task.

    Raises RuntimeError in a task that neither the runner nor `gather` started: its calls would
    have no reproducible position.
    """
    scope = SCOPE.get() or root
    if scope.task is not None and scope.task() is not asyncio.current_task():
        raise RuntimeError("ctx was used from a task that ctx.gather did not start")
    return scope


def _parts(path: str) -> tuple[str, ...]:
    """Return a path's positions: call, branch, call, … without what a pause beside it adds."""
    return tuple(re.split("[$!]", path, maxsplit=1)[0].split("/"))


class Journal:
    """Finds recorded steps: of this attempt strictly, of earlier ones while requests match."""

    __slots__ = ("_act", "_attempt", "_diverged", "_used")

    # _diverged: by the place of a sequence of calls, the position from which it is made anew

    def __init__(self, act: Activation) -> None:
        self._act = act
        self._attempt = act.attempt
        self._diverged: dict[tuple[str, ...], int] = {}
        self._used: set[tuple[int, str]] = set()

    def find(self, path: str, request_hash: str, effect: EffectClass) -> Step | None:
        """Return the step recorded for this call, None if it is to be made.

        Raises `NondeterministicNode` if this attempt made another request here before.
        """
        step = self._act.steps.get((self._attempt, path))
        if step is not None:
            if step.hash != request_hash:
                raise NodeError(
                    "NondeterministicNode",
                    f"call {path} of {self._act.key!r} made another request than it did before; "
                    "take time and chance from ctx.now and ctx.random",
                    detail={"path": path, "kind": step.kind},
                )
            return step
        if self._attempt == 1:
            return None
        return self._earlier(path, request_hash, effect)

    def decision(self, path: str, request_hash: str) -> Step | None:
        """Return the step of a question about a call, or what was decided of the same one before.

        A decision holds for the call, wherever a retry makes it; each is found once.
        """
        step = self.find(path, request_hash, EffectClass.PURE)
        if step is not None or self._attempt == 1:
            return step
        for key, earlier in self._act.steps.items():
            if (
                earlier.kind == "interrupt"
                and earlier.hash == request_hash
                and earlier.status == "done"
                and earlier.attempt < self._attempt
                and key not in self._used
            ):
                self._used.add(key)
                return earlier
        return None

    def made(self, path: str) -> bool:
        """Return whether a call was sent in this attempt, or is done since an earlier one."""
        steps = self._act.steps
        return (self._attempt, path) in steps or any(
            (step := steps.get((attempt, path))) is not None and step.status == "done"
            for attempt in range(1, self._attempt)
        )

    def emitted(self, path: str, *, earlier: bool) -> bool:
        """Tell whether this attempt, or with `earlier` one before, recorded the emission."""
        first = 1 if earlier else self._attempt
        steps = self._act.steps
        return any((attempt, path) in steps for attempt in range(first, self._attempt + 1))

    def _earlier(self, path: str, request_hash: str, effect: EffectClass) -> Step | None:
        """Return what an earlier attempt recorded as done (row C34)."""
        for attempt in range(self._attempt - 1, 0, -1):
            step = self._act.steps.get((attempt, path))
            if step is None or (attempt, path) in self._used:
                continue
            same = step.status == "done" and step.hash == request_hash
            reusable = effect in MADE_ONCE or not self.diverged(path)
            if same and reusable and not self._asked_anew(step):
                self._used.add((attempt, path))
                return step
            break
        if effect is not EffectClass.PURE:
            self._diverge(path)
        if effect in MADE_ONCE:
            return self._same_request(request_hash)
        return None

    def _diverge(self, path: str) -> None:
        """Note that what follows `path` is made anew; branches beside it are not concerned."""
        parts = _parts(path)
        for depth in range(len(parts) - 1, -1, -2):
            place, position = parts[:depth], int(parts[depth])
            self._diverged[place] = min(position, self._diverged.get(place, position))

    def diverged(self, path: str) -> bool:
        """Return whether a call before `path` was made anew, so that what follows is too."""
        parts = _parts(path)
        return any(
            int(parts[depth]) > self._diverged.get(parts[:depth], int(parts[depth]))
            for depth in range(0, len(parts), 2)
        )

    def sent_before(self, path: str, request_hash: str) -> Step | None:
        """Return the step of an earlier attempt that sent this and never learned the outcome.

        The same call at the same place goes first. A call that may have happened keeps its
        idempotency key, and one that must not be repeated is for a person to judge.
        """
        if self._attempt == 1:
            return None
        unknown = [
            step
            for step in self._act.steps.values()
            if step.hash == request_hash
            and step.attempt < self._attempt
            and step.effect in MADE_ONCE
            and (step.status == "intended" or (step.error or {}).get("code") == "OutcomeUnknown")
        ]
        return next((step for step in unknown if step.path == path), None) or next(
            (step for step in unknown if (step.attempt, step.path) not in self._used), None
        )

    def _asked_anew(self, step: Step) -> bool:
        return self._act.rejected_answer and step.kind == "model"

    def _same_request(self, request_hash: str) -> Step | None:
        for key, step in self._act.steps.items():
            if (
                step.hash == request_hash
                and step.status == "done"
                and step.attempt < self._attempt
                and step.effect in MADE_ONCE
                and key not in self._used
            ):
                self._used.add(key)
                return step
        return None
