"""Templates, expressions and JSONPaths: they compile, and what they name can be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.check.access import covers
from engine.check.fields import FieldValue
from engine.check.paths.proof import Proof
from engine.check.rules.keys import never_written, unwritten
from engine.check.rules.unknown import ghosts, misfits, started
from engine.check.rules.unknown.fieldless import CODE as FIELDLESS
from engine.check.rules.unknown.fieldless import fieldless
from engine.check.rules.unknown.strangers import Place, in_words, known_instead, strangers, text_at
from engine.check.steps import too_many
from engine.check.subject import NodeSubject, Subject, field_title
from engine.core.effects import EffectClass
from engine.core.expressions.cel import Expression, ExpressionInvalid, Reference, compile_expression
from engine.core.expressions.jsonpath import compile_path
from engine.core.expressions.placeholders import THIS_TEXT, spans
from engine.core.expressions.templates import Template, compile_template
from engine.core.graph.problems import Problem, json_path
from engine.core.state.grants import read_key
from engine.core.values.effort import COMPILED, charge
from engine.core.values.limits import MAX_TEMPLATE_EXPRESSIONS

_TEMPLATES = frozenset({"prompt", "template"})


def find(subject: Subject) -> Iterator[Problem]:
    """Yield problems of everything that is evaluated."""
    proof = Proof(subject)
    for edge in subject.spec.edges:
        if edge.condition is not None:
            yield from _condition(subject, edge.index)
    for node in subject.nodes:
        for found in node.fields:
            yield from _field(proof, node, found)
        if node.spec.memory_query is not None:
            path = f"{node.path}.memory_query.text"
            yield from _template(proof, node, path, node.spec.memory_query.text, _prompts(node))
    if proof.gave_up:
        yield too_many("what certainly exists when a node starts")


def _condition(subject: Subject, index: int) -> Iterator[Problem]:
    edge = subject.spec.edges[index]
    charge(COMPILED)
    if not (edge.condition or "").strip():
        message = "The condition is empty: say what must hold, or draw a wire without one."
        problem = subject.edge_problem("ExpressionInvalid", edge, "condition", message)
        yield problem.mended(f"Say when the wire {subject.between(edge)} is taken.")
        return
    try:
        compiled = compile_expression(edge.condition or "")
    except ExpressionInvalid as error:
        problem = subject.edge_problem("ExpressionInvalid", edge, "condition", _where(error))
        said = in_words(known_instead(subject, error.message), "")
        yield problem.on(str(error.line), str(error.column)).mended(said)
        return
    references = compiled.references
    place = Place("edge", edge.id or "", ("condition",), edge.condition or "")
    for misfit in misfits.misfits(subject, compiled.compared):
        problem = subject.edge_problem(misfit.code, edge, "condition", misfit.message)
        yield misfit.told(problem, place)
    for stranger in strangers(subject, _unguarded(references)):
        problem = subject.edge_problem(stranger.code, edge, "condition", stranger.message)
        yield stranger.told(problem, place, fails=False)  # what is missing makes it false
    for ghost in ghosts.ghosts(subject, _unguarded(references)):
        problem = subject.edge_problem(
            ghosts.CODE, edge, "condition", ghosts.no_node(subject, ghost)
        )
        yield ghosts.told(subject, problem, ghost, place)
    for path in _unguarded(references):
        if (wrong := fieldless(subject, path)) is not None:
            problem = subject.edge_problem(FIELDLESS, edge, "condition", wrong.message)
            yield wrong.told(problem, place, None)
        elif subject.lacks(path):
            message = never_written(path[1], subject.written or set())
            problem = subject.edge_problem("UnwrittenKey", edge, "condition", message)
            yield problem.on(path[1]).mended(unwritten(path[1]))
        elif started.is_meant(subject, path):
            message = started.message(path[1])
            problem = subject.edge_problem(started.CODE, edge, "condition", message)
            yield started.told(problem, path[1])


def _field(proof: Proof, node: NodeSubject, found: FieldValue) -> Iterator[Problem]:
    if found.value is None:
        return
    prefix = found.hint("expression-prefix")
    for place, text in found.texts():
        path = json_path(place)
        if found.widget in _TEMPLATES:
            used = found.widget != "prompt" or not _ignores_prompt(node)
            yield from _template(proof, node, path, text, used)
        elif found.widget == "jsonpath" or (text.startswith("$") and found.hint("also-jsonpath")):
            yield from _jsonpath(
                proof.subject, node, path, text, over_view=bool(found.hint("over-view"))
            )
        elif found.widget == "expression":
            # a risk that cannot be told counts as the most: nothing fails by it
            fails = not found.hint("points")
            used = bool(found.hint("must-have"))
            yield from _expression(proof, node, path, text, used, fails=fails)
        elif prefix and text.startswith(prefix):
            yield from _expression(proof, node, path, text.removeprefix(prefix), False)


def _jsonpath(
    subject: Subject, node: NodeSubject, path: str, text: str, *, over_view: bool
) -> Iterator[Problem]:
    charge(COMPILED)
    try:
        names = compile_path(text).names
    except ExpressionInvalid as error:
        yield _unparsed(subject, node, path, text, error)
        return
    if over_view:
        yield from _strangers(subject, node, path, [names])
    if over_view and ghosts.is_ghost(subject, names):
        yield _ghost(subject, node, path, names)
    elif over_view and not covers(node.readable, names):
        lacks = node.unreadable(path, _unreadable(names), read_key(names)).on(*names)
        yield _unless_given(subject, lacks)
    elif over_view and started.is_meant(subject, names):
        found = node.at(started.CODE, path, started.message(names[1]))
        yield started.told(found, names[1])


def _expression(
    proof: Proof, node: NodeSubject, path: str, text: str, used: bool, *, fails: bool = True
) -> Iterator[Problem]:
    charge(COMPILED)
    try:
        compiled = compile_expression(text)
    except ExpressionInvalid as error:
        yield _unparsed(proof.subject, node, path, text, error)
        return
    yield from _misfits(proof.subject, node, path, compiled, fails=fails)
    yield from _references(proof, node, path, compiled, used)


def _template(
    proof: Proof, node: NodeSubject, path: str, text: str, used: bool
) -> Iterator[Problem]:
    charge(COMPILED * min(text.count("{{"), MAX_TEMPLATE_EXPRESSIONS))
    try:
        compiled = compile_template(text)
    except ExpressionInvalid as error:
        yield from _each_value(proof, node, path, text, first=error, used=used)
        return
    if used:
        yield from _misfits(proof.subject, node, path, compiled)
    yield from _references(proof, node, path, compiled, used)


def _each_value(
    proof: Proof, node: NodeSubject, path: str, text: str, *, first: ExpressionInvalid, used: bool
) -> Iterator[Problem]:
    """Yield what is wrong with each value of a text that cannot be read as a whole, each once.

    `first` is why it cannot: all that is told where its values cannot be told apart.
    """
    told: set[tuple[str, str]] = set()
    for problem in _values(proof, node, path, text, used):
        key = (problem.code, problem.say or problem.message)
        if key not in told:
            told.add(key)
            yield problem
    if not told:
        yield _unparsed(proof.subject, node, path, text, first)


def _values(proof: Proof, node: NodeSubject, path: str, text: str, used: bool) -> Iterator[Problem]:
    line, column, behind = 1, 1, 0
    for start, end in _spans_of(text):
        between = text[behind : start - 2]
        line += between.count("\n")
        column = len(between) - between.rfind("\n") if "\n" in between else column + len(between)
        behind = start - 2
        value = text[start - 2 : end + 2]
        try:
            yield from _references(proof, node, path, compile_template(value), used)
        except ExpressionInvalid as error:
            yield _unparsed(proof.subject, node, path, value, error.moved(line, column))


def _prompts(node: NodeSubject) -> bool:
    """Return whether the node asks a model, so that its memory query is rendered."""
    return node.type is not None and node.type.prompts and not _ignores_prompt(node)


def _ignores_prompt(node: NodeSubject) -> bool:
    """Return whether the node could ask a model and, as it is set, asks none."""
    return node.type is not None and node.type.prompts and node.effect is EffectClass.PURE


def _unparsed(
    subject: Subject, node: NodeSubject, path: str, text: str, error: ExpressionInvalid
) -> Problem:
    problem = node.at("ExpressionInvalid", path, _where(error))
    said = in_words(known_instead(subject, error.message), text)
    title = field_title(node, problem)
    if title and said.startswith(THIS_TEXT):
        said = f"{title}{said.removeprefix(THIS_TEXT)}"
    return problem.on(str(error.line), str(error.column)).mended(said)


def _where(error: ExpressionInvalid) -> str:
    return f"Line {error.line}, column {error.column}: {error.message}"


def _unguarded(references: Iterable[Reference]) -> list[tuple[str, ...]]:
    """Return the paths without those that are guarded somewhere, sorted."""
    guarded = {ref.path for ref in references if ref.guarded}
    return sorted({r.path for r in references if not r.guarded} - guarded)


def _beginnings(path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Return what a path is a part of, itself included."""
    return (path[:length] for length in range(1, len(path) + 1))


