"""`compose.yaml` says what the product has: there is no Docker in the tests, so its words are judged."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from django.core.management import get_commands, load_command_class

from builder.process.up import children, postgres
from tests.repository import ROOT, tracked

COMPOSE: Final[dict[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: Final[dict[str, Any]] = COMPOSE["services"]
OURS: Final = ("web", "worker")
READ: Final = re.compile(r'env\.(?:text|flag|number|words|address)\(\s*"([A-Z_]+)"')


def arguments(name: str) -> list[str]:
    """Return what follows `python manage.py` in the command of a service."""
    python, manage, *rest = shlex.split(SERVICES[name]["command"])
    assert (python, manage) == ("python", "manage.py")
    return rest


def lines(path: str) -> list[list[str]]:
    """Return the words of each line of a file at the top or below it."""
    return [line.split() for line in (ROOT / path).read_text().splitlines()]


@pytest.mark.parametrize("name", OURS)
def test_each_process_is_a_command_that_takes_its_arguments(name: str) -> None:
    command, *options = arguments(name)

    parser = load_command_class(get_commands()[command], command).create_parser(
        "manage.py", command
    )
    parser.parse_args(options)
    assert command == name


def test_the_processes_are_those_of_the_procfile() -> None:
    kept = {name.rstrip(":"): words[2:] for name, *words in lines("Procfile")}

    assert set(OURS) == set(kept)
    for name in OURS:
        assert arguments(name) == [word.replace("$PORT", "8000") for word in kept[name]]


@pytest.mark.parametrize("name", OURS)
def test_each_variable_is_one_that_the_settings_read(name: str) -> None:
    read = set(READ.findall((ROOT / "builder/project/settings.py").read_text()))
    assert "DATABASE_URL" in read

    assert set(SERVICES[name]["environment"]) - read == set()
    assert SERVICES[name]["environment"] == SERVICES["web"]["environment"]
    assert SERVICES[name]["volumes"] == SERVICES["web"]["volumes"]
    assert SERVICES[name]["env_file"] == ".env"


def test_the_keys_and_the_data_stay_when_a_container_goes() -> None:
    held = {
        volume.partition(":")[0] for service in SERVICES.values() for volume in service["volumes"]
    }

    assert held == set(COMPOSE["volumes"])
    assert (
        f"graphwright:{SERVICES['web']['environment']['GRAPHWRIGHT_VAR']}"
        in SERVICES["web"]["volumes"]
    )


def test_each_has_as_long_to_end_as_make_up_gives_it() -> None:
    for name in OURS:
        assert SERVICES[name]["stop_grace_period"] == f"{children.PATIENCE_S:.0f}s"
    assert float(SERVICES["database"]["stop_grace_period"].rstrip("s")) >= postgres.STOP_S
    assert set(SERVICES["worker"]["depends_on"]) == {"web", "database"}, "workers end first"
    assert (
        f"max_connections={postgres.OPTIONS['max_connections']}" in SERVICES["database"]["command"]
    )


def test_people_are_sent_there_once_it_is_ready() -> None:
    asked = " ".join(SERVICES["web"]["healthcheck"]["test"])
    port = arguments("web")[-1]

    assert f"http://127.0.0.1:{port}/readyz" in asked
    assert SERVICES["web"]["environment"]["PORT"] == port
    assert SERVICES["web"]["ports"][0].endswith(f":{port}")


def test_no_secret_stands_in_it() -> None:
    text = (ROOT / "compose.yaml").read_text()
    ignored = lines(".gitignore"), lines(".dockerignore")

    assert re.findall(r"PASSWORD: (?!\$\{POSTGRES_PASSWORD:\?)", text) == []
    assert re.findall(r"graphwright:(?!\$\{POSTGRES_PASSWORD:\?)[^@\s]*@", text) == []
    assert all([".env"] in file for file in ignored)
    assert ["var"] in ignored[1]
    assert ".env" not in tracked()


def test_the_image_is_built_from_what_is_there() -> None:
    build = SERVICES["web"]["build"]
    words = lines(build["dockerfile"])
    copied = [
        word
        for line in words
        if line[:1] == ["COPY"] and "--from=pages" not in line
        for word in line[1:-1]
    ]
    images = [line[1] for line in words if line[:1] == ["FROM"]] + [SERVICES["database"]["image"]]

    assert copied
    assert [name for name in copied if not (ROOT / Path(name)).exists()] == []
    assert [image for image in images if not re.fullmatch(r"[a-z]+:[\w.-]+", image)] == []
