"""A person's consent at an MCP server that asks for OAuth: begun, given, taken back."""

from __future__ import annotations

import asyncio
import base64
import secrets
import time
from collections.abc import Coroutine, Mapping
from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any, Final, TypeVar

import orjson
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from builder.adapters.egress import egress_of
from builder.adapters.tools.own_grants import end_of, sealed_of
from builder.base import vault
from builder.base.errors import InvalidInput, NotAllowed, Unprocessable
from builder.models import Membership, ToolGrant, ToolSource, User
from builder.models.ids import new_id
from builder.services.audit import chain as audit
from builder.services.people import attempts
from builder.services.people.accounts import membership_of
from builder.services.people.attempts import Limit
from builder.services.permissions import Right, require
from builder.services.tools.outside import waiting
from builder.services.tools.revisions import next_revision
from builder.services.tools.taking_back import Outcome, take_back
from engine.integrations.egress import Egress, EgressRefused, HttpUnavailable
from engine.integrations.tools.oauth import (
    Client,
    Consent,
    ConsentRefused,
    Desk,
    Issuer,
    Tokens,
    discover,
    exchange,
    known_by,
    register,
)

KEPT: Final = "tool_consent"
LIVES_S: Final = 600
NAME: Final = "Graphwright"
MOST_BEGUN: Final = 20
"""Consents that one person begins in a minute: each asks the other side."""
MAX_CODE: Final = 4_000
Answer = TypeVar("Answer")


def begin(
    request: HttpRequest, member: Membership, row: ToolSource, back: str, known: Client | None
) -> str:
    """Return where the browser goes to agree; what has begun is kept in its session, sealed.

    `known` is a client that a person registered at the issuer. Raises `InvalidInput`, `TooMany`,
    `Unprocessable` `ConsentUnusable`.
    """
    require(member, Right.ADMIN)
    if row.kind != ToolSource.Kind.MCP:
        raise InvalidInput("only an MCP server is connected so", path="source")
    if row.credential:
        raise InvalidInput(
            "it has a credential: take that out first, under Change", path="credential"
        )
    attempts.take(Limit(f"consent:{member.user_id}", MOST_BEGUN, timedelta(minutes=1)))
    egress = egress_of(member.workspace_id, "tool")
    with waiting():
        issuer, client = _asked(_prepared(egress, row.url, back, known))
    consent = Consent(issuer, client.id, back, _random(), _random())
    _keep(request, row, member.user_id, client, consent)
    return consent.address()


def finish(request: HttpRequest, said: Mapping[str, str]) -> ToolSource:
    """Keep what a person agreed to, who comes back from there, and return the source.

    Raises `NotAllowed` `ConsentOver` or `Declined`, `Unprocessable` `ConsentUnusable`.
    """
    row, client, consent = _taken(request, said.get("state", ""))
    member = _admin(request, row)
    if said.get("error"):
        raise NotAllowed("the other side did not agree", code="Declined")
    try:
        tokens = _exchanged(member, client, consent, said)
    except Unprocessable as refused:
        # The page that the browser goes on to is told a code alone, and shows this of the source.
        rows = ToolSource.objects.filter(pk=row.pk)
        rows.update(status="failed", error=refused.message, checked_at=timezone.now())
        raise
    _grant(member, row, consent.issuer, client, tokens)
    return row


def disconnect(member: Membership, row: ToolSource) -> Outcome:
    """Take the tokens of a source back at their issuer and forget them; calls fail from now on."""
    require(member, Right.ADMIN)
    there = take_back(row)
    with transaction.atomic():
        if forget(row):
            _bump(row)
            audit.record(
                member.workspace_id,
                member.user_id,
                "tool_source.disconnected",
                row.slug,
                at_issuer=there,
            )
    return there


def forget(row: ToolSource) -> bool:
    """Delete the consent of a source, in the caller's transaction; say whether there was one."""
    return ToolGrant.objects.filter(source=row).delete()[0] > 0


