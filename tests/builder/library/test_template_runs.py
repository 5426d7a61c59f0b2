"""Every template runs to its end: on the built-in model where it says so, else on a script."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from builder.library.templates import template, templates
from engine.integrations.egress import AllowList, Egress
from engine.integrations.memory.facts import InMemoryFacts
from engine.integrations.tools.functions import DEFAULT
from tests.contract import harness
from tests.contract.harness import Outcome

PAGE = b"Welcome. The museum is open from nine to five. Dogs stay outside."
Json = Any


def run(name: str, input: Json, **more: Any) -> Outcome:
    """Run a template on an input."""
    known = template(name)
    return harness.run(
        known.document, input=input, graphs=known.children, functions=DEFAULT, **more
    )


BUILTIN: list[tuple[str, Json, Json]] = [
    (
        "chain",
        "Cloudpeak Inc. asks for 89 USD for the software licences, payable until 2026-12-31.",
        {"company": "Cloudpeak Inc", "amount": 89, "due": "2026-12-31", "account": "software"},
    ),
    (
        "chain",
        "Please pay 75.20 EUR to Bluebird Ltd. for printer paper and cleaning by 2027-02-01.",
        {"company": "Bluebird Ltd", "amount": 75.2, "due": "2027-02-01", "account": "office"},
    ),
    ("triage", "Your invoice has the wrong amount, I want a refund.", "billing team"),
    ("triage", "It crashes with an error after the update.", "engineering team"),
    ("triage", "What are your opening hours?", "front desk"),
    (
        "parallel",
        "Where is my parcel? The courier said it arrives this week.",
        {"mood": "neutral", "topic": "delivery", "urgent": False},
    ),
    (
        "parallel",
        "The wrong amount was charged on my card, this is terrible! Fix it immediately.",
        {"mood": "angry", "topic": "payment", "urgent": True},
    ),
    (
        "map-reduce",
        [
            "The staff was friendly and answered at once, great support.",
            "My parcel arrived broken, terrible.",
            "I love the battery.",
        ],
        {"praise": 2, "complaints": 1, "quotes": ["delivery: My parcel arrived broken, terrible."]},
    ),
    (
        "voting",
        "Saving is slow for some customers, the result is wrong now and then. "
        "The workaround is manual work, by hand.",
        {"priority": "medium", "votes": ["damage: medium", "reach: high", "workaround: medium"]},
    ),
    (
        "voting",
        "Nobody can log in, all users are blocked and there is no workaround.",
        {"priority": "high", "votes": ["damage: high", "reach: high", "workaround: high"]},
    ),
    (
        "supervisor",
        "How do I change my e-mail address?",
        {
            "answer": "To change your e-mail address, open Settings, Profile.",
            "asked": ["account_desk"],
        },
    ),
    (
        "supervisor",
        "Can I pay by bank transfer?",
        {"answer": "You can pay by card or by bank transfer.", "asked": ["money_desk"]},
    ),
    ("swarm", "I lost my key card.", "A lost key card is replaced at the desk."),
    ("swarm", "What time is breakfast?", "Breakfast is served from seven to ten."),
    (
        "verifier-loop",
        {"pages": ["Hello.", "Your bill: the total amount to pay is 99 USD."]},
        {"total": 99, "quote": "Your bill: the total amount to pay is 99 USD.", "page": 2},
    ),
    ("verifier-loop", {"pages": ["We had a nice day."]}, {"total": None, "pages_read": 1}),
    (
        "approval",
        "A pen from Scribe Ltd. for 3 EUR.",
        {"ordered": True, "from": "Scribe Ltd", "amount": 3},
    ),
    (
        "tool-step",
        "We need 7 desks, the price is 210 EUR each.",
        {"quantity": 7, "price": 210, "total": 1764},
    ),
    (
        "http",
        {"url": "http://127.0.0.1:1/", "question": "Is it open?"},
        "The address could not be fetched.",
    ),
    (
        "subgraph",
        "I want to buy two lamps, please send them. jo@shop.example",
        {"email": "jo@shop.example", "wish": "buy"},
    ),
    (
        "subgraph",
        "Which size do I need? ask@me.example",
        {"email": "ask@me.example", "wish": "ask"},
    ),
    ("saga", {"nights": 2, "seats_left": 1}, {"booked": True, "price": 276}),
    ("budget", "The parcel was broken and late, I am angry.", "complaint"),
]


@pytest.mark.parametrize(("name", "input", "result"), BUILTIN)
def test_the_built_in_model_is_enough(name: str, input: Json, result: Json) -> None:
    done = run(name, input)

    assert done.report["error"] is None
    assert (done.status, done.report["result"]) == ("completed", result)


def test_a_large_purchase_waits_and_the_person_may_correct_it() -> None:
    text = "Please get a monitor from Visio GmbH for 310.50 EUR."
    approved = {"approve": [{"decision": "approved", "edits": {"amount": 299}}]}
    rejected = {"approve": [{"decision": "rejected", "comment": "Next year."}]}

    assert run("approval", text).status == "waiting"
    assert run("approval", text, decide=approved).report["result"] == {
        "ordered": True,
        "from": "Visio GmbH",
        "amount": 299,
    }
    assert run("approval", text, decide=rejected).report["result"] == {
        "ordered": False,
        "from": "Visio GmbH",
    }


@pytest.mark.parametrize(
    ("people", "place", "booked"),
    [(20, "office", "the hall"), (4, "office", "the small room"), (4, "online", "online")],
)
def test_a_form_decides_the_way(people: int, place: str, booked: str) -> None:
    values = {"day": "2027-01-11", "people": people, "place": place}

    answers = {"details": [{"values": values}]}
    result = run("form", {"about": "The budget"}, decide=answers).report["result"]

    assert (result["about"], result["day"], result["place"]) == ("The budget", "2027-01-11", booked)


def test_what_was_told_in_one_run_is_recalled_in_the_next() -> None:
    facts = InMemoryFacts()
    told = "The spare key lies under the blue flower pot. Our landlord is Mr. Weber."

    kept = run("reflection", {"told": told}, facts=facts)
    key = run("reflection", {"question": "Where is the spare key?"}, facts=facts)
    landlord = run("reflection", {"question": "Who is our landlord?"}, facts=facts)

    assert kept.report["result"] == {"facts_kept": 2}
    assert key.report["result"] == "The spare key lies under the blue flower pot."
    assert landlord.report["result"] == "Our landlord is Mr. Weber."


def test_a_failed_booking_undoes_those_before_it_in_reverse_order() -> None:
    done = run("saga", {"nights": 2, "seats_left": 0})

    undone = [(e["node"], e["result"]) for e in done.of("CompensationRun")]
    assert (done.status, done.code) == ("failed", "VerificationFailed")
    assert undone == [("museum", -36), ("hotel", -240)]


def test_a_long_text_asks_before_it_is_read() -> None:
    text = "We offer you a discount of 20 percent, buy now. " * 30

    waiting = run("budget", text)
    read = run("budget", text, decide={"read": [{"decision": "raise", "max_tokens": 5000}]})

    assert [i["kind"] for i in waiting.report["interrupts"]] == ["budget"]
    assert waiting.report["spend"]["tokens"] == 0
    assert (read.status, read.report["result"]) == ("completed", "offer")


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""


@pytest.fixture
def page() -> Iterator[str]:
    """The address of a page on this machine."""
    server = HTTPServer(("127.0.0.1", 0), _Page)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_page_is_fetched_and_quoted(page: str) -> None:
    asked = {"url": f"{page}/hours", "question": "When is the museum open?"}

    done = run("http", asked, egress=Egress(AllowList.of([page])))

    assert done.report["result"] == {
        "status": 200,
        "quote": "The museum is open from nine to five.",
    }


def judged(score: float) -> dict[str, Any]:
    """Return an evaluator's reply."""
    return {"json": {"score": score, "reasoning": "so"}}


