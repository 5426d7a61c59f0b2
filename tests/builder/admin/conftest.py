"""Who is in Django admin."""

from __future__ import annotations

import pytest
from django.test import Client

from builder.models import Membership, User
from tests.builder.conftest import People, sign_in_unheard


@pytest.fixture
def staff(people: People) -> Client:
    """Olga, superuser, in Django admin."""
    User.objects.filter(pk=people.olga.user_id).update(is_staff=True, is_superuser=True)
    client = Client()
    sign_in_unheard(client, Membership.objects.get(pk=people.olga.pk))
    return client
