"""What came of it: what others saw of the product, held against what the product says of its runs.

Nothing here reads the product's tables. `recorded` is what the other side was asked, did and
charged; `answered` is what the kit's clients were told (`crowd`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Final

from tests.chaos import desk
from tests.chaos.doors.judging import doors_broken
from tests.chaos.evidence import Evidence, Rules
from tests.chaos.facts import Fact
from tests.chaos.verdict import Verdict

OUT_OF_MONEY: Final = "GraphBudgetExceeded"
UNREADABLE: Final = "ProviderUnreadable"
"""A provider's answer that is none is not asked for again."""
PASSED_ON: Final = "SubgraphFailed"
"""How a run ends whose child ended so."""
NOT_DONE: Final = {"refuse", "cut_before"}
"""How the service answers what it did not do; only of the first the product can know that."""


Found = Iterator[tuple[str, str]]
"""What is broken, by its name in the line, and where."""


def judge(recorded: Sequence[Fact], answered: Sequence[Fact], rules: Rules) -> Verdict:
    """Return the verdict over everything that was noted."""
    seen = Evidence(recorded, answered, rules)
    verdict = Verdict(len(seen.runs))
    checks = (_ends, _starts, _logs, _keyed, _unsafe, _decisions, _asked, _budgets, _purse)
    found = chain.from_iterable(check(seen) for check in checks)
    for zero, text in chain(found, doors_broken(recorded, answered)):
        verdict.broken[zero] += 1
        verdict.where.append(f"{zero}: {text}")
    return verdict


def _ends(seen: Evidence) -> Found:
    """Every run that was acknowledged ends, as it should, and has done what it owes."""
    done = {(fact["tag"], fact["step"]) for fact in seen.effects if fact["answer"] not in NOT_DONE}
    gone = {fact["run"] for fact in seen.gone}
    for run, fact in seen.runs.items():
        end = seen.ended.get(run)
        if run in gone:
            yield "lost", f"run {run} was acknowledged and is not there"
        elif end is None:
            yield "stuck", f"run {run} ({fact['flow']}, {fact['tag']}) did not end"
        elif not _may_end_so(end, seen):
            yield "lost", f"run {run} ({fact['flow']}) ended as {end['status']}: {end['code']}"
        elif end["status"] == "completed":
            for step in seen.rules.owes.get(fact["flow"], ()):
                if (fact["tag"], step) not in done and not _was_told(seen, fact["tag"]):
                    yield "lost", f"run {run} completed, and its {step} was never done"


def _may_end_so(end: Fact, seen: Evidence) -> bool:
    if end["status"] == "completed":
        return True
    if end["code"] in (UNREADABLE, PASSED_ON):
        said = (fact["answer"] for fact in seen.charges if fact["tag"] == end["tag"])
        return any(one == "nonsense" for one in said)
    return bool(end["code"] == OUT_OF_MONEY and end["flow"] == seen.rules.purse)


def _was_told(seen: Evidence, tag: str) -> bool:
    """Whether a person said of a call of this run that it happened: then it need not have."""
    said = (fact for fact in seen.decided if fact["tag"] == tag)
    return any(fact["decision"] == "happened" for fact in said)


def _starts(seen: Evidence) -> Found:
    """One key starts one run, however often it is sent."""
    runs: dict[str, set[str]] = defaultdict(set)
    for fact in seen.started:
        runs[fact["tag"]].add(fact["run"])
    for tag, found in runs.items():
        if len(found) > 1:
            yield "keyed_repeated", f"the start {tag} made {len(found)} runs: {sorted(found)}"


def _logs(seen: Evidence) -> Found:
    """Logs and sockets bring every event once, in order, and both the same."""
    for run, end in seen.ended.items():
        if _gap(end["log"]):
            yield "events_missing", f"the log of run {run} has a gap or a double"
    for fact in seen.watched:
        log = seen.ended.get(fact["run"], {}).get("log")
        if log is not None and fact["seen"] != log:
            text = f"{len(fact['seen'])} events of {len(log)}"
            yield "events_missing", f"a socket on run {fact['run']} brought {text}, or others"


def _gap(log: Sequence[Sequence[Any]]) -> bool:
    return [event[0] for event in log] != list(range(1, len(log) + 1))


def _keyed(seen: Evidence) -> Found:
    """What a step has done under one key is not done under another."""
    for (tag, step), asked in seen.by_step("keyed").items():
        keys = {fact["key"] for fact in asked if fact["done"]}
        if len(keys) > 1:
            yield "keyed_repeated", f"{step} of {tag} was done under {len(keys)} keys"


