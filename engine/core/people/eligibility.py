"""Who may decide an interrupt, at the moment of deciding; and whom an approval asks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core.budgets.ledger import SHARED
from engine.core.errors import NodeError, RequestRefused
from engine.core.expressions.cel import ExpressionInvalid, compile_expression
from engine.core.people.quorum import ANYONE, EVERY, NOBODY, Fills
from engine.core.state.requests import Actor
from engine.core.state.run_state import OpenInterrupt, RunState

DECIDING_ROLES = frozenset({"reviewer", "operator", "admin"})
"""Roles that may decide. A policy chooses among those who have one, it gives nobody the right."""

ANSWERING_ROLES = DECIDING_ROLES | {"author"}
"""Roles that may answer a question: it asks for knowledge, not for a permission."""

DRAWING_ROLES = frozenset({"author", "admin"})
"""Roles that draw workflows: a reviewer may ask them back."""

RAISING_ROLES = frozenset({"admin"})
"""Roles that may edit budgets: they alone may raise one that other runs spend from as well."""

OWN_WORK = {
    "starter": "started this run",
    "publisher": "published this version of the workflow",
    "editor": "edited this version of the workflow",
}
"""What somebody did whom a rule of four eyes keeps out."""

QUESTIONS = frozenset({"text", "choice", "multi-choice", "form"})


@dataclass(frozen=True, slots=True)
class Asking:
    """Whom an interrupt asks. `excluded` is four-eyes rule → ids of people whom it keeps out.

    `spoken` is person → who has decided in their place: they themselves, or a stand-in.
    """

    kind: str
    eligible: Sequence[str] | None = None
    escalated: Sequence[str] = ()
    seats: Sequence[str] = ()
    excluded: Mapping[str, Collection[str]] = field(default_factory=dict)
    spoken: Mapping[str, str] = field(default_factory=dict)

    def why_not(self, actor: Actor) -> str | None:
        """Return why the actor may not decide, None if they may: as themselves, or for the absent."""
        if self.as_whom(actor):
            return None
        absent = [one for one in actor.stands_for if self._names(one)]
        for one in (actor, *absent) if absent else ():
            rule = self.kept_out_as(one)
            if rule is not None and one is actor:
                return _four_eyes(rule)
            if rule is not None:
                return f"{_own_work(one.name or one.id, rule)}, and no stand-in of theirs"
        return self.why_not_oneself(actor)

    def why_not_you(self, actor: Actor) -> str | None:
        """Return `why_not` in the words in which it is said to the actor."""
        reason, rule = self.why_not(actor), self.kept_out_as(actor)
        return _own_work("you", rule) if rule and reason == _four_eyes(rule) else reason

    def as_whom(self, actor: Actor) -> list[Actor]:
        """Return in whose place the actor may decide: in their own first, then for the absent."""
        own = [actor] if self.why_not_oneself(actor) is None else []
        return own + [one for one in actor.stands_for if self.why_not_as(actor, one) is None]

    def why_not_as(self, actor: Actor, absent: Actor) -> str | None:
        """Return why the actor may not decide in the place of `absent`: four eyes hold for both."""
        if absent.id == actor.id:
            return self.why_not_oneself(actor)
        if not has_role(actor, self._roles):
            return self._lacking(actor)
        rule = self.kept_out_as(actor)
        if rule is not None:
            return _four_eyes(rule)
        if self.spoken.get(absent.id, actor.id) != actor.id:
            return "it was decided in this place already"
        return self._barred(absent)

    def why_not_oneself(self, actor: Actor) -> str | None:
        """Return why the actor may not decide in their own place. `cli` always may."""
        if actor.kind == "cli":
            return None
        if self.spoken.get(actor.id, actor.id) != actor.id:
            return "a stand-in has decided in this place already"
        return self._barred(actor)

    def _barred(self, actor: Actor) -> str | None:
        named = self._names(actor)
        if not named and self.eligible is not None:
            return "the approval names other people"
        if not named or not has_role(actor, self._roles):
            return self._lacking(actor)
        if self.fills(actor) == []:
            return "it asks those who were there when it was opened"
        rule = self.kept_out_as(actor)
        return rule and _four_eyes(rule)

    def kept_out_as(self, actor: Actor) -> str | None:
        """Return the four-eyes rule that keeps the actor out; None if none does."""
        return next((rule for rule, out in self.excluded.items() if actor.id in out), None)

    def why(self, actor: Actor) -> str | None:
        """Return the entry that asks the actor; None if none does."""
        entries = (*(self.eligible or ()), *self.escalated)
        entry = next((entry for entry in entries if names(entry, actor)), None)
        if entry is None and self.eligible is None:
            entry = next((f"role:{role}" for role in actor.roles & self._roles), None)
        return entry

    def fills(self, actor: Actor) -> list[int] | None:
        """Return which seats the actor can fill; None for any.

        Whom it was escalated to stands in for anybody, and so does `cli`.
        """
        if not self.seats or actor.kind == "cli" or names_any(self.escalated, actor):
            return None
        return fills_among(self.seats, actor)

    def _lacking(self, actor: Actor) -> str:
        return f"the role {next(iter(actor.roles), 'none')} may not decide"

    @property
    def _roles(self) -> frozenset[str]:
        return ANSWERING_ROLES if self.kind in QUESTIONS else DECIDING_ROLES

    def _names(self, actor: Actor) -> bool:
        if names_any(self.escalated, actor):
            return True
        by_role = self.eligible is None and bool(actor.roles & self._roles)
        return by_role or names_any(self.eligible or (), actor)


def asking(state: RunState, opened: OpenInterrupt) -> Asking:
    """Return whom an open interrupt asks."""
    policy: Mapping[str, Any] = opened.request.get("policy") or {}
    eligible = policy.get("eligible") if opened.eligible is None else opened.eligible
    return Asking(
        opened.kind,
        None if eligible is None else _computed(state, eligible),
        opened.escalated,
        opened.seats,
        kept_out(state.started, policy),
        spoken(opened.decisions),
    )


def in_whose_place(asked: Asking, actor: Actor, wanted: str | None) -> Actor:
    """Return in whose place the actor decides: the `wanted` one, else the first that they may.

    Raises `RequestRefused` `NotEligible`.
    """
    may = asked.as_whom(actor)
    found = next((one for one in may if wanted in (None, one.id)), None)
    if found is not None:
        return found
    absent = next((one for one in (actor, *actor.stands_for) if one.id == wanted), None)
    if wanted is None:
        reason = asked.why_not_you(actor)
    elif absent is None:
        reason = "you stand in for nobody of that id today: decide as yourself, or leave it out"
    else:
        reason = asked.why_not_as(actor, absent)
    raise RequestRefused("NotEligible", str(reason))


def _four_eyes(rule: str) -> str:
    return _own_work("they", rule)


def _own_work(who: str, rule: str) -> str:
    """Return that a rule keeps people out of their own work, and the cure."""
    return f"{who} {OWN_WORK[rule]}, so somebody else has to decide"


def spoken(said: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return person → who decided in their place, of decisions by who made them."""
    return {one.get("stands_for") or by: by for by, one in said.items()}


