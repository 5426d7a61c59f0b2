"""The routes about tools, their sources, and skills."""

from __future__ import annotations

from typing import Final

from django.urls import URLPattern, path

from builder.api.tools import consents, listing, skills, sources

urlpatterns: Final[list[URLPattern]] = [
    path("tools/", listing.ToolsView.as_view(), name="tools"),
    path("tools/<path:name>/accept/", listing.ToolAcceptView.as_view(), name="accept-tool"),
    path("tools/<path:name>/withdraw/", listing.ToolWithdrawView.as_view(), name="withdraw-tool"),
    path("tools/<path:name>/settings/", sources.ToolSettingsView.as_view(), name="set-tool"),
    path("tool-sources/", sources.NamedSourcesView.as_view(), name="tool-sources"),
    path("tool-sources/<str:source>/", sources.OwnSourceView.as_view(), name="tool-source"),
    path(
        "tool-sources/<str:source>/refresh/",
        sources.RefreshSourceView.as_view(),
        name="refresh-tool-source",
    ),
    path(
        "tool-sources/<str:source>/connect/",
        consents.ConnectView.as_view(),
        name="connect-tool-source",
    ),
    path(
        "tool-sources/<str:source>/operations/",
        sources.OperationsView.as_view(),
        name="tool-source-operations",
    ),
    path(
        "tool-sources/<str:source>/accept/",
        listing.SourceAcceptView.as_view(),
        name="accept-source",
    ),
    path("skills/", skills.SkillsView.as_view(), name="skills"),
]