def _references(
    proof: Proof, node: NodeSubject, path: str, compiled: Expression | Template, used: bool
) -> Iterator[Problem]:
    """Yield problems of what is named; `used` says that the node fails where any of it is absent."""
    undo = ".compensation." in path
    unguarded = _unguarded(compiled.references)
    yield from _strangers(proof.subject, node, path, unguarded, fails=used)
    lacking = {path for path in compiled.needed if not covers(node.readable, path)}
    if not used or undo or not proof.strict or not proof.may_run(node):
        lacking = set()
    around = {part for path in lacking for part in _beginnings(path)}
    for name in unguarded:
        if name[0] == "result":
            message = '"result" exists on edges only: use previous or outputs.'
            yield node.at("ExpressionInvalid", path, message)
        elif ghosts.is_ghost(proof.subject, name):
            yield _ghost(proof.subject, node, path, name)
        elif (wrong := fieldless(proof.subject, name)) is not None:
            found = node.at(FIELDLESS, path, wrong.message)
            yield wrong.told(found, text_at(node, path), node)
        elif not covers(node.readable, name) and not (undo and covers(_given(node), name)):
            sure = name in around or any(part in lacking for part in _beginnings(name))
            lacks = node.unreadable(path, _unreadable(name), read_key(name), sure=sure)
            yield _unless_given(proof.subject, lacks.on(*name))
        elif started.is_meant(proof.subject, name):
            found = node.at(started.CODE, path, started.message(name[1]))
            yield started.told(found, name[1])
        elif not undo and (reason := proof.missing(node, name)):
            found = node.at("UnprovenReference", path, reason).on(*name)
            yield found.mended(f"{node.label} may start before there is {'.'.join(name[1:])}.")


