"""Model providers of a workspace: servers of its own by address, and keys of the known ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from builder.adapters.models.access import LISTS, OWN, seal_name
from builder.base import vault
from builder.base.errors import Conflict, InvalidInput, NotFound, Unprocessable
from builder.models import (
    AcceptedProvider,
    Agent,
    Credential,
    Graph,
    GraphVersion,
    Membership,
    Node,
)
from builder.services.addresses import leads_here, never_called, operator_allows
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require
from engine.integrations.egress import EgressRefused, Origin, parse_target
from engine.integrations.models.discovery import LOCAL_SERVERS, hosted_providers

ID: Final = re.compile(r"[a-z][a-z0-9-]{0,62}\Z")
HEADER: Final = re.compile(r"[A-Za-z0-9-]{1,100}\Z")
TAKEN: Final = frozenset({"builtin", "local", *(server.provider for server in LOCAL_SERVERS)})
OURS: Final = frozenset(
    {"host", "content-length", "content-type", "transfer-encoding", "connection"}
)
Prices = Mapping[str, tuple[Decimal, Decimal]]
"""By model: USD per million tokens, of input and of output."""


def add_provider(
    member: Membership,
    *,
    provider: str,
    label: str,
    base_url: str,
    key: str | None,
    headers: Mapping[str, str],
    models: list[str],
    prices: Prices,
    accept_address: bool,
) -> AcceptedProvider:
    """Let the workspace use an OpenAI-compatible server at an address of its own.

    Its exact origin may then be called for models. Raises `InvalidInput`, `Conflict`
    `ProviderExists`, and `Unprocessable` `AddressNotAllowed` or `AddressNeedsAcceptance` for an
    address of this machine.
    """
    require(member, Right.ADMIN)
    _check_id(provider)
    _check_headers(headers)
    url, source = _judged(member, base_url, accept_address=accept_address)
    host = parse_target(url).origin.host
    with transaction.atomic():
        known = AcceptedProvider.objects.filter(workspace=member.workspace, provider=provider)
        if known.exists():
            raise Conflict("there is a provider of this name already", code="ProviderExists")
        row = AcceptedProvider(
            workspace=member.workspace,
            provider_id=f"own-{provider}",
            provider=provider,
            label=label,
            source=source,
            base_url=url,
            model_names=models,
            prices=_dated(prices, {}),
            accepted_by=member.user,
            accepted_at=timezone.now(),
        )
        _seal(row, headers)
        row.save()
        if key:
            _keep_key(member, provider, host, key)
        audit.record(
            member.workspace_id,
            member.user_id,
            "provider.added",
            provider,
            base_url=url,
            headers=sorted(headers),
        )
    LISTS.forget()
    return row


def change_provider(
    member: Membership,
    provider: str,
    *,
    label: str | None,
    key: str | None,
    headers: Mapping[str, str] | None,
    models: list[str] | None,
    prices: Prices | None,
) -> None:
    """Change what is given; an empty key is forgotten. Of a known provider only the key can be set.

    Raises `NotFound` `ProviderNotFound`, `InvalidInput`.
    """
    require(member, Right.ADMIN)
    changed = {"label": label, "headers": headers, "models": models, "prices": prices}
    given = sorted(name for name, value in changed.items() if value is not None)
    row = own_provider(member.workspace_id, provider)
    if row is None and given:
        raise InvalidInput("of this provider only the key can be set", path=given[0])
    with transaction.atomic():
        if row is not None:
            _check_headers(headers or {})
            row.label = label or row.label
            row.model_names = row.model_names if models is None else models
            row.prices = row.prices if prices is None else _dated(prices, row.prices or {})
            if headers is not None:
                _seal(row, headers)
            row.save()
        if key is not None:
            _set_key(member, provider, row, key)
        audit.record(
            member.workspace_id,
            member.user_id,
            "provider.changed",
            provider,
            fields=given,
            key_replaced=key is not None,
        )
    LISTS.forget()


def remove_provider(member: Membership, provider: str, *, anyway: bool) -> None:
    """Forget a provider, its key and that it was accepted.

    Raises `Conflict` `ProviderInUse` with `used_by` unless `anyway`, `NotFound`.
    """
    require(member, Right.ADMIN)
    users = list(users_of(member, provider))
    if users and not anyway:
        raise Conflict(
            "models of this provider are in use", code="ProviderInUse", extra={"used_by": users}
        )
    with transaction.atomic():
        rows = AcceptedProvider.objects.filter(workspace=member.workspace, provider=provider)
        removed, _ = rows.delete()
        forgotten, _ = _key_of(member.workspace_id, provider).delete()
        if not removed and not forgotten:
            raise NotFound("no such provider", code="ProviderNotFound")
        audit.record(member.workspace_id, member.user_id, "provider.removed", provider)
    LISTS.forget()


def note_trial(member: Membership, model: str) -> None:
    """Write down that somebody is about to ask a model a question, which may cost money."""
    require(member, Right.ADMIN)
    with transaction.atomic():
        audit.record(member.workspace_id, member.user_id, "model.tried", model)


def own_provider(workspace_id: str, provider: str) -> AcceptedProvider | None:
    """Return the row of a server that was named by its address, None for any other provider.

    Raises `NotFound` where it is no known provider either.
    """
    rows = AcceptedProvider.objects.filter(workspace=workspace_id, provider=provider)
    row = rows.filter(source__in=OWN).first()
    if row is None and provider not in hosted_providers() and not rows.exists():
        raise NotFound("no such provider", code="ProviderNotFound")
    return row


def users_of(member: Membership, provider: str) -> Iterator[dict[str, str]]:
    """Yield what uses a provider's models: the default, agents, workflows as live or as drafted."""
    workspace, mark = member.workspace, f"{provider}/"
    if str(workspace.all_settings["default_model"]).startswith(mark):
        yield {"kind": "default", "id": "default_model", "name": "the workspace's default model"}
    for agent in Agent.objects.filter(workspace=workspace, model__startswith=mark):
        yield {"kind": "agent", "id": agent.slug, "name": agent.name or agent.slug}
    graphs = Graph.objects.filter(workspace=workspace, archived_at__isnull=True)
    using = {*_live_users(graphs, mark), *_drafted_users(graphs, mark)}
    for key, name in graphs.filter(pk__in=using).values_list("pk", "name").order_by("name", "pk"):
        yield {"kind": "workflow", "id": key, "name": name}


