"""`run_graph FILE`: a document run to its end, or to where only a person can move it."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TextIO, TypeAlias

import orjson

from engine.check import World, check
from engine.cli.decide_flags import Decider
from engine.cli.event_lines import event_line
from engine.cli.files import (
    Decision,
    Flags,
    Unusable,
    json_flag,
    make_writable,
    object_flag,
    read_decisions,
    read_documents,
    read_script,
    say,
)
from engine.cli.report import interrupt_json, report_of
from engine.core.errors import RequestRefused, RunNotFound, RunUnreadable, StoreError
from engine.core.graph.document import GraphSpec
from engine.core.graph.problems import has_errors
from engine.core.ports import Clock, Feed, GraphSource
from engine.core.state.requests import StartRun
from engine.core.state.run_state import RunState
from engine.local import Local, make_local
from engine.local.installed import Installed, world_of
from engine.runtime.stores.buffered import BufferedStore
from engine.runtime.system import SystemClock, SystemEntropy
from engine.scripted.script import Script

EXITS = {"completed": 0, "waiting": 3, "failed": 1, "cancelled": 1, "timeout": 1}
LANES = ("context", "memory", "metadata")
MEMORY_NOTICE = (
    "notice: this run lives in memory; a question that is still open ends with this process\n"
)


@dataclass(frozen=True, slots=True)
class Opened:
    """A store that is open, and what belongs to it: the key of its tokens, further services."""

    store: BufferedStore
    secret: bytes
    services: dict[str, Any] = field(default_factory=dict)


StoreFactory: TypeAlias = Callable[[Clock, GraphSource, Feed], AbstractAsyncContextManager[Opened]]
"""Opens the project's store for `--store database`. Raises `StoreError` if it cannot be had."""


def flags() -> Flags:
    """Return the command's parser."""
    parser = Flags(prog="run_graph", description="Run a graph document and report as JSON.")
    parser.add_argument("file", metavar="FILE", help="the document, YAML or JSON; - reads stdin")
    for name in ("input", "memory", "context", "metadata"):
        parser.add_argument(f"--{name}", metavar="JSON")
    parser.add_argument("--goal", metavar="TEXT", help="instead of the document's goal")
    parser.add_argument("--script", metavar="FILE", help="scripted models, tools and functions")
    parser.add_argument("--decide", metavar="FILE", help="answers to interrupts, by node id")
    parser.add_argument("--graphs", metavar="FILE", nargs="+", action="extend", default=[])
    parser.add_argument("--store", choices=("memory", "database"), default="memory")
    parser.add_argument("--budget-usd", metavar="X", help="at most so many USD for this run")
    parser.add_argument("--max-tokens", metavar="N", help="at most so many tokens for this run")
    parser.add_argument("--events", metavar="FILE", help="write the run's log, one event a line")
    parser.add_argument("--resume", metavar="RUN_ID", help="go on with a stored run")
    return parser


@dataclass(slots=True)
class Job:
    """What was asked for, read and checked."""

    spec: GraphSpec
    others: dict[str, GraphSpec]
    script: Script | None
    decisions: dict[str, list[Decision]]
    start: StartRun
    options: Namespace
    installed: Installed


def main(
    argv: Sequence[str] | None = None,
    stdout: TextIO | None = None,
    stderr: TextIO | None = None,
    store_factory: StoreFactory | None = None,
    *,
    installed: Installed | None = None,
    observe: Callable[[Local], None] | None = None,
) -> int:
    """Run a document and print its report; return 0 completed, 3 waiting, 1 failed, 2 unusable.

    `store_factory` opens what `--store database` means; `observe` is given the parts of the run
    before it starts.
    """
    out, err = stdout or sys.stdout, stderr or sys.stderr
    try:
        job = read_job(argv, installed or Installed())
        report, refused = asyncio.run(_run(job, err, store_factory, observe))
    except Unusable as unusable:
        say(err, unusable.problems)
        return 2
    out.write(orjson.dumps(report).decode() + "\n")
    out.flush()
    return 3 if refused else EXITS.get(report["status"], 1)


def read_job(argv: Sequence[str] | None, installed: Installed) -> Job:
    """Return what the flags ask for. Raises `Unusable` with every problem of the documents."""
    options = flags().parse_args(argv)
    if options.events is not None:
        make_writable(options.events, "--events")
    script = read_script(options.script)
    decisions = read_decisions(options.decide)
    documents = read_documents(options.file, options.graphs)
    spec = documents.spec
    installed.load()

    def world(spec: GraphSpec) -> World:
        return world_of(spec, documents.others, script, installed)

    if spec is None or documents.broken:
        raise Unusable([*documents.problems, *documents.more(world)])
    start = read_start(options, spec)
    found = check(spec, world(spec))
    if has_errors(found):
        raise Unusable([problem.to_json() for problem in found])
    return Job(spec, documents.others, script, decisions, start, options, installed)


def read_start(options: Namespace, spec: GraphSpec) -> StartRun:
    """Return the start that the flags describe. Raises `Unusable`."""
    if options.resume is not None and options.store == "memory":
        raise Unusable.of("InvalidValue", "--resume", "only --store database keeps runs to resume")
    return StartRun(
        run_id=options.resume or SystemEntropy().new_id(),
        graph_id=spec.id,
        input=json_flag(options.input, "--input"),
        memory=object_flag(options.memory, "--memory"),
        goal=options.goal,
        context=object_flag(options.context, "--context"),
        metadata=object_flag(options.metadata, "--metadata"),
        budget_usd=_money(options.budget_usd),
        max_token_budget=_count(options.max_tokens),
        started_by="cli",
    )


