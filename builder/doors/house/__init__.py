"""What happens in the house, handed to whoever wants to hear of it: each consumer each event once.

A consumer is a name, the kinds of events that it wants, and a handler; `consumers.py` lists them all:

    Consumer("rules", frozenset({"run.failed", "approval.opened"}), rules.hear)

The handler gets a `HouseEvent` in the transaction that marks it as heard: the rows that it writes are
there once, whatever dies and however many processes look. It sends nothing and waits for nobody; what
goes outside it writes down as rows of its own, which are claimed when they are sent. Where it raises,
nothing is written and the event comes again, eight times within a day. `facts.facts_of(event)` has what
the event is about, by names.

`waits` of a consumer gives the pairs of a workspace's id and minutes after which it wants to hear
`item.waiting` of each item that is still open. `builder.models.doors.house_kinds` has all kinds.
"""
