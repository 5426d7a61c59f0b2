"""A walk over every route of the API: what belongs to one workspace is not there for another."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.urls import URLPattern
from django.utils import timezone

from builder.api.urls import urlpatterns
from builder.doors.called import accounts as program_accounts
from builder.doors.called.tokens import Wanted as Allowed
from builder.doors.telling.channels import verbs as channels
from builder.doors.telling.rules import verbs as rules
from builder.doors.triggers import trying
from builder.doors.triggers import verbs as triggers
from builder.models import (
    Blob,
    Breaker,
    BulkJob,
    ChannelNotice,
    DraftProposal,
    Graph,
    IdentityProvider,
    Publication,
    Run,
    RunBlob,
    SignIn,
    Workspace,
)
from builder.services import budgets, catalogue, facts
from builder.services.graphs import graphs, samples
from builder.services.models import providers
from builder.services.models.model_prices import Rates, set_price
from builder.services.people import accounts, invitations
from builder.services.people.away import standing_in
from builder.services.people.away.standing_in import Absence
from builder.services.people.commenting import threads
from builder.services.people.membership import groups as grouping
from builder.services.runs import inbox_views, mailbox
from builder.services.runs.alerts.rules import Rule, create_rule
from builder.services.runs.bulk.jobs import start_job
from builder.services.runs.bulk.preview import preview
from builder.services.runs.runs import Start, start_run
from builder.services.tools import sources
from builder.services.tools.sources import Wanted
from engine.runtime.mailbox import wishes
from tests.builder.conftest import Api, People
from tests.builder.fakes import fail, open_interrupt
from tests.engine.integrations.tools.openapi.shop import text_of

PUBLIC = {
    "schema",
    "session",
    "setup",
    "look-at-invitation",
    "join",
    "ask-for-reset",
    "reset-password",
    "begin-sign-in",
}
"""Routes that answer anonymous callers."""
SHARED = {"node-types", "functions", "graph-templates", "due"}
"""Routes that are the same for every workspace."""
OWN = {"accept-tool", "withdraw-tool", "accept-source", "set-tool"}
"""Routes with a name in them that means the caller's own workspace."""
PERSONAL = {
    "profile",
    "password",
    "confirm-password",
    "sessions",
    "end-sessions",
    "end-session",
    "workspaces",
    "deciding",
    "identities",
    "own-identity",
}
"""Routes about the caller, whatever the workspace."""
LATER = {"test-case": 422, "run-archive": 404}
"""Routes that answer only once the run is over, or archived, and what they say until then."""
NO_IDS = {"number", "asked", "name", "slug", "group_id"}
"""Places in routes that several workspaces fill alike."""
METHODS = ("get", "post", "patch", "put", "delete")
HASH = "ab" * 32
BODIES: dict[str, Any] = {
    "publish": {"revision": 1},
    "publish-gate": {"asks": None},
    "fork": {"from": 1},
    "budget": {"limit_tokens": 1},
    "mute-alert": {"until": None},
    "samples": {"name": "x"},
    "evaluate": {"language": "expression", "text": "1"},
    "rename": {"kind": "field", "from": "x", "to": "y"},
    "pins": {"node": "x", "output": 1},
    "retention": {"days": 30},
    "go-on": {"request_id": "break-x", "decision": "step"},
    "accept-tool": {"hash": HASH},
    "accept-source": {"hashes": {"add": HASH}},
    "tool-source-operations": {"operations": [], "server": "https://shop.example"},
    "decide": {"items": [{"id": "x", "hash": HASH}], "decision": "approved"},
    "withdraw": {"ids": ["x"]},
    "claim-many": {"ids": ["x"]},
    "snooze-many": {"ids": ["x"], "until": "2999-01-01T00:00:00Z"},
    "delegate-many": {"ids": ["x"], "to": "nobody"},
    "triggers": {"kind": "webhook"},
    "answer-back": {"reply": "So."},
    "offer": {"tool_name": None, "chat": False},
}
"""The least that routes want before they look at rights."""


