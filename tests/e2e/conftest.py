"""Fixtures of the browser tests: one served application a worker, people with pages, a watchman."""

from __future__ import annotations

import os
import re
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Response, expect
from playwright.sync_api import Error as PlaywrightError

from tests.e2e.app import OWNER, App, model_server, served

PATIENCE_MS = 30_000
WORDS = "The answer is worked out step by step, and each step is written down as it comes. "
SLOW = [{"text": WORDS * 12, "piece_delay_ms": 220}]
BRISK_USAGE = {"prompt_tokens": 150, "completion_tokens": 100}
BRISK = [{"text": WORDS, "piece_delay_ms": 150, "usage": BRISK_USAGE}]

SLOWER = float(os.environ.get("GRAPHWRIGHT_TEST_SLOWER", "1"))
"""How many times slower pages compute than they could: what only just passes shows itself."""

expect.set_options(timeout=PATIENCE_MS)


class Watch:
    """What went wrong behind the pages: console errors, uncaught errors, failed answers."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self._answers: deque[str] = deque(maxlen=60)
        self._contexts: list[BrowserContext] = []
        # what is decided while it is looked ahead from is answered with that
        self._expected: list[str] = [r"status of 409 .*/foresee/$"]

    def expect(self, pattern: str) -> None:
        """Allow problems that match the pattern; the test says which refusals it provokes."""
        self._expected.append(pattern)

    def follow(self, context: BrowserContext) -> None:
        """Watch every page of a context."""
        self._contexts.append(context)
        context.on("console", self._console)
        context.on("weberror", lambda error: self.problems.append(f"uncaught: {error.error}"))
        context.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.problems.append(f"console: {message.text} {message.location.get('url', '')}")

    def _response(self, response: Response) -> None:
        if "/api/" in response.url:
            asked = response.request
            at = f"{time.monotonic() % 1000:.3f}"
            self._answers.append(f"{at} {asked.method} {response.url} {response.status}")
        if response.status >= 500:
            self.problems.append(f"{response.status}: {response.url}")

    def unexpected(self) -> list[str]:
        """Return the problems that no test announced."""
        return [
            problem
            for problem in self.problems
            if not any(re.search(pattern, problem) for pattern in self._expected)
        ]

    def story(self) -> str:
        """Return the last answers of the API and what each page shows: for whoever reads a failure."""
        told = ["answers, with the second they came:", *self._answers]
        for page in [page for context in self._contexts for page in context.pages]:
            try:
                told += [f"page {page.url}", page.locator("body").inner_text(timeout=2_000)[:3000]]
            except PlaywrightError as error:
                told.append(f"page {page.url}: {error}")
        return "\n".join(told)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell with a failure what its pages asked and showed."""
    report = yield
    watch = getattr(item, "funcargs", {}).get("watch")
    if report.when == "call" and report.failed and isinstance(watch, Watch):
        report.sections.append(("what the pages asked and show", watch.story()))
    return report


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[App]:
    """A server for all tests of this worker. Its owner is made by the first test with a page."""
    with served(tmp_path_factory.mktemp("served"), sqlite_template) as running:
        yield running


@pytest.fixture
def watch(app: App) -> Iterator[Watch]:
    """The watchman: after the test nothing may have gone wrong in a page or in the server."""
    start = len(app.logged())
    watch = Watch()
    yield watch
    assert watch.unexpected() == []
    assert "Traceback" not in app.logged()[start:], app.logged()[start:][-6000:]


def open_context(browser: Browser, app: App, watch: Watch, **options: Any) -> BrowserContext:
    """Return a watched browser context whose pages are those of `app`."""
    options = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options}
    context = browser.new_context(base_url=app.address, **options)
    context.set_default_timeout(PATIENCE_MS)
    if SLOWER > 1:
        context.on("page", slow_down)
    watch.follow(context)
    return context


def slow_down(page: Page) -> None:
    """Let a page compute as on a machine that is `SLOWER` times slower."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def set_up_owner(page: Page) -> None:
    """Make the first owner as a person does: on the first page, then the models, then in."""
    page.goto("/")
    expect(
        page.get_by_role("heading", name=re.compile("^Make the owner.s account$"))
    ).to_be_visible()
    page.get_by_label("Your name").fill(OWNER["name"])
    page.get_by_label("E-mail").fill(OWNER["email"])
    page.get_by_label("Password", exact=True).fill(OWNER["password"])
    page.get_by_label("Workspace").fill(OWNER["workspace"])
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", name="What your agents can think with")).to_be_visible()
    expect(page.get_by_role("list", name="Models")).to_contain_text("builtin/extractive")
    page.get_by_role("button", name="Go to the workflows").click()
    expect(page.get_by_role("heading", name="Workflows", level=1)).to_be_visible()


def owner_state(browser: Browser, app: App, watch: Watch) -> Any:
    """Return the storage of the signed-in owner; the first call makes them."""
    if app.state is None:
        context = open_context(browser, app, watch)
        set_up_owner(context.new_page())
        app.state = context.storage_state()
        context.close()
    return app.state


@pytest.fixture
def owner(browser: Browser, app: App, watch: Watch) -> Any:
    """The storage of the signed-in owner."""
    return owner_state(browser, app, watch)


@pytest.fixture
def empty_inbox(app: App, owner: Any) -> Iterator[None]:
    """An inbox in which nothing waits, before and after."""
    app.api.clear_inbox()
    yield
    app.api.clear_inbox()


OpenPage = Callable[..., Page]


@pytest.fixture
def new_page(browser: Browser, app: App, watch: Watch, owner: Any) -> Iterator[OpenPage]:
    """Opens a page in a context of its own: the owner's, unless `storage_state` says whose."""
    contexts: list[BrowserContext] = []

    def open_page(**options: Any) -> Page:
        contexts.append(open_context(browser, app, watch, **{"storage_state": owner, **options}))
        return contexts[-1].new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def signed_in(new_page: OpenPage) -> Page:
    """A page of the owner, 1280 by 800 pixels."""
    return new_page()


@pytest.fixture(scope="session")
def models(app: App, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], None]]:
    """Call it once the owner exists: then `slow/fake-small` and `brisk/fake-small` answer."""
    folder = tmp_path_factory.mktemp("models")
    with model_server(SLOW, folder, "slow") as slow, model_server(BRISK, folder, "brisk") as brisk:
        accepted: list[bool] = []

        def accept() -> None:
            if not accepted:
                app.accept_models(slow=slow, brisk=brisk)
                accepted.append(True)

        yield accept


@pytest.fixture
def slow_models(owner: Any, models: Callable[[], None]) -> None:
    """The models `slow/fake-small` (about half a minute a reply) and `brisk/fake-small`."""
    models()
