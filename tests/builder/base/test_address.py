"""Where links lead that leave the app."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from builder.base import address, environment


def test_links_name_the_port_at_which_the_process_listens(settings: Any) -> None:
    settings.ORIGINS_GIVEN = []
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    settings.HTTPS = False

    address.served_at(8103)

    assert address.public() == "http://localhost:8103"


def test_behind_https_the_proxy_has_the_port(settings: Any) -> None:
    settings.ORIGINS_GIVEN = []
    settings.ALLOWED_HOSTS = ["graphs.example.com"]
    settings.HTTPS = True

    address.served_at(8103)

    assert address.public() == "https://graphs.example.com"


def test_origins_that_were_given_count_before_the_port(settings: Any) -> None:
    settings.ORIGINS_GIVEN = settings.ORIGINS = ["https://one.example.com", "https://two.example"]

    address.served_at(8103)

    assert address.public() == "https://one.example.com"


def test_the_public_address_counts_before_all(settings: Any) -> None:
    settings.PUBLIC_URL = "https://graphs.example.com/app"
    settings.ORIGINS_GIVEN = []

    address.served_at(8103)

    assert address.public() == "https://graphs.example.com/app"


@pytest.mark.parametrize(
    "value", ["graphs.example.com", "ftp://x", "javascript:alert(1)", "http://"]
)
def test_a_public_address_that_is_none_is_refused(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUBLIC_URL", value)

    with pytest.raises(ImproperlyConfigured, match="PUBLIC_URL"):
        environment.address("PUBLIC_URL")


def test_a_slash_at_the_end_makes_no_second_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUBLIC_URL", " https://graphs.example.com/ ")

    assert environment.address("PUBLIC_URL") == "https://graphs.example.com"
