"""One strict parse of a URL."""

from __future__ import annotations

import re

import httpx2

from engine.integrations.egress.failures import EgressRefused
from engine.integrations.egress.targets import DEFAULT_PORTS, Origin, Target

MAX_URL = 8192
"""Longest URL, in characters."""

_URL = re.compile(r"(https?)://(\[[0-9A-Fa-f:.]+\]|[^/?#\[\]:@]+)(?::([0-9]{1,5}))?([/?#].*)?")
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029]")
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\.?")


def parse_target(url: str) -> Target:
    """Return the parts of an absolute http(s) URL.

    Raises `EgressRefused` for anything else: other schemes, user-info, backslashes, control
    characters, blanks, percent signs in the host, an empty host, and whatever a second parser
    reads differently.
    """
    if len(url) > MAX_URL:
        raise EgressRefused(f"a URL may have {MAX_URL} characters")
    if _FORBIDDEN.search(url):
        raise EgressRefused("a URL may not contain blanks, control characters or backslashes")
    found = _URL.fullmatch(_lower_scheme(url))
    if found is None:
        raise EgressRefused("only http and https URLs of the form scheme://host/path are allowed")
    scheme, host = found[1], _host(found[2])
    port = int(found[3]) if found[3] else DEFAULT_PORTS[scheme]
    if not 0 < port < 65536:
        raise EgressRefused(f"port {port} does not exist")
    rest = (found[4] or "").partition("#")[0]
    try:
        shown = f"[{host}]" if ":" in host else host
        parsed = httpx2.URL(f"{scheme}://{shown}:{port}{rest}")
        path = parsed.raw_path.decode("ascii")
    except (httpx2.InvalidURL, ValueError) as refused:
        raise EgressRefused(f"the URL cannot be read: {refused}") from refused
    if parsed.userinfo or parsed.host.rstrip(".") != host.rstrip("."):
        raise EgressRefused("the URL can be read in two ways")
    return Target(Origin(scheme, host.rstrip("."), port), path)


def _lower_scheme(url: str) -> str:
    scheme, separator, rest = url.partition("://")
    return f"{scheme.lower()}{separator}{rest}"


def _host(written: str) -> str:
    if written.startswith("["):
        return written[1:-1].lower()
    try:
        host = written.encode("idna").decode("ascii").lower()
    except UnicodeError as refused:
        raise EgressRefused(f"{written!r} is no host name") from refused
    if not _HOST.fullmatch(host):
        raise EgressRefused(f"{written!r} is no host name")
    return host
