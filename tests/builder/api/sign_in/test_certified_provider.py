"""Signing in by a provider that others wrote and that is certified: its own forms, keys and claims."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from builder.models import Membership
from tests.builder.api.sign_in.firm import Firm, add, back, begin
from tests.builder.conftest import Api, People
from tests.e2e.server import wait_until
from tests.repository import ROOT
from tests.services import free_port

FINANCE = {"group": "finance", "role": "reviewer", "groups": ["payments"]}
BACK = "http://testserver/sign-in/callback"
"""Where Graphwright is for the test client."""
pytestmark = pytest.mark.slow


class Certified(Firm):
    """The npm package `oidc-provider`, which asks for a name, then for consent, on pages of its own."""

    def answer(self, url: str, subject: str) -> str:
        """Sign in there as somebody; return the query with which the browser comes back."""
        with httpx.Client(follow_redirects=False, timeout=30) as browser:
            answer = browser.get(url)
            forms: list[dict[str, str]] = [{"login": subject, "password": "any"}, {}]
            while not answer.headers.get("location", "").startswith(BACK):
                if answer.is_redirect:
                    answer = browser.get(urljoin(str(answer.url), answer.headers["location"]))
                    continue
                assert answer.status_code == 200, answer.text
                [action] = re.findall(r'<form[^>]* action="([^"]+)"', answer.text)
                prompt = re.findall(r'name="prompt" value="(\w+)"', answer.text)
                answer = browser.post(action, data={"prompt": prompt[0], **forms.pop(0)})
            return urlsplit(answer.headers["location"]).query


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Certified]:
    """The provider, as a process of its own."""
    port = free_port()
    log: Path = tmp_path_factory.mktemp("provider") / "log"
    with log.open("wb") as to:
        script = ROOT / "tests" / "servers" / "oidc_provider.mjs"
        process = subprocess.Popen(["node", script, str(port), BACK], stdout=to, stderr=to)
    at = f"http://localhost:{port}"

    def answers() -> bool:
        assert process.poll() is None, log.read_text()
        try:
            return httpx.get(f"{at}/.well-known/openid-configuration").status_code == 200
        except httpx.TransportError:
            return False

    try:
        wait_until(answers, "the provider of others")
        yield Certified(at)
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def provider(acme: Certified, people: People, olga: Api, settings: Any) -> str:
    """The provider, as Olga has set it up."""
    settings.EGRESS_ALLOW = [acme.issuer]
    return add(olga, acme, [FINANCE])


def test_a_person_comes_in_with_the_role_of_the_group(acme: Certified, provider: str) -> None:
    fay = Api()

    place = back(fay, acme.answer(begin(fay, provider, next="/inbox"), "fay"))

    said = fay.get("session/").json()
    assert place == "/inbox"
    assert (said["user"]["email"], said["user"]["name"]) == ("fay@acme.example", "Fay Firm")
    member = Membership.objects.get(user__email="fay@acme.example")
    assert (member.role, [one.name for one in member.groups.all()]) == ("reviewer", ["payments"])


def test_who_is_in_no_group_and_whose_code_was_used_stay_outside(
    acme: Certified, provider: str
) -> None:
    ned, fay = Api(), Api()
    assert back(ned, acme.answer(begin(ned, provider), "ned")) == "/sign-in?refused=NoGroup"

    query = acme.answer(begin(fay, provider), "fay")
    assert back(fay, query) == "/"
    assert back(Api(), query).startswith("/sign-in?refused=")


def test_who_says_no_there_is_told_so(acme: Certified, provider: str) -> None:
    fay = Api()
    with httpx.Client(follow_redirects=True, timeout=30) as browser:
        form = browser.get(begin(fay, provider))
        [abort] = re.findall(r'href="([^"]+/abort)"', form.text)
        answer = browser.get(urljoin(str(form.url), abort), follow_redirects=False)
        answer = browser.get(
            urljoin(str(form.url), answer.headers["location"]), follow_redirects=False
        )

    assert back(fay, urlsplit(answer.headers["location"]).query).startswith("/sign-in?refused=")
    assert not fay.get("session/").json()["authenticated"]
