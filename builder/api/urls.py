"""The one list of the REST surface."""

from __future__ import annotations

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from builder.api.called import offers
from builder.api.dashboards import (
    alerts,
    approvals,
    breakers,
    operations,
    overview,
    reviewers,
    spend,
    workers,
)
from builder.api.graphs import (
    deciders,
    drafting,
    evaluation,
    folders,
    pins,
    publication,
    renaming,
    samples,
    values,
)
from builder.api.graphs import views as graphs
from builder.api.graphs.commenting import mentions
from builder.api.graphs.commenting import views as commenting
from builder.api.http import schema  # noqa: F401  (tells drf-spectacular how we sign in)
from builder.api.http.schema.schema_view import SchemaView
from builder.api.inbox import ahead, asking_back, decide
from builder.api.inbox import verbs as inbox
from builder.api.inbox import views as interrupts
from builder.api.inbox.lists import by_fields, saved
from builder.api.models import prices as model_prices
from builder.api.models import providers as model_providers
from builder.api.models import views as models
from builder.api.runs import bulk, causes, chat, forks, keeping, lists, requests, trials
from builder.api.runs import views as runs
from builder.api.sign_in import providers as identity
from builder.api.telling import channels, notices, rules
from builder.api.tools.routes import urlpatterns as tools
from builder.api.triggers import views as triggers
from builder.api.workspace import (
    access,
    account,
    audit,
    budgets,
    catalogue,
    facts,
    notifications,
    search,
    session,
    stand_ins,
)
from builder.api.workspace.routes import urlpatterns as people


class Sha256(StringConverter):
    """A hash in hexadecimal."""

    regex = "[0-9a-f]{64}"


class ProviderId(StringConverter):
    """The name of a model provider."""

    regex = "[a-z][a-z0-9-]{0,62}"


class FactId(StringConverter):
    """The id of a fact in hexadecimal."""

    regex = "[0-9a-f]{32}"


register_converter(Sha256, "sha256")
register_converter(FactId, "fact")
register_converter(ProviderId, "provider")

