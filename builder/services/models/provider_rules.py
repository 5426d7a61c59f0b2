"""What a provider may be given: its name, headers, extra fields, and where its address may lead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from builder.adapters.egress import is_scaled
from builder.base.errors import InvalidInput, Unprocessable
from builder.models import AcceptedProvider, Membership, Workspace
from builder.services.addresses import needs_operator
from engine.core.values.json import canonical
from engine.integrations.egress import EgressRefused, Origin, parse_target
from engine.integrations.egress.headers import is_header_name
from engine.integrations.egress.origins import is_never_called
from engine.integrations.models.discovery import HOSTED, LOCAL_SERVERS, hosted_providers
from engine.integrations.models.servers.protocols import WITHOUT_BODY

ID: Final = re.compile(r"[a-z][a-z0-9-]{0,62}\Z")
TAKEN: Final = frozenset({"builtin", "local", *(server.provider for server in LOCAL_SERVERS)})
OURS: Final = frozenset(
    {
        "accept-encoding",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "expect",
        "host",
        "idempotency-key",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers that are set here: the key has its own field, and the others are the connection's."""
SET_HERE: Final = frozenset(
    {
        "best_of",
        "contents",
        "functions",
        "input",
        "instructions",
        "max_completion_tokens",
        "max_output_tokens",
        "max_tokens",
        "messages",
        "model",
        "n",
        "prompt",
        "response_format",
        "stream",
        "stream_options",
        "system",
        "text",
        "tool_choice",
        "tools",
    }
)
"""Fields of a question that are set here: what is asked, of whom, and what it may cost."""
MAX_EXTRA: Final = 20_000
"""Bytes of extra fields."""
OPENAI: Final = frozenset({"openai_chat", "openai_responses"})
ENDS: Final = {
    "openai_chat": ("/chat/completions",),
    "openai_responses": ("/responses",),
    "anthropic": ("/messages", "/v1"),
    "google": ("/models", "/v1beta"),
}
"""What people copy with an address although each question adds it."""


def check_id(provider: str) -> None:
    """Refuse a name that is none or another provider's. Raises `InvalidInput`."""
    if not ID.match(provider):
        raise InvalidInput("lower case letters, digits and hyphens, a letter first", path="id")
    if provider in TAKEN or provider in hosted_providers():
        raise InvalidInput(f"{provider!r} is another provider's name: choose your own", path="id")


def check_headers(headers: Mapping[str, str]) -> None:
    """Refuse headers that are set here or cannot be sent. Raises `InvalidInput`."""
    for name, value in headers.items():
        if name.lower() == "authorization":
            raise InvalidInput("put what it should say into the key", path="headers")
        if not is_header_name(name) or name.lower() in OURS or name.lower().startswith("proxy-"):
            raise InvalidInput(f"the header {name[:80]!r} cannot be set", path="headers")
        if not value.isascii() or not value.isprintable() or value != value.strip():
            raise InvalidInput(
                f"the header {name!r} has characters that cannot be sent", path="headers"
            )
    if len({name.lower() for name in headers}) < len(headers):
        raise InvalidInput("a header stands here twice", path="headers")


def check_key(key: str) -> None:
    """Refuse a key that no request could carry. Raises `InvalidInput`."""
    if not key.isascii() or not key.isprintable() or key != key.strip():
        raise InvalidInput(
            "a key is letters, digits and signs of ASCII, without line breaks: paste it anew",
            path="key",
        )


def check_extra(protocol: str, extra: Mapping[str, Any]) -> None:
    """Refuse extra fields that are set here or that nothing would send. Raises `InvalidInput`."""
    if extra and protocol in WITHOUT_BODY:
        raise InvalidInput("this protocol takes no extra fields", path="extra_body")
    taken = sorted(SET_HERE & set(extra))
    if taken:
        raise InvalidInput(f"the field {taken[0]!r} is set by each question", path="extra_body")
    if len(canonical(extra)) > MAX_EXTRA:
        raise InvalidInput(f"they have more than {MAX_EXTRA} bytes", path="extra_body")


def judged(
    member: Membership, protocol: str, base_url: str, *, accept_address: bool
) -> tuple[str, str]:
    """Return the address as it is called, and the `source` that says how far it was accepted.

    Raises `InvalidInput`, `Unprocessable` `AddressNotAllowed` or `AddressNeedsAcceptance`.
    """
    try:
        target = parse_target(base_url.strip().rstrip("/"))
    except EgressRefused as refused:
        raise InvalidInput(refused.message, path="base_url") from None
    if "?" in target.path:
        raise InvalidInput("the address has no query", path="base_url")
    target = parse_target(
        _base(str(target).rstrip("/"), protocol, is_bare=target.path in ("", "/"))
    )
    if is_never_called(target.origin):
        raise InvalidInput(
            "link-local and metadata addresses are no model servers", path="base_url"
        )
    shown = str(target).rstrip("/")
    why = needs_operator(target.origin, "model")
    if why is None:
        return shown, "own"
    if is_scaled():
        raise Unprocessable(f"{shown} may not be called: {why}", code="AddressNotAllowed")
    _accept_machine(member, target.origin, accept_address=accept_address)
    return shown, "machine"


def _base(url: str, protocol: str, *, is_bare: bool) -> str:
    """Return where the API begins: of OpenAI's in `/v1` unless the address has a path."""
    for end in ENDS[protocol]:
        url = url.removesuffix(end)
    return f"{url}/v1" if is_bare and protocol in OPENAI else url


def _accept_machine(member: Membership, origin: Origin, *, accept_address: bool) -> None:
    shown = f"{origin.scheme}://{origin.host}:{origin.port}"
    if not member.user.is_superuser:
        raise Unprocessable(
            f"{shown} is the machine that Graphwright runs on: its owner may accept it, or the"
            " operator by EGRESS_ALLOW in the settings of the server",
            code="AddressNotAllowed",
        )
    if not accept_address:
        raise Unprocessable(
            f"{shown} is the machine that Graphwright runs on: accept exactly this address to go on",
            code="AddressNeedsAcceptance",
        )


def check_calls_at_once(workspace: Workspace, wanted: Mapping[str, int]) -> None:
    """Raise `InvalidInput` for a limit of what is neither a provider of the workspace nor its model.

    What stood before may stay, also where its provider is gone.
    """
    rows = AcceptedProvider.objects.filter(workspace=workspace).values_list("provider", flat=True)
    known = {each.provider for each in HOSTED} | set(rows) | {"builtin"}
    for name in wanted.keys() - workspace.all_settings["calls_at_once"].keys():
        provider, slash, model = name.partition("/")
        if provider not in known or bool(slash) != bool(model.strip()):
            raise InvalidInput(
                f"{name[:80]!r} is no provider of this workspace, nor one of its models:"
                " write provider or provider/model",
                path="settings.calls_at_once",
            )
