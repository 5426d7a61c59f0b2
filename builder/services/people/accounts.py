"""People and workspaces: the first owner, members, settings, API tokens."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from builder.base.clock import is_zone
from builder.base.errors import Conflict, InvalidInput, NotAllowed, NotFound, Unprocessable
from builder.models import ApiToken, Group, Invitation, Membership, Role, User, Workspace
from builder.models.prepared import Prepared
from builder.services import budgets
from builder.services.addresses import refused_entry
from builder.services.audit import chain as audit
from builder.services.models.provider_rules import check_calls_at_once
from builder.services.people import sign_ins
from builder.services.people.away.standing_in import end_all_of
from builder.services.permissions import Right, require

MAX_WORKSPACES: Final = 20
MEMBERSHIP: Final = Prepared(
    lambda user, workspace: Membership.objects.select_related("workspace", "user").filter(
        user=user, workspace=workspace
    )
)


def needs_setup() -> bool:
    """Return whether nobody exists yet."""
    return not User.objects.exists()


def create_first_owner(*, name: str, email: str, password: str, workspace: str = "") -> Membership:
    """Create the first person, their workspace and role. Raises `Conflict` once anybody exists."""
    if not needs_setup():
        raise Conflict("the first owner exists already: sign in", code="AlreadySetUp")
    user = new_person(email=email, name=name, password=password)
    user.is_staff = user.is_superuser = True
    with transaction.atomic():
        if not needs_setup():
            raise Conflict("the first owner exists already: sign in", code="AlreadySetUp")
        user.save()
        return create_workspace(user, name=workspace or "My workspace")


def open_workspace(user: User, *, name: str) -> Membership:
    """Create another workspace for somebody who owns one. Raises `NotAllowed`, `Unprocessable`."""
    owned = Membership.objects.filter(user=user, role=Role.ADMIN).count()
    if not owned and not user.is_superuser:
        raise NotAllowed("this takes somebody who is an admin of a workspace already")
    if owned >= MAX_WORKSPACES:
        raise Unprocessable(
            f"you are an admin of {owned} workspaces, which is the most there may be",
            code="TooManyWorkspaces",
        )
    return create_workspace(user, name=name)


def create_workspace(user: User, *, name: str) -> Membership:
    """Create a workspace whose admin is `user`."""
    try:
        return _create_workspace(user, name)
    except IntegrityError:  # somebody took the slug at this moment
        return _create_workspace(user, name)


def _create_workspace(user: User, name: str) -> Membership:
    with transaction.atomic():
        workspace = Workspace.objects.create(name=name, slug=_free_slug(name))
        member = Membership.objects.create(user=user, workspace=workspace, role=Role.ADMIN)
        audit.record(workspace.pk, user.pk, "workspace.created", workspace.pk, name=name)
    return member


def change_member(
    member: Membership, target: Membership, *, role: str | None, groups: Iterable[str] | None
) -> Membership:
    """Set role and groups. Raises `Unprocessable` when the last admin would step down."""
    require(member, Right.ADMIN)
    with transaction.atomic():
        if role is not None and role != target.role:
            if role != Role.ADMIN:
                _keep_an_admin(target)
                _withdraw_invitations(target)
            target.role = role
            target.save(update_fields=["role"])
        if groups is not None:
            set_groups(target, groups)
        audit.record(
            member.workspace_id, member.user_id, "member.changed", target.user_id, role=target.role
        )
    return target


def remove_member(member: Membership, target: Membership) -> None:
    """Take a person out of the workspace. Raises `Unprocessable` for the last admin."""
    require(member, Right.ADMIN)
    with transaction.atomic():
        end_membership(target, member)


def end_membership(target: Membership, by: Membership, **detail: str) -> None:
    """Take a person out of a workspace in the caller's transaction: tokens and absences end, too.

    Raises `Unprocessable` for the last admin.
    """
    _keep_an_admin(target)
    _withdraw_invitations(target)
    audit.record(target.workspace_id, by.user_id, "member.removed", target.user_id, **detail)
    ApiToken.objects.filter(user=target.user_id, workspace=target.workspace_id).update(
        revoked_at=timezone.now()
    )
    sign_ins.ring(target.user_id)
    end_all_of(by, target.user_id)
    target.delete()


def follow_provider(
    target: Membership, role: str, given: Iterable[str], ours: Iterable[str], name: str
) -> None:
    """Give a member the role and, of the groups that a provider gives at all, those that it says.

    In the caller's transaction. The last admin stays one.
    """
    if role != target.role and not (target.role == Role.ADMIN and _is_last_admin(target)):
        if target.role == Role.ADMIN:
            _withdraw_invitations(target)
        target.role = role
        target.save(update_fields=["role"])
        audit.record(
            target.workspace_id,
            target.user_id,
            "member.changed",
            target.user_id,
            role=role,
            provider=name,
        )
    own = set(target.groups.values_list("name", flat=True)) - set(ours)
    set_groups(target, own | set(given))


def change_workspace(
    member: Membership, *, name: str | None, settings: Mapping[str, Any]
) -> Workspace:
    """Rename the workspace and change the given settings."""
    require(member, Right.ADMIN)
    _check_settings(member.workspace_id, settings)
    with transaction.atomic():
        workspace = Workspace.objects.select_for_update().get(pk=member.workspace_id)
        workspace.name = name or workspace.name
        workspace.settings = {**workspace.settings, **settings}
        workspace.save(update_fields=["name", "settings"])
        audit.record(
            workspace.pk, member.user_id, "workspace.changed", workspace.pk, **dict(settings)
        )
        if settings.keys() & {"timezone", "runs_at_once"}:
            budgets.notify_engine()
    return workspace


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a token may, of which workflows only (none: of all), and until when."""

    scopes: list[str]
    graphs: list[str]
    expires_at: datetime | None = None