SCRIPTED: list[tuple[str, Json, dict[str, Any], dict[str, Any], Json]] = [
    (
        "annealing",
        "A bakery",
        {
            "writer": [{"text": "Bread."}, {"text": "Warm before dawn."}],
            "critic": [judged(0.4), judged(0.95)],
        },
        {},
        {"answer": "Warm before dawn.", "scores": [0.4, 0.95], "stopped_by": "threshold"},
    ),
    (
        "evolution",
        "An umbrella",
        {
            "inventor": [{"text": f"Name {n}"} for n in range(4)],
            "judge": [judged(s) for s in (0.2, 0.99, 0.3, 0.1)],
        },
        {},
        {"name": "Name 1", "fitness": 0.99, "history": [0.99]},
    ),
    (
        "draft-and-approve",
        "May I come on Thursday?",
        {"writer": [{"text": "Yes, gladly."}]},
        {"review": [{"decision": "approved", "edits": {"draft": "Yes, at ten."}}]},
        "Yes, at ten.",
    ),
    (
        "tool-agent",
        "What is 17 times 3?",
        {
            "reckoner": [
                {"tool_calls": [{"name": "calculate", "arguments": {"expression": "17 * 3"}}]},
                {"echo": True},
            ]
        },
        {},
        "51",
    ),
]


@pytest.mark.parametrize(("name", "input", "replies", "decide", "result"), SCRIPTED)
def test_the_others_run_on_a_model_that_writes(
    name: str, input: Json, replies: dict[str, Any], decide: dict[str, Any], result: Json
) -> None:
    done = run(name, input, script={"agents": replies}, decide=decide)

    found = done.report["result"]
    assert done.status == "completed"
    assert found == result or (name == "tool-agent" and result in found)


def test_every_template_is_run_here() -> None:
    alone = {"form", "reflection"}
    tried = {name for name, *_ in BUILTIN} | {name for name, *_ in SCRIPTED} | alone

    assert tried == {known.id for known in templates()}
