"""What a map works on, and what it leaves: items, results in item order, errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.errors import NodeError
from engine.core.expressions.jsonpath import compile_path
from engine.core.node_types.map_results import KINDS


def items_at(path: str, scope: Mapping[str, Any]) -> list[Any]:
    """Return the items a JSONPath names: the first match if it is a list, else all matches.

    Raises `NodeError` `MapItemsInvalid` where nothing is found, and where the path names one
    place that holds text or null.
    """
    query = compile_path(path)
    found = query.all(scope)
    if found and isinstance(found[0], list):
        return found[0]
    if not found:
        raise _invalid(path, "finds nothing that this node may read")
    if query.is_singular and (found[0] is None or isinstance(found[0], str)):
        held = "null" if found[0] is None else "text"
        raise _invalid(path, f"leads to {held}; a list is needed")
    return found


def _invalid(path: str, why: str) -> NodeError:
    return NodeError("MapItemsInvalid", f'"List of items" ({path}) {why}')


def check_count(items: Sequence[Any], most: int) -> None:
    """Raise `NodeError` `TooManyItems` where there are more items than `most`."""
    if len(items) > most:
        raise NodeError(
            "TooManyItems",
            f'{len(items)} items are more than "Most items" allows ({most}); nothing was started',
            detail={"items": len(items), "max_items": most},
        )


def children_of(worker: str, items: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the children that run `worker` once for each item, which is their `previous`."""
    return [
        {"node": worker, "slot": index, "item": item, "previous": item}
        for index, item in enumerate(items)
    ]


def gathered(node_id: str, worker: str, done: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the four result keys of the map `node_id` from how its children ended."""
    results, errors = [], []
    for index, child in enumerate(done):
        place = {"index": index, "node_id": worker}
        if _succeeded(child):
            data = child.get("data") or {}
            results.append({**place, "output": child.get("output"), "data": data})
        else:
            errors.append({**place, "error": _error(child)})
    values = (results, errors, len(results), len(errors))
    return {f"{node_id}_{kind}": value for kind, value in zip(KINDS, values, strict=True)}


def first_failure(worker: str, done: Sequence[Mapping[str, Any]]) -> NodeError | None:
    """Return `ChildFailed` with the error of the first item that failed, None if none did.

    An item that was cancelled because another one failed is named only if no other is left.
    """
    open_ = [index for index, child in enumerate(done) if not _succeeded(child)]
    if not open_:
        return None
    index = next((i for i in open_ if done[i].get("status") == "failed"), open_[0])
    error = _error(done[index])
    return NodeError(
        "ChildFailed",
        f"item {index} ({worker}[{index}]) failed with {error['code']}: {error['message']}",
        detail={"index": index, "node_id": worker, "error": error},
    )


def _succeeded(child: Mapping[str, Any]) -> bool:
    return child.get("status") in ("completed", "skipped")


def _error(child: Mapping[str, Any]) -> dict[str, Any]:
    error: Mapping[str, Any] = child.get("error") or {}
    named = {name: value for name, value in error.items() if name != "node"}
    return {"code": "Cancelled", "message": "the item was cancelled", **named}
