"""The part of the fold that concerns steps: journaled calls, what they cost, what they show."""

from __future__ import annotations

from decimal import Decimal

from engine.core.effects import MADE_ONCE, EffectClass
from engine.core.state.events import Event, node_of
from engine.core.state.lanes import merge_write
from engine.core.state.run_state import Activation, LiveHold, NodeSpend, RunState, Step
from engine.core.state.sent import shown_call
from engine.core.values.json import EMPTY, FINGERPRINT, FrozenDict, deep_merge

SPENT_ON = ("agent", "model", "unpriced")
"""What a model call's intent and outcome say about who spent on what."""


def step_intended(state: RunState, event: Event) -> None:
    """Journal a call about to be sent, and what is held for it."""
    data = event.data
    act = state.activations.get(event.key or "")
    hold = data.get("hold")
    if hold is not None:
        usd = Decimal(hold["usd"])
        described = {name: data[name] for name in SPENT_ON if name in data}
        state.holds[hold["id"]] = LiveHold(event.key or "", hold["tokens"], usd, described)
        state.held_tokens += hold["tokens"]
        state.held_usd += usd
    effect = EffectClass(data["effect_class"])
    if effect in MADE_ONCE:
        state.effected = True
    if act is not None:
        act.steps[(data["attempt"], data["path"])] = Step(
            data["path"],
            data["attempt"],
            data["kind"],
            data["request_hash"][:FINGERPRINT],
            "intended",
            effect,
            hold=hold and hold["id"],
            epoch=act.epoch,
            described=shown_call(data["kind"], data) if effect in MADE_ONCE else {},
            sent_at=event.at,
            seq=event.seq,
        )


def _settle(state: RunState, event: Event) -> None:
    data = event.data
    hold = state.holds.pop(data["hold"], None) if data.get("hold") else None
    if hold is not None:
        state.held_tokens -= hold.tokens
        state.held_usd -= hold.usd
    tokens, usd = data.get("tokens"), data.get("cost_usd")
    if tokens is None and usd is None:
        return
    cost = Decimal(usd or 0)
    spend = state.spend.setdefault(node_of(event.key or ""), NodeSpend())
    spend.tokens += tokens or 0
    spend.usd += cost
    state.spent_tokens += tokens or 0
    state.spent_usd += cost


def step_completed(state: RunState, event: Event) -> None:
    """Journal the outcome of a call, and what it cost."""
    _settle(state, event)
    data = event.data
    act = state.activations.get(event.key or "")
    step = act and act.steps.get((data["attempt"], data["path"]))
    if step:
        step.status, step.result = "done", data["result"]
        if act:
            act.takeovers = 0  # what gets on does not keep killing its process
        if act and step.kind == "model":
            act.away_since, act.away_tries = None, 0
            act.slowed_since, act.slowed_tries = None, 0


def step_failed(state: RunState, event: Event) -> None:
    """Journal a failed call; `again` has it made anew: with its key where it has one, else as another.

    Who asks for another try says nothing of the first: a keyed call stays one that may have happened.
    """
    _settle(state, event)
    data = event.data
    act = state.activations.get(event.key or "")
    step = act and act.steps.get((data["attempt"], data["path"]))
    if act and step:
        if data.get("again") and step.effect is EffectClass.KEYED:
            step.status = "intended"
        elif data.get("again"):
            del act.steps[(data["attempt"], data["path"])]
        else:
            step.status, step.error = "failed", data["error"]


def step_recorded(state: RunState, event: Event) -> None:
    """Journal a value that needed no call; of a look, the place in the log it was taken at."""
    data = event.data
    act = state.activations.get(event.key or "")
    if act is not None:
        act.steps[(data["attempt"], data["path"])] = Step(
            data["path"],
            data["attempt"],
            data["kind"],
            data["request_hash"],
            "done",
            EffectClass.PURE,
            result=event.seq if data["kind"] == "look" else data.get("result"),
        )


def note_slowness(act: Activation, event: Event) -> None:
    """Note that a provider wants to be asked later: that attempt does not count."""
    if event.data.get("uncounted"):
        act.away += 1
        act.slowed_tries += 1
        act.slowed_since = event.at if act.slowed_since is None else act.slowed_since


def note_absence(act: Activation, event: Event) -> None:
    """Note that an attempt did not reach the model server, or that this one did."""
    if event.data.get("waits_for") != "server":
        if (event.data["error"].get("detail") or {}).get("sent") is not False:
            act.away_since, act.away_tries = None, 0
        return
    act.away += 1
    act.away_tries += 1
    act.away_since = event.at if act.away_since is None else act.away_since


def apply_writes(state: RunState, act: Activation, event: Event) -> None:
    """Merge an activation's writes and results into memory, and note who wrote last."""
    writes, results = event.data.get("writes"), event.data.get("results")
    if not writes and not results:
        return
    replace = state.program.spec.merge_of(state.program.spec.node(act.node)) == "replace"
    elementwise = state.program.elementwise
    mark = (act.key, act.lineage | {act.key} if act.approved else act.lineage)
    for key, value in (writes or {}).items():
        merged = state.memory[key] = merge_write(state, key, value, replace=replace)
        state.writers[key] = mark
        state.written[key] = (act.key, event.seq)
        if key in elementwise:
            state.fits[key] = merged
    for key, value in (results or {}).items():
        state.memory[key] = value
        state.writers[key] = mark


def message_emitted(state: RunState, event: Event) -> None:
    """Add a message to what the user of the run sees."""
    state.messages.append({"node": event.node, "content": event.data["content"], "at": event.at})
    _journal_emit(state, event)


def structured_emitted(state: RunState, event: Event) -> None:
    """Merge structured output into what the user of the run sees."""
    data = event.data
    kind, value = data.get("data_type"), data["data"]
    if kind is None:
        state.structured = deep_merge(state.structured, value)
    else:
        old = state.structured.get(kind, EMPTY)
        new = deep_merge(old, value) if data.get("mode") == "merge" else value
        state.structured = FrozenDict({**state.structured, kind: new})
    _journal_emit(state, event)


def node_state_set(state: RunState, event: Event) -> None:
    """Keep a value of one node, or of one item of it."""
    act = state.activations.get(event.key or "")
    if act is not None:
        known = state.node_state.get(act.base, EMPTY)
        state.node_state[act.base] = {**known, event.data["name"]: event.data["value"]}
    _journal_emit(state, event)


def workflow_state_set(state: RunState, event: Event) -> None:
    """Keep a value of the run."""
    state.workflow_state = {**state.workflow_state, event.data["name"]: event.data["value"]}
    _journal_emit(state, event)


def write_dropped(state: RunState, event: Event) -> None:
    """Remember that it was said, so that code which runs again does not say it twice."""
    _journal_emit(state, event)


def row_shown(state: RunState, event: Event) -> None:
    """Remember that a row was shown; what it says is for people, not for the engine."""
    _journal_emit(state, event)


def _journal_emit(state: RunState, event: Event) -> None:
    if event.data.get("path"):
        step_recorded(state, event)
