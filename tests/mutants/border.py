"""Mistakes at the borders: of a workspace, of a role, of the machine's own network."""

from __future__ import annotations

from functools import partial
from typing import Final

from tests.mutants.mutant import Mutant, Promise

TARGETS: Final = ("tests/engine/integrations/test_egress_targets.py",)
CALLS: Final = ("tests/engine/integrations/test_egress_calls.py",)
TENANTS: Final = ("tests/builder/api/test_two_tenants.py",)
of = partial(Mutant, promise=Promise.BORDER)

MUTANTS: Final = (
    of(
        name="accepted_name_leads_to_metadata",
        file="engine/integrations/egress/addresses.py",
        old="            and inner not in METADATA\n",
        new="",
        breaks="An accepted server's name that resolves to a metadata service is called.",
        tests=TARGETS,
    ),
    of(
        name="accepted_name_leads_to_link_local",
        file="engine/integrations/egress/addresses.py",
        old="            and not inner.is_link_local\n",
        new="",
        breaks="The same for link-local addresses.",
        tests=TARGETS,
    ),
    of(
        name="any_name_leads_to_the_own_network",
        file="engine/integrations/egress/client.py",
        old="        return (listed and is_own_network(address)) or",
        new="        return is_own_network(address) or",
        breaks="A name that nobody accepted leads into the own network.",
        tests=TARGETS,
    ),
    of(
        name="one_good_address_is_enough",
        file="engine/integrations/egress/client.py",
        old="        for address in addresses:\n            if not self._may_reach(address, listed, private):",
        new="        for address in addresses[:1]:\n            if not self._may_reach(address, listed, private):",
        breaks="A name with a public and a private address is called.",
        tests=TARGETS,
    ),
    of(
        name="mapped_addresses_are_public",
        file="engine/integrations/egress/addresses.py",
        old="    if address.ipv4_mapped is not None:\n        return [address.ipv4_mapped]\n",
        new="",
        breaks="A private address spelt as IPv6 is reached.",
        tests=TARGETS,
    ),
    of(
        name="any_port_is_open",
        file="engine/integrations/egress/client.py",
        old="        if not (listed or private or origin in allow.ports) and origin.port not in ports:",
        new="        if listed and origin.port not in ports:",
        breaks="Ports that nobody accepted are called.",
        tests=TARGETS,
    ),
    of(
        name="secrets_follow_a_redirect",
        file="engine/integrations/egress/client.py",
        old="        if target.origin != self.target.origin:\n            body, secrets = None, {}",
        new="        if target.origin != self.target.origin:\n            body = None",
        breaks="Credentials go to whom a server redirects to.",
        tests=CALLS,
    ),
    of(
        name="no_end_of_an_answer",
        file="engine/integrations/egress/client.py",
        old="            if len(received) > self._max_response:",
        new="            if len(received) > self._max_response * 1_000:",
        breaks="An endless answer fills the memory.",
        tests=CALLS,
    ),
    of(
        name="name_of_another_tenants_graph",
        file="builder/reads/money/spend.py",
        old="graphs = Graph.objects.in_workspace(span.workspace_id).filter(slug__in=slugs)",
        new="graphs = Graph.objects.filter(slug__in=slugs)",
        breaks="A spend figure shows how another tenant calls its graph.",
        tests=("tests/builder/api/dashboards/test_spend_api.py",),
    ),
    of(
        name="spending_of_all_tenants",
        file="builder/reads/money/spend.py",
        old="        rows = sums.objects.in_workspace(self.workspace_id)\n",
        new="        rows = sums.objects.all()\n",
        breaks="Spend figures add up what all tenants spent.",
        tests=("tests/builder/api/dashboards/test_spend_api.py",),
    ),
    of(
        name="overview_of_all_tenants",
        file="builder/reads/figures.py",
        old='    runs = runs_of(workspace_id, graph.pk if graph else "")\n',
        new="    runs = Run.objects.all()\n",
        breaks="The dashboard counts the runs of all tenants.",
        tests=(
            "tests/builder/services/test_permissions.py::test_an_overview_counts_one_workspace",
        ),
    ),
    of(
        name="rows_of_all_workspaces",
        file="builder/models/querysets.py",
        old='        condition: dict[str, Any] = {f"{self.workspace_path}__memberships__user": user.pk}\n',
        new="        condition: dict[str, Any] = {}\n",
        breaks="Everybody sees everything.",
        tests=TENANTS,
    ),
    of(
        name="socket_of_another_tenants_run",
        file="builder/live/readers.py",
        old="    return rows().visible_to(User(pk=user_id)).filter(pk=name).values_list",
        new="    return rows().exclude(pk=user_id).filter(pk=name).values_list",
        breaks="A socket follows the run of another workspace.",
        tests=(
            "tests/builder/live/test_consumers.py",
            "tests/builder/live/test_consumer_refusals.py",
        ),
    ),
    of(
        name="ticket_opens_all_workspaces",
        file="builder/live/consumer.py",
        old="        return found if only is None or found == only else None",
        new="        return found",
        breaks="A socket by a token's ticket reaches its person's other workspaces.",
        tests=("tests/builder/live/test_socket_tickets.py",),
    ),
    of(
        name="ticket_used_twice",
        file="builder/services/people/socket_tickets.py",
        old="if kept is None or not mine.delete()[0]:",
        new="if kept is None:",
        breaks="A ticket opens a second socket.",
        tests=("tests/builder/live/test_socket_tickets.py",),
    ),
    of(
        name="socket_outlives_its_membership",
        file="builder/live/consumer.py",
        old="                    if sub.workspace_id is not None and sub.workspace_id not in allowed:",
        new="                    if not allowed:",
        breaks="Who was removed from a workspace goes on watching its runs.",
        tests=("tests/builder/live/test_consumer_refusals.py::test_access_is_looked_at_again",),
    ),
    of(
        name="viewer_runs",
        file="builder/services/permissions.py",
        old="    Role.VIEWER: frozenset({Right.VIEW}),",
        new="    Role.VIEWER: frozenset({Right.VIEW, Right.RUN}),",
        breaks="A viewer starts runs.",
        tests=("tests/builder/services/test_permissions.py",),
    ),
    of(
        name="author_cancels_any_run",
        file="builder/services/permissions.py",
        old="    own = run.started_by == member.user_id and may(member, Right.RUN)",
        new="    own = may(member, Right.RUN)",
        breaks="An author cancels what others started.",
        tests=("tests/builder/services/test_permissions.py",),
    ),
    of(
        name="reviewer_edits",
        file="builder/services/permissions.py",
        old="    Role.REVIEWER: frozenset({Right.VIEW, Right.DECIDE}),",
        new="    Role.REVIEWER: frozenset({Right.VIEW, Right.DECIDE, Right.EDIT}),",
        breaks="A reviewer changes what he reviews.",
        tests=("tests/builder/services/test_permissions.py",),
    ),
    of(
        name="formula_in_a_csv",
        file="builder/reads/csv_lines.py",
        old="""    return f"'{text}" if text.startswith(FORMULA) else text""",
        new="    return text",
        breaks="A name that begins with = runs in a spreadsheet.",
        tests=("tests/builder/api/dashboards/test_spend_api.py",),
    ),
)
