"""`manage.py verify`: says what in the database disagrees with the logs of runs."""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from builder.adapters.graph_source import WorkspaceGraphs
from builder.models import Run, Workspace
from builder.process.runner import dialect
from builder.services.verification.check import Looked, check
from builder.services.verification.snapshot import snapshot

EXIT_WRONG: Final = 1


class Command(BaseCommand):
    """Reads one moment of the database, also of a server that runs; changes nothing."""

    help = "Check the audit chain, and that rows, spending and decisions are those of the logs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what to look at, if not at everything."""
        parser.add_argument("--workspace", help="slug of the only workspace to check")
        parser.add_argument("--run", help="id of the only run to check")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print what disagrees, a line each; exit status 1 if anything does."""
        workspace_id = self._workspace(options["workspace"])
        run_id = options["run"]
        if run_id is not None and not Run.objects.filter(pk=run_id).exists():
            raise CommandError(f"no run {run_id!r}")
        looked = Looked()
        wrong = asyncio.run(self._check(looked, workspace_id, run_id))
        said = f"{looked.runs} runs with {looked.events} events, {looked.chains} audit chains"
        if not wrong:
            self.stdout.write(f"Checked {said}: all of it agrees.")
            return
        self.stderr.write(f"Checked {said}: {wrong} things disagree.")
        sys.exit(EXIT_WRONG)

    def _workspace(self, slug: str | None) -> str | None:
        if slug is None:
            return None
        found = Workspace.objects.filter(slug=slug).values_list("pk", flat=True).first()
        if found is None:
            raise CommandError(f"no workspace {slug!r}")
        return found

    async def _check(self, looked: Looked, workspace_id: str | None, run_id: str | None) -> int:
        wrong = 0
        with snapshot(dialect()) as look:
            found = check(look, WorkspaceGraphs(), looked, workspace_id=workspace_id, run_id=run_id)
            async for finding in found:
                wrong += 1
                self.stdout.write(str(finding))
        return wrong
