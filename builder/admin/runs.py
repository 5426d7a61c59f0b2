"""Runs in Django admin, and the tables around them: their logs, what they wait for and have asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from builder.admin.called import GONE, Called, OfRun, called_column, item_names, run_names
from builder.admin.read_only import ReadOnlyAdmin, time_column, usd_column
from builder.admin.words import error_column, list_column, named_column
from builder.models import Activation, Interrupt, Run, RunEvent, Timer
from builder.models.runs.failures import SAID_NO, told_of, told_status, was_rejected
from builder.reads.audited.names import called_runs
from builder.reads.runs.marks import status_words
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

KINDS: Final = {
    "approval": "Approval",
    "text": "Question",
    "choice": "Choice",
    "multi-choice": "Choice of several",
    "form": "Form",
    "budget": "Question for money",
    "in_doubt": "Call in doubt",
}
"""What items of inboxes are, by the engine's word for it."""
TIMERS: Final = {
    "retry": "Another try of a step",
    "sleep": "A step goes on",
    "timeout": "Time of a step is over",
    "expire": "Deadline of an item",
    "remind": "Reminder of an item",
    "escalate": "Others are asked too",
    "asked": "A question back waits no longer",
    "ending": "Time of the run is over",
}
"""What happens when a timer fires, by the engine's word for it."""


class StandingFilter(admin.SimpleListFilter):
    """Runs by how they stand, as the pages say it: what a person rejected has not failed."""

    title = "status"
    parameter_name = "standing"

    def lookups(self, _request: HttpRequest, _model_admin: Any) -> list[tuple[str, str]]:
        """Return each standing with its words."""
        return [(each, status_words(each)) for each in (*Run.Status.values, SAID_NO)]

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Run]) -> QuerySet[Run]:
        """Return the runs that stand so."""
        if not (wanted := self.value()):
            return queryset
        if wanted == SAID_NO:
            return queryset.filter(was_rejected())
        found = queryset.filter(status=wanted)
        return found.exclude(was_rejected()) if wanted == Run.Status.FAILED else found


@admin.register(Run)
class RunAdmin(Called, ReadOnlyAdmin):
    """What became of runs, with the tables around one; all read-only."""

    list_display = (
        called_column("Run"),
        "standing",
        time_column("started_at", "Started", fine=False),
        time_column("ended_at", "Ended", fine=False),
        usd_column("spent_pico", "Spent"),
        usd_column("held_pico", "Held"),
        "seq",
    )
    list_filter = (StandingFilter, "workspace")
    search_fields = ("id", "graph_slug", "trigger_key")
    list_select_related = ("workspace", "graph")
    ordering = ("-started_at", "-pk")
    show_full_result_count = False
    columns: ClassVar[dict[str, Any]] = {
        "status": "standing",
        "started_by": named_column("started_by", "Started by"),
        "trigger": named_column("trigger", "Trigger"),
        "parent_run": named_column("parent_run", "Parent run"),
        "waiting_for": list_column("waiting_for", "Waiting for"),
        "error": error_column,
    }

    def name_rows(self, rows: Sequence[Run]) -> None:
        """Set what runs are called: their workflow, and what they were started with."""
        names = called_runs(rows)
        for row in rows:
            vars(row)["called"] = names[row.pk]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        """Return runs with how people are told that they stand, without the drawings they are of."""
        found: QuerySet[Run] = super().get_queryset(request).annotate(told=told_status())
        return found.defer("graph__header", "graph__header_revisions")

    @admin.display(description="Status", ordering="status")
    def standing(self, run: Run) -> str:
        """Return what the pages say of a run: *Rejected* where a person said no."""
        return status_words(told_of(run))

    @admin.display(description="Events", ordering="seq")
    def seq(self, row: Run) -> int:
        """Return how long the run's log is."""
        return row.seq


