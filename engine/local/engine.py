"""What a script does with the runs of a file: start, wait, answer, cancel, look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, TypedDict, Unpack

from engine.core.errors import RequestRefused
from engine.core.graph.document import GraphSpec
from engine.core.node_types.node_type import UNSET
from engine.core.state.events import Event
from engine.core.state.requests import CLI, Actor, Answer, StartRun
from engine.core.state.run_state import OpenInterrupt, RunState
from engine.core.values.json import digest, freeze
from engine.local.parts import Local
from engine.runtime.stores.buffered import RunExists
from engine.runtime.stores.sql.store import SqlRunStore
from engine.runtime.system import SystemEntropy

HOME: Final = "local"
"""The workspace of all runs of a file."""

MAX_KEY: Final = 200
"""Characters of a run's key."""

PAGE: Final = 1_000


class StartOptions(TypedDict, total=False):
    """What else a run may be started with. Money is USD, budgets are of the run alone."""

    memory: Mapping[str, Any]
    goal: str
    context: Mapping[str, Any]
    metadata: Mapping[str, Any]
    budget_usd: Decimal
    max_token_budget: int


class AnswerFields(TypedDict, total=False):
    """What may be said to a question: the fields that its kind asks for (docs/CONTRACT.md, I6)."""

    decision: str
    comment: str
    confirmed: str
    stands_for: str
    edits: Mapping[str, Any]
    selected: Any
    choice: Any
    choices: Any
    values: Any
    cancel: bool
    max_cost_usd: Decimal
    max_tokens: int
    result: Any


class LocalEngine:
    """The runs of one file, while `local.open` has it. `local` has the parts below."""

    def __init__(self, local: Local, store: SqlRunStore, graphs: Sequence[GraphSpec]) -> None:
        self.local = local
        self._store = store
        self._graphs = {spec.id: spec for spec in graphs}

    async def run(
        self,
        key: str,
        input: Any = UNSET,
        *,
        graph: str | None = None,
        **options: Unpack[StartOptions],
    ) -> RunState:
        """Return the state in which the run `key` rests: `start` and `rested` in one.

        Said again, in this process or a later one, it goes on with the same run, or returns how
        that ended. Raises as `start` does.
        """
        return await self.rested(await self.start(key, input, graph=graph, **options))

    async def start(
        self,
        key: str,
        input: Any = UNSET,
        *,
        graph: str | None = None,
        **options: Unpack[StartOptions],
    ) -> str:
        """Start the run `key`, unless the file has it, and return its id; it is durable then.

        `key` is a name of your choice, up to 200 characters, that stands for the piece of work:
        an order's number, a date. `input` is any JSON, `graph` the id of one of the graphs, by
        default the first.

        Raises `RequestRefused`: `IdempotencyConflict` where the run of this key was started with
        something else, `GraphNotFound`, `InvalidValue` for a key, what the graph refuses of an
        input; `InvalidJson` for values that are no JSON; and `StoreError` from the disk.
        """
        spec = self._graph(graph)
        if not 0 < len(key) <= MAX_KEY:
            raise RequestRefused("InvalidValue", f"a key has 1 to {MAX_KEY} characters")
        asked = {"graph": spec.id, "input": None if input is UNSET else [input], **options}
        body_hash = digest(freeze({name: _as_json(value) for name, value in asked.items()}))
        known = await self._store.run_of_trigger(key, HOME)
        if known is None:
            start = StartRun(
                SystemEntropy().new_id(),
                spec.id,
                graph_hash=spec.hash,
                workspace_id=HOME,
                input=input,
                started_by="script",
                trigger_key=key,
                body_hash=body_hash,
                **options,
            )
            try:
                return await self.local.runner.start(start, self.local.graphs.program_of(spec))
            except RunExists as exists:  # somebody in this process was faster
                known = (exists.run_id, exists.body_hash)
        if known[1] != body_hash:
            raise RequestRefused(
                "IdempotencyConflict",
                f"run {key!r} was started with another graph, input or option: give what it was "
                "started with, or another key",
                detail={"run": known[0]},
            )
        return known[0]

    async def rested(self, run_id: str) -> RunState:
        """Return the run's state once it is over, or nothing of it moves without a person.

        `status` is then `completed`, `failed`, `cancelled`, `timeout`, or `waiting`. Raises
        `RunNotFound`, and `RunUnreadable` where what is installed cannot take its log.
        """
        runner = self.local.runner
        while True:
            state = await runner.settled(run_id)
            if state.terminal or not state.child_runs:
                return state
            seq = state.seq
            await runner.quiet()
            for child in list(state.child_runs):
                await self.rested(child)
            await runner.quiet()
            state = await runner.store.warm(run_id)
            if state.seq == seq:
                return state

    async def questions(self, run_id: str) -> list[OpenInterrupt]:
        """Return what the run and its child runs ask people, the oldest first.

        `kind` and `request` say what is asked. Raises `RunNotFound`.
        """
        state = await self._store.warm(run_id)
        found = list(state.interrupts.values())
        for child in list(state.child_runs):
            found += await self.questions(child)
        return sorted(found, key=lambda question: (question.opened_at, question.seq))

    async def answer(
        self, question: OpenInterrupt, *, by: Actor = CLI, **said: Unpack[AnswerFields]
    ) -> dict[str, Any]:
        """Answer a question, once; return what was recorded. `rested` tells what follows.

        An approval binds what `question` showed: if that has changed since, it is refused. Raises
        `RequestRefused` with the codes of docs/CONTRACT.md, section I.
        """
        runner = self.local.runner
        token = runner.token(question.request_id)
        answer = Answer(token, question.content_hash, **said)
        return await runner.answer(question.request_id, answer, by)

    async def cancel(self, run_id: str, reason: str = "cancelled") -> None:
        """Begin to end the run; one that is over stays as it is. Raises `RunNotFound`."""
        await self.local.runner.cancel(run_id, CLI.id, reason)

    async def events(self, run_id: str) -> list[Event]:
        """Return the run's whole log (docs/events.md), empty for an unknown run."""
        found: list[Event] = []
        while page := await self._store.events(run_id, len(found), PAGE):
            found += page
        return found

    async def unfinished(self) -> list[str]:
        """Return the ids of the runs that are not over, the oldest first."""
        return list(await self._store.unfinished())

    def _graph(self, graph_id: str | None) -> GraphSpec:
        """Return a graph by its id, the first without one. Raises `RequestRefused`."""
        found = next(iter(self._graphs), None) if graph_id is None else graph_id
        if found not in self._graphs:
            known = ", ".join(map(repr, self._graphs)) or "none"
            raise RequestRefused("GraphNotFound", f"no graph {found!r} is given; known: {known}")
        return self._graphs[found]


def _as_json(value: Any) -> Any:
    return str(value) if isinstance(value, Decimal) else value
