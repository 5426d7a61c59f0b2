"""A real Chromium for tests, driven by Playwright; never one that Playwright downloads.

Looked for in this order: `CHROME_PATH`, Chromium or Chrome of the machine, the Chromium inside the
npm package `@sparticuz/chromium` (a development dependency of `frontend/`), unpacked into `.cache/`
once.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from steps import environment

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "frontend" / "node_modules" / "@sparticuz" / "chromium"
INSTALLED = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="relative">cache</cachedir>
</fontconfig>
"""


class NoBrowser(RuntimeError):
    """No Chromium was found; the message says where one would be looked for."""


def find_chromium() -> Path:
    """Return the executable of a Chromium. Raises `NoBrowser`, which names the cure."""
    given = os.environ.get("CHROME_PATH")
    if given:
        if not Path(given).is_file():
            raise NoBrowser(f"CHROME_PATH is {given!r}, which is not a file")
        return Path(given)
    for name in INSTALLED:
        installed = shutil.which(name)
        if installed:
            return Path(installed)
    if not PACKAGE.is_dir():
        raise NoBrowser(
            "no Chromium: set CHROME_PATH, install Chromium or Chrome, or add the development "
            "dependency @sparticuz/chromium to frontend/package.json and run `make setup`"
        )
    return _unpacked()


def _unpacked() -> Path:
    """Return the npm package's Chromium, unpacked once for each version of the package."""
    version = hashlib.sha256((PACKAGE / "package.json").read_bytes()).hexdigest()[:12]
    cache = ROOT / ".cache"
    cache.mkdir(exist_ok=True)
    folder = cache / f"chromium-{version}"
    with (cache / "chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            _unpack(folder)
    return folder / "chromium"


def _unpack(folder: Path) -> None:
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    # The package brings the shared libraries that bare machines lack, but unpacks them only where
    # it believes to run on the platform that it was made for.
    env = environment() | {"TMPDIR": str(partial), "AWS_EXECUTION_ENV": "AWS_Lambda_nodejs20.x"}
    done = subprocess.run(
        ["node", str(ROOT / "tests" / "chromium.mjs")],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode or not (partial / "chromium").is_file():
        raise NoBrowser(f"@sparticuz/chromium could not be unpacked:\n{done.stderr}")
    (partial / "fonts" / "fonts.conf").write_text(FONTS)
    partial.rename(folder)


def _environment(executable: Path) -> dict[str, str | float | bool]:
    """Return the browser's environment: an unpacked Chromium uses the libraries and font it brings."""
    env: dict[str, str | float | bool] = dict(os.environ)
    fonts = executable.parent / "fonts" / "fonts.conf"
    if fonts.is_file():
        env["FONTCONFIG_FILE"] = str(fonts)
        env["LD_LIBRARY_PATH"] = str(executable.parent / "al2023" / "lib")
    return env


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run a headless Chromium while the block lasts."""
    executable = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=list(FLAGS),
            env=_environment(executable),
            chromium_sandbox=False,
        )
        try:
            yield browser
        finally:
            browser.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium for one module of tests.

    Not for the session: Playwright's synchronous interface keeps an event loop running in this
    thread, in which no asynchronous test could run, and in which Django refuses the ORM unless told.
    """
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    try:
        with chromium() as running:
            yield running
    finally:
        if before is None:
            del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
        else:
            os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = before


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page in a context of its own: no cookies, no storage, 1440 by 900 pixels."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    try:
        yield context.new_page()
    finally:
        context.close()
