"""Who issues tokens for a server, as its metadata say."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Issuer:
    """An authorization server, and the resource that its tokens are for.

    `registration` is empty where clients are not registered by themselves. `methods` are the ways
    in which a client may prove itself at `token`. `names_itself` says that `iss` comes back.
    """

    resource: str
    issuer: str
    authorization: str
    token: str
    registration: str = ""
    scope: str = ""
    methods: tuple[str, ...] = ("client_secret_basic",)
    names_itself: bool = False