def has_key(workspace_id: str, provider: str) -> bool:
    """Return whether the workspace keeps a key for the provider."""
    return bool(_key_of(workspace_id, provider).exists())


def _live_users(graphs: QuerySet[Graph], mark: str) -> Iterator[str]:
    newest = GraphVersion.objects.published().filter(graph=OuterRef("graph")).values("number")
    versions = GraphVersion.objects.filter(graph__in=graphs, number=Subquery(newest[:1]))
    for version in versions.iterator():
        if any(model.startswith(mark) for model in _models_in(version.document)):
            yield version.graph_id


def _drafted_users(graphs: QuerySet[Graph], mark: str) -> Iterator[str]:
    for key, header in graphs.values_list("pk", "header").iterator():
        if any(model.startswith(mark) for model in _models_in(header)):
            yield key
    nodes = Node.objects.filter(graph__in=graphs, data__config__model__startswith=mark)
    yield from nodes.values_list("graph", flat=True)


def _models_in(document: Any) -> Iterator[str]:
    for agent in document.get("agents") or ():
        yield str(agent.get("model") or "")
    for node in document.get("nodes") or ():
        yield str((node.get("config") or {}).get("model") or "")


def _check_id(provider: str) -> None:
    if not ID.match(provider):
        raise InvalidInput("lower case letters, digits and hyphens, a letter first", path="id")
    if provider in TAKEN or provider in hosted_providers():
        raise InvalidInput(f"{provider!r} is another provider's name: choose your own", path="id")


