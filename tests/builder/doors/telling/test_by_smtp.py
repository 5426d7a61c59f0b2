"""Mail as a mail server gets it: whose it is, what it says, and what its refusals mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from builder.doors.telling.carrying import carrier
from builder.models import ChannelNotice
from tests.builder.doors.telling.conftest import Happen, MakeChannel, MakeRule, states
from tests.services import free_port

GREEDY = "ops@example.com"


@dataclass
class Office:
    """A mail server: it takes everything in, or answers as the test says."""

    answer: str = "250 taken"
    taken: list[tuple[list[str], EmailMessage]] = field(default_factory=list)

    async def handle_DATA(  # noqa: N802  (the library's name)
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """Take a letter."""
        if self.answer.startswith("250"):
            letter = message_from_bytes(envelope.content or b"", policy=policy.default)  # type: ignore[arg-type]
            self.taken.append((envelope.rcpt_tos, letter))
        return self.answer


@pytest.fixture
def office(settings: Any) -> Iterator[Office]:
    """A mail server on loopback, to which the product is led as an operator leads it."""
    office = Office()
    port = free_port()
    controller = Controller(office, hostname="127.0.0.1", port=port)
    controller.start()
    settings.MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    yield office
    controller.stop()


@pytest.fixture
def mailed(channel: MakeChannel, rule: MakeRule, happen: Happen) -> None:
    """A budget has passed a mark, and a mail channel is told of that."""
    rule(channel("mail", address=GREEDY), "budget.mark")
    happen("budget.mark", None, "workspace:1:total", level="workspace", percent=90)


@pytest.mark.usefixtures("mailed")
def test_a_letter_comes_as_it_was_written(office: Office) -> None:
    assert carrier.carry() == 1

    [(to, letter)] = office.taken
    assert (to, states()) == ([GREEDY], ["sent"])
    assert letter["Subject"] == "The budget of the workspace is used to 90 %"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["From"]
    body = letter.get_body()
    assert body is not None
    assert "Opening a link decides nothing." in body.get_content()


@pytest.mark.parametrize("answer", ["451 come again later", "554 not from you"])
@pytest.mark.usefixtures("mailed")
def test_what_a_mail_server_refuses_is_tried_again(office: Office, answer: str) -> None:
    office.answer = answer

    carrier.carry()

    row = ChannelNotice.objects.get()
    assert (row.state, office.taken) == ("waiting", [])
    assert row.reason.startswith("the mail server: SMTP")
    assert answer not in row.reason
    office.answer = "250 taken"
    assert carrier.carry(row.available_at + 1) == 1
    assert len(office.taken) == 1
