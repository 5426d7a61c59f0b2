#!/usr/bin/env python3
"""Makes this clone ready to run: `.venv`, locked packages, Node, front end. Standard library only.

    bootstrap.py setup [run|dev|bench]   install what a profile needs; does only what changed
    bootstrap.py run [ARGS...]           setup for running, then `manage.py serve ARGS...`
    bootstrap.py up [ARGS...]            setup with PostgreSQL, then `manage.py up ARGS...`
    bootstrap.py npm [ARGS...]           npm in frontend/, with the Node that setup found
    bootstrap.py lock                    write the requirement locks anew from the *.in files
    bootstrap.py clean                   remove what setup and the tests made (data in var/ stays)

What was done is remembered in `.cache/` as hashes of what it was done from, so a second start needs
no network. Output of the tools goes to `.cache/logs/`; people see one line a step.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from steps import (
    CACHE,
    NODE_AT_LEAST,
    ROOT,
    VENV,
    Trouble,
    alone,
    call,
    digest,
    environment,
    is_done,
    mark_done,
    say,
    system_node,
    timed,
)

PYTHON = VENV / "bin" / "python"
UV = VENV / "bin" / "uv"
FRONTEND = ROOT / "frontend"
BUILD = ROOT / "static" / "build"
UV_LOCK = ROOT / ".ci" / "uv.txt"
NODE_LOCK = ROOT / ".ci" / "node.txt"
MCP_LOCK = ROOT / ".ci" / "mcp.txt"
MCP_VENV = CACHE / "mcp"
SERVERS = ROOT / "tests" / "servers"
PYTHON_AT_LEAST = (3, 11)

PROFILES = {
    "run": "requirements.txt",
    "dev": "requirements-dev.txt",
    "bench": "requirements-bench.txt",
}
"""Lock file of each profile; a later profile contains the earlier ones."""


# --- Python


def make_venv() -> None:
    """Create `.venv` with the locked uv, or anew when it came from another place or Python."""
    stamp = digest([str(VENV), sys.version, UV_LOCK])
    if is_done("venv", stamp, UV):
        return
    with timed("python", "creating .venv"):
        try:
            call("venv", [sys.executable, "-m", "venv", "--clear", VENV])
        except Trouble as error:
            raise Trouble(
                str(error),
                "On Debian and Ubuntu: apt install python3-venv. Then run the same command again.",
            ) from None
        call(
            "uv",
            [
                PYTHON,
                "-m",
                "pip",
                "install",
                "--disable-pip-version-check",
                "--retries",
                "2",
                "--require-hashes",
                "-r",
                UV_LOCK,
            ],
        )
    mark_done("venv", stamp)


def installed_profile() -> str | None:
    """Return the profile that the venv holds, None when it holds none."""
    file = CACHE / "profile"
    name = file.read_text() if file.exists() and PYTHON.exists() else ""
    return name if name in PROFILES else None


def sync_python(profile: str) -> None:
    """Make the venv hold exactly the lock of `profile`; a richer profile is kept, never reduced."""
    order = list(PROFILES)
    present = installed_profile()
    if present is not None:
        profile = max(profile, present, key=order.index)
    locks = [ROOT / PROFILES[profile]]
    if FRONTEND.joinpath("package.json").exists() and not system_node():
        locks.append(NODE_LOCK)
    stamp = digest([str(VENV), sys.version, UV_LOCK, *locks])
    if is_done("python", stamp, PYTHON):
        return
    with timed("python", f"installing the locked packages ({', '.join(f.name for f in locks)})"):
        install(locks)
    (CACHE / "profile").write_text(profile)
    mark_done("python", stamp)


def install(locks: list[Path], python: Path = PYTHON) -> None:
    """Install the locks with uv, or with pip where only pip knows this machine's registry."""
    try:
        call("packages-uv", [UV, "pip", "sync", "--python", python, "--require-hashes", *locks])
    except Trouble:
        say("python", "uv could not install them; trying pip, which is slower")
        for lock in locks:
            call(
                "packages",
                [
                    python,
                    "-m",
                    "pip",
                    "install",
                    "--disable-pip-version-check",
                    "--retries",
                    "2",
                    "--require-hashes",
                    "-r",
                    lock,
                ],
            )


# --- front end


def find_node() -> None:
    """Install Node from its Python package where the machine has none that is new enough."""
    if not FRONTEND.joinpath("package.json").exists() or system_node():
        return
    stamp = digest([str(VENV), sys.version, NODE_LOCK])
    if is_done("node", stamp, VENV / "bin" / "node"):
        return
    with timed("node", f"no Node {NODE_AT_LEAST} or newer on PATH: installing it into .venv"):
        call(
            "node", [UV, "pip", "install", "--python", PYTHON, "--require-hashes", "-r", NODE_LOCK]
        )
    mark_done("node", stamp)


def npm_packages() -> bool:
    """Install the locked npm packages; return whether there is a front end to go on with."""
    lock = FRONTEND / "package-lock.json"
    if not lock.exists():
        say("front end", "skipped: frontend/package-lock.json is not there yet")
        return False
    stamp = digest([str(FRONTEND), lock])
    if not is_done("npm", stamp, FRONTEND / "node_modules"):
        with timed("front end", "installing the locked npm packages"):
            call("npm", ["npm", "ci", "--no-audit", "--no-fund"], FRONTEND)
        mark_done("npm", stamp)
    return True


