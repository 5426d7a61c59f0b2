"""What nobody knows before it happens, and texts in which that is left open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.expressions.cel import Expression, ExpressionInvalid
from engine.core.expressions.templates import compile_template
from engine.core.state.program import NodePlan
from engine.runtime.foresight.steps import label_of


class Veils:
    """Which names of a scope will hold something else by then, and by which step."""

    def __init__(self) -> None:
        self._by: dict[tuple[str, ...], str] = {}

    def draw(self, plan: NodePlan) -> dict[str, str]:
        """Hide what a step will write; return the text that stands for each memory key."""
        label = label_of(plan)
        keys = [*plan.write_keys, *plan.own_keys]
        self._by[("outputs", plan.id)] = self._by[("previous",)] = label
        for key in keys:
            self._by[("memory",) if key == "*" else ("memory", key)] = label
        return {key: veil(label) for key in keys if key != "*"}

    def over(self, value: Any) -> tuple[Any, str | None]:
        """Return a config with what is hidden left open, and the step that has to come first."""
        found: list[str] = []
        return self._over(value, found), (found[0] if found else None)

    def _over(self, value: Any, found: list[str]) -> Any:
        if isinstance(value, str):
            return self._text(value, found)
        if isinstance(value, Mapping):
            return {name: self._over(each, found) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [self._over(each, found) for each in value]
        return value

    def _text(self, text: str, found: list[str]) -> str:
        if "{{" not in text:
            return text
        try:
            template = compile_template(text)
        except ExpressionInvalid:
            return text  # of a field that is no template

        def hides(part: Expression) -> str | None:
            label = self._hidden_in(part)
            if label is None:
                return None
            found.append(label)
            return veil(label)

        return template.veiled(hides)

    def _hidden_in(self, expression: Expression) -> str | None:
        for path, label in self._by.items():
            for reference in expression.references:
                length = min(len(path), len(reference.path))
                if reference.path[:length] == path[:length]:
                    return label
        return None


def veil(label: str) -> str:
    """Return the text that stands for what a step will give."""
    return f"[what {label.replace(chr(123), chr(40))} gives]"
