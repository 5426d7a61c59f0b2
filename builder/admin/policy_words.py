"""A policy of decisions, and whom it asks, in a few words, as the page of the audit log says it (`policyWords.ts`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

RULES: Final[Mapping[str, str]] = {
    "any": "any one",
    "all": "everyone",
    "per_group": "one of each",
}
REASONS: Final[Mapping[str, str]] = {
    "reject": "a reason for a no",
    "always": "always with a reason",
}


def policy_words(policy: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return a policy as `any one of finance, Bob; not the starter; a reason for a no`."""
    return "; ".join(_parts(policy, names))


def _parts(policy: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[str]:
    eligible = policy.get("eligible")
    asked = (
        [principal_words(str(one), names) for one in eligible] if isinstance(eligible, list) else []
    )
    yield f"{_rule(policy.get('rule'))} of {', '.join(asked) or 'all reviewers'}"
    eyes = policy.get("four_eyes")
    if isinstance(eyes, list) and eyes:
        yield f"not the {' or '.join(str(one) for one in eyes)}"
    if policy.get("veto") is True:
        yield "a no ends it"
    if reason := REASONS.get(str(policy.get("require_reason"))):
        yield reason


def _rule(rule: Any) -> str:
    if isinstance(rule, Mapping):
        return str(rule.get("at_least") or RULES["any"])
    return RULES.get(str(rule), RULES["any"])


def principal_words(entry: str, names: Mapping[str, str]) -> str:
    """Return `role:admin` as Admins, `group:finance` as finance, `user:x` by name, others as they are."""
    kind, _colon, name = entry.partition(":")
    if not name or kind not in ("role", "group", "user"):
        return entry
    return f"{name.capitalize()}s" if kind == "role" else names.get(name, name)
