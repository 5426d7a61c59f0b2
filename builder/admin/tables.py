"""Django admin: what may be done here goes through the services, the rest is for reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import Group as AuthGroup
from django.db.models import Count, Q, QuerySet, Sum
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline

from builder.admin.called import (
    GONE,
    Called,
    called_column,
    item_names,
    people_names,
    run_names,
)
from builder.admin.read_only import ReadOnlyAdmin, time_column
from builder.admin.words import list_column
from builder.base import clock
from builder.models import (
    AcceptedProvider,
    AcceptedTool,
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
    Worker,
    Workspace,
)
from builder.models.runs.failures import was_rejected
from builder.reads.runs.asleep import standing
from builder.services import facts
from engine.core.budgets.money import usd
from engine.core.node_types import plugins

TOPICS: Final = {
    "mail": "Mail about an item",
    "account": "Mail about an account",
    "alert": "Mail about an alert",
    "comment": "Mail about a comment",
    "trigger": "Mail about a trigger",
    "mention": "People named at an item",
    "start_child": "A child run starts",
    "start_transition": "A run goes on",
    "child_ended": "A child run has ended",
    "child_waiting": "A child run waits",
    "cancel_run": "A run is cancelled",
}
"""What is sent, by its kind."""


@admin.register(Outbox)
class OutboxAdmin(Called, ReadOnlyAdmin):
    """What was committed to be sent and has not left yet: mail, and messages between runs."""

    list_display = (
        called_column("What"),
        "tries",
        time_column("available_at", "Due"),
        time_column("done_at", "Done"),
    )
    list_filter = ("topic",)

    def name_rows(self, rows: Sequence[Outbox]) -> None:
        """Set what is sent, and of or to what that is known by a name."""
        parts = {row.pk: row.ref.split(":") for row in rows}
        ids = {one for refs in parts.values() for one in refs}
        items = item_names(Interrupt.objects.filter(pk__in=ids))
        names = {**people_names(ids), **run_names(ids), **items}
        for row in rows:
            of = [names[one] for one in parts[row.pk] if one in names]
            vars(row)["called"] = ": ".join([TOPICS.get(row.topic, row.topic), *of])


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
class RefusedSignInsAdmin(Called, ReadOnlyAdmin):
    """Sign-ins that were refused of late."""

    list_display = (called_column("Account"), "count", "since", "last_at")
    columns: ClassVar[dict[str, Any]] = {"account": called_column("Account")}

    def name_rows(self, rows: Sequence[RefusedSignIns]) -> None:
        """Set whose accounts they are."""
        names = people_names({row.account for row in rows})
        for row in rows:
            vars(row)["called"] = names.get(row.account, "addresses that nobody has")


@admin.register(GraphVersion)
class GraphVersionAdmin(Called, ReadOnlyAdmin):
    """Published documents; they never change."""

    list_display = ("graph", "number", "is_draft", "published_at", "published_by", "note")
    list_filter = ("is_draft",)
    columns: ClassVar[dict[str, Any]] = {"editors": list_column("editors", "Editors")}
    list_select_related = ("graph", "published_by")

    def name_rows(self, rows: Sequence[GraphVersion]) -> None:
        """Set which version of which workflow they are."""
        for row in rows:
            number = "a draft" if row.number is None else f"version {row.number}"
            vars(row)["called"] = f"{row.graph}, {number}"


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
    verbose_name_plural = "Tags"


class _EntitiesInline(TabularInline):  # type: ignore[misc]
    model = FactEntity
    extra = 0
    verbose_name_plural = "About"
    readonly_fields = ("entity",)


@admin.register(Fact)
class FactAdmin(Called, ReadOnlyAdmin):
    """What runs have learned; wrong facts can be forgotten, none can be written here."""

    list_display = ("text", "workspace", called_column("Learned by"))
    columns: ClassVar[dict[str, Any]] = {"run_id": called_column("Learned by")}
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

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may delete facts here may have them forgotten."""
        return bool(ModelAdmin.has_delete_permission(self, request, obj))

    def name_rows(self, rows: Sequence[Fact]) -> None:
        """Set which runs have learned the facts."""
        names = run_names({row.run_id for row in rows})
        for row in rows:
            vars(row)["called"] = names.get(row.run_id, GONE if row.run_id else "a person")

    def title(self, row: Fact) -> str:
        """Return the fact's own words."""
        return str(row)


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
        ("Open items", Interrupt.objects.open().count()),
        ("Spend this month", f"{usd(pico)} USD"),
    ]
    context["broken_plugins"] = plugins.broken()
    return context
