"""The providers of a workspace: set up by its admins, tried before they are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.sessions.models import Session
from django.db import transaction

from builder.adapters.egress import egress_of
from builder.base import vault
from builder.base.errors import Conflict
from builder.models import (
    IdentityProvider,
    Membership,
    SignIn,
    SignInRule,
    Workspace,
)
from builder.services.audit import chain as audit
from builder.services.people import sign_ins
from builder.services.people.sign_in.oidc import discovery
from builder.services.people.sign_in.oidc.calls import Outside
from builder.services.people.sign_in.oidc.grants import checked_map
from builder.services.permissions import Right, require

MOST: Final = 10


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an admin says of a provider; no `secret` keeps the one that is set."""

    name: str
    issuer: str
    client_id: str
    secret: str | None
    groups_claim: str
    group_map: Sequence[Mapping[str, Any]]


def outside_of(workspace: Workspace) -> Outside:
    """Return the way to the providers of a workspace."""
    return Outside(egress_of(workspace.pk, "identity"))


def secret_of(provider: IdentityProvider) -> str:
    """Return the client's secret. Raises `VaultLocked`."""
    return vault.unseal(bytes(provider.sealed_secret), provider.pk)


def add(member: Membership, wanted: Wanted) -> IdentityProvider:
    """Keep a provider that answers. Raises `InvalidInput`, `Unprocessable` `ProviderUnusable`."""
    require(member, Right.ADMIN)
    if IdentityProvider.objects.in_workspace(member.workspace_id).count() >= MOST:
        raise Conflict(f"at most {MOST} providers", code="TooMany")
    provider = IdentityProvider(workspace=member.workspace)
    _fill(provider, wanted)
    with transaction.atomic():
        provider.save()
        _tell(member, provider, "added")
    return provider


def change(member: Membership, provider: IdentityProvider, wanted: Wanted) -> IdentityProvider:
    """Change a provider; who it knows stays known as long as its issuer is the same.

    Another issuer vouches for nobody who came by the former one: those sessions end.
    """
    require(member, Right.ADMIN)
    former = provider.issuer
    _fill(provider, wanted)
    with transaction.atomic():
        provider.save()
        if provider.issuer != former:
            end_sessions_of(provider)
        _tell(member, provider, "changed", new_secret=bool(wanted.secret))
    return provider


def remove(member: Membership, provider: IdentityProvider) -> None:
    """Take a provider away and end the sessions that it opened.

    Raises `Conflict` `RuleNeedsIt` while the workspace asks for it.
    """
    require(member, Right.ADMIN)
    with transaction.atomic():
        workspace = Workspace.objects.select_for_update().get(pk=provider.workspace_id)
        others = IdentityProvider.objects.in_workspace(workspace.pk).exclude(pk=provider.pk)
        if workspace.sign_in == SignInRule.PROVIDER and not others.exists():
            raise Conflict(
                "people come in by it alone: change how people sign in to this workspace first",
                code="RuleNeedsIt",
            )
        end_sessions_of(provider)
        _tell(member, provider, "removed")
        provider.delete()


def end_sessions_of(provider: IdentityProvider) -> None:
    """Sign out whoever came in by the provider; in the caller's transaction."""
    rows = SignIn.objects.filter(provider=provider)
    for user_id in set(rows.values_list("user", flat=True)):
        sign_ins.ring(str(user_id))
    Session.objects.filter(
        session_key__in=list(rows.values_list("session_key", flat=True))
    ).delete()
    rows.delete()


def _fill(provider: IdentityProvider, wanted: Wanted) -> None:
    issuer = discovery.checked_issuer(wanted.issuer)
    rows = checked_map(wanted.group_map)
    discovery.discover(outside_of(provider.workspace), issuer)
    provider.name, provider.issuer = wanted.name.strip(), issuer
    provider.client_id = wanted.client_id.strip()
    provider.groups_claim, provider.group_map = wanted.groups_claim.strip(), rows
    if wanted.secret is not None or not provider.sealed_secret:
        provider.sealed_secret = vault.seal(wanted.secret or "", provider.pk)


def _tell(member: Membership, provider: IdentityProvider, what: str, **more: Any) -> None:
    audit.record(
        member.workspace_id,
        member.user_id,
        f"identity_provider.{what}",
        provider.pk,
        name=provider.name,
        issuer=provider.issuer,
        **more,
    )
