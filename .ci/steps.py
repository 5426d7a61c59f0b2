"""How a setup step speaks, runs a tool, remembers what is done, and fails. Standard library only."""

from __future__ import annotations

import fcntl
import functools
import hashlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
CACHE = ROOT / ".cache"
NODE_AT_LEAST = 20
NO_NETWORK = (
    "dns error",
    "failed to resolve",
    "name resolution",
    "connection refused",
    "enotfound",
    "econnrefused",
    "eai_again",
    "etimedout",
    "timed out",
    "connecterror",
    "network is unreachable",
    "error sending request",
    "connection error",
)


class Trouble(Exception):
    """A step cannot go on. `cure` says what a person can do about it."""

    def __init__(self, what: str, cure: str) -> None:
        super().__init__(what)
        self.cure = cure


def say(step: str, message: str) -> None:
    """Print one line of progress."""
    print(f"  {step:<16} {message}", flush=True)


def call(step: str, command: list[str | Path], cwd: Path = ROOT) -> None:
    """Run `command` with its output in the step's log. Raises `Trouble` with the log's tail."""
    log = CACHE / "logs" / f"{step.replace(' ', '-')}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as out:
        done = subprocess.run(
            command,
            cwd=cwd,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        text = log.read_text(errors="replace")
        tail = "\n".join(f"      {line}" for line in text.strip().splitlines()[-15:])
        raise Trouble(f"{step} failed:\n{tail}", cure_for(text, log))


def cure_for(output: str, log: Path) -> str:
    """Return the advice that fits a failed tool's output."""
    if any(word in output.lower() for word in NO_NETWORK):
        return (
            "No package registry answered. Connect to the network (or set your proxy or mirror "
            "in pip's and npm's own configuration) and run the same command again."
        )
    if "No space left" in output:
        return "The disk is full: free about 2 GB and run the same command again."
    return (
        f"The whole output is in {log.relative_to(ROOT)}. After mending it run the command again."
    )


@functools.lru_cache(maxsize=1)
def system_node() -> bool:
    """Return whether PATH offers a new enough Node together with npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return False
    try:
        shown = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    major = shown.stdout.strip().lstrip("v").partition(".")[0]
    return major.isdigit() and int(major) >= NODE_AT_LEAST


def environment() -> dict[str, str]:
    """Return the environment for child processes: the venv's programs come after the machine's Node."""
    env = dict(os.environ)
    env.pop("PYTHONHOME", None)
    env["VIRTUAL_ENV"] = str(VENV)
    order = (
        (env.get("PATH", ""), str(VENV / "bin"))
        if system_node()
        else (str(VENV / "bin"), env.get("PATH", ""))
    )
    env["PATH"] = os.pathsep.join(part for part in order if part)
    return env


def digest(parts: Iterable[str | Path]) -> str:
    """Return a hash of texts and of files' names and contents, in the order given."""
    total = hashlib.sha256()
    for part in parts:
        if isinstance(part, Path):
            total.update(str(part.relative_to(ROOT)).encode() + b"\0" + part.read_bytes())
        else:
            total.update(part.encode())
        total.update(b"\0")
    return total.hexdigest()


def is_done(step: str, stamp: str, result: Path) -> bool:
    """Return whether `step` was done from exactly this and its result is still there."""
    file = CACHE / f"{step}.stamp"
    return result.exists() and file.exists() and file.read_text() == stamp


def mark_done(step: str, stamp: str) -> None:
    """Remember that `step` was done from what `stamp` stands for."""
    (CACHE / f"{step}.stamp").write_text(stamp)


@contextmanager
def alone() -> Iterator[None]:
    """Hold this clone's lock, so that two starts at once do not install into each other."""
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "setup.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("setup", "waiting for another setup of this clone to end")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def timed(step: str, message: str) -> Iterator[None]:
    """Print what begins, and how long it took once it is done."""
    say(step, message)
    start = time.monotonic()
    yield
    say(step, f"ready in {time.monotonic() - start:.1f} s")
