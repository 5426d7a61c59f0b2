"""Built files that a rebuild takes away or replaces while the server runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from builder.project.static_files import BuiltFiles

pytestmark = pytest.mark.django_db  # the end of an answer looks at the thread's connection

OLD = "export const page = 'old';"
NEW = "export const page = 'new, and longer than before';"


class Shop:
    """A folder of built files and what serves them; `ask` gives status and body."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "build" / "Page-1a2b3c.js"
        self.file.parent.mkdir()
        self.file.write_text(OLD)
        self._answer: Any = convert_exception_to_response(BuiltFiles(_elsewhere))

    def ask(self, method: str = "GET", **headers: str) -> tuple[int, str, str]:
        request = getattr(RequestFactory(), method.lower())(
            "/static/build/Page-1a2b3c.js", headers=headers
        )
        answer = self._answer(request)
        body = b"".join(answer) if answer.streaming else answer.content
        answer.close()
        return answer.status_code, body.decode(), answer.headers.get("Content-Length", "")


def _elsewhere(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("the page", status=299)


@pytest.fixture
def shop(tmp_path: Path, settings: Any) -> Shop:
    settings.STATIC_ROOT = tmp_path
    settings.WHITENOISE_USE_FINDERS = False
    settings.WHITENOISE_AUTOREFRESH = False
    return Shop(tmp_path)


def test_a_file_is_served_as_it_is(shop: Shop) -> None:
    assert shop.ask() == (200, OLD, str(len(OLD)))
    assert shop.ask(Range="bytes=0-5")[:2] == (206, OLD[:6])


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("headers", [{}, {"Range": "bytes=0-5"}, {"Accept-Encoding": "gzip"}])
def test_a_file_that_is_gone_is_not_found(shop: Shop, method: str, headers: dict[str, str]) -> None:
    """It was a bare 500."""
    shop.file.unlink()

    assert shop.ask(method, **headers)[0] == 404


def test_a_folder_that_is_gone_is_not_found(shop: Shop) -> None:
    shop.file.unlink()
    shop.file.parent.rmdir()
    shop.file.parent.write_text("a file in its place")

    assert shop.ask()[0] == 404


def test_a_file_that_was_replaced_is_served_whole(shop: Shop) -> None:
    """Its length was that of the file before it, so that browsers got half of it."""
    shop.file.write_text(NEW)
    os.utime(shop.file, (2_000_000_000, 2_000_000_000))

    assert shop.ask() == (200, NEW, str(len(NEW)))


def test_a_file_that_comes_back_is_served_again(shop: Shop) -> None:
    shop.file.unlink()
    shop.ask()
    shop.file.write_text(NEW)

    assert shop.ask()[:2] == (200, NEW)


def test_what_was_never_there_is_the_page_s_business(shop: Shop) -> None:
    request = RequestFactory().get("/static/build/Other.js")

    assert shop._answer(request).status_code == 299
