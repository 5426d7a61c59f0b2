"""Spellings, forms and ranges by which an address of the inside has been named to others."""

from __future__ import annotations

from typing import Final

SPELT: Final = (
    "2130706433",
    "0x7f000001",
    "127.1",
    "0177.0.0.1",
    "１２７.０.０.１",
    "127。0。0。1",
    "127.0.0.1",
    "localhost",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::127.0.0.1]",
    "[64:ff9b::a9fe:a9fe]",
    "[2002:a9fe:a9fe::1]",
    "169.254.169.254",
    "10.0.0.5",
)
"""Hosts as they are written; the resolver of the machine understands the odd ones."""
MEANT: Final = (
    "127.0.0.1",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "168.63.129.16",
    "100.64.0.1",
    "100.100.100.200",
    "192.0.0.8",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "0.0.0.0",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b::7f00:1",
    "2002:a9fe:a9fe::1",
    "2002:7f00:1::1",
    "2001:0:7f00:1::",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1%eth0",
    "ff02::1",
)
"""What a name may turn out to be: private, shared, benchmark, multicast, reserved, and the forms that hold
another address (mapped, compatible, NAT64, 6to4, Teredo)."""
MALFORMED: Final = (
    "http://user:secret@example.com/",
    "http://example.com@127.0.0.1/",
    "http://example.com\\@127.0.0.1/",
    "http://127.0.0.1\t/",
    "http://exam\x00ple.com/",
    "http:///path",
    "http://",
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
    "http://example.com:22/",
    "http://example.com:6379/",
    "http://[fe80::1%25eth0]/",
)
"""User-info, backslashes, control characters, no host, other schemes, other ports."""
