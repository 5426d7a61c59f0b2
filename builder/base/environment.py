"""Typed reads of environment variables that refuse nonsense, and the secrets kept in `var/`."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"", "0", "false", "no", "off"}


def text(name: str, default: str = "") -> str:
    """Return the variable, stripped."""
    return os.environ.get(name, default).strip()


def flag(name: str, default: bool = False) -> bool:
    """Return the variable as a yes or no. Raises `ImproperlyConfigured` for anything else."""
    value = os.environ.get(name)
    if value is None:
        return default
    word = value.strip().lower()
    if word not in TRUE | FALSE:
        raise ImproperlyConfigured(f"{name}={value!r} is neither yes nor no")
    return word in TRUE


def number(name: str, default: int) -> int:
    """Return the variable as an integer. Raises `ImproperlyConfigured` for anything else."""
    value = text(name, str(default))
    if not value.isdecimal():
        raise ImproperlyConfigured(f"{name}={value!r} is no whole number")
    return int(value)


def words(name: str, default: str = "") -> list[str]:
    """Return the comma-separated parts of the variable."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def address(name: str) -> str:
    """Return the variable as an address without a slash at its end, empty if it is not given.

    Raises `ImproperlyConfigured` for anything else.
    """
    value = text(name)
    parts = urlsplit(value)
    if value and (parts.scheme not in {"http", "https"} or not parts.hostname or parts.query):
        raise ImproperlyConfigured(
            f"{name}={value!r} is no address like https://graphs.example.com"
        )
    return value.rstrip("/")


def origins(hosts: list[str], port: int, *, https: bool) -> list[str]:
    """Return the origins of the hosts as browsers write them: behind HTTPS a proxy has the port."""
    if https:
        return [f"https://{host}" for host in hosts]
    return [f"http://{host}" if port == 80 else f"http://{host}:{port}" for host in hosts]


def close_to_others(folder: Path) -> None:
    """Let nobody but the owner of the process read what is in `folder`, or what it makes from now on.

    Databases get their write-ahead files with the mode that they have themselves.
    """
    os.umask(0o077)
    with contextlib.suppress(OSError):  # somebody else's folder, or a file that has just gone
        folder.chmod(0o700)
        for entry in folder.iterdir():
            if entry.is_file() and not entry.is_symlink():
                entry.chmod(0o600)


def unwritable(path: Path, error: OSError) -> ImproperlyConfigured:
    """Return what to say where a file in the folder cannot be written."""
    return ImproperlyConfigured(
        f"{path} cannot be written: {error.strerror or error}. "
        "Let the user of this process write there, or set GRAPHWRIGHT_VAR to another folder."
    )


def own_folder(path: Path) -> Path:
    """Return the folder, made at the first call and closed to others. Raises `ImproperlyConfigured`."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error
    close_to_others(path)
    return path


def socket_origins(pages: list[str]) -> list[str]:
    """Return the origins of the pages' websockets, as a CSP can name them: not IPv6 addresses."""
    return [origin.replace("http", "ws", 1) for origin in pages if "[" not in origin]


def kept_secret(path: Path, *, size: int = 48) -> str:
    """Return the secret in the file at `path`, made with mode 0600 at the first call.

    Raises `ImproperlyConfigured` where it is empty, and where it can be neither read nor made.
    """
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return _read_secret(path)
    except OSError as error:
        raise unwritable(path, error) from error
    value = secrets.token_urlsafe(size)
    with os.fdopen(descriptor, "w") as file:
        file.write(value)
    return value


def _read_secret(path: Path) -> str:
    kept = path.read_text().strip()
    if not kept:
        raise ImproperlyConfigured(f"{path.name} is empty: delete it to have a new one made")
    return kept


def database(url: str, sqlite_path: Path, *, pool_size: int = 20) -> dict[str, Any]:
    """Return Django's settings of the database: SQLite at `sqlite_path`, or PostgreSQL at `url`."""
    if not url:
        return sqlite(sqlite_path)
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(f"DATABASE_URL starts with {parts.scheme!r}: use postgresql://")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_HEALTH_CHECKS": True,  # of what the pool kept while the database was away
        "OPTIONS": {"pool": {"min_size": 1, "max_size": pool_size, "timeout": 10}},
    }


def sqlite(path: Path) -> dict[str, Any]:
    """Return the settings of one SQLite file: writers queue at once, every commit is on disk."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": None,  # a thread keeps its connection: opening one costs as much as a page
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            "init_command": (
                "PRAGMA auto_vacuum=INCREMENTAL; "  # of a new file: it can give room back later
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
            ),
        },
    }
