"""The schema, asked for by several at once before anybody else has."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ASKING = """
import sys, threading
import django
django.setup()
from django.test import Client
sys.setswitchinterval(1e-6)
statuses, gate = [], threading.Barrier(6)
def ask():
    gate.wait()
    statuses.append(Client(raise_request_exception=False).get("/api/schema/", headers={"host": "localhost"}).status_code)
threads = [threading.Thread(target=ask) for _ in range(6)]
[one.start() for one in threads]
[one.join() for one in threads]
print(statuses)
"""


@pytest.mark.slow
def test_the_first_six_readers_of_the_schema_all_get_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKING],
        cwd=Path(__file__).parents[3],
        env={"DJANGO_SETTINGS_MODULE": "tests.settings", "PATH": "/usr/bin"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.strip() == str([200] * 6), done.stderr[-2000:]
