"""What every test can use: real servers, a browser, and Django once the builder is there."""

from __future__ import annotations

import importlib.util
import os

from hypothesis import settings

pytest_plugins = ["tests.order", "tests.services", "tests.browser", "tests.builder.databases"]

os.environ.setdefault("OMP_NUM_THREADS", "1")
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")  # how busy the machine is says nothing about the code

if importlib.util.find_spec("builder") and importlib.util.find_spec("builder.project.settings"):
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
