"""Django admin: what may be done here goes through the services, the rest is for reading."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import Group as AuthGroup
from django.db.models import Count, Q, QuerySet, Sum
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline

from builder.admin.read_only import ReadOnlyAdmin, time_column, usd_column
from builder.admin.words import error_column, list_column, named_column
from builder.base import clock
from builder.models import (
    AcceptedProvider,
    AcceptedTool,
    Activation,
    Agent,
    ApiToken,
    Breaker,
    Credential,
    Entity,
    Fact,
    FactEntity,
    FactTag,
    Graph,
    GraphVersion,
    Group,
    Interrupt,
    Membership,
    ModelPrice,
    Outbox,
    RefusedSignIns,
    Run,
    RunEvent,
    Timer,
    Worker,
    Workspace,
)
from builder.models.runs.failures import SAID_NO, told_of, told_status, was_rejected
from builder.reads.runs.asleep import standing
from builder.reads.runs.marks import status_words
from builder.services import facts
from engine.core.budgets.money import usd
from engine.core.node_types import plugins
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN


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
class RunAdmin(ReadOnlyAdmin):
    """What became of runs, with the tables around one; all read-only."""

    list_display = (
        "id",
        "graph_slug",
        "standing",
        time_column("started_at", "Started", fine=False),
        time_column("ended_at", "Ended", fine=False),
        usd_column("spent_pico", "Spent"),
        usd_column("held_pico", "Held"),
        "seq",
    )
    list_filter = (StandingFilter, "workspace")
    search_fields = ("id", "graph_slug", "trigger_key")
    list_select_related = ("workspace",)
    ordering = ("-started_at", "-pk")
    show_full_result_count = False
    columns: ClassVar[dict[str, Any]] = {
        "status": "standing",
        "started_by": named_column("started_by", "Started by"),
        "trigger": named_column("trigger", "Trigger"),
        "waiting_for": list_column("waiting_for", "Waiting for"),
        "error": error_column,
    }

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        """Return runs with how people are told that they stand."""
        found: QuerySet[Run] = super().get_queryset(request).annotate(told=told_status())
        return found

    @admin.display(description="Status", ordering="status")
    def standing(self, run: Run) -> str:
        """Return what the pages say of a run: *Rejected* where a person said no."""
        return status_words(told_of(run))

    @admin.display(description="Events", ordering="seq")
    def seq(self, row: Run) -> int:
        """Return how long the run's log is."""
        return row.seq


class PlacedAdmin(ReadOnlyAdmin):
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

    @admin.display(description="Run", ordering="place")
    def run(self, row: RunEvent | Activation) -> str:
        """Return the id of the run."""
        return Run.objects.filter(number=row.number).values_list("id", flat=True).first() or "-"


@admin.register(RunEvent)
class RunEventAdmin(PlacedAdmin):
    """Logs of runs."""

    list_display = ("run", "seq", "type", "key", time_column("at", "At"))
    list_filter = ("type",)
    fields = ("run", "seq", "type", "key", "cause", "shown")
    readonly_fields = ("run", "seq", "shown")
    show_full_result_count = False

    @admin.display(description="Data")
    def shown(self, row: RunEvent) -> str:
        """Return what the event carries, as text."""
        return bytes(row.data)[:20_000].decode(errors="replace")


@admin.register(Interrupt)
class InterruptAdmin(ReadOnlyAdmin):
    """What runs have asked people, and how it ended."""

    list_display = (
        "request_id",
        "kind",
        "status",
        "node",
        "run",
        time_column("opened_at", "Opened"),
    )
    list_filter = ("status", "kind", "workspace")
    search_fields = ("=request_id", "=run")
    columns: ClassVar[dict[str, Any]] = {"decided_by": named_column("decided_by", "Decided by")}


@admin.register(Activation)
class ActivationAdmin(PlacedAdmin):
    """Live activations."""

    list_display = ("run", "key", "status", "attempt", "worker")
    list_filter = ("status",)


@admin.register(Timer)
class TimerAdmin(ReadOnlyAdmin):
    """When the engine will look at a run again, and why."""

    list_display = ("id", "run", "kind", time_column("fire_at", "Fires"))
    search_fields = ("=run",)


@admin.register(Outbox)
class OutboxAdmin(ReadOnlyAdmin):
    """What was committed to be sent and has not left yet: mail, and messages between runs."""

    list_display = (
        "topic",
        "ref",
        "tries",
        time_column("available_at", "Due"),
        time_column("done_at", "Done"),
    )
    list_filter = ("topic",)


@admin.register(Worker)
class WorkerAdmin(ReadOnlyAdmin):
    """Processes of this installation, and when each was last alive."""

    list_display = (
        "kind",
        "host",
        "pid",
        "version",
        "draining",
        time_column("started_at", "Started"),
        time_column("last_seen_at", "Seen"),
    )
    list_filter = ("kind", "version")


@admin.register(Breaker)
class BreakerAdmin(ReadOnlyAdmin):
    """Circuit breakers."""

    list_display = ("node", "target", "state", "failures", time_column("opened_at", "Opened"))
    list_filter = ("state",)


