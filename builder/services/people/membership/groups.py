"""Groups as admins make, change and end them. What asks a group names it, so a name in use stays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from builder.base.errors import Conflict, InvalidInput, NotFound, Unprocessable
from builder.models import (
    AlertRule,
    Graph,
    Group,
    IdentityProvider,
    Invitation,
    Membership,
    User,
    Workspace,
)
from builder.services.audit import chain as audit
from builder.services.people.membership.uses import FIXED, PREFIX, Use, uses_of
from builder.services.permissions import Right, require

MOST: Final = 500
"""Groups of one workspace."""
MOST_NAMED: Final = 3
"""Uses that a refusal spells out."""


@dataclass(frozen=True, slots=True)
class Change:
    """What of a group is to be otherwise: its name, and the ids of people who come and go."""

    name: str | None = None
    add: Sequence[str] = ()
    remove: Sequence[str] = ()


def create(member: Membership, name: str, people: Iterable[str]) -> Group:
    """Make a group. Raises `NotAllowed`, `InvalidInput`, `Conflict` `GroupExists`, `Unprocessable`."""
    require(member, Right.ADMIN)
    with transaction.atomic():
        _lock(member)
        rows = Group.objects.filter(workspace=member.workspace_id)
        if rows.count() >= MOST:
            raise Unprocessable(f"{MOST} groups are the most", code="TooManyGroups")
        name = _free(member, name)
        joining = _members(member, people, "members")
        group = Group.objects.create(workspace_id=member.workspace_id, name=name)
        group.memberships.set(joining)
        audit.record(
            member.workspace_id,
            member.user_id,
            "group.created",
            str(group.pk),
            group=name,
            members=_ids(joining),
        )
    return group


def change(member: Membership, group: Group, wanted: Change) -> Group:
    """Rename a group, let people in and out.

    Settings that name it follow its name. Raises `NotAllowed`, `InvalidInput`, `NotFound`, and
    `Conflict`: `GroupExists`, or `GroupInUse` where a workflow or an open item names it.
    """
    require(member, Right.ADMIN)
    with transaction.atomic():
        _lock(member)
        group = _still(group)
        joining = _members(member, wanted.add, "add")
        leaving = _members(member, wanted.remove, "remove")
        detail: dict[str, Any] = {}
        if wanted.name is not None and wanted.name.strip() != group.name:
            detail = {"was": group.name}
            _rename(member, group, wanted.name)
        group.memberships.add(*joining)
        group.memberships.remove(*leaving)
        detail |= {"joined": _ids(joining), "left": _ids(leaving)}
        told = {name: value for name, value in detail.items() if value}
        if told:
            key = str(group.pk)
            audit.record(
                member.workspace_id, member.user_id, "group.changed", key, group=group.name, **told
            )
    return group


def remove(member: Membership, group: Group) -> None:
    """End a group that nothing names. Raises `NotAllowed`, `NotFound`, `Conflict` `GroupInUse`."""
    require(member, Right.ADMIN)
    with transaction.atomic():
        _lock(member)
        group = _still(group)
        _refuse_used(uses_of(member.workspace_id).get(group.name, ()), "removed")
        audit.record(
            member.workspace_id,
            member.user_id,
            "group.removed",
            str(group.pk),
            group=group.name,
            members=_ids(group.memberships.all()),
        )
        group.delete()


def _rename(member: Membership, group: Group, wanted: str) -> None:
    uses = uses_of(member.workspace_id).get(group.name, ())
    _refuse_used([use for use in uses if use.kind in FIXED], "renamed")
    former, name = group.name, _free(member, wanted)
    group.name = name
    group.save(update_fields=["name"])
    old, new = PREFIX + former, PREFIX + name
    _follow(Graph.objects.filter(workspace=member.workspace_id), "publish_gate", _entry(old, new))
    _follow(AlertRule.objects.filter(workspace=member.workspace_id), "to", _entry(old, new))
    open_ones = Invitation.objects.filter(workspace=member.workspace_id).open(timezone.now())
    _follow(open_ones, "groups", _entry(former, name))
    swap = _entry(former, name)
    providers = IdentityProvider.objects.filter(workspace=member.workspace_id)
    _follow(
        providers,
        "group_map",
        lambda rows: [{**row, "groups": swap(row["groups"])} for row in rows],
    )


def _entry(old: str, new: str) -> Callable[[list[str]], list[str]]:
    return lambda names: [new if name == old else name for name in names]


def _follow(rows: Iterable[Model], field: str, swapped: Callable[[list[Any]], list[Any]]) -> None:
    """Write down again what names the group otherwise now."""
    for row in rows:
        before = getattr(row, field)
        after = None if before is None else swapped(before)
        if after != before:
            setattr(row, field, after)
            row.save(update_fields=[field])


def _refuse_used(uses: Sequence[Use], verb: str) -> None:
    if not uses:
        return
    named = ", ".join(use.name or use.kind for use in uses[:MOST_NAMED])
    more = f" and {len(uses) - MOST_NAMED} more" if len(uses) > MOST_NAMED else ""
    raise Conflict(
        f"a group that is named cannot be {verb}: first change {named}{more}",
        code="GroupInUse",
        extra={"used_by": [asdict(use) for use in uses]},
    )


def _lock(member: Membership) -> None:
    Workspace.objects.select_for_update().get(pk=member.workspace_id)


def _still(group: Group) -> Group:
    found = Group.objects.filter(pk=group.pk).first()
    if found is None:
        raise NotFound("no such group", code="GroupNotFound")
    return found


def _free(member: Membership, name: str) -> str:
    name = name.strip()
    if not name:
        raise InvalidInput("a name", path="name")
    if Group.objects.filter(workspace=member.workspace_id, name=name).exists():
        raise Conflict(f"there is a group {name} already", code="GroupExists")
    return name


def _members(member: Membership, people: Iterable[str], path: str) -> list[Membership]:
    wanted = list(dict.fromkeys(people))
    rows = Membership.objects.in_workspace(member.workspace_id).exclude(
        user__kind=User.Kind.SERVICE
    )
    found = {row.user_id: row for row in rows.filter(user__in=wanted)}
    for at, one in enumerate(wanted):
        if one not in found:
            raise InvalidInput("no such member", path=f"{path}[{at}]")
    return [found[one] for one in wanted]


def _ids(rows: Iterable[Membership]) -> list[str]:
    return [row.user_id for row in rows]
