"""The rules of the house, as tests: size, words of places, completeness, what the README promises."""

from __future__ import annotations

import ast
import importlib.util
import re
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

import pytest

from tests.repository import ROOT, parsed, texts, tracked

MODULE_LINES = 400
MEDIAN_LINES = 80
FUNCTION_LINES = 50
FOLDER_ENTRIES = 15
ROOMY = ("engine", "builder", "frontend/src")  # at every level they keep to FOLDER_ENTRIES
CROWDED = {  # a folder that may hold more, and why
    "engine/nodes": "a registry: one entry for each node type",
    "builder/library/templates": "a gallery: one document for each template",
    "builder/migrations": "a history: one file for each change of the tables",
}
TOP_LEVEL = {
    ".ci",
    ".dockerignore",
    ".editorconfig",
    ".gitattributes",
    ".github",
    ".gitignore",
    "Makefile",
    "Procfile",
    "README.md",
    "builder",
    "compose.yaml",
    "docs",
    "engine",
    "frontend",
    "manage.py",
    "pyproject.toml",
    "requirements-bench.in",
    "requirements-bench.txt",
    "requirements-dev.in",
    "requirements-dev.txt",
    "requirements.in",
    "requirements.txt",
    "static",
    "templates",
    "tests",
}
ROW = re.compile(r"\b[KIVCS]\d+\b")
PROVES = re.compile(r"((?:[KIVCS]\d+(?:, )?)+)[:.]")
MACHINE_PATH = re.compile(r"(?<![\w.}-])/(?:work|root|Users/\w+|home/\w+)(?:/|\b(?!-))")
REGISTRY_HOST = re.compile(
    r"(?:registry|files|index|mirror|proxy)[\w-]*\.[\w-]+\.(?:org|io|com|net)"
)


def code() -> list[str]:
    """Return the tracked source files that the size rules hold for."""
    return [
        name
        for name in tracked()
        if "/migrations/" not in name
        and (
            (name.startswith(("engine/", "builder/", ".ci/")) and name.endswith(".py"))
            or (
                name.startswith("frontend/src/")
                and name.endswith((".ts", ".tsx"))
                and ".gen." not in name
            )
        )
    ]


