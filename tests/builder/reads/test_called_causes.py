"""What causes of failures are called."""

from __future__ import annotations

from builder.reads.runs.called_causes import LATEST, called

URL = "http://ledger:90"


def test_one_message_is_called_as_it_is() -> None:
    assert called(["503 from the gateway"], 1) == "503 from the gateway"
    assert called(["a b", "a b"], 2) == "a b"


def test_several_addresses_are_counted_under_what_they_share() -> None:
    pages = [f"GET {URL}/down/K-{n} answered 503 Unavailable" for n in range(3)]
    hosts = [f"GET http://{host}/x answered 503" for host in ("one.example", "two.example")]

    assert called(pages, 3) == f"GET 3 addresses under {URL}/down/ answered 503 Unavailable"
    assert called(hosts, 2) == "GET 2 addresses answered 503"
    assert called(["GET http://a/x/1?y: no", "GET http://a/x/2?y: no"], 2) == (
        "GET 2 addresses under http://a/x/ no"
    )


def test_many_addresses_are_said_to_be_more_than_were_compared() -> None:
    many = [f"GET {URL}/{n} failed" for n in range(LATEST)]

    assert called(many, 900) == f"GET over {LATEST} addresses under {URL}/ failed"
    assert called(many, LATEST) == f"GET {LATEST} addresses under {URL}/ failed"


def test_what_else_differs_is_left_open_and_what_does_not_fit_is_one_of_them() -> None:
    assert called(["no customer 'a1'", "no customer 'b2'"], 2) == "no customer …"
    assert called(["no 'a 1' here", "no 'b' here"], 2) == "no 'a 1' here"


def test_hosts_that_messages_quote_are_named() -> None:
    said = [f"'{host}' leads to an address that is not public" for host in ("a", "b", "c", "d")]
    assert called(said[:2], 2) == "'a' or 'b' leads to an address that is not public"
    assert called(said[:3], 3) == "'a', 'b' or 'c' leads to an address that is not public"
    assert called(said, 4) == "'a', 'b' or 2 others leads to an address that is not public"
