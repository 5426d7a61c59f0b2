"""Second factors of people: who has one, what is told of changes, and how others take them off.

A change is told in the audit logs of the person's workspaces by the row itself, in its transaction:
whatever made or removed it.
"""

from __future__ import annotations

from typing import Any

from allauth.core import context
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models.signals import post_delete, post_save, pre_save

from builder.base.errors import NotAllowed, NotFound
from builder.models import Membership, Role, SignIn, User
from builder.services.audit import account_entries
from builder.services.people import sign_ins
from builder.services.people.sign_in.shown import STRONG, has_second_factor
from builder.services.permissions import Right, require


def listen() -> None:
    """Begin to tell of changes; called once, when the app is ready."""
    pre_save.connect(_named, sender=Authenticator, dispatch_uid="factor-renamed")
    post_save.connect(_saved, sender=Authenticator, dispatch_uid="factor-added")
    post_delete.connect(_deleted, sender=Authenticator, dispatch_uid="factor-removed")


def take_off(actor: Membership, target: Membership) -> None:
    """Remove every second factor of a member who lost theirs, and sign them out everywhere.

    Raises `NotFound` without one, `NotAllowed` unless the actor is an admin wherever the person is a
    member: one workspace's admin does not weaken the way into another.
    """
    require(actor, Right.ADMIN)
    theirs = Membership.objects.filter(user=target.user_id).values_list("workspace", flat=True)
    mine = Membership.objects.filter(user=actor.user_id, role=Role.ADMIN)
    if set(theirs) - set(mine.values_list("workspace", flat=True)):
        raise NotAllowed(
            "this person is in other workspaces, too: whoever runs the server takes it off with"
            " manage.py reset_second_factor",
            code="InOtherWorkspaces",
        )
    if not has_second_factor(target.user_id):
        raise NotFound("there is no second factor to take off", code="NoSecondFactor")
    remove_all(User.objects.get(pk=target.user_id))


def remove_all(user: User) -> int:
    """Remove every second factor of a person and sign them out; return how many there were."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        removed = int(Authenticator.objects.filter(user=user, type__in=STRONG).count())
        Authenticator.objects.filter(user=user).delete()
        sign_ins.end_others(user, None)
    return removed


def _named(instance: Authenticator, **_: Any) -> None:
    """Tell of another name: it is how people know which passkey is whose."""
    before = Authenticator.objects.filter(pk=instance.pk).values_list("data__name", flat=True)
    old, new = before.first(), instance.data.get("name")
    if instance.pk is not None and old != new:
        _tell(instance, "factor.renamed", before=old, name=new)


def _saved(instance: Authenticator, created: bool, **_: Any) -> None:
    if created:
        _tell(instance, "factor.added")


def _deleted(instance: Authenticator, **_: Any) -> None:
    if User.objects.filter(pk=instance.user_id).exists():  # else the account goes with it
        _tell(instance, "factor.removed")
    if not has_second_factor(str(instance.user_id)):
        SignIn.objects.filter(user=instance.user_id).update(second_factor=False)


def _tell(instance: Authenticator, action: str, **detail: Any) -> None:
    kind = str(instance.type)
    account_entries.record(str(instance.user_id), _actor(), action, kind=kind, **detail)


def _actor() -> str | None:
    """Return who changes it: nobody of the product where a command on the server does."""
    user = getattr(context.request, "user", None)
    return user.pk if isinstance(user, User) else None
