"""A house event as its consumer hears it: a notice for each rule that it fits, and nothing sent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

from builder.base.clock import now_ms
from builder.doors.telling.channels.hours import due_at
from builder.doors.telling.rules.audience import may_hear
from builder.doors.telling.rules.kinds import RUNS, TOLD
from builder.models import BudgetLimit, ChannelNotice, Graph, HouseEvent, NoticeRule, Run
from builder.models.doors.house_kinds import BUDGET_MARK, ITEM_WAITING
from builder.reads.money.budget_words import budget_name

NAME: Final = "notices"
KINDS: Final = frozenset(TOLD)


def hear(event: HouseEvent) -> None:
    """Write down who is told of an event, in the transaction of who heard it."""
    ChannelNotice.objects.bulk_create(_notices(event, now_ms()), ignore_conflicts=True)


def _notices(event: HouseEvent, now: int) -> Iterator[ChannelNotice]:
    rules = _rules(event)
    if not rules:
        return
    run = Run.objects.select_related("version").filter(pk=event.run).first()
    if event.kind in RUNS and (run is None or run.parent_run or _is_trial(run)):
        return
    data = _told(event)
    for rule in may_hear(event, _about(rules, run)):
        yield ChannelNotice(
            channel=rule.channel,
            rule=rule,
            event=str(event.pk),
            kind=event.kind,
            ref=event.ref,
            run=event.run,
            graph=event.graph,
            data=data,
            at=event.at,
            available_at=due_at(rule, rule.channel, now),
        )


def _told(event: HouseEvent) -> str:
    """Return what a notice says; of a budget also which one it is, as it is called now."""
    if event.kind != BUDGET_MARK:
        return event.data
    limit_id = event.ref.partition(":")[2].partition(":")[0]
    rows = BudgetLimit.objects.select_related("graph", "trigger")
    limit = rows.filter(pk=limit_id).first()
    if limit is None:
        return event.data
    of, by = limit.graph, limit.trigger
    budget = {
        "id": limit.pk,
        "name": budget_name(limit),
        "period": limit.period,
        "workflow": {"id": of.pk, "name": of.name} if of else None,
        "trigger": {"id": by.pk, "name": by.name} if by else None,
    }
    return json.dumps({**json.loads(event.data), "budget": budget})


def _rules(event: HouseEvent) -> list[NoticeRule]:
    """Return the rules of the workspace that ask for this kind, in channels that are on."""
    data = json.loads(event.data)
    graph = None if data.get("level") == "workspace" else event.graph
    rows = NoticeRule.objects.filter(
        channel__workspace=event.workspace_id, channel__on=True, channel__verified_at__isnull=False
    )
    found = rows.select_related("channel")
    asked = [rule for rule in found if event.kind in rule.kinds and rule.graph in (None, graph)]
    if event.kind == ITEM_WAITING:
        asked = [rule for rule in asked if rule.minutes == data["minutes"]]
    return _of_place(asked, graph)


def _of_place(rules: list[NoticeRule], graph: str | None) -> list[NoticeRule]:
    """Return the rules without those about a folder or tag that the workflow does not have now."""
    if not any(rule.folder or rule.tag for rule in rules):
        return rules
    row = Graph.objects.filter(pk=graph).only("folder", "tags").first()
    lies, tags = ("", []) if row is None else (f"{row.folder}/", row.tags)
    return [
        rule
        for rule in rules
        if (not rule.folder or lies.startswith(f"{rule.folder}/"))
        and (not rule.tag or rule.tag in tags)
    ]


def waits() -> Iterable[tuple[str, int]]:
    """Return after how many minutes rules want to hear that an item of a workspace still waits."""
    rows = NoticeRule.objects.filter(
        minutes__isnull=False, channel__on=True, channel__verified_at__isnull=False
    )
    found = rows.values_list("channel__workspace", "minutes").distinct()
    return [(workspace, minutes) for workspace, minutes in found if minutes is not None]


def listening() -> Iterable[str]:
    """Return the workspaces with a rule in a channel that is on."""
    rows = NoticeRule.objects.filter(channel__on=True, channel__verified_at__isnull=False)
    return rows.values_list("channel__workspace", flat=True).distinct()


def _about(rules: Iterable[NoticeRule], run: Run | None) -> list[NoticeRule]:
    """Return the rules without those that ask for their person's own runs where this is none."""
    starter = None if run is None else run.started_by
    return [rule for rule in rules if not rule.mine or rule.channel.user_id == starter]


def _is_trial(run: Run) -> bool:
    return run.version is not None and run.version.is_draft