def long_functions(name: str, source: str) -> Iterator[str]:
    """Give `file:line name (lines)` of each function over the cap, its docstring not counted."""
    for node in ast.walk(parsed(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        first = node.body[0]
        doc = 0
        if ast.get_docstring(node, clean=False) is not None:
            doc = (first.end_lineno or 0) - first.lineno + 1
        size = (node.end_lineno or 0) - node.lineno + 1 - doc
        if size > FUNCTION_LINES:
            yield f"{name}:{node.lineno} {node.name} ({size} lines)"


def entries(names: Iterable[str], root: str) -> dict[str, set[str]]:
    """Return what lies in each folder from a root down, by the folder's path; folders count too."""
    found: dict[str, set[str]] = {}
    for name in names:
        if name.startswith(f"{root}/"):
            path = PurePosixPath(name)
            while str(path) != root:
                found.setdefault(str(path.parent), set()).add(path.name)
                path = path.parent
    return found


def rows_proven(source: str) -> Iterator[str]:
    """Give the contract rows with which the docstrings of a Python file's tests begin."""
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
            "test"
        ):
            begins = PROVES.match(ast.get_docstring(node) or "")
            yield from ROW.findall(begins[1] if begins else "")


def test_every_row_of_the_contract_is_named_by_a_test() -> None:
    """Whoever adds a row to the contract adds a test whose docstring begins with it."""
    contract = (ROOT / "docs/CONTRACT.md").read_text()
    rows = set(re.findall(r"^\| ([KIVCS]\d+)\b", contract, re.MULTILINE))
    named: set[str] = set()
    for name in tracked():
        if name.startswith("tests/") and name.endswith(".py"):
            named.update(rows_proven((ROOT / name).read_text()))
        elif name.startswith("frontend/src/") and ".test." in name:
            named.update(ROW.findall((ROOT / name).read_text()))

    assert len(rows) > 250
    assert rows - named == set()


def test_a_row_is_named_where_a_docstring_begins_with_it() -> None:
    named = 'def test_a():\n    """K1, C20: Both."""\n\n\ndef test_c():\n    """V3, S4."""\n'
    aside = 'def test_b():\n    """Beside K2."""\n\n\ndef help():\n    """K3: No test."""\n'

    assert set(rows_proven(named + aside)) == {"K1", "C20", "V3", "S4"}


def test_no_module_is_longer_than_400_lines() -> None:
    tests = [name for name in tracked() if name.startswith("tests/") and name.endswith(".py")]
    sizes = {name: len((ROOT / name).read_text().splitlines()) for name in [*code(), *tests]}

    assert sizes
    assert {name: size for name, size in sizes.items() if size > MODULE_LINES} == {}


def median_fault(sizes: Mapping[str, int]) -> str | None:
    """Return why the middle one of these files is too long, with the cure, None if it is not."""
    middle = statistics.median(sizes.values())
    if middle <= MEDIAN_LINES:
        return None
    over = sum(size > MEDIAN_LINES for size in sizes.values()) - len(sizes) // 2
    likely = sorted(
        (name for name, size in sizes.items() if MEDIAN_LINES < size <= 2 * MEDIAN_LINES),
        key=lambda name: -sizes[name],
    )
    return (
        f"half of all files are longer than {middle} lines; {MEDIAN_LINES} are meant. Part about "
        f"{max(over, 1)} that hold two concepts, each named by its own in the folder that is about "
        f"it, or say less: {', '.join(f'{name} ({sizes[name]})' for name in likely[:10])}"
    )


def test_the_median_file_has_80_lines_at_most() -> None:
    sizes = {
        name: len((ROOT / name).read_text().splitlines())
        for name in tracked()
        if name.startswith(tuple(f"{root}/" for root in ROOMY))
        and name.endswith((".py", ".ts", ".tsx"))
    }

    assert len(sizes) > 1000
    assert median_fault(sizes) is None, median_fault(sizes)


def test_a_median_that_is_too_long_names_the_files_to_part() -> None:
    fault = median_fault({"a.py": 80, "b.py": 81, "c.py": 150, "d.py": 300})

    assert median_fault({"a.py": 20, "b.py": 80, "c.py": 400}) is None
    assert fault is not None
    assert "c.py (150), b.py (81)" in fault
    assert "d.py" not in fault


@pytest.mark.parametrize("root", ROOMY)
def test_no_folder_holds_more_than_15_entries(root: str) -> None:
    held = entries(tracked(), root)
    crowded = {folder: len(inside) for folder, inside in held.items()}

    assert held
    assert {
        folder: count
        for folder, count in crowded.items()
        if count > FOLDER_ENTRIES and folder not in CROWDED
    } == {}


def test_a_leave_to_be_crowded_is_needed_and_says_why() -> None:
    counts = {folder: len(held) for r in ROOMY for folder, held in entries(tracked(), r).items()}

    assert {folder for folder in CROWDED if counts.get(folder, 0) <= FOLDER_ENTRIES} == set()
    assert all(CROWDED.values())


def test_the_folder_rule_counts_files_and_folders_of_every_level() -> None:
    names = ["a/b/x.py", "a/b/y.py", "a/b/c/z.py", "a/c.py", "ab/d.py"]

    assert entries(names, "a") == {
        "a": {"b", "c.py"},
        "a/b": {"x.py", "y.py", "c"},
        "a/b/c": {"z.py"},
    }


def test_no_python_function_is_longer_than_50_lines() -> None:
    python = [name for name in code() if name.endswith(".py")]

    assert [hit for name in python for hit in long_functions(name, (ROOT / name).read_text())] == []


def test_the_function_rule_sees_a_long_function_and_forgives_its_docstring() -> None:
    body = "    x = 1\n" * FUNCTION_LINES
    documented = 'def f():\n    """' + "words\n" * 30 + '    """\n' + body

    assert list(long_functions("a.py", "def f():\n" + body)) == ["a.py:1 f (51 lines)"]
    assert list(long_functions("a.py", documented)) == ["a.py:1 f (51 lines)"]
    assert list(long_functions("a.py", "def f():\n    x = 1\n")) == []


def test_the_top_level_holds_only_what_belongs_there() -> None:
    present = {name.split("/")[0] for name in tracked()}

    assert present - TOP_LEVEL == set()


def test_tracked_files_name_no_registry_and_no_machine() -> None:
    hits = [
        f"{name}:{number}: {line.strip()[:100]}"
        for name, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if MACHINE_PATH.search(line) or REGISTRY_HOST.search(line)
    ]

    assert hits == []


@pytest.mark.parametrize(
    "line", ["cd @root/x", "see @work/a", "@Users/ann/code", "https:@@registry@example.org/a"]
)
def test_the_place_rule_sees(line: str) -> None:
    """The examples are spelt with `@`, so that this file keeps the rule too."""
    line = line.replace("registry@", "registry.").replace("@", "/")

    assert MACHINE_PATH.search(line) or REGISTRY_HOST.search(line)


@pytest.mark.parametrize(
    "line", ["GET /api/work/1", "frontend/root/a", "a /workspace/1", "`/home`"]
)
def test_the_place_rule_forgives(line: str) -> None:
    assert not (MACHINE_PATH.search(line))
    assert not (REGISTRY_HOST.search(line))


def test_readme_and_contributing_name_only_commands_that_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))

    for name in ("README.md", ".github/CONTRIBUTING.md"):
        used = set(
            re.findall(
                r"\bmake ([a-z][a-z-]+)\b(?=[`\s]*(?:#|\n|`|ARGS))", (ROOT / name).read_text()
            )
        )
        assert used, f"{name} shows no command"
        assert used - targets == set(), f"{name} names a missing make target"


