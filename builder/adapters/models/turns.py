"""Turns of calls: how many of a provider or a model may be under way at once, judged by rows.

A turn is given under the lock of the workspace's row, so that two workers never give the same one;
the older call comes first, and one whose model is full keeps nobody else of its provider waiting.
While a provider wants to be left alone, nobody is given a turn with it.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import orjson
from django.db import Error, transaction
from django.db.models import F

from builder.adapters.run_store.database import DatabaseRunStore
from builder.adapters.threads import in_thread
from builder.base.database_trouble import tell, trouble_of
from builder.models import CallTurn, Worker, Workspace
from engine.core.errors import StoreError
from engine.runtime.stores.sql.statements import Plain
from engine.runtime.system import LONGEST_PAUSE_MS, provider_of

STANDS: Final = (
    "SELECT w.settings, (SELECT p.until - NOW_MS FROM builder_providerpause p "
    "WHERE p.workspace_id = w.id AND p.provider = ?) FROM builder_workspace w WHERE w.id = ?"
)
OWN_KEY: Final = (
    "EXISTS (SELECT 1 FROM builder_credential c "
    "WHERE c.workspace_id = {} AND c.name = ? AND c.kind = 'api_key')"
)
ASKS_FOR_A_PAUSE: Final = (
    "INSERT INTO builder_providerpause (workspace_id, provider, until) "  # noqa: S608  (constants)
    "SELECT w.id, ?, NOW_MS + ? FROM builder_workspace w WHERE w.id = ? OR (EXISTS "
    "(SELECT 1 FROM builder_acceptedprovider a "
    "WHERE a.workspace_id = w.id AND a.provider = ? AND a.source = 'environment') "
    f"AND NOT {OWN_KEY.format('w.id')} AND NOT {OWN_KEY.format('?')}) ORDER BY w.id "
    "ON CONFLICT (workspace_id, provider) DO UPDATE SET until = excluded.until "
    "WHERE excluded.until > builder_providerpause.until"
)
"""It is the credential that is to rest: with the one of the environment, all who share it do."""
SPREAD_S: Final = 1.0
"""Within so many seconds of the end of a pause those who waited go on."""
PAUSE_LOOK_S: Final = 5.0
"""How often a call that waits for the end of a pause looks whether it was lifted or lengthened."""
LOOK_S: Final = 0.25
"""How often it is asked whether another worker's call has ended; those of this one are heard."""
log = logging.getLogger("graphwright.models")


def names_of(model: str) -> tuple[str, str]:
    """Return the names under which calls of a model are limited: its provider's and its own."""
    return provider_of(model), model


def pause_of(workspace_id: str, provider: str, wait_ms: int) -> Plain:
    """Return what writes that a provider is to be left alone; what is noted already counts if longer."""
    wait_ms = min(wait_ms, LONGEST_PAUSE_MS)
    whose = (workspace_id, provider, provider, workspace_id, provider)
    return ASKS_FOR_A_PAUSE, (provider, wait_ms, *whose)