def create_api_token(
    member: Membership, *, name: str, allowed: Allowed | None = None, by: str | None = None
) -> tuple[ApiToken, str]:
    """Return a new token and its text, which is shown once and kept as a hash only.

    One of which nothing is said may all that its member may. `by` is who made it for them.
    """
    text = f"gw_{secrets.token_urlsafe(32)}"
    given = {} if allowed is None else asdict(allowed)
    with transaction.atomic():
        token = ApiToken.objects.create(
            user=member.user, workspace=member.workspace, name=name, hash=token_hash(text), **given
        )
        until = token.expires_at
        told = {
            **({} if token.scopes == ["*"] else {"scopes": token.scopes}),
            **({"graphs": token.graphs} if token.graphs else {}),
            **({"expires_at": until.isoformat()} if until else {}),
        }
        audit.record(
            member.workspace_id, by or member.user_id, "token.created", token.pk, name=name, **told
        )
    return token, text


def revoke_api_token(member: Membership, token: ApiToken) -> None:
    """Make a token open nothing any more: one's own, or as an admin anybody's."""
    if token.user_id != member.user_id:
        require(member, Right.ADMIN)
    with transaction.atomic():
        if ApiToken.objects.live().filter(pk=token.pk).update(revoked_at=timezone.now()):
            audit.record(
                token.workspace_id, member.user_id, "token.revoked", token.pk, name=token.name
            )


def check_account_change(user: User, flags: Mapping[str, bool]) -> None:
    """Raise `Unprocessable` where nobody could let others in any more.

    `LastSuperuser` for the last active one, `LastAdmin` for the last active admin of a workspace.
    """
    then = {name: flags.get(name, getattr(user, name)) for name in ("is_active", "is_superuser")}
    others = User.objects.filter(is_active=True, is_superuser=True).exclude(pk=user.pk)
    if user.is_active and user.is_superuser and not all(then.values()) and not others.exists():
        raise Unprocessable(
            "somebody has to be superuser: make another first", code="LastSuperuser"
        )
    if user.is_active and not then["is_active"]:
        _keep_an_active_admin(user)


def _keep_an_active_admin(user: User) -> None:
    admins = Membership.objects.filter(role=Role.ADMIN)
    for mine in admins.filter(user=user).select_related("workspace"):
        theirs = admins.filter(workspace=mine.workspace_id, user__is_active=True)
        if not theirs.exclude(user=user.pk).exists():
            message = f"{mine.workspace.name} keeps at least one admin who can sign in"
            raise Unprocessable(message, code="LastAdmin")


