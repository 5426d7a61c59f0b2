"""Sources of tools that a workspace names itself: added, changed, looked at again, removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from builder.base import engine_door
from builder.base.errors import Conflict, InvalidInput, NotFound, ServiceError, TooMany
from builder.models import AcceptedTool, Membership, ToolGrant, ToolSetting, ToolSource
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require
from builder.services.tools import consents, documents, form
from builder.services.tools.outside import waiting
from builder.services.tools.revisions import next_revision
from builder.services.tools.taking_back import take_back
from builder.services.tools.users import users_of_source

MAX_SOURCES: Final = 50
"""Of one workspace: each is asked for its tools before a workflow is checked or started."""
MAX_ERROR: Final = 2000
DOCUMENT_FIELDS: Final = ("document", "document_url", "operations", "url")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A source as it is named; of an API, its document or the address of that."""

    slug: str
    kind: str
    url: str = ""
    credential: str = ""
    headers: Mapping[str, form.HeaderValue] = field(default_factory=dict)
    document: str = ""
    document_url: str = ""


def own_source(workspace_id: str, slug: str) -> ToolSource:
    """Return a workspace's own source. Raises `NotFound` `ToolSourceNotFound`."""
    row = ToolSource.objects.filter(workspace=workspace_id, slug=slug).first()
    if row is None:
        raise NotFound("no such source of tools", code="ToolSourceNotFound")
    return row


def add_source(member: Membership, wanted: Wanted) -> ToolSource:
    """Add a source. Nothing of it is a tool before its operations are chosen or accepted.

    Raises `InvalidInput`, `Conflict` `ToolSourceExists` or `TooManyToolSources`, `Unprocessable`
    `AddressNotAllowed`, `DocumentRefused` or `DocumentUnreachable`.
    """
    require(member, Right.ADMIN)
    form.check_name(wanted.slug)
    _check_sent(member, wanted.headers, wanted.credential)
    _check_free(member, wanted.slug)
    row = ToolSource(
        workspace=member.workspace,
        slug=wanted.slug,
        kind=wanted.kind,
        credential=wanted.credential,
        headers=dict(wanted.headers),
        made_by=member.user,
    )
    if wanted.kind == ToolSource.Kind.MCP:
        row.url = form.checked_address(wanted.url, path="url")
    else:
        _take_document(member, row, wanted.document, wanted.document_url)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
            audit.record(
                member.workspace_id,
                member.user_id,
                "tool_source.added",
                row.slug,
                kind=row.kind,
                url=row.url or row.document_url,
                headers=sorted(row.headers),
            )
    except IntegrityError:
        raise _exists(wanted.slug) from None
    return row


def change_source(member: Membership, row: ToolSource, changes: Mapping[str, Any]) -> ToolSource:
    """Change address, credential, headers or document; what was accepted stays accepted.

    Raises what `add_source` raises of them.
    """
    require(member, Right.ADMIN)
    headers = changes.get("headers", row.headers)
    credential = changes.get("credential", row.credential)
    _check_sent(member, headers, credential)
    if credential and ToolGrant.objects.filter(source=row).exists():
        raise InvalidInput("it is connected: disconnect it first", path="credential")
    row.headers, row.credential = dict(headers), credential
    before = row.url
    if "url" in changes:
        is_mcp = row.kind == ToolSource.Kind.MCP
        checked = form.checked_address(changes["url"], path="url")
        row.url = checked if is_mcp else documents.checked_at(changes["url"])
    if "document" in changes:
        if row.kind == ToolSource.Kind.MCP:
            raise InvalidInput("a server of MCP has no document", path="document")
        _take_document(member, row, changes["document"], "")
    moved = row.url != before
    ended = {"at_issuer": there} if moved and (there := take_back(row)) != "nothing" else {}
    with transaction.atomic():
        row.revision = next_revision(row)
        row.save(update_fields=["revision", *_written(changes)])
        if moved:
            consents.forget(row)  # what was agreed to was another server
        audit.record(
            member.workspace_id,
            member.user_id,
            "tool_source.changed",
            row.slug,
            fields=sorted(changes),
            url=row.url,
            **ended,
        )
    return row