def build_sources() -> list[Path]:
    """Return every file the built front end depends on, in a fixed order."""
    skipped = {"node_modules", "dist", "coverage", "tests", "test-results"}
    found = [
        path
        for top in FRONTEND.iterdir()
        if top.name not in skipped
        for path in ([top] if top.is_file() else top.rglob("*"))
        if path.is_file() and ".test." not in path.name and path.suffix != ".md"
    ]
    return sorted(found)


def build_frontend() -> None:
    """Build the front end into static/build when its sources changed."""
    stamp = digest(build_sources())
    if is_done("build", stamp, BUILD):
        return
    with timed("front end", "building"):
        call("build", ["npm", "run", "build"], FRONTEND)
    mark_done("build", stamp)


def prepare_frontend() -> None:
    """Bring npm packages and the built front end up to date."""
    if npm_packages():
        build_frontend()


# --- servers that only tests need


def test_servers() -> None:
    """Install the servers that tests call as their authors ship them, away from Graphwright's own packages."""
    lock = SERVERS / "package-lock.json"
    stamp = digest([str(ROOT), sys.version, UV_LOCK, MCP_LOCK, lock])
    if MCP_VENV.exists() and is_done("mcp", stamp, SERVERS / "node_modules"):
        return
    with timed("test servers", "installing servers that tests call"):
        call("mcp-venv", [PYTHON, "-m", "venv", "--clear", MCP_VENV])
        install([MCP_LOCK], MCP_VENV / "bin" / "python")
        call("mcp-npm", ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], SERVERS)
    mark_done("mcp", stamp)


# --- commands


def setup(profile: str = "dev") -> None:
    """Make everything ready that `profile` needs; Python and npm packages install side by side."""
    if profile not in PROFILES:
        raise Trouble(f"no profile {profile!r}", f"Use one of: {', '.join(PROFILES)}.")
    start = time.monotonic()
    with alone():
        make_venv()
        find_node()
        with ThreadPoolExecutor(2) as both:
            steps = [both.submit(sync_python, profile), both.submit(prepare_frontend)]
        for step in steps:
            step.result()
        if profile != "run":
            test_servers()
    say("setup", f"everything is up to date ({time.monotonic() - start:.1f} s)")


def run(*arguments: str) -> None:
    """Set up for running and become the server."""
    setup("run")
    become("serve", *arguments)


def up(*arguments: str) -> None:
    """Set up with the PostgreSQL of the tests, and become what starts all processes."""
    setup("dev")
    become("up", *arguments)


def become(command: str, *arguments: str) -> None:
    """Go on as a command of `manage.py`."""
    if not (ROOT / "manage.py").exists():
        say(command, "skipped: manage.py is not there yet")
        return
    os.chdir(ROOT)
    os.execve(PYTHON, [str(PYTHON), "manage.py", command, *arguments], environment())


def npm(*arguments: str) -> None:
    """Run npm in frontend/ with inherited output; leave with its exit code."""
    if not FRONTEND.joinpath("package.json").exists():
        say(
            "front end",
            f"`npm {' '.join(arguments)}` skipped: frontend/package.json is not there yet",
        )
        return
    done = subprocess.run(["npm", *arguments], cwd=FRONTEND, env=environment(), check=False)
    if done.returncode:
        sys.exit(done.returncode)


def lock() -> None:
    """Write every lock anew: hashes, all platforms, no addresses."""
    with alone():
        make_venv()
    compiler: list[str | Path] = [
        UV,
        "pip",
        "compile",
        "--quiet",
        "--generate-hashes",
        "--universal",
        "--no-header",
        "--python-version",
        ".".join(map(str, PYTHON_AT_LEAST)),
        "--no-emit-index-url",
    ]
    for name in [*PROFILES.values(), ".ci/uv.txt", ".ci/node.txt", ".ci/mcp.txt"]:
        target = Path(name)
        call("lock", [*compiler, target.with_suffix(".in"), "-o", target])
        say("lock", name)


def clean() -> None:
    """Remove environments, caches and build output. Data in var/ and databases stay."""
    names = (
        ".venv",
        ".cache",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".hypothesis",
        ".import_linter_cache",
        "frontend/node_modules",
        "frontend/dist",
        "tests/servers/node_modules",
        "static/build",
        "static/collected",
    )
    for name in names:
        shutil.rmtree(ROOT / name, ignore_errors=True)
    for tree in ("engine", "builder", "tests"):
        for cache in list((ROOT / tree).rglob("__pycache__")):
            shutil.rmtree(cache, ignore_errors=True)
    say("clean", "done; data in var/ was kept")


COMMANDS: dict[str, Callable[..., None]] = {
    "setup": setup,
    "run": run,
    "up": up,
    "npm": npm,
    "lock": lock,
    "clean": clean,
}


def right_python() -> None:
    """Go on under a new enough Python, or say which one is missing."""
    if sys.version_info >= PYTHON_AT_LEAST:
        return
    for name in ("python3.11", "python3.12", "python3.13"):
        if shutil.which(name):
            os.execvp(name, [name, *sys.argv])
    wanted = ".".join(map(str, PYTHON_AT_LEAST))
    raise Trouble(
        f"this is Python {sys.version.split()[0]}, and {wanted} or newer is needed",
        f"Install Python {wanted}, or name one: make setup PYTHON=/path/to/python{wanted}",
    )


def main(arguments: list[str]) -> int:
    """Carry out one command; return the exit code."""
    if not arguments or arguments[0] not in COMMANDS:
        print(__doc__)
        return 2
    try:
        right_python()
        COMMANDS[arguments[0]](*arguments[1:])
    except Trouble as error:
        print(f"\n  {error}\n\n  What to do: {error.cure}\n", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
