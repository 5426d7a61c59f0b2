"""Django admin has no door of its own: people sign in on one page and come back."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from django.test import Client

from builder.models import User, Workspace
from tests.builder.conftest import PASSWORD, Api, People
from tests.e2e.app import ROOT

EVIL = [
    "//evil.example/",
    "https://evil.example/admin/",
    "/accounts/profile/",
    "javascript:x",
    "",
    "\\\\evil.example",
    "/admin/login/?next=/admin/",
]


@pytest.fixture
def staff(people: People) -> Client:
    User.objects.filter(pk=people.olga.user_id).update(is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(User.objects.get(pk=people.olga.user_id))
    return client


def test_admin_asks_on_the_sign_in_page_and_gets_people_back(people: People) -> None:
    answer = Client().get("/admin/builder/run/?status=failed", follow=True)

    place = urlsplit(answer.redirect_chain[-1][0])
    assert place.path == "/sign-in"
    assert parse_qs(place.query) == {"next": ["/admin/builder/run/?status=failed"]}


@pytest.mark.parametrize("wanted", EVIL)
def test_a_refused_next_leads_to_the_index(staff: Client, wanted: str) -> None:
    for client in (staff, Client()):
        answer: Any = client.get("/admin/login/", {"next": wanted})
        led = parse_qs(urlsplit(answer["Location"]).query).get("next", [answer["Location"]])[0]
        assert led == "/admin/"


def test_the_old_door_takes_no_password(people: People) -> None:
    body = {"username": "olga@example.com", "password": PASSWORD}
    browser = Client()

    assert browser.post("/admin/login/", body).status_code == 302
    assert not browser.get("/api/session/").json()["authenticated"]


def test_who_is_no_staff_is_told_and_not_sent_round(people: People) -> None:
    browser = Api(people.bob).client

    answer = browser.get("/admin/", follow=True)

    assert answer.status_code == 403
    assert len(answer.redirect_chain) == 1
    assert b"signed in as Bob" in answer.content


def test_staff_come_in_and_change_passwords_on_their_own_page(staff: Client) -> None:
    assert staff.get("/admin/").status_code == 200
    assert staff.get("/admin/password_change/")["Location"] == "/profile"


def test_a_workspace_without_people_cannot_be_made(staff: Client) -> None:
    answer = staff.post("/admin/builder/workspace/add/", {"name": "Empty", "slug": "empty"})

    assert answer.status_code == 403
    assert not Workspace.objects.filter(slug="empty").exists()


def test_the_schema_names_the_cookie_as_it_is(staff: Client, settings: Any) -> None:
    schema = yaml.safe_load(staff.get("/api/schema/").content)

    shown = schema["components"]["securitySchemes"]["session"]
    assert shown["name"] == settings.SESSION_COOKIE_NAME == "graphwright_session"


@pytest.mark.slow
def test_nothing_is_left_to_say_of_a_deployment(tmp_path: Path) -> None:
    environ = {**os.environ, "HTTPS": "1", "GRAPHWRIGHT_VAR": str(tmp_path / "var")}
    environ |= {"DJANGO_SETTINGS_MODULE": "builder.project.settings", "DEBUG": ""}
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
