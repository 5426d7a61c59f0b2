"""Who came from a provider: known by issuer and subject, never by an address of mail.

Somebody unknown comes in only where the map gives them a role, as a new account; who has an account
of the same address connects the two while signed in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from builder.base.errors import Conflict, InvalidInput, NotAllowed, ServiceError
from builder.models import Identity, IdentityProvider, Membership, SignIn, User
from builder.services.audit import chain as audit
from builder.services.people import accounts, sign_ins
from builder.services.people.sign_in.oidc.grants import Granted, granted

MAX_PERSON = 120


def arrive(provider: IdentityProvider, claims: Mapping[str, Any]) -> User:
    """Return the person, their role and groups as the map says now.

    Raises `NotAllowed` `NoGroup` or `AccountOff`, `Conflict` `AccountExists`.
    """
    gives = granted(provider, claims)
    with one_at_a_time():
        known = known_by(provider, claims)
        if known is None:
            return _new(provider, claims, gives)
        _follow(provider, known, gives)
        Identity.objects.filter(pk=known.pk).update(last_used_at=timezone.now())
        user: User = known.user
    if not Membership.objects.filter(user=user, workspace=provider.workspace_id).exists():
        raise _no_group(provider)
    return user


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let a transaction around an arrival end. Raises `Conflict` `Changed` where another was first."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        raise Conflict(
            "somebody signed in by it at this moment: try again", code="Changed"
        ) from None


def connect(provider: IdentityProvider, claims: Mapping[str, Any], user: User) -> Identity:
    """Let a signed-in member of the workspace come in by the provider from now on.

    Raises `NotAllowed`, `Conflict` `AlreadyConnected`.
    """
    accounts.membership_of(user, provider.workspace_id)
    subject = str(claims["sub"])
    with transaction.atomic():
        mine = Identity.objects.filter(provider=provider, user=user).first()
        known = known_by(provider, claims)
        if known is not None and known.user_id == user.pk:
            return known
        if known is not None or mine is not None:
            who = "somebody else here" if known is not None else "another account of yours there"
            raise Conflict(f"{provider.name} is connected with {who}", code="AlreadyConnected")
        made = Identity.objects.create(
            provider=provider, user=user, issuer=provider.issuer, subject=subject
        )
        audit.record(
            provider.workspace_id, user.pk, "identity.connected", user.pk, provider=provider.name
        )
    return made


def disconnect(identity: Identity) -> None:
    """Take a connection off, and end the sessions that it opened.

    Raises `Conflict` `OnlyWay` where nothing else lets the person in.
    """
    user: User = identity.user
    if not user.has_usable_password():
        raise Conflict("nothing else lets you in: set a password first", code="OnlyWay")
    with transaction.atomic():
        provider = identity.provider
        identity.delete()
        opened = SignIn.objects.filter(user=user, provider=provider)
        if opened.exists():
            sign_ins.end(user, list(opened))
        audit.record(
            provider.workspace_id, user.pk, "identity.disconnected", user.pk, provider=provider.name
        )


def known_by(provider: IdentityProvider, claims: Mapping[str, Any]) -> Identity | None:
    """Return whom issuer and subject name here. Raises `NotAllowed` `AccountOff`."""
    rows = Identity.objects.select_related("user").filter(
        provider=provider, issuer=provider.issuer, subject=str(claims["sub"])
    )
    found = rows.first()
    if found is not None and not found.user.is_active:
        raise NotAllowed("this account is switched off", code="AccountOff")
    return found


def _follow(provider: IdentityProvider, known: Identity, gives: Granted | None) -> None:
    """Give a managed member what the map says now; who lost every group loses the workspace."""
    if not known.managed:
        return
    member = Membership.objects.filter(user=known.user, workspace=provider.workspace_id).first()
    if gives is None:
        if member is not None:
            _lose(provider, member)
        return
    if member is None:
        _join(provider, known.user, gives)
        return
    accounts.follow_provider(member, gives.role, gives.groups, gives.ours, provider.name)


def _lose(provider: IdentityProvider, member: Membership) -> None:
    try:
        accounts.end_membership(member, member, provider=provider.name)
    except ServiceError as error:
        if error.code != "LastAdmin":
            raise


def _new(provider: IdentityProvider, claims: Mapping[str, Any], gives: Granted | None) -> User:
    if gives is None:
        raise _no_group(provider)
    user = new_account(provider, claims, managed=True)
    _join(provider, user, gives)
    return user


def new_account(provider: IdentityProvider, claims: Mapping[str, Any], *, managed: bool) -> User:
    """Make an account of somebody unknown, in the caller's transaction; `managed`: the map goes on.

    Raises `InvalidInput` where there is no address of mail, `Conflict` `AccountExists`.
    """
    email = claims.get("email")
    if not isinstance(email, str) or len(email) > 254:
        raise InvalidInput(f"{provider.name} tells no e-mail address of you", path="email")
    accounts.check_email(email)
    email = email.strip().lower()
    if User.objects.filter(email=email).exists():
        raise Conflict(
            "there is an account of this address: sign in with it, and connect the two in your"
            " profile",
            code="AccountExists",
        )
    name = claims.get("name")
    shown = name.replace("\0", "").strip()[:MAX_PERSON] if isinstance(name, str) else ""
    user = User.objects.create_user(email, None, name=shown)
    Identity.objects.create(
        provider=provider,
        user=user,
        issuer=provider.issuer,
        subject=str(claims["sub"]),
        managed=managed,
        last_used_at=timezone.now(),
    )
    return user


def _join(provider: IdentityProvider, user: User, gives: Granted) -> None:
    member = Membership.objects.create(
        user=user, workspace_id=provider.workspace_id, role=gives.role
    )
    accounts.set_groups(member, gives.groups)
    audit.record(provider.workspace_id, user.pk, "member.joined", user.pk, provider=provider.name)


def _no_group(provider: IdentityProvider) -> NotAllowed:
    return NotAllowed(
        f"{provider.name} knows you, and none of your groups there opens anything here: ask an"
        " admin of the workspace",
        code="NoGroup",
    )
