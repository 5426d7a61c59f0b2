"""OpenAPI documents of a workspace's sources: read, fetched through the egress, chosen from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import orjson
from django.db import transaction

from builder.adapters.egress import egress_of
from builder.base.errors import Conflict, InvalidInput, Unprocessable
from builder.base.turns import turns
from builder.models import Membership, ToolSource
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require
from builder.services.tools.acceptance import accept_specs
from builder.services.tools.form import checked_address
from builder.services.tools.outside import asked
from engine.core.errors import NodeError
from engine.core.values.limits import MIB
from engine.integrations.egress import Egress
from engine.integrations.tools.openapi import (
    Catalog,
    OpenApiRefused,
    Operation,
    checked_server,
    read_catalog,
)

FETCH_SECONDS: Final = 20.0
MAX_CHOSEN: Final = 2 * MIB
"""Bytes of all that is chosen of one document: it is read with each change of the source."""


def catalog_of(member: Membership, row: ToolSource) -> Catalog:
    """Return what a source's document offers. Raises `Unprocessable` `DocumentRefused`."""
    return read(member, row.document, row.document_url)


def read(member: Membership, document: str, address: str) -> Catalog:
    """Return what a document offers, one piece of work at a time for each person."""
    try:
        with turns.taken(member.user_id):
            return read_catalog(document, address=address or None)
    except OpenApiRefused as refused:
        raise Unprocessable(str(refused), code="DocumentRefused") from None


def fetch(member: Membership, address: str) -> str:
    """Return the text at an address. Raises `Unprocessable` `DocumentUnreachable`."""
    checked_address(address, path="document_url")
    try:
        status, body = asked(fetched(egress_of(member.workspace_id, "tool"), address))
    except NodeError as error:
        raise Unprocessable(
            f"{address[:200]} cannot be fetched: {error.message}", code="DocumentUnreachable"
        ) from None
    if status >= 300:
        raise Unprocessable(f"{address[:200]} answered {status}", code="DocumentUnreachable")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unprocessable(
            f"{address[:200]} is no text in UTF-8", code="DocumentUnreachable"
        ) from None


async def fetched(egress: Egress, address: str) -> tuple[int, bytes]:
    """Return status and bytes of what is at an address. Raises `NodeError`."""
    answer = await egress.request(
        "GET",
        address,
        headers={"Accept": "application/json, application/yaml, */*;q=0.5"},
        timeout_s=FETCH_SECONDS,
        follow_redirects=3,
    )
    return answer.status, answer.body


def choose_operations(
    member: Membership, row: ToolSource, names: Sequence[str], server: str
) -> None:
    """Make these operations the source's tools, called at `server`, and agree to them as they are.

    Raises `InvalidInput` for a name that the document has not, and for too much; `Conflict`
    `ContentChanged` where the source is not what was read.
    """
    require(member, Right.ADMIN)
    catalog = catalog_of(member, row)
    chosen = [_named(catalog, name) for name in dict.fromkeys(names)]
    address = checked_at(server)
    kept = [each.to_json() for each in chosen]
    _check_size(kept)
    with transaction.atomic():
        locked = ToolSource.objects.select_for_update().light().filter(pk=row.pk).first()
        if locked is None or locked.revision != row.revision:
            raise Conflict("the source was changed meanwhile: look again", code="ContentChanged")
        locked.operations = kept
        locked.url = address
        locked.revision += 1
        locked.status, locked.error = "ready", ""
        locked.save(update_fields=["operations", "url", "revision", "status", "error"])
        audit.record(
            member.workspace_id,
            member.user_id,
            "tool_source.chosen",
            row.slug,
            server=address,
            operations=[each.name for each in chosen][:50],
            count=len(chosen),
        )
        accept_specs(member, [each.spec(row.slug) for each in chosen])


def read_again(row: ToolSource, catalog: Catalog) -> list[dict[str, Any]]:
    """Return what of the chosen operations a newer document has, as it says them now."""
    names = [str(each["name"]) for each in row.operations]
    found = [catalog.named(name) for name in names]
    return [each.to_json() for each in found if each is not None]


def checked_at(server: str) -> str:
    """Return the server that is called. Raises `InvalidInput`, `Unprocessable`."""
    try:
        return checked_server(checked_address(server, path="server"))
    except OpenApiRefused as refused:
        raise InvalidInput(str(refused), path="server") from None


def _named(catalog: Catalog, name: str) -> Operation:
    found = catalog.named(name)
    if found is None:
        raise InvalidInput(f"the document has no operation {name[:64]!r}", path="operations")
    return found


def _check_size(kept: list[dict[str, Any]]) -> None:
    size = len(orjson.dumps(kept))
    if size > MAX_CHOSEN:
        raise InvalidInput(
            f"these operations are {size // 1024} KiB together; up to {MAX_CHOSEN // 1024} KiB can"
            " be chosen of one document: choose fewer",
            path="operations",
        )
