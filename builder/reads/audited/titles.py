"""What an item was called when something was done about it: its content may have been edited since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from builder.base.item_card import title_of
from builder.models import Interrupt
from builder.reads import event_log as log
from builder.reads.audited.steps import labels_of
from builder.reads.audited.things import line
from builder.reads.inbox.sums import with_sums

FORGOTTEN: Final = "A fact that was forgotten"
"""What it said is gone for good, also from here."""


def titles_then(
    actions: Iterable[Mapping[str, Any]], names: Mapping[str, str], workspace_id: str
) -> dict[tuple[str, str], str]:
    """Return item and hash of its content → title, for actions on content that is not that of now.

    As the item was asked first, or, of what stood between then and now, its step and run alone.
    """
    asked = {
        (str(action["target"]), str(said["content_hash"]))
        for action in actions
        if isinstance(said := action.get("detail"), Mapping) and said.get("content_hash")
    }
    if not asked:
        return {}
    items = Interrupt.objects.filter(workspace=workspace_id, pk__in={item for item, _ in asked})
    rows = {row.pk: row for row in items.filter(edited_seq__isnull=False)}
    events = log.data_at((row.run, row.opened_seq) for row in rows.values())
    labels = labels_of(((row.run, row.node) for row in rows.values()), workspace_id)
    found: dict[tuple[str, str], str] = {}
    for item, content in sorted(asked):
        row = rows.get(item)
        if row is None or row.content_hash == content:
            continue
        step = labels.get((row.run, row.node), row.node)
        first = events.get((row.run, row.opened_seq), {})
        request = first.get("request")
        if first.get("content_hash") == content and isinstance(request, dict):
            found[item, content] = line(with_sums(title_of(request, step), request))
        else:
            run = names.get(row.run)
            found[item, content] = f"{step} of {run}" if run else step
    return found


def called(
    action: Mapping[str, Any], names: Mapping[str, str], then: Mapping[tuple[str, str], str]
) -> str | None:
    """Return what an entry's subject was or is called; null where nothing is known of it.

    A group is called as its entry says: its number says nothing to anybody.
    """
    target = str(action["target"])
    detail = action["detail"] if isinstance(action["detail"], Mapping) else {}
    if named := then.get((target, str(detail.get("content_hash")))) or names.get(target):
        return named
    if str(action["action"]).startswith("fact."):
        return FORGOTTEN
    group = detail.get("group")
    is_group = str(action["action"]).startswith("group.") and isinstance(group, str)
    return line(str(group)) if is_group else None
