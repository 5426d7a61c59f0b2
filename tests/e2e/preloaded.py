"""What every server imports and what knows no settings: the fork server has it ready (`forked`)."""

from __future__ import annotations

import gc
import os
import pkgutil
from importlib import import_module
from typing import Final

LIBRARIES: Final = (
    "asgiref.sync",
    "charset_normalizer",
    "cryptography.fernet",
    "cryptography.hazmat.primitives.asymmetric.rsa",
    "cryptography.x509",
    "django.contrib.postgres.fields",
    "django.core.handlers.asgi",
    "django.core.mail",
    "django.core.management",
    "django.db.models",
    "django.forms",
    "django.template.loader",
    "django.views.generic",
    "drf_spectacular.types",
    "fido2.server",
    "google.protobuf.descriptor",
    "httpx2",
    "jinja2",
    "jsonpath_rfc9535",
    "jwt",
    "psycopg.types.json",
    "psycopg_pool",
    "pydantic",
    "pygments.lexers",
    "regex",
    "requests",
    "sqlparse",
    "yaml",
)
"""The larger ones."""


def preload() -> None:
    """Import it. Raises `RuntimeError` where something asked for settings: they are each server's own."""
    os.environ.pop("DJANGO_SETTINGS_MODULE", None)
    for name in LIBRARIES:
        import_module(name)
    import engine

    for module in pkgutil.walk_packages(engine.__path__, "engine."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    from django.conf import settings

    if settings.configured:
        raise RuntimeError("settings were read before a server has its own")
    gc.freeze()


preload()
