"""Model providers of a workspace: servers of its own by address, and keys of the known ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from builder.adapters.models.access import LISTS, OWN, seal_name
from builder.base import vault
from builder.base.errors import Conflict, InvalidInput, NotFound
from builder.models import (
    AcceptedProvider,
    Credential,
    Membership,
    ModelPrice,
    ProviderPause,
    ProviderTrial,
)
from builder.services.audit import chain as audit
from builder.services.models.model_prices import Rates, put_prices
from builder.services.models.model_users import users_of
from builder.services.models.provider_rules import (
    check_extra,
    check_headers,
    check_id,
    check_key,
    judged,
)
from builder.services.permissions import Right, require
from engine.integrations.egress import parse_target
from engine.integrations.models.discovery import hosted_providers

Capabilities = Mapping[str, Mapping[str, bool]]
"""By model: `{tools, schema, images}`."""


@dataclass(frozen=True, slots=True)
class NewProvider:
    """A server at an address, as a person describes it. `models` are named beside what it lists;
    `prices` are by model or pattern, from today on.
    """

    provider: str
    label: str
    base_url: str
    protocol: str = "openai_chat"
    key: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    models: tuple[str, ...] = ()
    capabilities: Capabilities = field(default_factory=dict)
    prices: Mapping[str, Rates] = field(default_factory=dict)
    accept_address: bool = False


@dataclass(frozen=True, slots=True)
class ProviderChange:
    """What is to change of a provider; None stays as it is, an empty key is forgotten."""

    label: str | None = None
    key: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] | None = field(default=None, repr=False)
    extra_body: Mapping[str, Any] | None = None
    models: tuple[str, ...] | None = None
    capabilities: Capabilities | None = None

    def given(self) -> list[str]:
        """Return the names of what is to change, without the key."""
        names = ("label", "headers", "extra_body", "models", "capabilities")
        return sorted(name for name in names if getattr(self, name) is not None)


def add_provider(member: Membership, new: NewProvider) -> AcceptedProvider:
    """Let the workspace use a model server at an address of its own.

    Its exact origin may then be called for models. Raises `InvalidInput`, `Conflict`
    `ProviderExists`, and `Unprocessable` `AddressNotAllowed` or `AddressNeedsAcceptance` for an
    address of this machine.
    """
    require(member, Right.ADMIN)
    check_id(new.provider)
    check_headers(new.headers)
    check_extra(new.protocol, new.extra_body)
    accept = new.accept_address
    url, source = judged(member, new.protocol, new.base_url, accept_address=accept)
    row = AcceptedProvider(
        workspace=member.workspace,
        provider_id=f"own-{new.provider}",
        provider=new.provider,
        label=new.label,
        source=source,
        base_url=url,
        protocol=new.protocol,
        extra_body=dict(new.extra_body),
        model_names=list(dict.fromkeys(new.models)),
        capabilities=dict(new.capabilities),
        accepted_by=member.user,
        accepted_at=timezone.now(),
    )
    _seal(row, new.headers)
    try:
        with transaction.atomic():
            _insert(member, row, new)
    except IntegrityError:
        raise _exists() from None
    LISTS.forget()
    return row


def _insert(member: Membership, row: AcceptedProvider, new: NewProvider) -> None:
    if AcceptedProvider.objects.filter(workspace=member.workspace, provider=new.provider).exists():
        raise _exists()
    row.save()
    put_prices(member, new.provider, new.prices)
    if new.key:
        _keep_key(member, new.provider, parse_target(row.base_url).origin.host, new.key)
    audit.record(
        member.workspace_id,
        member.user_id,
        "provider.added",
        new.provider,
        base_url=row.base_url,
        protocol=new.protocol,
        headers=sorted(new.headers),
        extra_body=sorted(new.extra_body),
    )


def _exists() -> Conflict:
    return Conflict("there is a provider of this name already", code="ProviderExists")


def change_provider(member: Membership, provider: str, change: ProviderChange) -> None:
    """Change what is given. Of a known provider only the key can be set.

    Raises `NotFound` `ProviderNotFound`, `InvalidInput`.
    """
    require(member, Right.ADMIN)
    given = change.given()
    row = own_provider(member.workspace_id, provider)
    if row is None and given:
        raise InvalidInput("of this provider only the key can be set", path=given[0])
    with transaction.atomic():
        if row is not None:
            _apply(row, change)
        if change.key is not None:
            _set_key(member, provider, row, change.key)
        if change.key is not None or change.headers is not None:
            _forget_trial(member.workspace_id, provider)  # it went with what was sent before
        audit.record(
            member.workspace_id,
            member.user_id,
            "provider.changed",
            provider,
            fields=given,
            key_replaced=change.key is not None,
        )
    LISTS.forget()


def _apply(row: AcceptedProvider, change: ProviderChange) -> None:
    check_headers(change.headers or {})
    check_extra(row.protocol, change.extra_body or {})
    row.label = change.label or row.label
    if change.models is not None:
        row.model_names = list(dict.fromkeys(change.models))
    if change.extra_body is not None:
        row.extra_body = dict(change.extra_body)
    if change.capabilities is not None:
        row.capabilities = dict(change.capabilities)
    if change.headers is not None:
        _seal(row, change.headers)
    row.save()


def remove_provider(member: Membership, provider: str, *, anyway: bool) -> None:
    """Forget a provider, its key, its prices and that it was accepted.

    What was spent with it stays as it was recorded. Of a known one the prices stay: it can be
    used again as soon as it has a key. Raises `Conflict` `ProviderInUse` with `used_by` unless
    `anyway`, `NotFound`.
    """
    require(member, Right.ADMIN)
    users = users_of(member, provider)
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
        _forget_trial(member.workspace_id, provider)
        if provider not in hosted_providers():
            ModelPrice.objects.in_workspace(member.workspace_id).filter(provider=provider).delete()
        audit.record(member.workspace_id, member.user_id, "provider.removed", provider)
    LISTS.forget()


def _forget_trial(workspace_id: str, provider: str) -> None:
    ProviderTrial.objects.in_workspace(workspace_id).filter(provider=provider).delete()


def own_provider(workspace_id: str, provider: str) -> AcceptedProvider | None:
    """Return the row of a server that was named by its address, None for any other provider.

    Raises `NotFound` where it is no known provider either.
    """
    rows = AcceptedProvider.objects.filter(workspace=workspace_id, provider=provider)
    row = rows.filter(source__in=OWN).first()
    if row is None and not is_known(workspace_id, provider):
        raise NotFound("no such provider", code="ProviderNotFound")
    return row


def is_known(workspace_id: str, provider: str) -> bool:
    """Return whether there is such a provider: everywhere, or accepted in the workspace."""
    rows = AcceptedProvider.objects.filter(workspace=workspace_id, provider=provider)
    return provider in hosted_providers() or rows.exists()


def has_key(workspace_id: str, provider: str) -> bool:
    """Return whether the workspace keeps a key for the provider."""
    return bool(_key_of(workspace_id, provider).exists())


def key_mark(workspace_id: str, provider: str) -> bytes | None:
    """Return what tells the key that the workspace keeps for a provider from another; None without."""
    found = _key_of(workspace_id, provider).values_list("ciphertext", flat=True).first()
    return None if found is None else bytes(found)


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
    check_key(key)
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
    ProviderPause.objects.lift(member.workspace_id, provider)
    _forget_trial(member.workspace_id, provider)  # both were of the key before