def may_be_asked_back(state: RunState, actor: Actor) -> bool:
    """Return whether a reviewer may ask the actor: who started the run, or draws workflows."""
    people: Mapping[str, Any] = state.started.get("people") or {}
    drew = {person for persons in people.values() for person in persons}
    mine = actor.id == state.started.get("started_by") or actor.id in drew
    return mine or not actor.roles or not actor.roles.isdisjoint(DRAWING_ROLES)


def may_raise(opened: OpenInterrupt, actor: Actor) -> None:
    """Raise `NotEligible` unless `actor` may raise the budget that `opened` asks about.

    A cap of the run or of a node concerns this run alone: who may decide may raise it.
    """
    level = opened.request.get("level")
    if level in SHARED and actor.kind != "cli" and not actor.roles & RAISING_ROLES:
        raise RequestRefused(
            "NotEligible",
            f"other runs spend from the {level}'s budget too: raising it takes the right to edit "
            "budgets",
        )


def may_decide(state: RunState, opened: OpenInterrupt, actor: Actor) -> None:
    """Raise `NotEligible` unless `actor` may decide `opened` now: of a breakpoint, the starter."""
    if opened.kind == "breakpoint":
        if actor.kind != "cli" and actor.id != state.started.get("started_by"):
            raise RequestRefused("NotEligible", "only who started the run goes on from here")
        return
    reason = asking(state, opened).why_not_you(actor)
    if reason is not None:
        raise RequestRefused("NotEligible", reason)


def kept_out(started: Mapping[str, Any], policy: Mapping[str, Any]) -> dict[str, set[str]]:
    """Return whom a policy's four-eyes rules keep out of a run that was started so, by rule."""
    people: Mapping[str, Any] = started.get("people") or {}
    found: dict[str, set[str]] = {}
    for rule in policy.get("four_eyes", ()):
        started_by = [started.get("started_by")] if rule == "starter" else []
        found[rule] = {str(person) for person in (*started_by, *people.get(rule, ()))}
    return found


def has_role(actor: Actor, roles: Collection[str] = DECIDING_ROLES) -> bool:
    """Return whether one of the actor's roles is among those; yes where nobody knows them."""
    return not actor.roles or not actor.roles.isdisjoint(roles)


def may_be_asked(actor: Actor, entries: Sequence[str] | None) -> bool:
    """Return whether an approval with these `eligible` entries asks the actor: by name and role."""
    return by_default(actor, entries) or (names_any(entries or (), actor) and has_role(actor))


def names_any(entries: Sequence[str], actor: Actor) -> bool:
    """Return whether one of `user:x`, `group:y`, `role:z` names the actor."""
    return any(names(entry, actor) for entry in entries)


