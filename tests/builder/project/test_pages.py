"""The app's page, its policy, and Django admin."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.staticfiles import finders
from django.test import Client

from builder.models import Run
from builder.project import front_routes
from tests.builder.conftest import People
from tests.builder.fakes import append, open_interrupt

PAGES = [
    "",
    "workflows",
    "workflows/x/chat",
    "runs/x",
    "inbox",
    "settings/agents",
    "setup",
    "inbox/",
]


@pytest.fixture
def built(settings: Any, tmp_path: Path) -> None:
    """A front end that was built: a manifest with one entry."""
    manifest = tmp_path / "manifest.json"
    manifest.write_text('{"src/main.tsx": {"file": "assets/main.js", "isEntry": true}}')
    settings.FRONTEND_BUILD = tmp_path
    settings.DJANGO_VITE = {
        "default": {
            "dev_mode": False,
            "manifest_path": manifest,
            "static_url_prefix": "build",
        }
    }
    from django_vite.core.asset_loader import DjangoViteAssetLoader

    DjangoViteAssetLoader._instance = None


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_the_app(db: None, built: None, path: str) -> None:
    page = Client().get(f"/{path}")

    assert page.status_code == 200
    assert '<div id="root"></div>' in page.content.decode()
    assert "/static/build/assets/main.js" in page.content.decode()


def test_the_page_names_pictures_that_are_there(db: None, built: None) -> None:
    page = Client().get("/workflows", headers={"host": "localhost"}).content.decode()

    pictures = re.findall(r'"(?:http://localhost)?/static/(brand/[^"]+)"', page)
    assert {"brand/icon.svg", "brand/icon-180.png", "brand/social.png"} <= set(pictures)
    assert '"http://localhost/static/brand/social.png"' in page  # only whole addresses are followed
    assert [name for name in pictures if finders.find(name) is None] == []


def test_the_server_knows_the_addresses_of_the_front_end() -> None:
    """One list twice, held equal here: a page that is added to the router is added to the server."""
    routes = Path(__file__).parents[3] / "frontend" / "src" / "app" / "routes.tsx"
    text = routes.read_text()
    drawn = re.findall(r"\bpage\('([^']+)'", text) + re.findall(r"\bpath: '(/[^']*)'", text)

    assert sorted(front_routes.ROUTES) == sorted(drawn)


@pytest.mark.parametrize(
    "path", ["graphs/x", "runs/x/y", "workflowsx", "wp-login.php", "static/x.js"]
)
def test_an_address_that_nothing_has_is_404(db: None, built: None, path: str) -> None:
    page = Client().get(f"/{path}", headers={"Accept": "text/html,*/*;q=0.8"})
    problem = Client().get(f"/{path}", headers={"Accept": "*/*"})

    assert (page.status_code, problem.status_code) == (404, 404)
    assert '<div id="root"></div>' in page.content.decode()
    assert problem["Content-Type"] == "application/problem+json"
    assert problem.json()["code"] == "NotFound"
    assert Client().post(f"/{path}").status_code == 404


def test_an_address_below_the_api_that_nothing_has_is_404_for_tokens_too(db: None) -> None:
    guarded = Client(enforce_csrf_checks=True, headers={"Authorization": "Bearer x"})
    refused = guarded.post("/api/nope/", "{}", content_type="application/json")

    assert (refused.status_code, refused.json()["code"]) == (404, "NotFound")


def test_a_host_that_is_not_ours_is_refused_in_the_one_form(db: None, client: Client) -> None:
    answer = client.get("/api/session/", headers={"Host": "elsewhere.example"})

    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.status_code, answer.json()["code"]) == (400, "HostNotAllowed")
    assert "ALLOWED_HOSTS" in answer.json()["detail"]


def test_the_policy_admits_only_what_carries_the_nonce(db: None, built: None) -> None:
    page = Client().get("/")
    policy = page["Content-Security-Policy"]
    nonce = re.search(r"'nonce-([^']+)'", policy)

    assert nonce is not None
    assert f'name="csp-nonce" content="{nonce[1]}"' in page.content.decode()
    assert f'nonce="{nonce[1]}"' in page.content.decode()
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert re.search(r"script-src [^;]*unsafe-inline", policy) is None
    assert "frame-ancestors 'none'" in policy
    assert page["X-Frame-Options"] == "DENY"
    other = Client().get("/")["Content-Security-Policy"]
    assert nonce[1] not in other


def test_before_it_is_built_the_page_says_what_to_run(
    db: None, settings: Any, tmp_path: Path
) -> None:
    settings.FRONTEND_BUILD = tmp_path

    page = Client().get("/")

    assert page.status_code == 503
    assert "npm run build" in page.content.decode()


def test_pages_take_no_other_methods(db: None) -> None:
    assert Client().post("/").status_code == 405


@pytest.fixture
def staff(people: People) -> Client:
    user = people.olga.user
    user.is_staff = user.is_superuser = True
    user.save()
    client = Client()
    client.force_login(user)
    return client


def test_the_admin_index_counts(staff: Client, run: Run) -> None:
    open_interrupt(run)

    text = staff.get("/admin/").content.decode()

    assert "Open items" in text
    assert "Spend this month" in text


def test_every_admin_page_renders(staff: Client, run: Run) -> None:
    append(run, "NodeStarted", key="draft#1")
    open_interrupt(run)
    for model in admin.site._registry:
        name = model._meta.model_name
        assert staff.get(f"/admin/{model._meta.app_label}/{name}/").status_code == 200, name
        first = model._default_manager.first()
        if first is not None:
            page = f"/admin/{model._meta.app_label}/{name}/{first.pk}/change/"
            assert staff.get(page).status_code == 200, page


@pytest.mark.parametrize("name", ["run", "runevent", "interrupt", "budget", "budgethold"])
def test_engine_tables_cannot_be_changed_in_admin(staff: Client, run: Run, name: str) -> None:
    assert staff.get(f"/admin/builder/{name}/add/").status_code == 403
    row = apps.get_model("builder", name)._default_manager.first()
    if row is not None:
        assert staff.post(f"/admin/builder/{name}/{row.pk}/delete/").status_code == 403
        assert staff.post(f"/admin/builder/{name}/{row.pk}/change/").status_code == 403


def test_admin_is_for_staff(people: People) -> None:
    client = Client()
    client.force_login(people.alice.user)

    assert client.get("/admin/builder/run/").status_code == 302
