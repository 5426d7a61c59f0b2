"""A firm's provider in tests: the packaged one on loopback, and a browser that goes there and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx
from oidc_provider_mock import run_server_in_thread

from tests.builder.conftest import Api


@dataclass(frozen=True)
class Firm:
    """A provider that knows whom it is told of."""

    issuer: str

    def knows(self, subject: str, **claims: Any) -> None:
        """Let it know somebody, with these claims."""
        answer = httpx.put(f"{self.issuer}/users/{subject}", json=claims)
        assert answer.status_code < 300, answer.text

    def answer(self, url: str, subject: str) -> str:
        """Sign in there as somebody; return the query with which the browser comes back."""
        parts = urlsplit(url)
        answer = httpx.post(
            f"{self.issuer}{parts.path}",
            params=dict(parse_qsl(parts.query)),
            data={"sub": subject, "action": "authorize"},
        )
        assert answer.status_code in (302, 303), answer.text
        return urlsplit(answer.headers["location"]).query


@contextmanager
def firm() -> Iterator[Firm]:
    """Run a provider on loopback."""
    with run_server_in_thread(require_nonce=True) as server:
        yield Firm(f"http://localhost:{server.server_port}")


def add(olga: Api, firm: Firm, group_map: list[dict[str, Any]], **more: Any) -> str:
    """Let an admin set the provider up; return its id."""
    made = olga.post(
        "identity-providers/",
        {
            "name": "Acme",
            "issuer": firm.issuer,
            "client_id": "graphwright",
            "secret": "hush",
            "group_map": group_map,
            **more,
        },
    )
    assert made.status_code == 201, made.content
    return str(made.json()["id"])


def begin(api: Api, provider: str, **more: Any) -> str:
    """Return the address at the provider to which the browser goes."""
    answer = api.post(f"sign-in/{provider}/", more)
    assert answer.status_code == 200, answer.content
    return str(answer.json()["url"])


def come(api: Api, firm: Firm, provider: str, subject: str, **more: Any) -> str:
    """Go to the provider as somebody and back; return where the page goes on to."""
    return back(api, firm.answer(begin(api, provider, **more), subject))


def back(api: Api, query: str) -> str:
    """Come back with this query; return where the page goes on to."""
    answer = api.client.get(f"/sign-in/callback?{query}")
    assert answer.status_code == 302, answer.content
    return str(answer["Location"])


def asked_of(url: str) -> dict[str, str]:
    """Return the query of an address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