def _exchanged(
    member: Membership, client: Client, consent: Consent, said: Mapping[str, str]
) -> Tokens:
    code = said.get("code", "")
    if not consent.answered_by(said.get("iss")) or not 0 < len(code) <= MAX_CODE:
        raise _unusable("another one answered than who was asked, or without a code")
    desk = Desk(consent.issuer.token, client, consent.issuer.resource)
    egress = egress_of(member.workspace_id, "tool")
    return _asked(exchange(egress, desk, code, consent.verifier, consent.back))


def _grant(
    member: Membership, row: ToolSource, issuer: Issuer, client: Client, tokens: Tokens
) -> None:
    pk = new_id()
    with transaction.atomic():
        _bump(row)
        forget(row)
        ToolGrant.objects.create(
            pk=pk,
            source=row,
            resource=issuer.resource,
            issuer=issuer.issuer,
            token_url=issuer.token,
            client_id=client.id,
            client_method=client.method,
            sealed=sealed_of(pk, tokens, client.secret),
            expires_at=end_of(tokens),
            account=tokens.account,
            given_by=member.user,
            given_at=timezone.now(),
        )
        audit.record(
            member.workspace_id,
            member.user_id,
            "tool_source.connected",
            row.slug,
            issuer=issuer.issuer,
            account=tokens.account,
        )


def _bump(row: ToolSource) -> None:
    """Let every process open the source anew."""
    row.revision = next_revision(row)
    row.status, row.error = "new", ""
    row.save(update_fields=["revision", "status", "error"])


async def _prepared(
    egress: Egress, url: str, back: str, known: Client | None
) -> tuple[Issuer, Client]:
    issuer = await discover(egress, url)
    if known is not None:
        return issuer, known_by(issuer, known.id, known.secret)
    return issuer, await register(egress, issuer, back, NAME)


def _asked(asking: Coroutine[Any, Any, Answer]) -> Answer:
    try:
        return asyncio.run(asking)
    except ConsentRefused as refused:
        raise _unusable(refused.words) from None
    except (EgressRefused, HttpUnavailable) as refused:
        raise _unusable(refused.message) from None


def _unusable(why: str) -> Unprocessable:
    return Unprocessable(f"it cannot be connected: {why}", code="ConsentUnusable")


def _random() -> str:
    return secrets.token_urlsafe(32)


def _keep(
    request: HttpRequest, row: ToolSource, user_id: str, client: Client, consent: Consent
) -> None:
    begun = {
        "source": row.pk,
        "url": row.url,
        "user": user_id,
        "at": time.time(),
        "client": asdict(client),
        "consent": asdict(consent),
    }
    sealed = vault.seal(orjson.dumps(begun).decode(), KEPT)
    request.session[KEPT] = base64.b64encode(sealed).decode()


def _taken(request: HttpRequest, state: str) -> tuple[ToolSource, Client, Consent]:
    """Return what this browser began with this state, and forget it. Raises `NotAllowed`."""
    kept = request.session.pop(KEPT, None)
    if not isinstance(kept, str):
        raise _over()
    begun: dict[str, Any] = orjson.loads(vault.unseal(base64.b64decode(kept), KEPT))
    made = begun["consent"]
    issuer = Issuer(**{**made["issuer"], "methods": tuple(made["issuer"]["methods"])})
    consent = replace(Consent(**made), issuer=issuer)
    row = ToolSource.objects.filter(pk=begun["source"]).select_related("workspace").first()
    late = time.time() - begun["at"] > LIVES_S or str(begun["user"]) != str(request.user.pk)
    if late or not secrets.compare_digest(consent.state.encode(), state.encode()):
        raise _over()
    if row is None or row.url != begun["url"]:
        raise _over()
    return row, Client(**begun["client"]), consent


def _admin(request: HttpRequest, row: ToolSource) -> Membership:
    if not isinstance(request.user, User):
        raise NotAllowed("sign in first", code="NotSignedIn")
    member = membership_of(request.user, row.workspace_id)
    require(member, Right.ADMIN)
    return member


def _over() -> NotAllowed:
    return NotAllowed(
        "this did not begin in this browser, or too long ago: begin again", code="ConsentOver"
    )