@pytest.fixture
def names(people: People, graph: Graph, run: Run) -> dict[str, Any]:
    """What to put into the routes: one object of each kind, all of Alice's workspace."""
    graphs.publish(people.alice, graph, revision=1)
    catalogue.create_agent(people.alice, slug="writer", fields={"name": "W", "model": "m/x"})
    credential = catalogue.create_credential(
        people.olga, name="key", kind="bearer", hosts=["api.example.com"], value="s3cret"
    )
    providers.add_provider(
        people.olga,
        providers.NewProvider(
            provider="acme",
            label="Acme",
            base_url="https://llm.acme.invalid/v1",
            key="s3cret",
            models=("small",),
        ),
    )
    price = set_price(people.olga, "acme", "*", date(2026, 1, 1), Rates(Decimal(1), Decimal(2)))
    limit = budgets.create_budget(
        people.olga, graph=graph, period="day", limit_usd=Decimal(5), limit_tokens=None
    )
    another = Run.objects.get(pk=start_run(people.alice, graph, Start(draft=True)))
    alike = Run.objects.in_workspace(people.alice.workspace_id)
    job = start_job(people.alice, preview(people.alice, alike, BulkJob.Action.CANCEL).job.pk)
    version = graph.versions.get(number=1)
    Publication.objects.create(
        graph=graph, version=version, asked_by=people.alice.user, asked_at=1, run=run.pk
    )
    today = timezone.now().date()
    named = [people.olga.user_id]
    thread = threads.begin(people.alice, graph, "draft", "Why this one, @Olga?", named)
    Blob.objects.create(hash=HASH, size=2, data=b"{}")
    RunBlob.objects.create(run=run.pk, hash=HASH)
    shop = Wanted("shop", "openapi", document=text_of())
    sources.add_source(people.olga, shop)
    told = channels.Wanted(address="https://told.example.com/hook")
    channel, _secret = channels.create(people.olga, "webhook", told, mine=False)
    rule = rules.create(people.olga, channel, rules.Wanted(["run.failed"]))
    notice = ChannelNotice.objects.create(
        channel=channel, rule=rule, event="1", kind="run.failed", ref=run.pk, at=1, available_at=1
    )
    trigger, _secret = triggers.create(people.alice, graph, triggers.Wanted("Orders", on=True))
    return {
        "asked": mailbox.ask(run.pk, wishes.cancel(people.alice.user_id, None)).pk,
        "graph_id": graph.pk,
        "run_id": run.pk,
        "provider_id": "acme",
        "price_id": price.pk,
        "fact_id": facts.create_fact(people.alice, text="Ours.", entities=["Secret Inc"]).key,
        "number": 1,
        "account_id": program_accounts.make_token(
            people.olga, program_accounts.Account("Robot", "author"), Allowed("script", ["*"])
        )[0].user_id,
        "group_id": grouping.create(people.olga, "Secret finance", [people.bob.user_id]).pk,
        "sha256": HASH,
        "credential_id": credential.pk,
        "budget_id": limit.pk,
        "member_id": people.vera.pk,
        "token_id": accounts.create_api_token(people.alice, name="script")[0].pk,
        "invitation_id": invitations.create_invitation(people.olga, role="viewer")[0].pk,
        "request_id": open_interrupt(run).pk,
        "job_id": job.pk,
        "cause_id": fail(another).pk,
        "alert_id": create_rule(people.alice, Rule("failures", 5)).pk,
        "breaker_id": Breaker.objects.create(id=HASH, workspace=people.olga.workspace).pk,
        "sign_in_id": SignIn.objects.create(user=people.alice.user, session_key="hers").pk,
        "view_id": inbox_views.save_view(people.alice, "Mine", {}, shared=True).pk,
        "proposal_id": DraftProposal.objects.create(
            workspace=people.alice.workspace, by=people.alice.user, words="x", run=run.pk
        ).pk,
        "identity_provider_id": (
            firm := IdentityProvider.objects.create(
                workspace=people.olga.workspace, name="Firm", issuer="https://firm.invalid"
            )
        ).pk,
        "own_provider_id": firm.pk,
        "begin_id": firm.pk,
        "sample_id": samples.save_sample(people.alice, graph, name="usual", value="hi").pk,
        "stand_in_id": standing_in.set_stand_in(
            people.bob, Absence(people.bob.user_id, people.olga.user_id, today, today)
        ).pk,
        "trigger_id": trigger.pk,
        "delivery_id": trying.test(people.alice, trigger, {"body": "Theirs"}).pk,
        "channel_id": channel.pk,
        "rule_id": rule.pk,
        "notice_id": notice.pk,
        "thread_id": thread.pk,
        "comment_id": thread.comments.get().pk,
        "slug": "writer",
        "node": "a-node-of-ours",
        "name": "add",
        "source": "shop",
    }


