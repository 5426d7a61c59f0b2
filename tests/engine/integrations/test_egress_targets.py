"""The one way out: addresses are judged, never names."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from engine.integrations.egress import (
    AllowList,
    Egress,
    EgressRefused,
    HttpUnavailable,
    is_public,
    parse_target,
)
from engine.integrations.egress.client import system_resolver
from tests.engine.names import resolver

pytestmark = pytest.mark.asyncio


PUBLIC = "93.184.216.34"


async def any_host_is(address: str, host: str = "x.example") -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return [address]

    await Egress(resolver=resolve).vet(f"http://{host}/")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "198.18.0.1",
        "198.51.100.7",
        "203.0.113.7",
        "224.0.0.1",
        "239.1.2.3",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:0:127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "2002:a9fe:a9fe::1",
        "2002:7f00:1::1",
        "2001:0:7f00:1::",
        "2001:0:4136:e378:8000:63bf:80ff:fffe",
        "2001:db8::1",
        "2001:2::1",
        "3fff::1",
        "5f00::1",
        "100::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
    ],
)
async def test_an_address_that_is_not_public_is_refused(address: str) -> None:
    with pytest.raises(EgressRefused):
        await any_host_is(address)


@pytest.mark.parametrize(
    "address", [PUBLIC, "1.1.1.1", "2606:4700::1111", "64:ff9b::5db8:d822", "2002:5db8:d822::1"]
)
async def test_a_public_address_is_reached(address: str) -> None:
    await any_host_is(address)
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "host",
    [
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "127.1",
        "127.0.1",
        "0177.0.0.1",
        "017700000001",
        "0",
        "１２７.０.０.１",
        "127。0。0。1",
        "127．0．0．1",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:0:0:1]",
        "127.0.0.1",
        "127.0.0.1.",
    ],
)
async def test_every_spelling_of_loopback_is_refused_by_what_it_resolves_to(host: str) -> None:
    with pytest.raises((EgressRefused, HttpUnavailable)):
        await Egress(resolver=system_resolver).vet(f"http://{host}/")


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://x.example/",
        "gopher://x.example/",
        "//x.example/",
        "http:/x.example",
        "http://",
        "http:///path",
        "http://user@x.example/",
        "http://user:pass@x.example/",
        "http://x.example@127.0.0.1/",
        "http://x.example:80@127.0.0.1/",
        "http://x.example\\@127.0.0.1/",
        "http://x.example\\.evil/",
        "http://x.example/\r\nHost: y",
        "http://x.example/ a",
        "http://x.exam\tple/",
        "http://x.exa\nmple/",
        "http://x.example\x00/",
        "http://x%2eexample/",
        "http://127%2e0.0.1/",
        "http://[fe80::1%25eth0]/",
        "http://[::1/",
        "http://[::1]x/",
        "http://x.example:0/",
        "http://x.example:65536/",
        "http://x.example:99999/",
        "http://x.example:8x/",
        "http://x.example:8080/",
        "http://.x.example/",
        "http://x..example/",
        "http://x.example\u2028/",
        " http://x.example/",
        "http://" + "a" * 9000 + "/",
        "javascript:alert(1)",
        "",
    ],
)
async def test_a_url_that_can_be_misread_is_refused(url: str) -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return [PUBLIC]

    with pytest.raises(EgressRefused):
        await Egress(resolver=resolve).vet(url)


async def test_one_bad_address_among_good_ones_refuses_all() -> None:
    egress = Egress(resolver=resolver(x_example=[PUBLIC, "10.0.0.1"]))

    with pytest.raises(EgressRefused):
        await egress.vet("https://x.example/")


async def test_an_unknown_host_is_unavailable_and_nothing_was_sent() -> None:
    with pytest.raises(HttpUnavailable) as caught:
        await Egress(resolver=resolver()).vet("https://x.example/")

    assert caught.value.retryable and not caught.value.sent


async def test_the_allow_list_names_exact_origins() -> None:
    names = resolver(ollama_lan=["10.0.0.5"], other_lan=["10.0.0.5"], meta=["169.254.169.254"])
    allow = AllowList.of(["http://ollama.lan:11434", "http://meta"])
    egress = Egress(allow, names)

    assert (await egress.vet("http://OLLAMA.lan.:11434/x")).addresses == ("10.0.0.5",)
    for url in (
        "https://ollama.lan:11434/",
        "http://ollama.lan:11435/",
        "http://ollama.lan/",
        "http://other.lan:11434/",
        "http://meta/",
    ):
        with pytest.raises(EgressRefused):
            await egress.vet(url)


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254",
        "100.100.100.200",
        "168.63.129.16",
        "::ffff:169.254.169.254",
        "::ffff:100.100.100.200",
        "2002:6464:64c8::1",
        "fe80::1",
        "0.0.0.0",
        "224.0.0.1",
    ],
)
async def test_an_accepted_name_never_leads_to_a_metadata_service(address: str) -> None:
    """Who accepts a server of the own network accepts a server, not what a name may point to."""
    allow = AllowList.of(["http://ollama.lan:11434"])
    egress = Egress(allow, resolver(ollama_lan=[address]))

    with pytest.raises(EgressRefused):
        await egress.vet("http://ollama.lan:11434/v1")


@pytest.mark.parametrize("address", ["10.0.0.5", "127.0.0.1", "100.64.0.9", "fd00::5", "::1"])
async def test_an_accepted_name_leads_to_the_own_network(address: str) -> None:
    allow = AllowList.of(["http://ollama.lan:11434"])
    egress = Egress(allow, resolver(ollama_lan=[address]))

    assert (await egress.vet("http://ollama.lan:11434/v1")).addresses == (address,)


async def test_operators_may_allow_ranges_but_not_ports() -> None:
    egress = Egress(AllowList.of([], ["10.1.0.0/16"]), resolver(a=["10.1.2.3"], b=["10.2.2.3"]))

    assert (await egress.vet("http://a/")).addresses == ("10.1.2.3",)
    with pytest.raises(EgressRefused):
        await egress.vet("http://b/")
    with pytest.raises(EgressRefused):
        await egress.vet("http://a:8080/")


async def test_own_public_addresses_are_refused() -> None:
    egress = Egress(resolver=resolver(x_example=[PUBLIC]), own_addresses=frozenset({PUBLIC}))

    with pytest.raises(EgressRefused):
        await egress.vet("https://x.example/")


async def test_a_target_is_written_back_as_it_was_read() -> None:
    target = parse_target("HTTPS://Ex.Ample.:443/a b?x=1#frag".replace(" ", "%20"))

    assert str(target) == "https://ex.ample/a%20b?x=1"
    assert target.authority == "ex.ample"
