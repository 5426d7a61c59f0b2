"""Sockets to what speaks no HTTP, and entries of allow-lists that are for one purpose alone."""

from __future__ import annotations

import asyncio

import pytest

from engine.integrations.egress import AllowList, Egress, EgressRefused, HttpUnavailable
from tests.engine.names import resolver

pytestmark = pytest.mark.asyncio

PUBLIC = "93.184.216.34"
NOBODYS = [
    "127.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "224.0.0.1",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
    "fe80::1",
    "fd00::7",
]


@pytest.mark.parametrize("address", NOBODYS)
async def test_nothing_is_dialled_that_is_not_public(address: str) -> None:
    with pytest.raises(EgressRefused):
        await Egress(resolver=resolver(imap=[PUBLIC, address])).dial("imap", 993, "mail")


@pytest.mark.parametrize(
    "host",
    ["127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]", "::1", "localhost", "LOCALHOST."],
)
async def test_no_spelling_leads_to_this_machine(host: str) -> None:
    """Spellings that the system reads as an address of this machine, by its own resolver."""
    with pytest.raises((EgressRefused, HttpUnavailable)):
        await Egress().dial(host, 993, "mail")


@pytest.mark.parametrize("host", ["a b", "a@b", "a/b", "a:b", "", "a\nb", "a%20b", "a\\b"])
async def test_what_is_no_host_is_refused(host: str) -> None:
    with pytest.raises(EgressRefused):
        await Egress(resolver=resolver()).dial(host, 993, "mail")


async def test_ports_go_with_the_purpose() -> None:
    egress = Egress(resolver=resolver(host=[PUBLIC]))
    for port, purpose in ((22, "mail"), (993, "ssh"), (25, "mail"), (993, "node")):
        with pytest.raises(EgressRefused, match="allow-list"):
            await egress.dial("host", port, purpose)  # type: ignore[arg-type]  # one of them


@pytest.mark.parametrize(
    ("address", "closed", "who"),
    [
        ("10.0.0.5", False, "workspace"),
        ("10.0.0.5", True, "operator"),
        ("127.0.0.1", False, "operator"),
        ("::1", False, "operator"),
        ("169.254.169.254", False, "nobody"),
    ],
)
async def test_a_refusal_names_the_host_and_who_can_open_it(
    address: str, closed: bool, who: str
) -> None:
    egress = Egress(resolver=resolver(pay_lan=[address]), closed=closed)
    with pytest.raises(EgressRefused, match=r"'pay\.lan' leads to") as refused:
        await egress.dial("pay.lan", 993, "mail")
    assert refused.value.detail == {"opened_by": who}


@pytest.mark.parametrize(
    ("host", "who"),
    [("localhost", "operator"), ("10.0.0.5", "workspace"), ("pay.lan", "workspace")],
)
async def test_a_refused_port_names_its_host_too(host: str, who: str) -> None:
    with pytest.raises(EgressRefused, match=rf"port 9 of '{host}' is not on the") as refused:
        await Egress(resolver=resolver()).dial(host, 9, "mail")
    assert refused.value.detail == {"opened_by": who}


async def test_a_listed_host_is_dialled_and_speaks() -> None:
    async def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"* OK\r\n")
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    allow = AllowList.of([f"mail=tcp://imap.lan:{port}"])
    egress = Egress(allow, resolver(imap_lan=["127.0.0.1"]))

    made = await egress.dial("imap.lan", port, "mail")
    said = await asyncio.to_thread(made.recv, 10)
    made.close()
    with pytest.raises(EgressRefused):
        await egress.dial("imap.lan", port, "ssh")
    with pytest.raises(EgressRefused):
        await egress.dial("imap.lan", port + 1, "mail")
    with pytest.raises(EgressRefused):
        await egress.vet(f"http://imap.lan:{port}/")
    server.close()
    with pytest.raises(HttpUnavailable):
        await egress.dial("imap.lan", port, "mail")

    assert said == b"* OK\r\n"


async def test_what_is_for_models_is_closed_to_nodes() -> None:
    allow = AllowList.of(["model=http://ollama.lan:11434", "http://wiki.lan:8080"])
    egress = Egress(allow, resolver(ollama_lan=["10.0.0.5"], wiki_lan=["10.0.0.6"]))

    await egress.serving("model").vet("http://ollama.lan:11434/v1")
    for closed in (egress, egress.serving("node"), egress.serving("tool")):
        with pytest.raises(EgressRefused):
            await closed.vet("http://ollama.lan:11434/v1")
        await closed.vet("http://wiki.lan:8080/")


@pytest.mark.parametrize(
    "entry", ["models=http://a.lan", "tcp://a.lan", "tcp://a.lan:x", "ftp://a"]
)
async def test_an_entry_that_cannot_be_read_is_refused(entry: str) -> None:
    with pytest.raises(EgressRefused):
        AllowList.of([entry])