def refresh_source(member: Membership, row: ToolSource) -> ToolSource:
    """Look at a source again: a new session, or the document fetched anew; say how that went."""
    require(member, Right.ADMIN)
    if row.document_url:
        try:
            _take_document(member, row, "", row.document_url)
        except TooMany:
            raise  # nothing was looked at
        except ServiceError as refused:
            _keep_look(member, row, "failed", refused.message)
        else:
            _keep_look(member, row, "ready", "", DOCUMENT_FIELDS)
        return row
    with waiting():
        _keep_look(member, row, "starting", "")
        found = engine_door.engine().tool_sources(member.workspace_id)
    listed = next((each for each in found.sources if each.name == row.slug), None)
    if listed is not None and not listed.pending:
        row.status, row.error = ("failed" if listed.problem else "ready"), listed.problem or ""
        row.error = row.error[:MAX_ERROR]
        row.save(update_fields=["status", "error"])
    return row


def remove_source(member: Membership, row: ToolSource) -> None:
    """Remove a source with what was accepted and set of its tools.

    Raises `Conflict` `ToolSourceInUse` with `used_by`.
    """
    require(member, Right.ADMIN)
    users = users_of_source(member.workspace_id, row.slug)
    if users:
        names = ", ".join(each["name"] for each in users[:5])
        raise Conflict(
            f"its tools are used by {names}: take them out there first",
            code="ToolSourceInUse",
            extra={"used_by": users},
        )
    there = take_back(row)
    ended = {} if there == "nothing" else {"at_issuer": there}
    with transaction.atomic():
        mark = f"{row.slug}/"
        AcceptedTool.objects.filter(workspace=row.workspace_id, name__startswith=mark).delete()
        ToolSetting.objects.filter(workspace=row.workspace_id, tool__startswith=mark).delete()
        slug = row.slug
        row.delete()
        audit.record(member.workspace_id, member.user_id, "tool_source.removed", slug, **ended)


def _take_document(member: Membership, row: ToolSource, text: str, address: str) -> None:
    if bool(text) == bool(address):
        raise InvalidInput("give the document, or the address of one", path="document")
    document = documents.fetch(member, address) if address else text
    catalog = documents.read(member, document, address)
    row.document, row.document_url = document, address
    row.operations = documents.read_again(row, catalog)
    if not row.url and catalog.servers:
        try:
            row.url = documents.checked_at(catalog.servers[0])
        except ServiceError:
            row.url = ""


def _written(changes: Mapping[str, Any]) -> set[str]:
    """Return the columns that changes go to: what others write at the same time stays theirs."""
    return {*changes, *(DOCUMENT_FIELDS if "document" in changes else ())}


def _keep_look(
    member: Membership, row: ToolSource, status: str, error: str, written: Sequence[str] = ()
) -> None:
    with transaction.atomic():
        row.status, row.error, row.checked_at = status, error[:MAX_ERROR], timezone.now()
        row.revision = next_revision(row)
        row.save(update_fields=["revision", "status", "error", "checked_at", *written])
        audit.record(
            member.workspace_id, member.user_id, "tool_source.refreshed", row.slug, status=status
        )


def _check_sent(
    member: Membership, headers: Mapping[str, form.HeaderValue], credential: str
) -> None:
    form.check_headers(headers)
    named = [each["credential"] for each in headers.values() if isinstance(each, dict)]
    form.check_credentials(member.workspace_id, [credential, *named])


def _check_free(member: Membership, slug: str) -> None:
    rows = ToolSource.objects.filter(workspace=member.workspace_id)
    if rows.count() >= MAX_SOURCES:
        raise Conflict(
            f"there are {MAX_SOURCES} sources: remove one first", code="TooManyToolSources"
        )
    found = engine_door.engine().known_tools(member.workspace_id)
    if rows.filter(slug=slug).exists() or any(each.name == slug for each in found.sources):
        raise _exists(slug)


def _exists(slug: str) -> Conflict:
    return Conflict(
        f"there is a source called {slug!r} already: choose another name", code="ToolSourceExists"
    )