def names(entry: str, actor: Actor) -> bool:
    """Return whether `user:x`, `group:y` or `role:z` names the actor.

    A person is named by id or login only: what people call themselves is not theirs alone.
    """
    kind, _, name = entry.partition(":")
    if kind == "user":
        return name == actor.id or (name != "" and name.lower() == actor.login.lower())
    if kind == "group":
        return name in actor.groups
    return kind == "role" and name in actor.roles


def fills_among(seats: Sequence[str], actor: Actor) -> list[int] | None:
    """Return which of the seats the actor can fill by name, group or role; None for any."""
    if all(seat == ANYONE for seat in seats):
        return None
    return [i for i, seat in enumerate(seats) if seat == ANYONE or names(seat, actor)]


def asked_by(
    state: RunState, policy: Mapping[str, Any], members: Sequence[Actor] | None
) -> dict[str, Any]:
    """Return what opening an approval fixes: `eligible` as computed now, and `quorum`.

    `members` is everyone in the workspace, None where nobody knows (a script without directory).
    """
    eligible = policy.get("eligible")
    entries = None if eligible is None else _computed(state, eligible)
    found: dict[str, Any] = {} if entries is None else {"eligible": entries}
    rule: Any = policy.get("rule", "any")
    seats = opening_seats(state.started, policy, entries, members)
    if seats:
        found["quorum"] = {"rule": rule if isinstance(rule, str) else "at_least", "seats": seats}
    return found


def opening_seats(
    started: Mapping[str, Any],
    policy: Mapping[str, Any],
    entries: Sequence[str] | None,
    members: Sequence[Actor] | None,
) -> list[str]:
    """Return the seats of an approval that opens now, in a run that was started so."""
    out: set[str] = set().union(*kept_out(started, policy).values())
    known = None if members is None else [m for m in members if m.id not in out]
    return seats_for(policy.get("rule", "any"), entries, known)


def seats_for(
    rule: object, entries: Sequence[str] | None, members: Sequence[Actor] | None
) -> list[str]:
    """Return the seats of a policy's rule; none for `any`, which one decision answers.

    `members` is who could be asked at all, None where nobody knows.
    """
    if rule == "any":
        return []
    if isinstance(rule, Mapping):
        return [ANYONE] * int(rule["at_least"])
    if rule == "per_group":
        seats = [ANYONE] if entries is None else list(dict.fromkeys(entries))
    else:
        seats = everyone(entries, members)
    return seats or [NOBODY]


def everyone(entries: Sequence[str] | None, members: Sequence[Actor] | None) -> list[str]:
    """Return a seat for each person that the entries name; absent entries: all reviewers."""
    if members is not None:
        return [f"user:{member.id}" for member in members if may_be_asked(member, entries)]
    listed = [f"role:{role}" for role in sorted(DECIDING_ROLES)] if entries is None else entries
    return [e if e.startswith("user:") else EVERY + e for e in dict.fromkeys(listed)]


def by_default(actor: Actor, entries: Sequence[str] | None) -> bool:
    """Return whether no entries are given and the actor's role decides."""
    return entries is None and bool(actor.roles & DECIDING_ROLES)


def candidates(
    state: RunState, opened: OpenInterrupt, members: Sequence[Actor] | None
) -> list[Fills] | None:
    """Return what everyone could fill who may still decide; None where nobody knows them.

    A decision by `cli` takes the place of one of them. Stand-ins add nobody: who is absent may decide
    all the same, and their place counts once.
    """
    if members is None:
        entries = (*(opened.eligible or ("",)), *opened.escalated)
        if not all(entry.startswith("user:") for entry in entries):
            return None
        members = [Actor(entry.partition(":")[2]) for entry in dict.fromkeys(entries)]
    asked = asking(state, opened)
    can = [m for m in members if m.id not in opened.decisions and asked.why_not_oneself(m) is None]
    stood_in = sum(bool(said.get("cli")) for said in opened.decisions.values())
    return [asked.fills(member) for member in can[: max(len(can) - stood_in, 0)]]


def _computed(state: RunState, entries: Sequence[str]) -> list[str]:
    """Return the entries with every `=expression` replaced by what it yields now."""
    found: list[str] = []
    for entry in entries:
        found += computed(state, entry[1:]) if entry.startswith("=") else [entry]
    return found


def computed(state: RunState, expression: str) -> list[str]:
    """Return the entries that a policy's `=expression` yields over memory and context."""
    scope = {
        "memory": state.memory,
        "context": state.context,
        "metadata": state.metadata,
        "goal": state.goal,
        "outputs": state.outputs,
    }
    try:
        value = compile_expression(expression).evaluate(scope)
    except (NodeError, ExpressionInvalid):
        return []
    values = value if isinstance(value, list) else [value]
    return [v for v in values if isinstance(v, str) and not v.startswith("=")]
