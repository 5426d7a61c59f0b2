"""Which calls of an agent people decide on before they are sent: its rules, by tool.

ask:
stripe/refund: {when: always, editable: [amount], eligible: ["group:finance"]}
stripe/*: {when: first}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from engine.core.graph.fields import Key, Milliseconds
from engine.core.graph.principals import NamedPeople, listed
from engine.core.graph.problems import refusal

DAY_MS = 86_400_000
MAX_TEXT = 8192
"""Longest condition, in characters: `engine.core.expressions` takes no longer one."""
NAMES = frozenset({"arguments", "tool"})
"""What a condition may read."""
MOST_RULES = 100
EVERY_TOOL = "*"


class CallEscalation(BaseModel):
    """Who is asked too when nobody decides."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    after_ms: Milliseconds
    to: NamedPeople


class CallAsk(BaseModel):
    """When people are asked before a tool is called, who they are, and what they may change.

    `expression` is CEL over `arguments` and `tool`; one that fails or yields no boolean asks.
    `editable` are arguments by name, `*` is all. `timeout_ms`: then the call counts as refused.
    `eligible` absent: whoever reviews. `at_least` is how many must approve.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    when: Literal["never", "always", "first", "expression"] = "always"
    expression: str | None = Field(default=None, min_length=1, max_length=MAX_TEXT)
    editable: Annotated[tuple[Key, ...], BeforeValidator(listed), Field(max_length=100)] = ()
    eligible: NamedPeople | None = None
    at_least: int = Field(default=1, ge=1, le=1_000)
    four_eyes: tuple[Literal["starter", "publisher", "editor"], ...] = ()
    require_reason: Literal["never", "reject", "always"] = "never"
    timeout_ms: Annotated[int, Field(ge=1, le=366 * DAY_MS)] = DAY_MS
    reminders: Annotated[tuple[Milliseconds, ...], Field(max_length=20)] = ()
    escalation: CallEscalation | None = None

    @model_validator(mode="after")
    def _expression_is_given(self) -> CallAsk:
        if (self.when == "expression") != (self.expression is not None):
            raise refusal(
                "MissingField" if self.expression is None else "InvalidValue",
                '"when: expression" and an "expression" go together: give both, or neither.',
                field="expression",
            )
        return self

    @property
    def policy(self) -> dict[str, object]:
        """Who decides, as an approval's request says it."""
        found = self.model_dump(
            mode="json", include={"eligible", "four_eyes", "reminders", "escalation"}
        )
        rule: object = "any" if self.at_least == 1 else {"at_least": self.at_least}
        said = {name: value for name, value in found.items() if value}
        return {**said, "rule": rule, "require_reason": self.require_reason}


CallAsks: TypeAlias = Annotated[dict[Key, CallAsk], Field(max_length=MOST_RULES)]


def rule_for(asks: Mapping[str, CallAsk], source: str, names: Iterable[str]) -> CallAsk | None:
    """Return the rule of a tool that has these names: the tool's own, its source's, that for all.

    The nearest one counts alone, so that one tool of a source can be left out.
    """
    for name in (*names, f"{source}/*", EVERY_TOOL):
        if name in asks:
            return asks[name]
    return None
