"""What items of inboxes are called in the audit log and the admin: as they ask, else by their step."""

from __future__ import annotations

from collections.abc import Collection

from builder.models import Interrupt
from builder.reads.audited.steps import labels_of
from builder.reads.audited.things import line
from builder.reads.inbox.sums import with_sums


def called_items(ids: Collection[str], workspace_id: str | None = None) -> dict[str, str]:
    """Return what items are called, by id; without a workspace those of all.

    One query, and where items ask nothing of their own those of `labels_of`: such an item is called as its
    step in the version that its run ran, as in the inbox.
    """
    items = Interrupt.objects.filter(pk__in=ids)
    if workspace_id is not None:
        items = items.filter(workspace=workspace_id)
    found: dict[str, str] = {}
    untitled: dict[str, tuple[str, str]] = {}
    for pk, run, node, title, amount in items.values_list(
        "pk", "run", "node", "card__title", "card__amount"
    ):
        found[pk] = line(with_sums(title or node, {"data": {"amount": amount}}))
        if not title or title == node:
            untitled[pk] = (run, node)
    labels = labels_of(untitled.values(), workspace_id)
    return found | {pk: labels[step] for pk, step in untitled.items() if step in labels}