def methods_of(pattern: URLPattern) -> list[str]:
    view: Any = pattern.callback
    return [name for name in METHODS if hasattr(view.view_class, name)]


def address(pattern: URLPattern, names: dict[str, Any]) -> str:
    text = str(pattern.pattern)
    for name, converter in pattern.pattern.converters.items():
        raw = next(p for p in text.split("<") if p.split(">")[0].rsplit(":", 1)[-1] == name)
        assert name in names, f"say in this test what {name!r} of {text!r} is"
        text = text.replace(f"<{raw.split('>')[0]}>", converter.to_url(names[name]))
    return text


def routes() -> list[URLPattern]:
    return [p for p in urlpatterns if p.name not in PUBLIC]


def test_alice_reaches_every_route_that_carol_is_then_refused(
    names: dict[str, Any], olga: Api
) -> None:
    for pattern in routes():
        if "get" in methods_of(pattern):
            answer = olga.get(address(pattern, names))
            expected = LATER.get(pattern.name or "", 200)
            assert answer.status_code == expected, (address(pattern, names), answer.content)


def test_an_object_of_another_workspace_is_404_whatever_is_tried(
    names: dict[str, Any], carol: Api
) -> None:
    walked = 0
    for pattern in routes():
        if not pattern.pattern.converters or pattern.name in OWN:
            continue
        for method in methods_of(pattern):
            answer = carol(method.upper(), address(pattern, names))
            assert answer.status_code == 404, (method, address(pattern, names), answer.content)
            assert answer["Content-Type"] == "application/problem+json"
            walked += 1
    assert walked > 25


def test_lists_of_another_workspace_name_nothing_of_this_one(
    names: dict[str, Any], carol: Api, people: People
) -> None:
    foreign = [str(value) for key, value in names.items() if key not in NO_IDS]
    foreign += [people.alice.user_id, people.alice.workspace_id, "alice@example.com"]
    foreign += ["Secret finance"]
    for pattern in routes():
        if pattern.pattern.converters or "get" not in methods_of(pattern):
            continue
        text = carol.get(address(pattern, names)).content.decode()
        assert not [value for value in foreign if value in text], pattern


def test_a_workspace_that_is_named_must_be_ones_own(
    names: dict[str, Any], carol: Api, people: People
) -> None:
    home = Workspace.objects.get(slug="home").pk
    for pattern in routes():
        if pattern.pattern.converters or pattern.name in SHARED | PERSONAL:
            continue
        for method in methods_of(pattern):
            if method == "get":
                path = f"{address(pattern, names)}?workspace={home}"
                assert carol.get(path).status_code == 404, path
            body = {"name": "x", "id": "x", "email": "x@example.com", "kind": "bearer"}
            answer = carol(method.upper(), address(pattern, names), body, **{"X-Workspace": home})
            assert answer.status_code == 404, (method, pattern, answer.content)
    assert not Workspace.objects.get(pk=home).agents.filter(slug="x").exists()


def test_anonymous_callers_are_asked_to_sign_in(names: dict[str, Any]) -> None:
    anyone = Api()
    for pattern in routes():
        for method in methods_of(pattern):
            answer = anyone(method.upper(), address(pattern, names))
            assert answer.status_code == 401, (method, pattern)
            assert answer.json()["code"] == "NotSignedIn"


def test_a_viewer_changes_nothing(names: dict[str, Any], people: People) -> None:
    allowed = {"check", "draft", "answer", "answer-back", "saved-view"}
    vera = Api(people.vera)
    for pattern in routes():
        if pattern.name in allowed | PERSONAL or not pattern.pattern.converters:
            continue
        for method in methods_of(pattern):
            if method == "get":
                continue
            body = BODIES.get(str(pattern.name), {})
            answer = vera(method.upper(), address(pattern, names), body)
            assert answer.status_code == 403, (method, pattern, answer.content)
            assert answer.json()["code"] == "NotAllowed"