def _check_headers(headers: Mapping[str, str]) -> None:
    for name, value in headers.items():
        if not HEADER.match(name) or name.lower() in OURS:
            raise InvalidInput(f"the header {name[:80]!r} cannot be set", path="headers")
        if not value.isascii() or not value.isprintable():
            raise InvalidInput(
                f"the header {name!r} has characters that cannot be sent", path="headers"
            )


def _judged(member: Membership, base_url: str, *, accept_address: bool) -> tuple[str, str]:
    """Return the address as it is called, and the `source` that says how far it was accepted."""
    try:
        target = parse_target(base_url.rstrip("/"))
    except EgressRefused as refused:
        raise InvalidInput(refused.message, path="base_url") from None
    if "?" in target.path:
        raise InvalidInput("the address has no query", path="base_url")
    if target.path in ("", "/"):
        target = parse_target(f"{str(target).rstrip('/')}/v1")
    if never_called(target.origin):
        raise InvalidInput(
            "link-local and metadata addresses are no model servers", path="base_url"
        )
    if not leads_here(target.origin) or operator_allows(target.origin, "model"):
        return str(target), "own"
    _accept_machine(member, target.origin, accept_address=accept_address)
    return str(target), "machine"


def _accept_machine(member: Membership, origin: Origin, *, accept_address: bool) -> None:
    shown = f"{origin.scheme}://{origin.host}:{origin.port}"
    if not member.user.is_superuser:
        raise Unprocessable(
            f"{shown} is the machine that Graphwright runs on: its owner may accept it, or the"
            " operator by EGRESS_ALLOW in the settings of the server",
            code="AddressNotAllowed",
        )
    if not accept_address:
        raise Unprocessable(
            f"{shown} is the machine that Graphwright runs on: accept exactly this address to go on",
            code="AddressNeedsAcceptance",
        )


def _dated(prices: Prices, before: Mapping[str, Any]) -> dict[str, Any]:
    """Return prices as kept, with today's date where they are new or changed."""
    today = timezone.now().date().isoformat()
    kept: dict[str, Any] = {}
    for name, (input_price, output_price) in prices.items():
        told = {"input_per_million": str(input_price), "output_per_million": str(output_price)}
        old = before.get(name) or {}
        same = all(old.get(part) == value for part, value in told.items())
        kept[name] = {**told, "dated": old["dated"] if same else today}
    return kept


def _seal(row: AcceptedProvider, headers: Mapping[str, str]) -> None:
    row.sealed_headers = vault.seal(json.dumps(dict(headers)), seal_name(row)) if headers else None


def _key_of(workspace_id: str, provider: str) -> Any:
    return Credential.objects.filter(workspace=workspace_id, name=provider, kind="api_key")


def _set_key(member: Membership, provider: str, row: AcceptedProvider | None, key: str) -> None:
    if not key:
        _key_of(member.workspace_id, provider).delete()
        return
    hosted = hosted_providers().get(provider)
    if row is None and hosted is None:
        raise InvalidInput("this server was found without a key and takes none", path="key")
    address = row.base_url if row is not None else hosted.base_url if hosted else ""
    _keep_key(member, provider, parse_target(address).origin.host, key)


def _keep_key(member: Membership, provider: str, host: str, key: str) -> None:
    """Seal a key for the provider's host, in place of the one before."""
    named = Credential.objects.filter(workspace=member.workspace, name=provider)
    if named.exclude(kind="api_key").exists():
        raise Conflict(
            f"the name {provider!r} is taken by another credential: rename that one first",
            code="CredentialExists",
        )
    row = named.first() or Credential(
        workspace=member.workspace, name=provider, kind="api_key", ciphertext=b""
    )
    row.hosts = [host]
    row.ciphertext = vault.seal(key, row.pk)
    row.save()
