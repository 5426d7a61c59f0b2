"""Operations of an OpenAPI document as tools: read, listed, called through the egress.

Nothing of a document is fetched: a reference may point into the document itself only.
"""

from __future__ import annotations

from engine.integrations.tools.openapi.catalog import Catalog, Refused, read_catalog
from engine.integrations.tools.openapi.document import OpenApiRefused
from engine.integrations.tools.openapi.operation import Operation
from engine.integrations.tools.openapi.servers import checked_server
from engine.integrations.tools.openapi.source import Api, OpenApiSource, OpenApiTool

__all__ = [
    "Api",
    "Catalog",
    "OpenApiRefused",
    "OpenApiSource",
    "OpenApiTool",
    "Operation",
    "Refused",
    "checked_server",
    "read_catalog",
]
