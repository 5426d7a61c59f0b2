"""The built files of the page: those of this version as they are now, and those of versions beside it.

Each web process lays the files of its build beside the data. While versions follow each other, and
pages of the former one are still open, whichever process is asked finds the files of all.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import time
import uuid
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import MissingFileError

KEPT_DAYS: Final = 30
"""How long the files of a build are kept after the last start of a process that has it."""
ASSET: Final = re.compile(r"build/assets/(\w[\w.-]{0,200})", re.ASCII)
"""What files are called that have a hash of what is in them in their names."""

log = logging.getLogger("graphwright.web")


def keep_build() -> None:
    """Lay the files of this build where processes of other versions find them; a disk may refuse it."""
    build = Path(settings.FRONTEND_BUILD) / "assets"
    if not build.is_dir():
        return
    try:
        _keep(build, Path(settings.KEPT_BUILDS))
    except OSError as error:
        log.warning("the page's files are not kept for processes of other versions: %s", error)


def _keep(build: Path, kept: Path) -> None:
    """Lay what is not there, and say of the rest that it is wanted; others may do the same meanwhile."""
    kept.mkdir(parents=True, exist_ok=True)
    for file in build.iterdir():
        place = kept / file.name
        try:
            os.utime(place)
        except FileNotFoundError:
            half = kept / f".{uuid.uuid4().hex}"
            try:
                _lay(file, half)
                half.replace(place)
            finally:
                half.unlink(missing_ok=True)
    oldest = time.time() - KEPT_DAYS * 86_400
    for place in kept.iterdir():
        with contextlib.suppress(FileNotFoundError):
            if place.stat().st_mtime < oldest:
                place.unlink()


def _lay(file: Path, place: Path) -> None:
    """Put the same file in another place; a copy of it where the disk is another one."""
    try:
        place.hardlink_to(file)
    except OSError:
        shutil.copyfile(file, place)


class BuiltFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Serves the files that were there at the start, and looks at each again when it is asked for.

    A rebuild under a running server takes files away and puts others in their place. What was
    noted of them at the start would be an error of the server, or an answer of the wrong length.
    """

    def __init__(self, get_response: Any) -> None:
        self._paths: dict[str, str] = {}
        super().__init__(get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the file that is asked for, or what the page's own addresses answer."""
        url = request.path_info
        if url not in self.files and (kept := self._kept(url)) is not None:
            self.add_file_to_dictionary(url, kept)
        answer: HttpResponseBase = super().__call__(request)
        return answer

    def add_file_to_dictionary(self, url: str, path: str, stat_cache: Any = None) -> None:
        """Note where the file of an address lies."""
        self._paths[url] = path
        super().add_file_to_dictionary(url, path, stat_cache=stat_cache)

    def immutable_file_test(self, path: str, url: str) -> bool:
        """Return whether a browser need never ask again: another content has another name."""
        return self._asset(url) is not None or bool(super().immutable_file_test(path, url))

    def serve(self, static_file: Any, request: HttpRequest) -> HttpResponseBase:
        """Return the file. Raises `Http404` where it is gone."""
        url = request.path_info
        path = self._paths.get(url)
        try:
            current = static_file if path is None else self.get_static_file(path, url)
            response: HttpResponseBase = super().serve(current, request)
        except (MissingFileError, FileNotFoundError, NotADirectoryError) as gone:
            kept = self._kept(url)
            if kept is not None and kept != path:
                self.add_file_to_dictionary(url, kept)
                return self.serve(static_file, request)
            raise Http404("this file is no longer there: reload the page") from gone
        return response

    def _asset(self, url: str) -> str | None:
        """Return the name of a file with a hash in its name."""
        if not url.startswith(self.static_prefix):
            return None
        found = ASSET.fullmatch(url, len(self.static_prefix))
        return None if found is None else found[1]

    def _kept(self, url: str) -> str | None:
        """Return the path of a file that a process of this or another version has laid down."""
        name = self._asset(url)
        if name is None:
            return None
        path = Path(settings.KEPT_BUILDS) / name
        return str(path) if path.is_file() else None
