"""Who is here: workspaces (tenants), people, their roles and groups."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, ClassVar, Final
from zoneinfo import ZoneInfo

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models

from builder.models.ids import new_id
from builder.models.querysets import InvitationQuerySet, MembershipQuerySet, StandInQuerySet


class Role(models.TextChoices):
    """What a member may do; `builder.services.permissions` has the table."""

    VIEWER = "viewer", "Viewer"
    AUTHOR = "author", "Author"
    REVIEWER = "reviewer", "Reviewer"
    OPERATOR = "operator", "Operator"
    ADMIN = "admin", "Admin"


class UserManager(BaseUserManager["User"]):
    """Makes users that sign in by e-mail; addresses are kept in lower case."""

    def create_user(self, email: str, password: str | None = None, *, name: str = "") -> User:
        """Return a new user; without a password nobody can sign in as them."""
        user = self.model(email=email.strip().lower(), name=name.strip())
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, *, name: str = "") -> User:
        """Return a new user with every right in Django admin."""
        user = self.create_user(email, password, name=name)
        user.is_staff = user.is_superuser = True
        user.save(using=self._db)
        return user


class User(AbstractBaseUser, PermissionsMixin):
    """A person, or an account as which something of the house acts, and nobody signs in."""

    class Kind(models.TextChoices):
        PERSON = "person"
        SERVICE = "service"

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120, blank=True)
    kind = models.CharField(
        max_length=16, choices=Kind.choices, default=Kind.PERSON, db_default="person"
    )
    zone = models.CharField(max_length=64, blank=True, default="", db_default="")
    """The time zone in which they are told of times; empty: the workspace's."""
    theme = models.CharField(max_length=8, blank=True, default="", db_default="")
    """`auto`, `light` or `dark` in each of their browsers; empty: as each browser is set."""
    is_active = models.BooleanField(default=True, verbose_name="may sign in")
    is_staff = models.BooleanField(default=False, verbose_name="may open this admin")
    made_by = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")
    """Who made an account of no person, where that is known."""
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    def __str__(self) -> str:
        return self.name or self.email


def may_call(prefix: str = "") -> models.Q:
    """Return the condition of whose tokens open something: active people, accounts of no person.

    Those are never active, so that nobody asks or names them.
    """
    active = models.Q(**{f"{prefix}is_active": True})
    return active | models.Q(**{f"{prefix}kind": User.Kind.SERVICE})


WORKSPACE_SETTINGS: Final[Mapping[str, Any]] = {
    "default_model": "builtin/extractive",
    "default_graph": None,
    "unknown_price": "refuse",
    "timezone": "UTC",
    "egress_allow": [],
    "keep_runs_days": None,
    "old_runs": "delete",
    "mail_titles": False,
    "runs_at_once": None,
    "calls_at_once": {},
}
"""What a workspace may set, with the values that count until it does."""


class SignInRule(models.TextChoices):
    """How people have to have signed in to enter a workspace."""

    PASSWORD = "password"  # noqa: S105  (a rule, no password)
    SECOND_FACTOR = "second_factor"
    PROVIDER = "provider"


class Workspace(models.Model):
    """A tenant: everything else belongs to exactly one."""

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=64, unique=True, verbose_name="name in addresses")
    settings = models.JSONField(default=dict, blank=True)
    sign_in = models.CharField(
        max_length=16,
        choices=SignInRule.choices,
        default=SignInRule.PASSWORD,
        db_default="password",
    )
    """How people have to have signed in who enter."""
    created_at = models.DateTimeField(auto_now_add=True)

    members: models.ManyToManyField[User, Membership] = models.ManyToManyField(
        User, through="Membership", related_name="workspaces"
    )

    def __str__(self) -> str:
        return self.name

    @property
    def all_settings(self) -> dict[str, Any]:
        """What the workspace set, and the defaults of what it did not."""
        return {**WORKSPACE_SETTINGS, **self.settings}

    @property
    def zone(self) -> str:
        """The time zone in which the workspace's days begin and end; UTC until it sets one."""
        return str(self.all_settings["timezone"])

    def day_at(self, now: datetime) -> date:
        """Return which day it is there."""
        return now.astimezone(ZoneInfo(self.zone)).date()


class Group(models.Model):
    """Some members under one name, for approval policies (`group:finance`)."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="groups")
    name = models.CharField(max_length=64)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["workspace", "name"], name="group_name_in_workspace"),
        )

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """One person in one workspace, with one role."""

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="memberships", verbose_name="person"
    )
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16, choices=Role.choices, default=Role.VIEWER)
    groups = models.ManyToManyField(Group, blank=True, related_name="memberships")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ("created_at", "id")
        constraints = (
            models.UniqueConstraint(fields=["user", "workspace"], name="one_membership_each"),
        )

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.workspace}"

    @property
    def zone(self) -> str:
        """The time zone in which the person is told of times here."""
        return self.user.zone or self.workspace.zone


class Invitation(models.Model):
    """A link that lets one person join, once, until `expires_at`. Only its hash is kept."""

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="invitations")
    hash = models.CharField(max_length=64, unique=True)
    email = models.EmailField(blank=True)
    role = models.CharField(max_length=16, choices=Role.choices)
    groups = models.JSONField(default=list)
    invited_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    used_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    revoked_at = models.DateTimeField(null=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "-id")

    def __str__(self) -> str:
        return f"{self.role} of {self.workspace_id}"


class StandIn(models.Model):
    """Who decides in an absent person's place, from the first day to the last, both included.

    Days are those of the workspace's time zone. It gives no right beyond the absent person's own.
    """

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="stand_ins")
    absent = models.ForeignKey(User, on_delete=models.CASCADE, related_name="absences")
    to = models.ForeignKey(User, on_delete=models.CASCADE, related_name="standing_in")
    first_day = models.DateField()
    last_day = models.DateField()
    note = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = StandInQuerySet.as_manager()

    class Meta:
        ordering = ("first_day", "id")
        indexes = (models.Index(fields=["workspace", "last_day"], name="standing_in"),)

    def __str__(self) -> str:
        return f"{self.to_id} for {self.absent_id} until {self.last_day}"

    def holds(self, now: datetime) -> bool:
        """Return whether the absence is on at `now`."""
        return self.first_day <= self.workspace.day_at(now) <= self.last_day
