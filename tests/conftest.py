"""What every test can use: real servers, a browser, and Django once the builder is there."""

from __future__ import annotations

import importlib.util
import os

pytest_plugins = ["tests.services", "tests.browser", "tests.builder.databases"]

os.environ.setdefault("OMP_NUM_THREADS", "1")

if importlib.util.find_spec("builder") and importlib.util.find_spec("builder.project.settings"):
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
