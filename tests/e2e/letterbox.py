"""A mail backend for served tests: each letter is a file beside the database."""

from __future__ import annotations

import os
import uuid
from collections.abc import Sequence
from pathlib import Path

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


def folder(var: Path) -> Path:
    """Return where the letters of a server with this folder are."""
    return var / "letters"


class Letterbox(BaseEmailBackend):
    """Writes letters down."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Keep each letter in a file named after its first reader."""
        box = folder(Path(os.environ["GRAPHWRIGHT_VAR"]))
        box.mkdir(exist_ok=True)
        for letter in email_messages:
            name = f"{letter.to[0]}-{uuid.uuid4().hex}"
            (box / name).write_text(f"{letter.subject}\n\n{letter.body}")
        return len(email_messages)
