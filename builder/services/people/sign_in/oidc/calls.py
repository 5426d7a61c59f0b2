"""What is asked of a provider: by the one way out, bounded in size and time, JSON objects only."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from builder.base.errors import Unprocessable
from engine.core.values.limits import UnreadableInput, parse_json
from engine.integrations.egress import Egress, EgressRefused, HttpUnavailable

MAX_ANSWER: Final = 256 * 1024
MAX_VALUES: Final = 20_000
TIMEOUT_S: Final = 10.0
FORM: Final = "application/x-www-form-urlencoded"


def unreachable(why: str) -> Unprocessable:
    """Return the refusal of a provider that does not answer as it should."""
    return Unprocessable(f"the provider cannot be used now: {why}", code="ProviderUnusable")


@dataclass(frozen=True, slots=True)
class Outside:
    """The way to one provider's addresses."""

    egress: Egress

    def get(self, url: str, bearer: str = "") -> Mapping[str, Any]:
        """Return the object at an address. Raises `Unprocessable` `ProviderUnusable`."""
        secret = {"Authorization": f"Bearer {bearer}"} if bearer else {}
        return self._asked("GET", url, secret, None)

    def post(
        self, url: str, fields: Mapping[str, str], secret: Mapping[str, str]
    ) -> Mapping[str, Any]:
        """Send a form and return the object of the answer. Raises `Unprocessable`."""
        return self._asked("POST", url, secret, urlencode(fields).encode())

    def _asked(
        self, method: str, url: str, secret: Mapping[str, str], body: bytes | None
    ) -> Mapping[str, Any]:
        headers = {"Accept": "application/json"} | ({"Content-Type": FORM} if body else {})
        try:
            answer = asyncio.run(
                self.egress.request(
                    method,
                    url,
                    headers=headers,
                    body=body,
                    timeout_s=TIMEOUT_S,
                    credential_headers=secret,
                )
            )
        except (EgressRefused, HttpUnavailable) as error:
            raise unreachable(error.message) from None
        if answer.status != 200:
            raise unreachable(f"it answered {answer.status}")
        return _object(answer.body)


def _object(body: bytes) -> Mapping[str, Any]:
    if len(body) > MAX_ANSWER:
        raise unreachable(f"its answer is larger than {MAX_ANSWER // 1024} KiB")
    try:
        found = parse_json(body, max_bytes=MAX_ANSWER, max_values=MAX_VALUES)
    except UnreadableInput:
        raise unreachable("its answer is no JSON") from None
    if not isinstance(found, dict):
        raise unreachable("its answer is no object")
    return found
