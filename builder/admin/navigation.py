"""The list beside every page of Django admin: its tables by what they are about."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest
from django.urls import reverse_lazy
from django.utils.text import capfirst

GROUPS: Final = (
    ("People", ("user", "membership", "group", "workspace", "refusedsignins", "auditentry")),
    ("Workflows", ("graph", "graphversion", "agent", "acceptedtool", "fact", "entity")),
    ("Runs", ("run", "interrupt", "runevent", "activation")),
    (
        "Money",
        ("budgetlimit", "budget", "budgethold", "spending", "triggerspending", "modelprice"),
    ),
    ("Doors", ("apitoken", "credential", "acceptedprovider", "outbox")),
    ("Engine", ("worker", "timer", "breaker")),
)
"""Every table that is registered, so that none is out of reach."""
ICONS: Final = {
    "user": "person",
    "membership": "badge",
    "group": "group",
    "workspace": "domain",
    "refusedsignins": "person_off",
    "auditentry": "history",
    "graph": "schema",
    "graphversion": "inventory_2",
    "agent": "smart_toy",
    "acceptedtool": "build",
    "fact": "lightbulb",
    "entity": "label",
    "run": "play_circle",
    "interrupt": "inbox",
    "runevent": "list",
    "activation": "bolt",
    "budgetlimit": "price_check",
    "budget": "savings",
    "budgethold": "lock_clock",
    "spending": "payments",
    "triggerspending": "receipt_long",
    "modelprice": "sell",
    "apitoken": "key",
    "credential": "password",
    "acceptedprovider": "verified",
    "outbox": "outbox",
    "worker": "dns",
    "timer": "timer",
    "breaker": "power_off",
}


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the groups, each with those of its tables that the person may look at."""
    known = {
        model._meta.model_name: shown
        for model, shown in admin.site._registry.items()
        if shown.has_view_permission(request)
    }
    groups = [
        {"title": title, "separator": True, "items": [_item(known[n]) for n in names if n in known]}
        for title, names in GROUPS
    ]
    return [group for group in groups if group["items"]]


def _item(shown: ModelAdmin[Any]) -> dict[str, Any]:
    meta = shown.model._meta
    return {
        "title": capfirst(str(meta.verbose_name_plural)),
        "icon": ICONS.get(str(meta.model_name), "table"),
        "link": reverse_lazy(f"admin:{meta.app_label}_{meta.model_name}_changelist"),
    }