class PlacedAdmin(Called, ReadOnlyAdmin):
    """Rows whose place begins with the number of their run."""

    search_fields = ("=key",)
    search_help_text = "The whole id of a run, or the whole key of an activation."

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the rows of the run that is searched for, else what has that key."""
        runs = Run.objects.filter(id=search_term.strip()).values_list("number", flat=True)
        first = (runs.first() or 0) * EVENTS_PER_RUN
        if first:
            return queryset.filter(place__gte=first, place__lt=first + EVENTS_PER_RUN), False
        found: tuple[QuerySet[Any], bool]
        found = super().get_search_results(request, queryset, search_term)
        return found

    def name_rows(self, rows: Sequence[Any]) -> None:
        """Set the names of the runs that rows are of."""
        runs = Run.objects.filter(number__in={row.number for row in rows})
        ids = dict(runs.values_list("number", "pk"))
        names = run_names(ids.values())
        for row in rows:
            row.run_id = ids.get(row.number, "-")
            row.called = names.get(row.run_id, GONE)

    @admin.display(description="Run", ordering="place")
    def of_run(self, row: Any) -> str:
        """Return what the run is called."""
        return str(row.called)

    @admin.display(description="Id of the run")
    def run(self, row: Any) -> str:
        """Return the id of the run, which the app's addresses name."""
        return str(row.run_id)


@admin.register(RunEvent)
class RunEventAdmin(PlacedAdmin):
    """Logs of runs."""

    list_display = ("of_run", "seq", "type", "key", time_column("at", "At"))
    list_filter = ("type",)
    fields = ("of_run", "run", "seq", "type", "key", "cause", "shown")
    readonly_fields = ("of_run", "run", "seq", "shown")
    show_full_result_count = False

    def title(self, row: RunEvent) -> str:
        """Return which event of which run it is."""
        return f"{row.type}, {row.seq} of {vars(row)['called']}"

    @admin.display(description="Data")
    def shown(self, row: RunEvent) -> str:
        """Return what the event carries, as text."""
        return bytes(row.data)[:20_000].decode(errors="replace")


@admin.register(Interrupt)
class InterruptAdmin(OfRun, ReadOnlyAdmin):
    """What runs have asked people, and how it ended."""

    list_display = (
        called_column("Item", "asks"),
        "what",
        "status",
        called_column("Run"),
        time_column("opened_at", "Opened"),
    )
    list_filter = ("status", "kind", "workspace")
    search_fields = ("=request_id", "=run")
    search_help_text = "The whole id of an item, or the whole id of a run."
    columns: ClassVar[dict[str, Any]] = {
        "kind": "what",
        "decided_by": named_column("decided_by", "Decided by"),
    }

    def name_rows(self, rows: Sequence[Interrupt]) -> None:
        """Set what items ask, and the names of their runs."""
        super().name_rows(rows)
        names = item_names(rows)
        for row in rows:
            vars(row)["asks"] = names[row.pk]

    def title(self, row: Interrupt) -> str:
        """Return what the item asks."""
        return str(vars(row)["asks"])

    @admin.display(description="Kind", ordering="kind")
    def what(self, row: Interrupt) -> str:
        """Return what is asked for, in words."""
        return KINDS.get(row.kind, row.kind)


@admin.register(Activation)
class ActivationAdmin(PlacedAdmin):
    """Live activations."""

    list_display = ("of_run", "key", "status", "attempt", "worker")
    list_filter = ("status",)
    fields = ("of_run", "run", "key", "node", "status", "attempt", "epoch", "worker")
    readonly_fields = ("of_run", "run")

    def title(self, row: Activation) -> str:
        """Return which step of which run it is."""
        return f"{row.key} of {vars(row)['called']}"


@admin.register(Timer)
class TimerAdmin(OfRun, ReadOnlyAdmin):
    """When the engine will look at a run again, and why."""

    list_display = (called_column("Run"), "why", "key", time_column("fire_at", "Fires"))
    search_fields = ("=run",)
    search_help_text = "The whole id of a run."
    columns: ClassVar[dict[str, Any]] = {"kind": "why"}

    def title(self, row: Timer) -> str:
        """Return what it is for, and of which run."""
        return f"{self.why(row)}: {vars(row)['called']}"

    @admin.display(description="Why", ordering="kind")
    def why(self, row: Timer) -> str:
        """Return what happens when it fires."""
        return TIMERS.get(row.kind, row.kind)