urlpatterns = [
    path("schema/", SchemaView.as_view(), name="schema"),
    path("search/", search.SearchView.as_view(), name="search"),
    path("session/", session.SessionView.as_view(), name="session"),
    path("profile/", account.ProfileView.as_view(), name="profile"),
    path("password/", account.PasswordView.as_view(), name="password"),
    path("password/confirm/", account.ConfirmView.as_view(), name="confirm-password"),
    path("password-reset/", account.ResetView.as_view(), name="ask-for-reset"),
    path("password-reset/confirm/", account.ConfirmResetView.as_view(), name="reset-password"),
    path("sessions/", account.SessionsView.as_view(), name="sessions"),
    path("sessions/end/", account.EndSessionsView.as_view(), name="end-sessions"),
    path("sessions/<uuid:sign_in_id>/", account.SignInView.as_view(), name="end-session"),
    path("workspaces/", account.WorkspacesView.as_view(), name="workspaces"),
    path("setup/", session.SetUpView.as_view(), name="setup"),
    path("notifications/", notifications.NotificationsView.as_view(), name="notifications"),
    path("channels/", channels.ChannelsView.as_view(), name="channels"),
    path("channels/<uuid:channel_id>/", channels.ChannelView.as_view(), name="channel"),
    path(
        "channels/<uuid:channel_id>/test/",
        channels.TestChannelView.as_view(),
        name="test-channel",
    ),
    path(
        "channels/<uuid:channel_id>/verify/",
        channels.VerifyChannelView.as_view(),
        name="verify-channel",
    ),
    path(
        "channels/<uuid:channel_id>/secret/",
        channels.ChannelSecretView.as_view(),
        name="channel-secret",
    ),
    path("notice-rules/", rules.RulesView.as_view(), name="notice-rules"),
    path("notice-rules/<uuid:rule_id>/", rules.RuleView.as_view(), name="notice-rule"),
    path("notices/", notices.NoticesView.as_view(), name="notices"),
    path("notices/<uuid:notice_id>/again/", notices.NoticeAgainView.as_view(), name="notice-again"),
    path("deciding/", decide.DecidingView.as_view(), name="deciding"),
    path("workspace/", session.WorkspaceView.as_view(), name="workspace"),
    path("models/", models.ModelsView.as_view(), name="models"),
    path("models/accept/", models.AcceptModelsView.as_view(), name="accept-models"),
    path("node-types/", catalogue.NodeTypesView.as_view(), name="node-types"),
    path("functions/", catalogue.FunctionsView.as_view(), name="functions"),
    *tools,
    path("agents/", catalogue.AgentsView.as_view(), name="agents"),
    path("agents/<slug:slug>/", catalogue.AgentView.as_view(), name="agent"),
    path("credentials/", catalogue.CredentialsView.as_view(), name="credentials"),
    path(
        "credentials/<uuid:credential_id>/",
        catalogue.CredentialView.as_view(),
        name="credential",
    ),
    *people,
    path(
        "identity-providers/",
        identity.IdentityProvidersView.as_view(),
        name="identity-providers",
    ),
    path(
        "identity-providers/<uuid:identity_provider_id>/",
        identity.IdentityProviderView.as_view(),
        name="identity-provider",
    ),
    path("sign-in/<uuid:begin_id>/", identity.BeginView.as_view(), name="begin-sign-in"),
    path("identities/", identity.IdentitiesView.as_view(), name="identities"),
    path(
        "identities/<uuid:own_provider_id>/",
        identity.IdentityView.as_view(),
        name="own-identity",
    ),
    path("stand-ins/", stand_ins.StandInsView.as_view(), name="stand-ins"),
    path("stand-ins/<uuid:stand_in_id>/", stand_ins.StandInView.as_view(), name="stand-in"),
    path("budgets/", budgets.BudgetsView.as_view(), name="budgets"),
    path("budgets/<uuid:budget_id>/", budgets.BudgetView.as_view(), name="budget"),
    path("spend/", spend.SpendView.as_view(), name="spend"),
    path("socket-ticket/", access.SocketTicketView.as_view(), name="socket-ticket"),
    path("invitations/", access.InvitationsView.as_view(), name="invitations"),
    path("invitations/look/", access.LookView.as_view(), name="look-at-invitation"),
    path("invitations/<uuid:invitation_id>/", access.InvitationView.as_view(), name="invitation"),
    path("join/", access.JoinView.as_view(), name="join"),
    path("audit/", audit.AuditView.as_view(), name="audit"),
    path("audit/verification/", audit.AuditVerificationView.as_view(), name="verify-audit"),
    path("graphs/", graphs.GraphsView.as_view(), name="graphs"),
    path("folders/", folders.FoldersView.as_view(), name="folders"),
    path("folders/move/", folders.MoveView.as_view(), name="move-to-folder"),
    path("folders/rename/", folders.RenameFolderView.as_view(), name="rename-folder"),
    path("graph-templates/", graphs.TemplatesView.as_view(), name="graph-templates"),
    path("graphs/<uuid:graph_id>/", graphs.GraphView.as_view(), name="graph"),
    path("graphs/<uuid:graph_id>/draft/", graphs.DraftView.as_view(), name="draft"),
    path(
        "graphs/<uuid:graph_id>/draft/evaluate/",
        evaluation.EvaluateView.as_view(),
        name="evaluate",
    ),
    path("graphs/<uuid:graph_id>/draft/rename/", renaming.RenameView.as_view(), name="rename"),
    path("graphs/<uuid:graph_id>/draft/values/", values.ValuesView.as_view(), name="values"),
    path("graphs/<uuid:graph_id>/samples/", samples.SamplesView.as_view(), name="samples"),
    path(
        "graphs/<uuid:graph_id>/samples/<uuid:sample_id>/",
        samples.SampleView.as_view(),
        name="sample",
    ),
    path("graphs/<uuid:graph_id>/pins/", pins.PinsView.as_view(), name="pins"),
    path("graphs/<uuid:graph_id>/pins/<str:node>/", pins.PinView.as_view(), name="pin"),
    path("mentions/", mentions.MentionsView.as_view(), name="mentions"),
    path("mentions/read/", mentions.ReadMentionsView.as_view(), name="read-mentions"),
    path("graphs/<uuid:graph_id>/threads/", commenting.ThreadsView.as_view(), name="card-threads"),
    path(
        "graphs/<uuid:graph_id>/threads/<uuid:thread_id>/",
        commenting.ThreadView.as_view(),
        name="card-thread",
    ),
    path(
        "graphs/<uuid:graph_id>/threads/<uuid:thread_id>/comments/",
        commenting.ThreadCommentsView.as_view(),
        name="card-comments",
    ),
    path(
        "graphs/<uuid:graph_id>/threads/<uuid:thread_id>/comments/<uuid:comment_id>/",
        commenting.ThreadCommentView.as_view(),
        name="card-comment",
    ),
    path("graphs/<uuid:graph_id>/check/", graphs.CheckView.as_view(), name="check"),
    path("graphs/<uuid:graph_id>/export/", graphs.ExportView.as_view(), name="export"),
    path("graphs/<uuid:graph_id>/versions/", graphs.VersionsView.as_view(), name="versions"),
    path(
        "graphs/<uuid:graph_id>/versions/<int:number>/",
        graphs.VersionView.as_view(),
        name="version",
    ),
    path(
        "graphs/<uuid:graph_id>/versions/<int:number>/restore/",
        graphs.RestoreView.as_view(),
        name="restore",
    ),
    path(
        "graphs/<uuid:graph_id>/versions/<int:number>/promote/",
        graphs.PromoteView.as_view(),
        name="promote",
    ),
    path(
        "graphs/<uuid:graph_id>/publication/",
        publication.PublicationView.as_view(),
        name="publication",
    ),
    path(
        "graphs/<uuid:graph_id>/publication/gate/",
        publication.GateView.as_view(),
        name="publish-gate",
    ),
    path(
        "runs/<uuid:run_id>/publication/",
        publication.PublicationOfRunView.as_view(),
        name="publication-of-run",
    ),
    path("graphs/<uuid:graph_id>/retention/", keeping.RetentionView.as_view(), name="retention"),
    path("runs/<uuid:run_id>/kept/", keeping.KeptView.as_view(), name="keep-run"),
    path("runs/<uuid:run_id>/archive/", keeping.ArchiveView.as_view(), name="run-archive"),
    path("graphs/<uuid:graph_id>/offer/", offers.OfferView.as_view(), name="offer"),
    path("graphs/<uuid:graph_id>/publish/", graphs.PublishView.as_view(), name="publish"),
    path("graphs/<uuid:graph_id>/runs/", graphs.StartView.as_view(), name="start"),
    path("describe/", drafting.DescribeView.as_view(), name="describe"),
    path("describe/models/", drafting.DescribeModelsView.as_view(), name="describe-models"),
    path("describe/<uuid:proposal_id>/", drafting.ProposalView.as_view(), name="proposal"),
    path(
        "describe/<uuid:proposal_id>/stop/",
        drafting.StopProposalView.as_view(),
        name="stop-proposal",
    ),
    path(
        "describe/<uuid:proposal_id>/close/",
        drafting.CloseProposalView.as_view(),
        name="close-proposal",
    ),
    path("runs/", lists.RunsView.as_view(), name="runs"),
    path("runs/bulk/preview/", bulk.PreviewView.as_view(), name="preview-bulk"),
    path("runs/bulk/", bulk.BulkView.as_view(), name="start-bulk"),
    path("runs/bulk/<uuid:job_id>/", bulk.BulkJobView.as_view(), name="bulk"),
    path("runs/bulk/<uuid:job_id>/items/", bulk.BulkItemsView.as_view(), name="bulk-items"),
    path("runs/bulk/<uuid:job_id>/stop/", bulk.StopBulkView.as_view(), name="stop-bulk"),
    path("runs/bulk/<uuid:job_id>/resume/", bulk.ResumeBulkView.as_view(), name="resume-bulk"),
    path("causes/", causes.CausesView.as_view(), name="causes"),
    path("causes/<sha256:cause_id>/", causes.CauseView.as_view(), name="cause"),
    path("runs/<uuid:run_id>/", runs.RunView.as_view(), name="run"),
    path("runs/<uuid:run_id>/events/", runs.EventsView.as_view(), name="events"),
    path("runs/<uuid:run_id>/state/", runs.StateView.as_view(), name="state"),
    path("runs/<uuid:run_id>/blobs/<sha256:sha256>/", runs.BlobView.as_view(), name="blob"),
    path("runs/<uuid:run_id>/cancel/", runs.CancelView.as_view(), name="cancel"),
    path("runs/<uuid:run_id>/retry/", forks.RetryView.as_view(), name="retry"),
    path("runs/<uuid:run_id>/chat/", chat.RunChatView.as_view(), name="run-chat"),
    path("chat/", chat.ChatView.as_view(), name="chat"),
    path("runs/<uuid:run_id>/given/<str:node>/", trials.GivenView.as_view(), name="given"),
    path("runs/<uuid:run_id>/breakpoint/", trials.BreakpointView.as_view(), name="go-on"),
    path(
        "runs/<uuid:run_id>/requests/<int:asked>/",
        requests.RequestView.as_view(),
        name="run-request",
    ),
    path("runs/<uuid:run_id>/fork/", forks.ForkView.as_view(), name="fork"),
    path("runs/<uuid:run_id>/fork-plan/", forks.ForkPlanView.as_view(), name="fork-plan"),
    path("runs/<uuid:run_id>/test-case/", forks.TestCaseView.as_view(), name="test-case"),
    path("interrupts/", interrupts.InterruptsView.as_view(), name="interrupts"),
    path("interrupts/fields/", by_fields.OfferedFieldsView.as_view(), name="inbox-fields"),
    path("inbox-views/", saved.SavedViewsView.as_view(), name="saved-views"),
    path("inbox-views/<uuid:view_id>/", saved.SavedViewView.as_view(), name="saved-view"),
    path("interrupts/decide/", decide.DecideView.as_view(), name="decide"),
    path("interrupts/withdraw/", decide.WithdrawView.as_view(), name="withdraw"),
    path("interrupts/claim/", inbox.ClaimManyView.as_view(), name="claim-many"),
    path("interrupts/snooze/", inbox.SnoozeManyView.as_view(), name="snooze-many"),
    path("interrupts/delegate/", inbox.DelegateManyView.as_view(), name="delegate-many"),
    path("interrupts/<str:request_id>/", interrupts.InterruptView.as_view(), name="interrupt"),
    path("interrupts/<str:request_id>/answer/", interrupts.AnswerView.as_view(), name="answer"),
    path("facts/", facts.FactsView.as_view(), name="facts"),
    path("facts/<fact:fact_id>/", facts.FactView.as_view(), name="fact"),
    path("fact-tags/", facts.FactTagsView.as_view(), name="fact-tags"),
    path("entities/", facts.EntitiesView.as_view(), name="entities"),
    path("interrupts/<str:request_id>/foresee/", ahead.ForeseeView.as_view(), name="foresee"),
    path("interrupts/<str:request_id>/alike/", ahead.AlikeView.as_view(), name="alike"),
    path(
        "interrupts/<str:request_id>/ask-back/", asking_back.AskBackView.as_view(), name="ask-back"
    ),
    path(
        "interrupts/<str:request_id>/answer-back/",
        asking_back.AnswerBackView.as_view(),
        name="answer-back",
    ),
    path("interrupts/<str:request_id>/claim/", inbox.ClaimView.as_view(), name="claim"),
    path("interrupts/<str:request_id>/snooze/", inbox.SnoozeView.as_view(), name="snooze"),
    path("interrupts/<str:request_id>/delegate/", inbox.DelegateView.as_view(), name="delegate"),
    path("interrupts/<str:request_id>/comments/", inbox.CommentsView.as_view(), name="comments"),
    path("operations/", operations.OperationsView.as_view(), name="operations"),
    path("workers/", workers.WorkersView.as_view(), name="workers"),
    path("approvals/who/", deciders.WhoView.as_view(), name="who"),
    path("approvals/", approvals.ApprovalsView.as_view(), name="approvals"),
    path("approvals/reviewers/", reviewers.ReviewersView.as_view(), name="reviewers"),
    path("alerts/", alerts.AlertsView.as_view(), name="alerts"),
    path("alerts/<uuid:alert_id>/", alerts.AlertView.as_view(), name="alert"),
    path("alerts/<uuid:alert_id>/mute/", alerts.MuteAlertView.as_view(), name="mute-alert"),
    path("breakers/", breakers.BreakersView.as_view(), name="breakers"),
    path(
        "breakers/<sha256:breaker_id>/reset/",
        breakers.ResetBreakerView.as_view(),
        name="reset-breaker",
    ),
    path("models/providers/", model_providers.ProvidersView.as_view(), name="providers"),
    path(
        "models/providers/<provider:provider_id>/",
        model_providers.ProviderView.as_view(),
        name="provider",
    ),
    path(
        "models/providers/<provider:provider_id>/test/",
        model_providers.TryProviderView.as_view(),
        name="test-provider",
    ),
    path("models/find/", model_providers.FindModelsView.as_view(), name="find-models"),
    path("models/presets/", models.PresetsView.as_view(), name="provider-presets"),
    path("models/use/", models.UseView.as_view(), name="provider-use"),
    path("models/prices/", model_prices.PricesView.as_view(), name="model-prices"),
    path("models/prices/<uuid:price_id>/", model_prices.PriceView.as_view(), name="model-price"),
    path("graphs/<uuid:graph_id>/triggers/", triggers.TriggersView.as_view(), name="triggers"),
    path(
        "graphs/<uuid:graph_id>/triggers/cards/",
        triggers.TriggerCardsView.as_view(),
        name="trigger-cards",
    ),
    path("triggers/due/", triggers.DueView.as_view(), name="due"),
    path("triggers/<uuid:trigger_id>/", triggers.TriggerView.as_view(), name="trigger"),
    path(
        "triggers/<uuid:trigger_id>/secret/",
        triggers.TriggerSecretView.as_view(),
        name="rotate-trigger-secret",
    ),
    path(
        "triggers/<uuid:trigger_id>/test/", triggers.TryTriggerView.as_view(), name="test-trigger"
    ),
    path(
        "triggers/<uuid:trigger_id>/deliveries/",
        triggers.DeliveriesView.as_view(),
        name="deliveries",
    ),
    path(
        "deliveries/<uuid:delivery_id>/again/",
        triggers.RepeatView.as_view(),
        name="repeat-delivery",
    ),
    path("models/trial/", model_providers.TrialView.as_view(), name="try-model"),
    path("overview/", overview.OverviewView.as_view(), name="overview"),
]
