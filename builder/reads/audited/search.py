"""Entries of the audit log by what their rows show: stored are ids, people look for names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db.models import Q

from builder.models import AlertRule, ApiToken, Fact, Graph, InterruptCard, Trigger, User
from builder.reads.audited.things import ALERTS

EACH: Final = 10
"""So many of a kind are meant by a text: each of them is looked for in every entry."""
LEAST: Final = 2


def showing(text: str, workspace_id: str) -> Q:
    """Return which entries show `text`: stored in them, or as the name of somebody or something."""
    found = Q(entry__icontains=text)
    if len(text) < LEAST:
        return found
    for stored in _called(text, workspace_id):
        found |= Q(entry__contains=stored)
    return found


def _called(text: str, workspace_id: str) -> Iterator[str]:
    """Yield how entries name people and things that are called so, each kind's first few."""
    known = Q(name__icontains=text) | Q(email__icontains=text)
    members = User.objects.filter(known, memberships__workspace=workspace_id)
    people = members.order_by("pk").values_list("pk", flat=True)[:EACH]
    yield from people
    left = User.objects.filter(known).exclude(memberships__workspace=workspace_id)
    yield from left.order_by("-created_at").values_list("pk", flat=True)[:EACH]
    graphs = Graph.objects.filter(workspace=workspace_id, name__icontains=text)
    for pk, slug in graphs.order_by("pk").values_list("pk", "slug")[:EACH]:
        yield pk
        yield f'"graph":"{slug}"'
    for model in (ApiToken, Trigger):
        rows = model.objects.filter(workspace=workspace_id, name__icontains=text)
        yield from rows.order_by("pk").values_list("pk", flat=True)[:EACH]
    kinds = [kind for kind, name in ALERTS.items() if text.casefold() in name.casefold()]
    rules = AlertRule.objects.filter(workspace=workspace_id)
    rules = rules.filter(Q(what__in=kinds) | Q(graph__name__icontains=text))
    yield from rules.order_by("pk").values_list("pk", flat=True)[:EACH]
    cards = InterruptCard.objects.filter(interrupt__workspace=workspace_id, title__icontains=text)
    newest = cards.order_by("-interrupt__opened_at").values_list("pk", flat=True)
    yield from newest[:EACH]
    facts = Fact.objects.filter(workspace=workspace_id, text__icontains=text)
    yield from facts.order_by("-at").values_list("key", flat=True)[:EACH]
