"""The routes about people, their groups, and the tokens and accounts that programs call with."""

from __future__ import annotations

from typing import Final

from django.urls import URLPattern, path

from builder.api.called import accounts, tokens
from builder.api.workspace import groups, members

urlpatterns: Final[list[URLPattern]] = [
    path("members/", members.MembersView.as_view(), name="members"),
    path("members/<uuid:member_id>/", members.MemberView.as_view(), name="member"),
    path(
        "members/<uuid:member_id>/second-factor/",
        members.SecondFactorView.as_view(),
        name="second-factor",
    ),
    path("groups/", groups.GroupsView.as_view(), name="groups"),
    path("groups/<int:group_id>/", groups.GroupView.as_view(), name="group"),
    path("tokens/", tokens.TokensView.as_view(), name="tokens"),
    path("tokens/<uuid:token_id>/", tokens.TokenView.as_view(), name="token"),
    path("service-accounts/", accounts.AccountsView.as_view(), name="service-accounts"),
    path(
        "service-accounts/<uuid:account_id>/",
        accounts.AccountView.as_view(),
        name="service-account",
    ),
]