def _unsafe(seen: Evidence) -> Found:
    """What may not be repeated is sent once, and once more for each person that said so."""
    again = Counter(
        fact["tag"] for fact in seen.decided if fact["decision"] == "retry" and _counts(fact)
    )
    for (tag, step), asked in seen.by_step("unsafe").items():
        sent = sum(fact["answer"] != "refuse" for fact in asked)
        if sent > 1 + again[tag]:
            yield "unsafe_repeated", f"{step} of {tag} was sent {sent} times"


def _counts(fact: Fact) -> bool:
    """Whether what was said may have counted: it was granted, or nobody knows."""
    return not 300 <= fact["status"] < 500


def _decisions(seen: Evidence) -> Found:
    """A request is closed once, as those were told who were told that their word counted."""
    closed = Counter(one["request"] for end in seen.ended.values() for one in end["resolved"])
    outcome = {
        one["request"]: one["decision"] for end in seen.ended.values() for one in end["resolved"]
    }
    for request, times in closed.items():
        if times > 1:
            yield "decisions_twice", f"{request} was closed {times} times"
    for fact in seen.decided:
        if fact["status"] != 200 or fact["run"] not in seen.ended:
            continue
        if fact["request"] not in outcome:
            yield "lost", f"{fact['request']}: {fact['decision']} was granted, and never counted"
        elif fact["decision"] != outcome[fact["request"]]:
            yield "decisions_twice", f"{fact['request']}: {fact['decision']} was granted as well"
    yield from _quorums(seen)
    done = {(fact["tag"], fact["step"]) for fact in seen.effects if fact["done"]}
    for tag, step in done:
        if step == "pay" and (tag, "refund") in done:
            yield "decisions_twice", f"{tag} was approved and rejected"


def _asked(seen: Evidence) -> Found:
    """Of a call that people decide on, what they approved is sent, and never what the model wanted."""
    sent = {(fact["tag"], fact["step"]) for fact in seen.effects}
    for tag, step in sent:
        if step == desk.WANTED:
            yield "unapproved", f"{tag}: what the model wanted was sent, not what was approved"
    for fact in seen.decided:
        end = seen.ended.get(fact["run"])
        if end is None or (end["flow"], end["status"]) != (seen.rules.desk, "completed"):
            continue
        granted = fact["decision"] == "approved" and fact["status"] == 200
        if granted and (fact["tag"], desk.EDITED) not in sent and not _was_told(seen, fact["tag"]):
            yield "lost", f"the call of {fact['tag']} was approved, and never sent"


def _quorums(seen: Evidence) -> Found:
    """What two must approve is approved by two."""
    said: dict[str, set[str]] = defaultdict(set)
    for fact in seen.decided:
        if fact["decision"] == "approved" and _counts(fact):
            said[fact["run"]].add(fact["by"])
    for run, end in seen.ended.items():
        passed = end["flow"] == seen.rules.board and end["status"] == "completed"
        if passed and len(said[run]) < 2:
            yield "decisions_twice", f"run {run} needs two people, and had {len(said[run])}"


def _budgets(seen: Evidence) -> Found:
    """What a run was charged stands in its books, and within its budget."""
    charged: Counter[str] = Counter()
    for fact in seen.charges:
        charged[fact["tag"]] += fact["tokens"]
    for run, end in seen.ended.items():
        tokens = charged[end["tag"]]
        if tokens > end["booked"]:
            yield "budget_under", f"run {run} was charged {tokens}, and {end['booked']} are booked"
        if tokens > seen.rules.run_tokens:
            yield "budget_under", f"run {run} was charged {tokens} of {seen.rules.run_tokens}"
        if end["held"]:
            yield "budget_under", f"run {run} is over and holds {end['held']} tokens"


def _purse(seen: Evidence) -> Found:
    """What many runs share is not overspent, and all of it is booked."""
    tags = {fact["tag"] for fact in seen.started if fact["flow"] == seen.rules.purse}
    charged = sum(fact["tokens"] for fact in seen.charges if fact["tag"] in tags)
    if charged > seen.rules.purse_tokens:
        yield "budget_under", f"the shared budget of {seen.rules.purse_tokens} paid {charged}"
    if charged > seen.rules.purse_booked:
        yield "budget_under", f"{charged} were charged, {seen.rules.purse_booked} are booked"
