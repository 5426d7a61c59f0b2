"""Whom a server runs as: PostgreSQL refuses to run as root, so that it is `nobody` then."""

from __future__ import annotations

import os
import pwd
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Account:
    """Whom a server runs as; None where this process may run it itself."""

    uid: int | None = None
    gid: int | None = None

    def own(self, folder: Path) -> None:
        """Give `folder` to the account."""
        if self.uid is not None and self.gid is not None:
            os.chown(folder, self.uid, self.gid)

    def options(self) -> dict[str, Any]:
        """Return what `subprocess` must be told to start a program as this account."""
        groups: list[int] | None = None if self.uid is None else []
        return {"user": self.uid, "group": self.gid, "extra_groups": groups}


def unprivileged() -> Account:
    """Return `nobody` when this process is root, else the process's own account."""
    if os.geteuid() != 0:
        return Account()
    nobody = pwd.getpwnam("nobody")
    return Account(nobody.pw_uid, nobody.pw_gid)
