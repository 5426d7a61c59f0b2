"""Packages: what is imported is declared, what is declared is locked, and no lock names a host."""

from __future__ import annotations

import ast
import re
import sys

from tests.repository import ROOT, parsed, tracked

LOCKS = re.compile(r"(^|/)(requirements[\w-]*\.txt|package-lock\.json)$|^\.ci/\w+\.txt$")
OWN = {"builder", "engine", "steps", "tests"}
MODULES = {
    "django-allauth": "allauth",
    "django-csp": "csp",
    "django-unfold": "unfold",
    "djangorestframework": "rest_framework",
    "opentelemetry-api": "opentelemetry",
    "opentelemetry-exporter-otlp-proto-http": "opentelemetry",
    "opentelemetry-sdk": "opentelemetry",
    "protobuf": "google",
    "pydantic-ai-slim": "pydantic_ai",
    "pyjwt": "jwt",
    "pyyaml": "yaml",
    "ruamel.yaml": "ruamel",
}
"""What packages are imported as, where it is not their own name."""


def test_locks_hold_hashes_and_no_address() -> None:
    locks = [name for name in tracked() if LOCKS.search(name)]

    assert {"requirements.txt", "requirements-dev.txt"} <= set(locks)
    for name in locks:
        text = (ROOT / name).read_text()
        assert "://" not in text, f"{name} names a host; write it anew with `make lock`"
        assert '"resolved"' not in text, f"{name}: set omit-lockfile-registry-resolved in .npmrc"
        assert "sha256:" in text or "sha512-" in text, f"{name} has no hashes"


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
    for node in ast.walk(parsed(source)):
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
