"""Built files that a rebuild takes away or replaces while the server runs."""

from __future__ import annotations

import gzip
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from builder.project.static_files import KEPT_DAYS, BuiltFiles, keep_build

pytestmark = pytest.mark.django_db  # the end of an answer looks at the thread's connection

OLD = "export const page = 'old';"
NEW = "export const page = 'new, and longer than before';"


class Shop:
    """A folder of built files and what serves them; `ask` gives status and body."""

    def __init__(self, folder: Path) -> None:
        self.build = folder / "build"
        self.file = self.build / "assets" / "Page-1a2b3c.js"
        self.file.parent.mkdir(parents=True)
        self.file.write_text(OLD)
        self.start()

    def start(self) -> None:
        """Note what is there, as a process does at its start."""
        self._answer: Any = convert_exception_to_response(BuiltFiles(_elsewhere))

    def ask(
        self, method: str = "GET", name: str = "Page-1a2b3c.js", **headers: str
    ) -> tuple[int, str, str]:
        answer = self.answer(method, name, **headers)
        body = b"".join(answer) if answer.streaming else answer.content
        answer.close()
        return answer.status_code, body.decode(), answer.headers.get("Content-Length", "")

    def answer(self, method: str = "GET", name: str = "Page-1a2b3c.js", **headers: str) -> Any:
        request = getattr(RequestFactory(), method.lower())(
            f"/static/build/assets/{name}", headers=headers
        )
        return self._answer(request)


def _elsewhere(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("the page", status=299)


@pytest.fixture
def shop(tmp_path: Path, settings: Any) -> Shop:
    settings.STATIC_ROOT = tmp_path / "static"
    settings.FRONTEND_BUILD = settings.STATIC_ROOT / "build"
    settings.KEPT_BUILDS = tmp_path / "var" / "builds"
    settings.WHITENOISE_USE_FINDERS = False
    settings.WHITENOISE_AUTOREFRESH = False
    return Shop(settings.STATIC_ROOT)


def test_a_file_is_served_as_it_is(shop: Shop) -> None:
    assert shop.ask() == (200, OLD, str(len(OLD)))
    assert shop.ask(Range="bytes=0-5")[:2] == (206, OLD[:6])


def test_who_takes_it_gets_what_is_packed_beside_it(shop: Shop) -> None:
    text = OLD * 100
    shop.file.write_text(text)
    packed = shop.file.with_name(f"{shop.file.name}.gz")
    packed.write_bytes(gzip.compress(text.encode()))

    answer = shop.answer(**{"Accept-Encoding": "br, gzip"})

    assert answer["Content-Encoding"] == "gzip"
    assert answer["Vary"] == "Accept-Encoding"
    assert gzip.decompress(b"".join(answer)).decode() == text
    assert int(answer["Content-Length"]) == packed.stat().st_size
    assert shop.ask() == (200, text, str(len(text)))


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
    assert shop.answer(name="Other.js").status_code == 299


def test_a_browser_never_asks_again_for_a_file_with_a_hash_in_its_name(shop: Shop) -> None:
    answer = shop.answer()
    answer.close()

    assert "immutable" in answer["Cache-Control"]


# --- versions beside each other ----------------------------------------------------------------


def rebuild(shop: Shop) -> None:
    """Put the file of another version in the place of the one that is there."""
    shop.file.unlink()
    (shop.file.parent / "Page-4d5e6f.js").write_text(NEW)


@pytest.mark.parametrize("is_one_disk", [True, False])
def test_the_version_before_finds_its_file_after_a_rebuild(
    shop: Shop, is_one_disk: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that was open, and the former process, asked in vain for what it had not fetched yet."""
    if not is_one_disk:
        monkeypatch.setattr(Path, "hardlink_to", lambda *_: os.link("/no/such/file", "/x"))
    keep_build()
    rebuild(shop)

    assert shop.ask()[:2] == (200, OLD)
    assert shop.ask(Range="bytes=0-5")[:2] == (206, OLD[:6])


def test_each_version_finds_the_files_of_the_other(shop: Shop, settings: Any) -> None:
    keep_build()
    settings.FRONTEND_BUILD = settings.STATIC_ROOT.parent / "newer" / "build"
    settings.STATIC_ROOT = settings.FRONTEND_BUILD.parent
    newer = Shop(settings.STATIC_ROOT)
    rebuild(newer)
    newer.start()
    keep_build()

    assert newer.ask()[:2] == (200, OLD)
    assert shop.ask(name="Page-4d5e6f.js")[:2] == (200, NEW)


def test_files_of_a_version_that_nobody_has_started_for_long_go(shop: Shop, settings: Any) -> None:
    keep_build()
    rebuild(shop)
    kept = Path(settings.KEPT_BUILDS)
    long_ago = time.time() - (KEPT_DAYS + 1) * 86_400
    os.utime(kept / "Page-1a2b3c.js", (long_ago, long_ago))

    keep_build()

    assert [file.name for file in kept.iterdir()] == ["Page-4d5e6f.js"]
    os.utime(kept / "Page-4d5e6f.js", (long_ago, long_ago))
    keep_build()  # the version is there still
    assert [file.name for file in kept.iterdir()] == ["Page-4d5e6f.js"]


def test_processes_that_start_at_once_lay_all_and_complain_of_nothing(
    shop: Shop, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """What one had half laid was gone as another looked at it, and all of it was called refused."""
    for number in range(60):
        (shop.file.parent / f"Part-{number}.js").write_text(OLD)
    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            shutil.rmtree(settings.KEPT_BUILDS, ignore_errors=True)
            for start in [pool.submit(keep_build) for _ in range(8)]:
                start.result()

            assert len(list(Path(settings.KEPT_BUILDS).iterdir())) == 61
    assert caplog.text == ""


@pytest.mark.parametrize(
    "name", ["../secret", "..%2Fsecret", "../../secret", ".", "", "a/b", "x" * 300]
)
def test_nothing_beside_the_kept_files_is_served(shop: Shop, settings: Any, name: str) -> None:
    keep_build()
    (Path(settings.KEPT_BUILDS).parent / "secret").write_text("key")

    assert shop.answer(name=name).status_code == 299


def test_a_disk_that_refuses_stops_no_start(
    shop: Shop, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.KEPT_BUILDS = shop.file / "builds"

    keep_build()

    assert "not kept" in caplog.text
    assert shop.ask()[0] == 200
