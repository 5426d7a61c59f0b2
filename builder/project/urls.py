"""Where everything is: API, admin, and the pages, which are one React app."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from builder.api.called import openai
from builder.api.sign_in.callback import callback
from builder.api.tools.consents import connected
from builder.api.triggers.hook import hook
from builder.project import front_routes, views

urlpatterns = [
    path("api/", include("builder.api.urls")),
    re_path(r"^api/", views.no_such_route),
    path("v1/models", openai.OpenAiModelsView.as_view(), name="openai-models"),
    path("v1/models/<str:model>", openai.OpenAiModelView.as_view(), name="openai-model"),
    path("v1/chat/completions", openai.OpenAiChatView.as_view(), name="openai-chat"),
    re_path(r"^v1/", views.no_such_v1),
    path("_allauth/browser/v1/", include("builder.api.sign_in.routes")),
    re_path(r"^_allauth/", views.no_such_route),
    path("sign-in/callback", callback),
    path("settings/tools/connected", connected),
    path("hooks/<str:address>", hook),
    path("admin/login/", views.admin_login),
    path("admin/password_change/", RedirectView.as_view(url="/profile")),
    path("admin/", admin.site.urls),
    re_path(front_routes.pattern(), views.app, name="app"),
]
handler400 = views.bad_request
handler404 = views.not_found
handler500 = views.server_error
