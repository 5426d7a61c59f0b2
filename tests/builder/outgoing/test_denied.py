"""No address that data names leads inside: every door, every spelling, every form; by connections made."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from engine.integrations.egress import AllowList, EgressRefused
from engine.integrations.egress.purposes import PORTS
from tests.builder.outgoing.conftest import PUBLIC, Net
from tests.builder.outgoing.denied import MALFORMED, MEANT, SPELT
from tests.builder.outgoing.doors import DOORS, Door, egress_of
from tests.builder.outgoing.leading import leading

each_door = pytest.mark.parametrize("door", DOORS, ids=[door.names for door in DOORS])


async def tried(door: Door, url: str, egress: Any = None) -> None:
    """Call a door; how it says that nothing came of it is its own affair."""
    with contextlib.suppress(Exception):
        await door.reach(egress or egress_of(door), url)


@each_door
async def test_a_door_reaches_what_is_public(net: Net, door: Door) -> None:
    """Else what follows would prove nothing."""
    await tried(door, "https://www.example/")

    assert set(net.reached) == {PUBLIC}


@each_door
async def test_no_spelling_leads_inside(net: Net, door: Door) -> None:
    for url in (f"{scheme}://{host}/" for host in SPELT for scheme in ("http", "https")):
        await tried(door, url)

        assert net.reached == [], url


@each_door
async def test_no_name_that_means_the_inside_leads_there(net: Net, door: Door) -> None:
    for address in MEANT:
        net.means(address)
        await tried(door, "https://inside.example/")

        assert net.reached == [], address


@each_door
async def test_what_can_be_read_in_two_ways_leads_nowhere(net: Net, door: Door) -> None:
    for url in MALFORMED:
        await tried(door, url)

        assert net.reached == [], url


@each_door
async def test_a_name_is_not_looked_up_again(net: Net, door: Door) -> None:
    """It is public while it is judged, and this machine afterwards."""
    net.means(PUBLIC, "127.0.0.1")

    await tried(door, "https://rebound.example/")

    assert set(net.reached) <= {PUBLIC}


@each_door
async def test_no_redirect_leads_inside(net: Net, door: Door) -> None:
    """Whether it is followed and judged, or not followed at all."""
    async with leading() as here:
        net.there.add(here.port)
        allowed = egress_of(door).allowing(AllowList.of([here.address]))
        for host in (*SPELT, "inside.example"):
            net.means("10.0.0.1")
            here.target, here.asked = f"http://{host}/", 0
            await tried(door, f"{here.address}/elsewhere", allowed)

            assert here.asked
            assert net.reached == [], host


@pytest.mark.parametrize("purpose", sorted(PORTS))
async def test_what_is_dialled_leads_nowhere(net: Net, purpose: Any) -> None:
    [*_, port] = PORTS[purpose]
    for host in SPELT:
        with pytest.raises(EgressRefused):
            await egress_of(DOORS[0]).dial(host.strip("[]"), port, purpose)

        assert net.reached == [], host
