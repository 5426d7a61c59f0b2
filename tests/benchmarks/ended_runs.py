"""Many runs that ended long ago, as rows; and what a page asks of SQLite, in steps of its machine.

`python -m tests.benchmarks.ended_runs 100000` measures pages with few runs and with so many, in one
process: CPU, and steps. Steps are the same on every machine, so that a test may compare them.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from builder.models import Membership

DAY_MS: Final = 86_400_000
EVERY: Final = 10
"""Steps of SQLite between two counts."""
REPEATS: Final = 9
RECENT: Final = 1_200
"""Runs of today, before and after: more than a list counts."""
PAGES: Final = (
    "runs/",
    "runs/?status=failed",
    "runs/?search=parcel",
    "runs/?search=needle",
    "runs/?search=refused",
    "graphs/",
    "overview/",
    "operations/",
    "spend/",
    "approvals/",
    "causes/",
    "interrupts/",
)
"""Pages whose figures do not grow with runs that ended long ago."""


def fill(
    member: Membership, count: int, *, first: int, ended_days_ago: float, graph: Any = None
) -> None:
    """Write `count` ended runs with numbers from `first`: rows, first and last event, and words."""
    import orjson

    from builder.base.run_text import PARTS, words_of
    from builder.models import Run, RunEvent, RunText
    from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

    now = int(time.time() * 1000)
    for start in range(first, first + count, 2_000):
        runs, events, texts = [], [], []
        for number in range(start, min(start + 2_000, first + count)):
            failed = number % 7 == 0
            at = now - int(ended_days_ago * DAY_MS) - number * 1_000
            given = {"subject": f"Parcel {number}", "text": "Where is it? I wait since Monday."}
            run = Run(
                id=f"00000000-0000-4000-8000-{number:012d}",
                workspace_id=member.workspace_id,
                graph=graph,
                graph_slug="support",
                status="failed" if failed else "completed",
                started_by=member.user_id,
                started_at=at,
                ended_at=at + 4_000,
                number=number,
                spent_tokens=900,
                spent_pico=5 * 10**9,
                source="person",
                error='{"code":"ToolFailed","message":"refused by the shop"}' if failed else None,
            )
            runs.append(run)
            place = number * EVENTS_PER_RUN
            result = {"result": f"Answer {number}"}
            for seq, kind, data in (
                (1, "RunStarted", {"input": given}),
                (9, "RunCompleted", result),
            ):
                events.append(
                    RunEvent(place=place + seq, type=kind, at=at, data=orjson.dumps(data))
                )
            told = "needle" if number == first else run.error
            texts.append(RunText(place=number * PARTS, words=words_of("support", given)))
            texts.append(RunText(place=number * PARTS + 1, words=words_of(result["result"], told)))
        for model, rows in ((Run, runs), (RunEvent, events), (RunText, texts)):
            kept: Any = model._default_manager
            kept.bulk_create(rows, batch_size=500)


@contextmanager
def counted() -> Iterator[Callable[[], int]]:
    """Count what SQLite does for this thread while the block lasts, in steps of its machine."""
    from django.db import connection

    connection.ensure_connection()
    raw: Any = connection.connection
    seen = [0]

    def step() -> int:
        seen[0] += EVERY
        return 0

    raw.set_progress_handler(step, EVERY)
    try:
        yield lambda: seen[0]
    finally:
        raw.set_progress_handler(None, 0)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a page costs: CPU at the best of several tries, and SQLite's steps at the last."""

    cpu_ms: float
    steps: int


def cost_of(client: Any, page: str, repeats: int = 2) -> Cost:
    """Return what a page costs. Raises AssertionError where it is not there."""
    best, steps = float("inf"), 0
    for _ in range(repeats):
        with counted() as done:
            began = time.thread_time()
            answer = client.get(f"/api/{page}")
            best = min(best, time.thread_time() - began)
            steps = done()
        assert answer.status_code == 200, (page, answer.content)
    return Cost(best * 1000, steps)


def main() -> None:
    """Measure and print, page by page."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "GRAPHWRIGHT_VAR": folder,
            "DJANGO_SETTINGS_MODULE": "builder.project.settings",
        }
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command
        from django.test import Client

        from builder.services.people import accounts

        settings.ALLOWED_HOSTS = ["*"]
        call_command("migrate", verbosity=0)
        member = accounts.create_first_owner(
            name="Ann", email="ann@example.com", password="correct horse b"
        )
        client = Client()
        client.force_login(member.user)
        fill(member, RECENT, first=1, ended_days_ago=0.1)
        few = {page: cost_of(client, page, REPEATS) for page in PAGES}
        fill(member, count, first=10_000, ended_days_ago=40)
        size = Path(folder, "graphwright.sqlite3").stat().st_size
        print(f"{count} ended runs, {size // 2**20} MiB")  # noqa: T201  (a command)
        for page in PAGES:
            many = cost_of(client, page, REPEATS)
            print(  # noqa: T201  (a command)
                f"{page:<26} {few[page].cpu_ms:7.2f} -> {many.cpu_ms:7.2f} ms CPU"
                f" {few[page].steps:8} -> {many.steps:8} steps"
            )


if __name__ == "__main__":
    main()
