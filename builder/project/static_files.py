"""The built files of the page, as they are now: one that is gone is not found, a new one is whole."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import MissingFileError


class BuiltFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Serves the files that were there at the start, and looks at each again when it is asked for.

    A rebuild under a running server takes files away and puts others in their place. What was
    noted of them at the start would be an error of the server, or an answer of the wrong length.
    """

    def __init__(self, get_response: Any) -> None:
        self._paths: dict[str, str] = {}
        super().__init__(get_response)

    def add_file_to_dictionary(self, url: str, path: str, stat_cache: Any = None) -> None:
        """Note where the file of an address lies."""
        self._paths[url] = path
        super().add_file_to_dictionary(url, path, stat_cache=stat_cache)

    def serve(self, static_file: Any, request: HttpRequest) -> HttpResponseBase:
        """Return the file. Raises `Http404` where it is gone."""
        url = request.path_info
        path = self._paths.get(url)
        try:
            current = static_file if path is None else self.get_static_file(path, url)
            response: HttpResponseBase = super().serve(current, request)
        except (MissingFileError, FileNotFoundError, NotADirectoryError) as gone:
            raise Http404("this file is no longer there: reload the page") from gone
        return response
