"""The rules of the house, as tests: size, words of places, completeness, what the README promises."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULE_LINES = 400
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
    ".editorconfig",
    ".gitattributes",
    ".github",
    ".gitignore",
    "Makefile",
    "README.md",
    "builder",
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
LOCKS = re.compile(r"(^|/)(requirements[\w-]*\.txt|package-lock\.json)$|^\.ci/\w+\.txt$")
MACHINE_PATH = re.compile(r"(?<![\w.}-])/(?:work|root|Users/\w+|home/\w+)(?:/|\b(?!-))")
OWN = {"builder", "engine", "steps", "tests"}
MODULES = {
    "django-csp": "csp",
    "django-unfold": "unfold",
    "djangorestframework": "rest_framework",
    "protobuf": "google",
    "pydantic-ai-slim": "pydantic_ai",
    "pyyaml": "yaml",
    "ruamel.yaml": "ruamel",
}
"""What packages are imported as, where it is not their own name."""
REGISTRY_HOST = re.compile(
    r"(?:registry|files|index|mirror|proxy)[\w-]*\.[\w-]+\.(?:org|io|com|net)"
)


def tracked() -> list[str]:
    """Return the paths that git knows and that are still there."""
    shown = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [name for name in shown.stdout.split("\0") if name and (ROOT / name).is_file()]


def texts() -> Iterator[tuple[str, str]]:
    """Give the name and content of every tracked text file."""
    for name in tracked():
        try:
            yield name, (ROOT / name).read_text()
        except UnicodeDecodeError:
            continue


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
    for node in ast.walk(ast.parse(source)):
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
    for node in ast.walk(ast.parse(source)):
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


def test_locks_hold_hashes_and_no_address() -> None:
    locks = [name for name in tracked() if LOCKS.search(name)]

    assert {"requirements.txt", "requirements-dev.txt"} <= set(locks)
    for name in locks:
        text = (ROOT / name).read_text()
        assert "://" not in text, f"{name} names a host; write it anew with `make lock`"
        assert '"resolved"' not in text, f"{name}: set omit-lockfile-registry-resolved in .npmrc"
        assert "sha256:" in text or "sha512-" in text, f"{name} has no hashes"


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


def test_every_requirement_is_pinned_and_locked() -> None:
    for name in (
        "requirements",
        "requirements-dev",
        "requirements-bench",
        ".ci/uv",
        ".ci/node",
        ".ci/mcp",
    ):
        wanted = [
            line.split(" #")[0].strip()
            for line in (ROOT / f"{name}.in").read_text().splitlines()
            if line.strip() and not line.startswith(("#", "-"))
        ]
        locked = (ROOT / f"{name}.txt").read_text()
        for line in wanted:
            package, _, version = line.partition("==")
            package = re.sub(r"\[.*\]", "", package).replace(".", "-").lower()
            assert version, f"{name}.in: {line} has no exact version"
            assert f"\n{package}=={version} " in f"\n{locked}", f"{line}: run `make lock`"


def declared(*names: str) -> set[str]:
    """Return the modules of the packages that the named `.in` files ask for, by their first word."""
    lines = [
        line
        for name in names
        for line in (ROOT / f"{name}.in").read_text().splitlines()
        if line.strip() and not line.startswith(("#", "-"))
    ]
    packages = [re.split(r"[\[=]", line)[0] for line in lines]
    return {MODULES.get(name, name.replace("-", "_")) for name in packages}


def imported(source: str) -> set[str]:
    """Return the first words of the modules from elsewhere that a Python file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found - OWN - sys.stdlib_module_names


def test_every_package_that_is_imported_is_declared() -> None:
    ships = declared("requirements")
    checks = ships | declared("requirements-dev", "requirements-bench")

    undeclared = {
        (name, module)
        for name in tracked()
        if name.endswith(".py")
        for module in imported((ROOT / name).read_text())
        if module not in (checks if name.startswith("tests/") else ships)
    }

    assert undeclared == set()


def test_every_package_that_ships_is_named_by_the_code() -> None:
    product = [name for name in tracked() if name.startswith(("engine/", "builder/"))]
    words = set(
        re.findall(r"\w+", " ".join((ROOT / n).read_text() for n in product if n[-3:] == ".py"))
    )

    assert declared("requirements") - words == set()


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
        for function in ast.walk(ast.parse((ROOT / name).read_text()))
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
