"""Stored credentials that a config names: whether there is one, and whether it may go there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from typing import Any
from urllib.parse import urlsplit

from engine.check.subject import NodeSubject, Subject
from engine.core.graph.problems import Problem, did_you_mean, json_path


def find(subject: Subject) -> Iterator[Problem]:
    """Yield credentials that do not exist or are not bound to the host they would go to."""
    for node in subject.nodes:
        for found in node.with_widget("credential"):
            for place, name in found.texts():
                yield from _judged(subject, node, place, name)


def _judged(
    subject: Subject, node: NodeSubject, place: tuple[str | int, ...], name: str
) -> Iterator[Problem]:
    path = json_path(place)
    try:
        hosts = subject.world.credential_hosts(name)
    except LookupError:
        return
    if hosts is None:
        cure = did_you_mean(name, subject.world.credential_names())
        message = (
            f'There is no credential "{name}" in this workspace.{cure} An admin adds it under '
            "Settings, Credentials, or the field stays empty."
        )
        yield node.at("CredentialNotFound", path, message)
        return
    host = _host(_beside(node.spec.config, place))
    if host and not any(fnmatch(host, pattern) for pattern in hosts):
        message = (
            f'The credential "{name}" is bound to {", ".join(hosts) or "no host"}, so it is not '
            f"sent to {host}. An admin binds it under Settings, Credentials."
        )
        yield node.at("CredentialNotBound", path, message)


def _beside(config: object, place: tuple[str | int, ...]) -> Any:
    """Return the address in the same part of the config as the credential at `place`."""
    parts = place[:-1]
    for part in parts[parts.index("config") + 1 :] if "config" in parts else parts:
        config = config.get(part) if isinstance(config, Mapping) else None
    return config.get("url") if isinstance(config, Mapping) else None


def _host(url: object) -> str | None:
    """Return the host of an address, None where a template decides it."""
    if not isinstance(url, str):
        return None
    try:
        host = urlsplit(url).hostname
    except ValueError:
        return None
    return None if host is None or "{" in host or "}" in host else host
