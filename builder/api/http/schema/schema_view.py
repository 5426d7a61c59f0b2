"""Serves the generated schema, to one reader after the other."""

from __future__ import annotations

import threading
from typing import Any, Final

from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request
from rest_framework.response import Response

ONE_AT_A_TIME: Final = threading.Lock()
"""Held while the schema is generated: of two threads that do it first, one finds half of what it needs."""


class SchemaView(SpectacularAPIView):
    """The schema of this API, for people and programs."""

    def _get_schema_response(self, request: Request) -> Response:
        with ONE_AT_A_TIME:
            answer: Any = super()._get_schema_response(request)  # type: ignore[no-untyped-call]
        return answer  # type: ignore[no-any-return]
