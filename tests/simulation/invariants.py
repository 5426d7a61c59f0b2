"""What must be true after every commit. The names I1 to I11 are those of the durability protocol."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal
from typing import Any

from engine.core.budgets.ledger import Ledger
from engine.core.decide.clocks.asking_back import MAX_STOPPED_MS
from engine.core.effects import EffectClass
from engine.core.node_types.conversation import Usage
from engine.core.state.events import TERMINAL_EVENTS, Event
from engine.core.state.fold.run import evolve, new_state
from engine.core.state.program import Program
from engine.core.state.run_state import RunState
from engine.integrations.models.chat import CallOrigin
from engine.runtime.stores.buffered import Batch
from tests.simulation.asked import ASKED, sent_unasked
from tests.simulation.money import Books, Covered
from tests.simulation.world import World


class Violation(AssertionError):
    """A promise was broken; the message names the invariant."""


DERIVED = {
    "program",
    "board",
    "ready",
    "runnable",
    "with_unstarted_children",
    "dirty",
    "waiting_announced",
}
STATE_FIELDS = [f.name for f in fields(RunState) if f.name not in DERIVED]
NO_VIEW = {"view", "looks", "tokens"}


def projection(state: RunState) -> dict[str, Any]:
    """Return everything of a state that the log decides; what is derived from it is normalised."""
    plain: dict[str, Any] = {name: getattr(state, name) for name in STATE_FIELDS}
    plain["activations"] = {
        key: {
            **{f.name: getattr(act, f.name) for f in fields(act) if f.name not in NO_VIEW},
            "tokens": [(t.id, t.edge) for t in act.tokens],
        }
        for key, act in state.activations.items()
    }
    plain["board"] = {token.id: (token.edge, token.payload) for token in state.board.live.values()}
    plain["runnable"] = list(state.runnable)
    plain["with_unstarted_children"] = {
        key
        for key in state.with_unstarted_children
        if (act := state.activations.get(key)) and act.hungry_groups and not act.expired
    }
    return plain


def difference(one: RunState, other: RunState) -> str:
    """Return the fields in which two states differ; empty if they are equal."""
    a, b = projection(one), projection(other)
    return "; ".join(f"{k}: {a[k]!r} is not {b[k]!r}" for k in a if a[k] != b[k])


class Shadow:
    """One run as its durable log tells it, kept beside the engine."""

    def __init__(self, run_id: str, program: Program) -> None:
        self.run_id = run_id
        self.log: list[Event] = []
        self.state = new_state(program)
        self.state.run_id = run_id
        self.epochs: dict[str, int] = {}
        self.completed: set[str] = set()
        self.resolved: dict[str, dict[str, Any]] = {}
        self.opened: set[str] = set()
        self.intended: set[tuple[str, int, str]] = set()
        self.timed: dict[str, int] = {}


def behind(path: str, other: str) -> bool:
    """Return whether the call at `path` comes after `other`: branches beside it do not."""
    parts, others = (re.split("[$!]", p, maxsplit=1)[0].split("/") for p in (path, other))
    for depth, (own, its) in enumerate(zip(parts, others, strict=False)):
        if own != its:
            return depth % 2 == 0 and int(own) > int(its)
    return False


class Checker:
    """Hears of every commit and says what is wrong with it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.shadows: dict[str, Shadow] = {}
        self.commits = 0
        self.books = Books()
        self.announced: set[str] = set()
        world.on_charge = self._charge

    def commit(self, batch: Batch, ledger: Ledger) -> None:
        """Judge one batch at the moment at which it becomes durable."""
        self.commits += 1
        shadow = self.shadows.get(batch.run_id)
        if shadow is None:
            shadow = self.shadows[batch.run_id] = Shadow(batch.run_id, batch.state.program)
        for event in batch.events:
            self._event(shadow, event)
        self._alive(shadow)
        self._money(shadow)
        for row in ledger.rows.values():
            if row.held_tokens < 0 or row.held_usd < 0:
                self._bad("I6", shadow, f"{row.id} holds less than nothing")

    def _bad(self, name: str, shadow: Shadow, text: str) -> None:
        self.world.violate(f"{name}: run {shadow.run_id} at {shadow.state.seq}: {text}")

    def _event(self, shadow: Shadow, event: Event) -> None:
        """I3 dense log, I10 absorbing ends, and what single events promise."""
        if event.seq != len(shadow.log) + 1:
            self._bad("I3", shadow, f"seq {event.seq} follows {len(shadow.log)}")
            return
        if shadow.log and shadow.log[-1].type in TERMINAL_EVENTS:
            self._bad("I10", shadow, f"{event.type} follows the end")
        judge = getattr(self, f"_on_{event.type}", None)
        if judge is not None:
            judge(shadow, event)
        shadow.log.append(event)
        evolve(shadow.state, event)

    def _on_RunStarted(self, shadow: Shadow, event: Event) -> None:
        if shadow.log:
            self._bad("I3", shadow, "the run was started twice")

    def _on_NodeStarted(self, shadow: Shadow, event: Event) -> None:
        """I4: every claim raises the lease epoch. C31: a retry comes no earlier than promised."""
        key, epoch = event.key or "", event.data["epoch"]
        self._woken_once(shadow, event)
        if epoch != shadow.epochs.get(key, 0) + 1:
            self._bad("I4", shadow, f"{key} claimed at {epoch} after {shadow.epochs.get(key)}")
        shadow.epochs[key] = epoch
        retry_at = shadow.timed.pop(key, 0)
        if event.at < retry_at:
            self._bad("C31", shadow, f"{key} retried {retry_at - event.at} ms early")

    def _woken_once(self, shadow: Shadow, event: Event) -> None:
        """A parent of children sleeps until all of them are done: it is not woken by each."""
        act = shadow.state.activations.get(event.key or "")
        if act is None or not event.data.get("resumed") or event.data.get("takeover"):
            return
        for step in act.steps.values():
            waits = step.kind == "children" and step.status == "waiting"
            if waits and step.attempt == act.attempt and not act.groups[step.path].finished:
                self._bad("C78", shadow, f"{act.key} was woken before its children were done")

    def _on_RunTransitioned(self, shadow: Shadow, event: Event) -> None:
        self.announced.add(event.data["run_id"])

    def _on_BudgetRaised(self, shadow: Shadow, event: Event) -> None:
        self.books.raised(event)

    def _on_NodeFailed(self, shadow: Shadow, event: Event) -> None:
        self._expected(shadow, event)

    def _expected(self, shadow: Shadow, event: Event) -> None:
        """I12: the node code here is deterministic and correct, so no failure may say otherwise."""
        if event.data["error"]["code"] in ("HandlerFailed", "NondeterministicNode"):
            self._bad("I12", shadow, f"{event.key}: {event.data['error']}")

    def _on_AttemptFailed(self, shadow: Shadow, event: Event) -> None:
        self._expected(shadow, event)
        shadow.timed[event.key or ""] = event.data["retry_at"]

    def _on_NodeCompleted(self, shadow: Shadow, event: Event) -> None:
        """I2 single result, I4 no result of a fenced executor."""
        key = event.key or ""
        if key in shadow.completed:
            self._bad("I2", shadow, f"{key} completed twice")
        shadow.completed.add(key)
        self._in_order(shadow, event)
        said = ((event.data.get("infra") or {}).get("debug") or {}).get("epoch")
        if said is not None and said != shadow.epochs[key]:
            self._bad("I4", shadow, f"{key} completed under {said}, held at {shadow.epochs[key]}")

    def _in_order(self, shadow: Shadow, event: Event) -> None:
        """C106: what a map lists stands at its item's place; items say theirs."""
        for name, value in (event.data.get("results") or {}).items():
            for result in value if name == "spread_results" else ():
                done = result["output"].get("done") if isinstance(result["output"], dict) else None
                if done is not None and not done.endswith(f"[{result['index']}]"):
                    self._bad("C106", shadow, f"item {result['index']} has the result {done}")

    def _on_StepIntended(self, shadow: Shadow, event: Event) -> None:
        """I5: a step that may not be repeated is intended once, unless a person asked again."""
        place = (event.key or "", event.data["attempt"], event.data["path"])
        if event.data["effect_class"] == EffectClass.UNSAFE and place in shadow.intended:
            self._bad("I5", shadow, f"{place} is about to be sent again")
        shadow.intended.add(place)
        self.books.intended(self.shadows, shadow.run_id, event)
        if event.data["kind"] == "model":
            self._bought_again(shadow, event)
        if shadow.state.started.get("graph_id") == ASKED.id and event.data["kind"] == "tool":
            wrong = sent_unasked(shadow.log, event)
            if wrong is not None:
                self._bad("I7", shadow, wrong)

    def _bought_again(self, shadow: Shadow, event: Event) -> None:
        """C34: what an attempt bought is not bought by the next, if it asks the same in its place."""
        act = shadow.state.activations.get(event.key or "")
        path = event.data["path"]
        if act is None or act.rejected_answer:
            return
        here = [step for step in act.steps.values() if step.path == path]
        last = max(here, key=lambda step: step.attempt, default=None)
        if last is None or last.status != "done" or last.hash != event.data["request_hash"]:
            return
        failed = [s.path for s in act.steps.values() if s.status != "done"]
        if not any(behind(path, other) for other in failed):
            self._bad("C34", shadow, f"{act.key} buys step {path} again")

    def _on_StepFailed(self, shadow: Shadow, event: Event) -> None:
        if event.data.get("again"):
            place = (event.key or "", event.data["attempt"], event.data["path"])
            shadow.intended.discard(place)

    def _on_StepCompleted(self, shadow: Shadow, event: Event) -> None:
        act = shadow.state.activations.get(event.key or "")
        step = act and act.steps.get((event.data["attempt"], event.data["path"]))
        if step and step.kind == "model":
            for past in reversed(shadow.log):
                same = past.key == event.key and past.data.get("path") == event.data["path"]
                if same and past.type == "StepIntended":
                    self._note_bought(shadow, past)
                    return

    def _note_bought(self, shadow: Shadow, intended: Event) -> None:
        from engine.core.values.json import canonical

        request = (shadow.run_id, canonical(intended.data["request"]))
        self.world.bought[request] = f"{intended.key} step {intended.data['path']}"

    def _on_InterruptOpened(self, shadow: Shadow, event: Event) -> None:
        request_id = event.data["request_id"]
        if request_id in shadow.opened:
            self._bad("I7", shadow, f"{request_id} opened twice")
        undo = shadow.state.activations[event.key or ""].undoes is not None
        if shadow.state.ending is not None and not undo:
            self._bad("I7", shadow, f"{request_id} opened while the run ends")
        shadow.opened.add(request_id)

    def _on_InterruptResolved(self, shadow: Shadow, event: Event) -> None:
        """I7 decided once."""
        request_id = event.data["request_id"]
        if request_id not in shadow.opened or request_id in shadow.resolved:
            self._bad("I7", shadow, f"{request_id} resolved twice or never opened")
        shadow.resolved[request_id] = event.data
        if event.data.get("decision") == "approved":
            self._enough_approved(shadow, request_id)

    def _enough_approved(self, shadow: Shadow, request_id: str) -> None:
        """I7: as many people as were asked for stand by their approval."""
        about = [e for e in shadow.log if e.data.get("request_id") == request_id]
        needed = len((about[0].data.get("quorum") or {}).get("seats", ()))
        said: dict[str, str] = {}
        for past in about:
            if past.type == "DecisionRecorded":
                said[past.data["by"]] = past.data["decision"]
            elif past.type == "DecisionDropped":
                del said[past.data["by"]]
        if list(said.values()).count("approved") < needed:
            self._bad("I7", shadow, f"{request_id} approved by {said}, {needed} were needed")

    def _on_InterruptReminded(self, shadow: Shadow, event: Event) -> None:
        """I7: nobody is asked about what is closed."""
        if event.data["request_id"] not in shadow.state.interrupts:
            self._bad("I7", shadow, f"{event.type} after {event.data['request_id']} was closed")

    def _on_InterruptEscalated(self, shadow: Shadow, event: Event) -> None:
        self._on_InterruptReminded(shadow, event)

    def _on_InterruptAskedBack(self, shadow: Shadow, event: Event) -> None:
        """I7: one question back at a time, and of what is open."""
        self._on_InterruptReminded(shadow, event)
        opened = shadow.state.interrupts.get(event.data["request_id"])
        if opened is not None and opened.asked_back is not None:
            self._bad("I7", shadow, f"{opened.request_id} is asked back twice at once")

    def _on_InterruptAnsweredBack(self, shadow: Shadow, event: Event) -> None:
        """I7: the deadline moves by as long as the clock stood still, seven days at most."""
        self._on_InterruptReminded(shadow, event)
        opened = shadow.state.interrupts[event.data["request_id"]]
        assert opened.asked_back is not None
        stood = opened.stopped_ms + min(event.at, opened.asked_back.until) - opened.asked_back.at
        due = opened.opened_at + opened.request["timeout_ms"] + stood
        if event.data["expires_at"] != due or stood > MAX_STOPPED_MS:
            self._bad("I7", shadow, f"{opened.request_id} expires at {event.data}, not {due}")

    def _alive(self, shadow: Shadow) -> None:
        """I1: a run that has not ended has something that moves it; an ended one has nothing."""
        state = shadow.state
        if state.terminal:
            if state.interrupts or state.activations or state.holds:
                self._bad("I7", shadow, "ended with something open")
            open_ = shadow.opened - set(shadow.resolved)
            if open_:
                self._bad("I7", shadow, f"ended with open interrupts {sorted(open_)}")
        elif not state.activations and not state.board.live and state.ending is None:
            self._bad("I1", shadow, "nothing moves the run")

    def _money(self, shadow: Shadow) -> None:
        """I6: spent and held together stay within the run's limit."""
        state = shadow.state
        held = sum((h.usd for h in state.holds.values()), Decimal(0))
        if held != state.held_usd or state.held_usd < 0:
            self._bad("I6", shadow, f"held {state.held_usd} is not the sum of holds {held}")
        self.charged(shadow.run_id)

    def _charge(self, origin: CallOrigin, usage: Usage, usd: Decimal) -> None:
        """I6: nothing is charged without a durable intent, on whatever level."""
        wrong = self.books.charge(origin.idempotency_key, usage, usd)
        if wrong:
            self.world.violate(f"I6: {origin.run_id} {origin.node_id}: {wrong}")
        self.charged(origin.run_id)

    def levels(self, rows: Mapping[str, Covered]) -> None:
        """I6 on every level: charges ≤ spent + held ≤ limit, by an account of its own."""
        over = {run_id for run_id, shadow in self.shadows.items() if shadow.state.terminal}
        for problem in self.books.problems(rows, over):
            self.world.violate(f"I6: {problem}")

    def judge_undos(self) -> None:
        """C51, C52: a failed run has undone all that it owed, and nobody else undoes anything."""
        ended = [shadow.state.status for shadow in self.shadows.values()]
        back = [order for order in self.world.executed if order.endswith("/back")]
        if back and not {"failed", "timeout"} & set(ended):
            self.world.violate(f"C51: {back} although no run failed")
        for shadow in self.shadows.values():
            owed = sum(
                len(e.data.get("compensations") or ()) + ("undo" in e.data) for e in shadow.log
            )
            ran = sum(e.type == "CompensationRun" for e in shadow.log)
            self._handed_up(shadow)
            if shadow.state.status in ("failed", "timeout") and owed != ran:
                self._bad("C51", shadow, f"{owed} undos were owed and {ran} made")
            elif shadow.state.status not in ("failed", "timeout") and ran:
                self._bad("C51", shadow, f"{ran} undos in a run that {shadow.state.status}")

    def _handed_up(self, shadow: Shadow) -> None:
        """C52: a child run that completed leaves all its undos to the run around it."""
        for event in shadow.log:
            if event.type != "ChildRunEnded" or event.data["status"] != "completed":
                continue
            below = self.shadows[event.data["run_id"]].log
            owed = sum(len(e.data.get("compensations") or ()) + ("undo" in e.data) for e in below)
            if owed != len(event.data.get("compensations") or ()):
                self._bad("C52", shadow, f"{event.data['run_id']} left fewer than {owed} undos")

    def charged(self, run_id: str) -> None:
        """I6: what a provider took is covered by what is durably spent or held."""
        taken = self.world.charges.get(run_id, Decimal(0))
        shadow = self.shadows.get(run_id)
        covered = Decimal(0)
        if shadow is not None:
            covered = shadow.state.spent_usd + shadow.state.held_usd
        if taken > covered:
            self.world.violate(f"I6: run {run_id}: {taken} charged, {covered} spent or held")

    def limits(self, ledger: Ledger) -> None:
        """I6: no durable budget row is above its limit."""
        for row in ledger.rows.values():
            over_usd = row.limit_usd is not None and row.spent_usd + row.held_usd > row.limit_usd
            used = row.spent_tokens + row.held_tokens
            if over_usd or (row.limit_tokens is not None and used > row.limit_tokens):
                self.world.violate(f"I6: {row} is above its limit")

    def warm(self, run_id: str, state: RunState) -> None:
        """I11: the state in use equals the fold of the log."""
        shadow = self.shadows[run_id]
        if state.seq == shadow.state.seq:
            found = difference(state, shadow.state)
            if found:
                self._bad("I11", shadow, found)