def _money(text: str | None) -> Decimal | None:
    if text is None:
        return None
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or amount < 0:
        raise Unusable.of("InvalidValue", "--budget-usd", f"{text!r} is no amount of USD")
    return amount


def _count(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 18:
        raise Unusable.of("InvalidValue", "--max-tokens", f"{text!r} is no number of tokens")
    return int(text)


async def _run(
    job: Job, err: TextIO, factory: StoreFactory | None, observe: Callable[[Local], None] | None
) -> tuple[dict[str, Any], bool]:
    """Return the report, and whether an answer was refused."""
    async with AsyncExitStack() as stack:
        try:
            local = await _assemble(job, err, factory, stack)
        except StoreError as error:
            raise Unusable.of(error.code, "--store", error.message) from error
        if observe is not None:
            observe(local)
        decider = Decider(local, job.decisions, err)
        await _begin(job, local, decider)
        state = await decider.settle(job.start.run_id)
        report = await _report(job, local, decider, state)
        if job.options.events is not None:
            await _write_events(job, local)
        return report, decider.refused


async def _assemble(
    job: Job, err: TextIO, factory: StoreFactory | None, stack: AsyncExitStack
) -> Local:
    """Return the runner over the store that was chosen; it is closed with `stack`."""
    graphs = [*job.others.values(), job.spec]
    parts: dict[str, Any] = {
        "script": job.script,
        "types": job.installed.types,
        "handlers": job.installed.handlers,
        "functions": job.installed.functions,
        "skills": job.installed.skills,
        "egress": job.installed.egress,
    }
    if job.options.store == "memory":
        err.write(MEMORY_NOTICE)
        local = make_local(graphs, **parts, services={"memory": job.installed.memory})
    else:
        local = await _over_database(graphs, parts, factory, stack)
    stack.push_async_callback(local.runner.close)
    return local


async def _over_database(
    graphs: list[GraphSpec],
    parts: dict[str, Any],
    factory: StoreFactory | None,
    stack: AsyncExitStack,
) -> Local:
    if factory is None:
        raise Unusable.of("InvalidValue", "--store", "there is no database here; use `manage.py`")
    clock = SystemClock()
    bare = make_local(graphs, **parts, services={"clock": clock})
    opened = await stack.enter_async_context(factory(clock, bare.graphs, bare.runner.services.feed))
    return make_local(
        graphs,
        **parts,
        secret=opened.secret,
        services={"clock": clock, **opened.services},
        store=lambda _clock, _graphs, _feed: opened.store,
    )


async def _begin(job: Job, local: Local, decider: Decider) -> None:
    """Start the run, or take over the one to resume. Raises `Unusable`."""
    run_id = job.start.run_id
    try:
        if job.options.resume is not None:
            await decider.resume(run_id)
        else:
            decider.own(run_id)
            await local.runner.start(job.start, local.graphs.program_of(job.spec))
    except RequestRefused as refused:
        place = next((f"--{name}" for name in LANES if f"`{name}." in refused.message), "")
        raise Unusable.of(refused.code, place, refused.message) from refused
    except RunUnreadable as error:
        why = f"run {run_id!r} was started with another document, or another version of this one"
        raise Unusable.of("RunNotFound", "--resume", why) from error
    except (RunNotFound, KeyError) as error:
        raise _not_of_this(run_id) from error
    except StoreError as error:
        if isinstance(error.__cause__, KeyError):  # its graph, or that of a child, is not given
            raise _not_of_this(run_id) from error
        raise Unusable.of(error.code, "--resume", error.message) from error


def _not_of_this(run_id: str) -> Unusable:
    why = f"no run {run_id!r} of this document, and of the graphs given with it, is stored"
    return Unusable.of("RunNotFound", "--resume", why)


async def _report(job: Job, local: Local, decider: Decider, state: RunState) -> dict[str, Any]:
    """Return the run's report, with what its child runs ask, and what it handed over to."""
    store, secret = local.store, local.runner.services.secret
    report = report_of(state, await _log(store, state.run_id), secret)
    family = await decider.family(state)
    report["interrupts"] = [
        interrupt_json(member, secret, opened)
        for member in family
        for opened in member.interrupts.values()
    ]
    transition = report.get("transition")
    if transition is not None:
        report["transition"] = await _follow(
            decider, store, dict(transition), resumed=job.options.resume is not None
        )
    return report


async def _follow(
    decider: Decider, store: BufferedStore, transition: dict[str, Any], *, resumed: bool
) -> dict[str, Any]:
    """Run what a run handed over to, and what that hands over to; report the first of them."""
    run_id: str | None = transition["run_id"]
    shown = transition
    while run_id is not None:
        try:
            if resumed:
                await decider.resume(run_id)
            state = await decider.settle(run_id)
        except RunNotFound:
            break
        if run_id == transition["run_id"]:
            shown = {**transition, "status": state.status}
        handed = [e for e in await _log(store, run_id) if e.type == "RunTransitioned"]
        run_id = handed[-1].data["run_id"] if handed else None
    return shown


async def _log(store: BufferedStore, run_id: str) -> list[Any]:
    """Return the whole log of a run."""
    events: list[Any] = []
    while page := await store.events(run_id, len(events), 1_000):
        events += page
    return events


async def _write_events(job: Job, local: Local) -> None:
    lines = [event_line(event) for event in await _log(local.store, job.start.run_id)]
    Path(job.options.events).write_bytes(b"".join(lines))  # noqa: ASYNC240  the run is over