def change_account(actor_id: str, user: User, flags: Mapping[str, bool]) -> None:
    """Set `is_active`, `is_staff` and `is_superuser`; told in every workspace of the person.

    Who is made inactive is signed out and their tokens open nothing. Raises as
    `check_account_change` does.
    """
    with transaction.atomic():
        list(User.objects.select_for_update().filter(is_superuser=True).values_list("pk"))
        check_account_change(user, flags)
        changed = {name: now for name, now in flags.items() if getattr(user, name) != now}
        if not changed:
            return
        User.objects.filter(pk=user.pk).update(**changed)
        if changed.get("is_active") is False:
            live = ApiToken.objects.live().filter(user=user)
            live.update(revoked_at=timezone.now())
        for workspace_id in Membership.objects.filter(user=user).values_list(
            "workspace", flat=True
        ):
            audit.record(workspace_id, actor_id, "account.changed", user.pk, **changed)


def new_person(*, email: str, name: str, password: str) -> User:
    """Return a new account that is not saved yet, its password hashed. Raises `InvalidInput`."""
    check_email(email)
    user = User(email=email.strip().lower(), name=name.strip())
    check_password(password, user)
    user.set_password(password)
    return user


def token_hash(text: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(text.encode()).hexdigest()


def membership_of(user: User, workspace_id: str) -> Membership:
    """Return the person's membership. Raises `NotFound`."""
    found = MEMBERSHIP.first(user.pk, workspace_id)
    if found is None:
        raise NotFound("no such workspace")
    return found


def _withdraw_invitations(target: Membership) -> None:
    """Revoke the links of somebody who may no longer let people in."""
    theirs = Invitation.objects.in_workspace(target.workspace_id).filter(invited_by=target.user_id)
    theirs.filter(used_at__isnull=True).update(revoked_at=timezone.now())


def _is_last_admin(target: Membership) -> bool:
    Workspace.objects.select_for_update().get(pk=target.workspace_id)
    admins = Membership.objects.filter(
        workspace=target.workspace_id, role=Role.ADMIN, user__is_active=True
    )
    return target.role == Role.ADMIN and not admins.exclude(pk=target.pk).exists()


def _keep_an_admin(target: Membership) -> None:
    if _is_last_admin(target):
        raise Unprocessable("a workspace keeps at least one admin", code="LastAdmin")


def set_groups(member: Membership, names: Iterable[str]) -> None:
    """Put a member into the groups of these names, made where they are new, and into no others."""
    wanted = {name.strip() for name in names if name.strip()}
    groups = [
        Group.objects.get_or_create(workspace_id=member.workspace_id, name=name)[0]
        for name in sorted(wanted)
    ]
    member.groups.set(groups)


def _check_settings(workspace_id: str, settings: Mapping[str, Any]) -> None:
    if not is_zone(settings.get("timezone", "UTC")):
        raise InvalidInput("no such time zone", path="settings.timezone")
    _check_egress(settings.get("egress_allow") or ())
    default_graph = settings.get("default_graph")
    workspace = Workspace.objects.get(pk=workspace_id)
    check_calls_at_once(workspace, settings.get("calls_at_once") or {})
    graphs = workspace.graphs.filter(archived_at__isnull=True)
    if default_graph is not None and not graphs.filter(slug=default_graph).exists():
        raise InvalidInput("no such graph in this workspace", path="settings.default_graph")


def _check_egress(urls: Iterable[str]) -> None:
    for index, url in enumerate(urls):
        refused = refused_entry(url)
        if refused is not None:
            raise InvalidInput(
                f"{url[:80]!r} cannot be allowed here: {refused}",
                path=f"settings.egress_allow[{index}]",
            )


def check_email(email: str) -> None:
    """Raise `InvalidInput` for what is no e-mail address."""
    try:
        validate_email(email.strip())
    except ValidationError:
        raise InvalidInput("this is no e-mail address", path="email") from None


def check_password(password: str, user: User) -> None:
    """Raise `InvalidInput` for a password that is easily guessed."""
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise InvalidInput(" ".join(error.messages), path="password") from None


def _free_slug(name: str) -> str:
    base = slugify(name)[:56] or "workspace"
    slug, number = base, 1
    while Workspace.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{base}-{number}"
    return slug
