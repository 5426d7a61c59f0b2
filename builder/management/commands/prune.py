"""`manage.py prune`: deletes runs that are older than their workspace keeps them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from builder.base.clock import now_ms
from builder.models import Workspace
from builder.services.runs.retention import pruning
from builder.services.runs.retention.policy import MAX_DAYS, SETTING


class Command(BaseCommand):
    """Prunes by the workspaces' setting, or one workspace by a number given here."""

    help = "Delete runs that have been over for longer than their workspace keeps them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what to prune otherwise than the settings say."""
        parser.add_argument("--workspace", help="slug of the only workspace to prune")
        parser.add_argument("--days", type=int, help="keep so many days, whatever the setting is")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prune and say what was deleted."""
        now = now_ms()
        slug, days = options["workspace"], options["days"]
        if days is not None and not 1 <= days <= MAX_DAYS:
            raise CommandError(f"--days is from 1 to {MAX_DAYS}")
        if slug is None and days is not None:
            raise CommandError("--days needs the --workspace that it is for")
        done = pruning.prune_all(now) if slug is None else self._one(slug, days, now)
        self.stdout.write(f"Deleted {done.runs} runs, {done.events} events, {done.blobs} blobs.")
        if done.archived:
            self.stdout.write(f"Archived {done.archived} runs.")

    def _one(self, slug: str, days: int | None, now: int) -> pruning.Pruned:
        workspace = Workspace.objects.filter(slug=slug).first()
        if workspace is None:
            raise CommandError(f"no workspace {slug!r}")
        kept = days if days is not None else workspace.settings.get(SETTING)
        if kept is None:
            raise CommandError(f"{slug} keeps its runs for ever: set {SETTING}, or --days")
        return pruning.prune(workspace.pk, int(kept), now)
