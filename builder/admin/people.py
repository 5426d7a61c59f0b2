"""People in Django admin: who is active, staff or superuser, set through the service."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from builder.base.errors import ServiceError
from builder.models import User
from builder.services.people import accounts

FLAGS = ("is_active", "is_staff", "is_superuser")


class UserForm(forms.ModelForm):  # type: ignore[type-arg]
    """What is changed of an account here; what the service refuses stands beside the form."""

    class Meta:
        model = User
        fields = FLAGS

    def clean(self) -> dict[str, Any]:
        """Refuse what would leave nobody who can let others in."""
        data: dict[str, Any] = super().clean() or {}
        try:
            accounts.check_account_change(User.objects.get(pk=self.instance.pk), _flags(data))
        except ServiceError as refused:
            raise forms.ValidationError(str(refused)) from refused
        return data


@admin.register(User)
class UserAdmin(ModelAdmin):  # type: ignore[misc]
    """People; passwords are set with `manage.py changepassword`, memberships in the app."""

    form = UserForm
    list_display = ("called", "mail", "is_active", "is_staff", "is_superuser")
    search_fields = ("email", "name")
    readonly_fields = ("email", "name", "created_at")
    fields = ("email", "name", "created_at", *FLAGS)
    actions: ClassVar[list[Any]] = []

    @admin.display(description="Name", ordering="name")
    def called(self, row: User) -> str:
        """Return what people know them by."""
        return str(row)

    @admin.display(description="E-mail", ordering="email")
    def mail(self, row: User) -> str:
        """Return where mail reaches a person; an account of the house has no such address."""
        return row.email if row.kind == User.Kind.PERSON else "nobody signs in as this"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody is added here: people are invited."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody is deleted: what they did stays theirs. They are made inactive."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Superusers alone say who else may do what."""
        return bool(getattr(request.user, "is_superuser", False))

    def save_model(self, request: HttpRequest, obj: User, form: UserForm, change: bool) -> None:
        """Change the account as the service does: with its rules and its audit entries."""
        user = User.objects.get(pk=obj.pk)
        accounts.change_account(str(request.user.pk), user, _flags(form.cleaned_data))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Nothing is done to many people at once."""
        return {}


def _flags(data: dict[str, Any]) -> dict[str, bool]:
    return {name: bool(data[name]) for name in FLAGS if name in data}
