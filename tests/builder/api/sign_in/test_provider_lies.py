"""What a hostile provider, or who stands between, may say: nobody comes in by it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from builder.base import vault
from builder.models import IdentityProvider, User
from builder.services.people.sign_in.oidc import providers
from tests.builder.api.sign_in.firm import asked_of, back, begin
from tests.builder.conftest import Api, People

ISSUER = "https://firm.example"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def public(key: rsa.RSAPrivateKey) -> dict[str, Any]:
    made: dict[str, Any] = jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    return {**made, "kid": "one", "use": "sig"}


class Liar:
    """A provider that answers what a test says."""

    def __init__(self) -> None:
        self.claims: dict[str, Any] = {}
        self.key: Any = KEY
        self.algorithm = "RS256"
        self.issuer = ISSUER
        self.more: Mapping[str, Any] | None = None
        self.nonce = ""
        self.sent: Mapping[str, str] = {}

    def get(self, url: str, bearer: str = "") -> Mapping[str, Any]:
        if url.endswith("/openid-configuration"):
            return {
                "issuer": self.issuer,
                "authorization_endpoint": f"{ISSUER}/authorize",
                "token_endpoint": f"{ISSUER}/token",
                "jwks_uri": f"{ISSUER}/keys",
                **({"userinfo_endpoint": f"{ISSUER}/me"} if self.more is not None else {}),
            }
        return {"keys": [public(KEY)]} if url.endswith("/keys") else self.more or {}

    def post(
        self, url: str, fields: Mapping[str, str], secret: Mapping[str, str]
    ) -> Mapping[str, Any]:
        self.sent = fields
        now = int(time.time())
        claims = {
            "iss": ISSUER,
            "sub": "u1",
            "aud": "graphwright",
            "exp": now + 300,
            "iat": now,
            "nonce": self.nonce,
            "email": "fay@firm.example",
            "groups": ["finance"],
            **self.claims,
        }
        kept = {name: value for name, value in claims.items() if value is not None}
        said = jwt.encode(kept, self.key, algorithm=self.algorithm, headers={"kid": "one"})
        return {"id_token": said, "access_token": "bearer"}


@pytest.fixture
def liar(people: People, monkeypatch: pytest.MonkeyPatch) -> Liar:
    """The provider of Olga's workspace."""
    provider = IdentityProvider(
        workspace=people.olga.workspace,
        name="Firm",
        issuer=ISSUER,
        client_id="graphwright",
        group_map=[{"group": "finance", "role": "viewer", "groups": []}],
    )
    provider.sealed_secret = vault.seal("hush", provider.pk)
    provider.save()
    liar = Liar()
    monkeypatch.setattr(providers, "outside_of", lambda _workspace: liar)
    return liar


def come(liar: Liar, *, nonce: str = "", more: str = "") -> str:
    api = Api()
    sent = asked_of(begin(api, IdentityProvider.objects.get().pk))
    liar.nonce = nonce or sent["nonce"]
    return back(api, f"code=c&state={sent['state']}{more}")


def test_the_word_of_the_provider_lets_in_when_all_of_it_holds(liar: Liar) -> None:
    assert come(liar) == "/"
    assert len(liar.sent["code_verifier"]) >= 43
    assert User.objects.filter(email="fay@firm.example").exists()


NOW = int(time.time())
LIES: dict[str, dict[str, Any]] = {
    "another issuer": {"iss": "https://other.example"},
    "another program": {"aud": "other"},
    "for several, by another": {"aud": ["graphwright", "x"], "azp": "x"},
    "too old": {"exp": NOW - 3600, "iat": NOW - 7200},
    "without an end": {"exp": None},
    "nobody": {"sub": ""},
    "a number": {"sub": 7},
    "nul": {"sub": "a\0b"},
    "endless": {"sub": "x" * 300},
    "of another sign-in": {"nonce": "other"},
    "without a nonce": {"nonce": None},
}


@pytest.mark.parametrize("claims", LIES.values(), ids=LIES)
def test_a_word_that_does_not_hold_is_refused(liar: Liar, claims: dict[str, Any]) -> None:
    liar.claims = claims

    assert come(liar) == "/sign-in?refused=ProviderSaysOtherwise"
    assert not User.objects.filter(email="fay@firm.example").exists()


@pytest.mark.parametrize(
    ("key", "algorithm"), [(OTHER, "RS256"), ("hush" * 8, "HS256"), (None, "none")]
)
def test_only_the_providers_own_key_signs(liar: Liar, key: Any, algorithm: str) -> None:
    liar.key, liar.algorithm = key, algorithm

    assert come(liar) == "/sign-in?refused=ProviderSaysOtherwise"


def test_who_answers_for_another_issuer_is_refused(liar: Liar) -> None:
    assert come(liar, more="&iss=https://other.example").endswith("ProviderSaysOtherwise")
    liar.more = {"sub": "somebody else", "groups": ["finance"]}
    assert come(liar).endswith("ProviderSaysOtherwise")
    liar.issuer = "https://other.example"
    answer = Api().post(f"sign-in/{IdentityProvider.objects.get().pk}/", {})
    assert (answer.status_code, answer.json()["code"]) == (422, "ProviderUnusable")


@pytest.mark.parametrize(
    ("groups", "code"),
    [
        (["finance"] * 5_000, "ProviderUnusable"),
        ([["finance"], {"finance": 1}, "x" * 10_000], "NoGroup"),
        ({"finance": True}, "NoGroup"),
        (None, "NoGroup"),
    ],
)
def test_hostile_groups_give_nothing(liar: Liar, groups: Any, code: str) -> None:
    liar.claims = {"groups": groups}

    assert come(liar) == f"/sign-in?refused={code}"


def test_too_many_groups_are_refused_not_read_in_part(liar: Liar) -> None:
    liar.more = {"sub": "u1", "groups": [f"g{number}" for number in range(3_000)] + ["finance"]}
    liar.claims = {"groups": None}

    assert come(liar) == "/sign-in?refused=InputInvalid"


def test_a_hostile_address_or_name_makes_no_account(liar: Liar) -> None:
    for email in (None, 7, "no address", "x" * 300 + "@firm.example"):
        liar.claims = {"email": email}
        assert come(liar) == "/sign-in?refused=InputInvalid"
    liar.claims = {"name": "F\0" + "x" * 1000}
    assert come(liar) == "/"
    assert len(User.objects.get(email="fay@firm.example").name) == 120