def _unless_given(subject: Subject, problem: Problem) -> Problem:
    """Return the problem; of a field that nothing gives, or the start alone, it says so.

    To allow reading it mends nothing.
    """
    if started.is_meant(subject, problem.about):
        key = problem.about[1]
        missing = replace(problem, fix=None, message=started.message(key))
        return missing.mended(started.said(key))
    if not subject.lacks(problem.about):
        return problem
    return replace(problem, fix=None).mended(unwritten(problem.about[1]))


def _ghost(subject: Subject, node: NodeSubject, path: str, name: tuple[str, ...]) -> Problem:
    problem = node.at(ghosts.CODE, path, ghosts.no_node(subject, name))
    return ghosts.told(subject, problem, name, text_at(node, path))


def _misfits(
    subject: Subject,
    node: NodeSubject,
    path: str,
    compiled: Expression | Template,
    *,
    fails: bool = True,
) -> Iterator[Problem]:
    """Yield comparisons that cannot be right; `fails` where the node does with one that cannot be made."""
    for misfit in misfits.misfits(subject, compiled.compared):
        problem = misfit.told(node.at(misfit.code, path, misfit.message), text_at(node, path))
        yield problem if fails else replace(problem, severity="warning")


def _strangers(
    subject: Subject,
    node: NodeSubject,
    path: str,
    named: Iterable[tuple[str, ...]],
    *,
    fails: bool = True,
) -> Iterator[Problem]:
    """Yield fields of the start that are none, with what was meant; `fails` where the node needs them."""
    found = list(strangers(subject, named, node.readable))
    if not found:
        return
    place = text_at(node, path)
    for stranger in found:
        # what it may not read at all is told first, as that
        if not stranger.free or covers(node.readable, ("input", stranger.name)):
            problem = node.at(stranger.code, path, stranger.message)
            yield stranger.told(problem, place, fails=fails)


def _spans_of(text: str) -> list[tuple[int, int]]:
    """Return where the values of a text stand; none where they cannot be told apart or are too many."""
    try:
        found = list(spans(text))
    except ExpressionInvalid:
        return []
    return found if len(found) <= MAX_TEMPLATE_EXPRESSIONS else []


def _given(node: NodeSubject) -> tuple[str, ...]:
    """Return what an undo may read besides what its node may: what the node itself gave."""
    return (*node.own_keys, f"outputs.{node.id}")


def _unreadable(name: tuple[str, ...]) -> str:
    key = read_key(name)
    if key is None:
        return f'"{name[1]}" belongs to the engine and cannot be read.'
    return f'The node may not read {".".join(name)}: add "{key}" to its read keys.'