@admin.register(RefusedSignIns)
class RefusedSignInsAdmin(ReadOnlyAdmin):
    """Sign-ins that were refused of late."""

    list_display = ("account", "count", "since", "last_at")


@admin.register(GraphVersion)
class GraphVersionAdmin(ReadOnlyAdmin):
    """Published documents; they never change."""

    list_display = ("graph", "number", "is_draft", "published_at", "published_by", "note")
    list_filter = ("is_draft",)
    columns: ClassVar[dict[str, Any]] = {"editors": list_column("editors", "Editors")}
    list_select_related = ("graph", "published_by")


@admin.register(Graph)
class GraphAdmin(ReadOnlyAdmin):
    """Graphs; they are edited on the canvas."""

    list_display = ("name", "slug", "workspace", "revision", "updated_at", "archived_at")
    list_filter = ("workspace",)
    search_fields = ("name", "slug")
    columns: ClassVar[dict[str, Any]] = {
        "tags": list_column("tags", "Tags"),
        "editors": list_column("editors", "Editors"),
    }


@admin.register(Credential)
class CredentialAdmin(ReadOnlyAdmin):
    """Credentials, without their values."""

    columns: ClassVar[dict[str, Any]] = {"hosts": list_column("hosts", "Hosts")}
    list_display = ("name", "kind", "workspace", columns["hosts"], "last_used_at")
    list_filter = ("workspace",)


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """API tokens, without their text."""

    list_display = ("name", "user", "workspace", "created_at", "last_used_at", "revoked_at")
    exclude = ("hash",)
    columns: ClassVar[dict[str, Any]] = {
        "scopes": list_column("scopes", "May"),
        "graphs": list_column("graphs", "Only these workflows"),
    }


class _TagsInline(TabularInline):  # type: ignore[misc]
    model = FactTag
    extra = 0


class _EntitiesInline(TabularInline):  # type: ignore[misc]
    model = FactEntity
    extra = 0
    readonly_fields = ("entity",)


@admin.register(Fact)
class FactAdmin(ModelAdmin):  # type: ignore[misc]
    """What runs have learned; wrong facts can be forgotten, none can be written here."""

    list_display = ("text", "workspace", "graph_slug", "node", "run_id")
    list_filter = ("workspace", "graph_slug", "tag_rows__tag")
    search_fields = ("text", "links__name")
    inlines = (_TagsInline, _EntitiesInline)

    def delete_model(self, request: HttpRequest, obj: Fact) -> None:
        """Forget a fact as its workspace's people do."""
        facts.erase(obj, str(request.user.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Fact]) -> None:
        """Forget facts one by one."""
        for row in queryset:
            facts.erase(row, str(request.user.pk))

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody adds rows here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes rows here."""
        return False


@admin.register(Entity)
class EntityAdmin(ReadOnlyAdmin):
    """What facts are about."""

    list_display = ("name", "workspace")
    list_filter = ("workspace",)
    search_fields = ("name",)


@admin.register(Agent)
class AgentAdmin(ReadOnlyAdmin):
    """Agents; they are edited in the workspace's settings."""

    list_display = ("name", "slug", "workspace", "model")
    list_filter = ("workspace",)
    search_fields = ("name", "slug", "model")
    columns: ClassVar[dict[str, Any]] = {"tools": list_column("tools", "Tools")}


@admin.register(Workspace)
class WorkspaceAdmin(ReadOnlyAdmin):
    """Workspaces; their admins name and set them."""

    list_display = ("name", "slug", "created_at")


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    """Who is where; roles are given in the workspace's settings."""

    list_display = ("user", "workspace", "role")
    list_filter = ("workspace", "role")


for theirs in (Authenticator, EmailAddress):
    admin.site.unregister(theirs)  # secrets, and addresses that are kept with the person
admin.site.unregister(AuthGroup)  # rights come from roles: nobody stands in a group of Django's
for plain in (Group, AcceptedProvider, ModelPrice, AcceptedTool):
    admin.site.register(plain, ReadOnlyAdmin, list_display=("__str__", "workspace"))


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add counts of runs, open interrupts and spend, and plug-ins that are broken, to the index."""
    since = clock.now_ms() - clock.DAY_MS
    now = standing(Run.objects.all())
    counts = Run.objects.aggregate(
        completed=Count("pk", filter=Q(status="completed", ended_at__gte=since)),
        failed=Count(
            "pk",
            filter=Q(status__in=["failed", "timeout"], ended_at__gte=since) & ~was_rejected(),
        ),
    )
    month = Run.objects.started_since(clock.start_of("month", "UTC"))
    pico = month.filter(parent_run__isnull=True).aggregate(pico=Sum("spent_pico"))["pico"] or 0
    context["figures"] = [
        ("Running", now.running),
        ("Sleeping", now.asleep),
        ("Waiting", now.waiting),
        ("Completed, 24 h", counts["completed"]),
        ("Failed, 24 h", counts["failed"]),
        ("Open interrupts", Interrupt.objects.open().count()),
        ("Spend this month", f"{usd(pico)} USD"),
    ]
    context["broken_plugins"] = plugins.broken()
    return context