class WorkspaceTurns:
    """The engine's `CallTurns` on the project's tables. Used on one event loop."""

    def __init__(self, store: DatabaseRunStore) -> None:
        self._store = store
        self._waiting: dict[str, dict[int, asyncio.Future[bool]]] = {}
        self._over: set[int] = set()
        self._rounds: dict[str, asyncio.Task[None]] = {}
        self._heard = asyncio.Event()

    async def take(self, workspace_id: str | None, run_id: str, key: str, model: str) -> int | None:
        """Return once a call may be made; None where the workspace limits no such call."""
        if workspace_id is None:
            return None
        turn: int | None = None
        try:
            while True:
                limits, left_ms = await self._stands(workspace_id, model)
                if left_ms > 0:  # asked for perhaps while this call waited for its turn
                    self.over(turn)
                    turn = None
                    await self._sit_out(workspace_id, run_id, key, model, left_ms)
                elif turn is not None or limits.keys().isdisjoint(names_of(model)):
                    return turn
                else:
                    turn = await self._enter(workspace_id, run_id, key, model)
                    if not await self._given(workspace_id, turn):
                        turn = None
        except BaseException:
            self.over(turn)
            raise

    async def wants_money(
        self, workspace_id: str | None, run_id: str, key: str, model: str
    ) -> int | None:
        """Note that a call waits for money that others hold; None where nobody could see it."""
        if workspace_id is None:
            return None
        return await self._enter(workspace_id, run_id, key, model, for_money=True)

    async def pause(self, workspace_id: str | None, model: str, wait_ms: int) -> None:
        """Let no worker call a provider with this workspace's credential for so long."""
        if workspace_id is None:
            return
        try:
            await self._store.writer.write([pause_of(workspace_id, provider_of(model), wait_ms)])
        except StoreError as error:
            log.warning("that %s asked for a pause could not be written: %s", model, error)

    def over(self, turn: int | None) -> None:
        """Give a turn on to who waits next."""
        if turn is None:
            return
        self._over.add(turn)
        self._heard.set()
        self._look_after("")

    async def aclose(self) -> None:
        """Look no more. Turns that were not given on are void once this worker is gone."""
        rounds = list(self._rounds.values())
        for each in rounds:
            each.cancel()
        await asyncio.gather(*rounds, return_exceptions=True)

    async def _stands(self, workspace_id: str, model: str) -> tuple[dict[str, int], int]:
        """Return the workspace's limits, and how many ms of a pause are left; 0 or less for none."""
        rows = await self._store.reader.rows(STANDS, (provider_of(model), workspace_id))
        settings, left_ms = rows[0] if rows else ({}, None)
        return limits_of(settings), left_ms or 0

    async def _sit_out(
        self, workspace_id: str, run_id: str, key: str, model: str, left_ms: int
    ) -> None:
        """Wait until a pause is over, and see that it is told; or a while, as it may be lifted.

        Not all who waited go on in one moment: the first are told where it was too early.
        """
        noted = await self._enter(workspace_id, run_id, key, model, paused=True)
        try:
            left_s = left_ms / 1000 + random.uniform(0, SPREAD_S)
            await asyncio.sleep(min(left_s, PAUSE_LOOK_S))
        finally:
            self.over(noted)

    async def _enter(
        self, workspace_id: str, run_id: str, key: str, model: str, **waits: bool
    ) -> int:
        """Write the row of a call that waits: for its turn, unless `waits` says for what else."""
        worker = self._store.owned.worker
        entering = asyncio.ensure_future(
            in_thread(_entered, workspace_id, run_id, key, model, worker, **waits)
        )
        try:
            return await asyncio.shield(entering)
        except asyncio.CancelledError:
            # The thread goes on: a row that nobody knows would keep a place for ever.
            entering.add_done_callback(self._unwanted)
            raise
        except Error as error:
            raise _trouble(error) from error

    def _unwanted(self, entered: asyncio.Future[int]) -> None:
        if not entered.cancelled() and entered.exception() is None:
            self.over(entered.result())

    async def _given(self, workspace_id: str, turn: int) -> bool:
        """Wait for a turn; False where its row is gone, as of a worker that was thought dead."""
        given: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        waiting = self._waiting.setdefault(workspace_id, {})
        waiting[turn] = given
        self._heard.set()
        self._look_after(workspace_id)
        try:
            is_given = await given
        except BaseException:
            self.over(turn)
            raise
        finally:
            del waiting[turn]
        return is_given

    def _look_after(self, workspace_id: str) -> None:
        """See that somebody looks at the turns of a workspace; without one, at those that are over."""
        task = self._rounds.get(workspace_id)
        if task is None or task.done():
            self._rounds[workspace_id] = asyncio.create_task(self._look(workspace_id))

    async def _look(self, workspace_id: str) -> None:
        while self._waiting.get(workspace_id) if workspace_id else self._over:
            self._heard.clear()
            try:
                await self._round(workspace_id)
            except Error as error:
                tell(log, "the turns of calls could not be looked at", error)
            try:
                async with asyncio.timeout(LOOK_S):
                    await self._heard.wait()
            except TimeoutError:
                continue

    async def _round(self, workspace_id: str) -> None:
        over = set(self._over)
        if over:
            await in_thread(_leave, over)
            self._over -= over
        if not workspace_id:
            return
        # Who begins to wait meanwhile is not in what is found, and is looked at in the next round.
        asking = list(self._waiting[workspace_id].items())
        found = await in_thread(give_turns, workspace_id, self._store.owned.worker)
        for turn, given in asking:
            if found.get(turn, True) and not given.done():
                given.set_result(turn in found)


def limits_of(settings: Any) -> dict[str, int]:
    """Return how many calls may be under way at once by a workspace's settings: by provider or
    `provider/name`.
    """
    if isinstance(settings, str | bytes):  # one database keeps text, another an object
        settings = orjson.loads(settings)
    return dict(settings.get("calls_at_once") or {})


def give_turns(workspace_id: str, worker: str) -> dict[int, bool]:
    """Give what turns are free to those who wait longest; return the worker's, and whether given."""
    rows = CallTurn.objects.in_workspace(workspace_id)
    with transaction.atomic():
        mine = Workspace.objects.filter(pk=workspace_id)
        mine.update(slug=F("slug"))  # whatever it was before, from here on nobody else decides
        limits = limits_of(mine.values_list("settings", flat=True).first() or {})
        alive = Worker.objects.alive().values_list("boot_id", flat=True)
        rows.exclude(worker__in=[worker, *alive]).delete()
        under_way: Counter[str] = Counter()
        for model in rows.filter(given=True).values_list("model", flat=True):
            under_way.update(set(names_of(model)))
        waiting = (
            rows.filter(given=False, for_money=False, paused=False)
            .order_by("pk")
            .values_list("pk", "model")
        )
        now = list(_next(waiting, limits, under_way))
        rows.filter(pk__in=now).update(given=True)
        return dict(rows.filter(worker=worker).values_list("pk", "given"))


def _next(
    waiting: Iterable[tuple[int, str]], limits: Mapping[str, int], under_way: Counter[str]
) -> Iterator[int]:
    for turn, model in waiting:
        names = set(names_of(model))
        if all(name not in limits or under_way[name] < limits[name] for name in names):
            under_way.update(names)
            yield turn


def _entered(
    workspace_id: str, run_id: str, key: str, model: str, worker: str, **waits: bool
) -> int:
    turn = CallTurn.objects.create(
        workspace_id=workspace_id,
        run=run_id,
        key=key,
        model=model,
        worker=worker,
        **waits,
        since=time.time_ns() // 1_000_000,
    )
    return int(turn.pk)


def _leave(turns: set[int]) -> None:
    CallTurn._base_manager.filter(pk__in=turns).delete()


def _trouble(error: Error) -> StoreError:
    return trouble_of(error) or StoreError(f"no turn could be taken: {error}")
