"""What the processes of a shared database do while they run: serve people, or execute runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from builder.base import engine_door
from builder.base.bells import hub
from builder.live.presence import presence
from builder.process.apart.house import House
from builder.process.apart.web_engine import WebEngine
from builder.process.apart.wire import Wire
from builder.process.apart.worker_engine import WorkerEngine
from builder.process.house.audit_thread import audit_thread
from builder.process.house.beside import threads_beside, watching
from builder.process.runner import dialect
from builder.services.people.pace import PACE
from builder.services.runs.retention import pruning


@contextmanager
def serving_people() -> Iterator[None]:
    """Have the door of a process without engine while the block lasts."""
    engine, wire = WebEngine(), Wire(dialect().connect, hub)
    engine.start()
    engine_door.install(engine)
    wire.start()
    try:
        with presence.among_others(), PACE.among_others(hub):
            yield
    finally:
        engine_door.install(None)
        engine.stop()
        wire.stop()


@contextmanager
def executing_runs() -> Iterator[int]:
    """Execute runs while the block lasts; yields how many were taken over."""
    engine = WorkerEngine()
    wire = Wire(dialect().connect, hub, engine.heard)
    house = House(dialect().connect, keeping_house)
    threads = watching()
    taken_over = engine.start()
    engine_door.install(engine)
    wire.start()
    house.start()
    for thread in threads:
        thread.start()
    try:
        yield taken_over
    finally:
        house.stop()
        engine_door.install(None)
        engine.stop()
        wire.stop()
        for thread in threads:
            thread.stop()


@contextmanager
def keeping_house() -> Iterator[None]:
    """Do what one process does for all: held decisions, bulk jobs, alerts, mail, audit, retention."""
    threads = [audit_thread(), *threads_beside()]
    with pruning.regularly():
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            for thread in reversed(threads):
                thread.stop()