def test_readme_links_lead_somewhere() -> None:
    for name in ("README.md", ".github/CONTRIBUTING.md"):
        file = ROOT / name
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text()):
            assert (file.parent / link).exists(), f"{name} links to {link}"


def test_every_node_type_tells_the_palette_what_it_does() -> None:
    kinds = importlib.import_module("engine.core.node_types.registry").NODE_TYPES.all()
    node = importlib.import_module("engine.core.node_types.node_type")

    assert kinds
    for kind in kinds:
        cls = kind if isinstance(kind, type) else type(kind)
        assert issubclass(cls, node.NodeType)
        assert cls.__doc__, f"{cls.__name__} has no docstring"
        assert cls.__doc__ != node.NodeType.__doc__
        assert cls.__dict__.get("label"), f"{cls.__name__} has no label"


@pytest.mark.skipif(not (ROOT / "manage.py").exists(), reason="manage.py is not there yet")
def test_migrations_say_everything_the_models_say() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_no_parameter_of_the_engine_hides_what_it_takes() -> None:
    """`Any` is for JSON that is walked through; a config's type is only known to its node type."""
    told = {"act", "agent", "config", "ctx", "edge", "host", "plan", "runner", "state", "tx"}
    hidden = [
        f"{name}:{function.lineno} {function.name}({parameter.arg})"
        for name in tracked()
        if name.startswith("engine/")
        and name.endswith(".py")
        and name != "engine/core/node_types/node_type.py"
        for function in ast.walk(parsed((ROOT / name).read_text()))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for parameter in ast.walk(function.args)
        if isinstance(parameter, ast.arg)
        if isinstance(parameter.annotation, ast.Name)
        and parameter.annotation.id == "Any"
        and parameter.arg in told
    ]

    assert hidden == []


def test_imports_for_types_count_as_imports() -> None:
    """A storey that only names what stands above it knows it all the same."""
    assert "exclude_type_checking_imports" not in (ROOT / "pyproject.toml").read_text()
