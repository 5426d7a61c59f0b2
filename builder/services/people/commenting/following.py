"""Threads and pins follow their card when it gets another id, by whatever way a save says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django.db import transaction

from builder.base.bells import graph_topic, hub
from builder.models import CommentThread, Graph, Node, Pin
from engine.core.values.json import JsonObject


def renamed(graph: Graph, given: Iterable[JsonObject], gone: Iterable[str]) -> Mapping[str, str]:
    """Return the new ids of cards with threads or pins that a save takes away and puts back under another.

    A save names no renames: a new node of the same type that stands exactly where one went is that
    one, if no other is. The undo of a rename, and a version that is restored, say it just so.
    """
    left = set(gone)
    threads = CommentThread.objects.filter(graph=graph, node__in=left)
    told = set(threads.values_list("node", flat=True)) if left else set()
    pinned = Pin.objects.filter(graph=graph, node__in=left).values_list("node", flat=True)
    kept = told.union(pinned) if left else told
    if not kept:
        return {}
    was = dict(Node.objects.filter(graph=graph, node_id__in=left).values_list("node_id", "data"))
    for node in told & was.keys():
        threads.filter(node=node).update(label=label_of(was[node]))
    given_ids = {str(node["id"]): node for node in given}
    known = Node.objects.filter(graph=graph, node_id__in=list(given_ids))
    for node in known.values_list("node_id", flat=True):
        del given_ids[node]
    before, after = _by_place(was), _by_place(given_ids)
    alone = {place: ids[0] for place, ids in after.items() if len(ids) == 1}
    pairs = ((ids, alone.get(place)) for place, ids in before.items() if len(ids) == 1)
    return {ids[0]: new for ids, new in pairs if new is not None and ids[0] in kept}


def label_of(node: Mapping[str, Any]) -> str:
    """Return what people call a card: its title, else its id."""
    return str(node.get("label") or node.get("id"))[:200]


def follow(graph: Graph, names: Mapping[str, str]) -> None:
    """Move what stands beside renamed cards, and tell who has the workflow open, once it is written.

    A pin that was left behind under the new id gives way.
    """
    for old, new in names.items():
        CommentThread.objects.filter(graph=graph, node=old).update(node=new)
        pins = Pin.objects.filter(graph=graph)
        if pins.filter(node=old).exists():
            pins.filter(node=new).delete()
            pins.filter(node=old).update(node=new)
    if names:
        frame = {"op": "comments", "graph": graph.pk}
        transaction.on_commit(partial(hub.send, graph_topic(graph.pk), frame))


def _by_place(nodes: Mapping[str, Mapping[str, Any]]) -> dict[tuple[str, ...], list[str]]:
    """Return ids by what stays the same of a card under another: its type and where it stands."""
    found: dict[tuple[str, ...], list[str]] = {}
    for node_id, node in nodes.items():
        position = node.get("position")
        where = position if isinstance(position, Mapping) else {}
        place = (str(node.get("type")), str(where.get("x")), str(where.get("y")))
        found.setdefault(place, []).append(node_id)
    return found
