"""What each event carries: one class per type, named like it, with a text below each field.

`python -m engine.cli.event_forms` writes from these classes what must say the same elsewhere: the
reference in `docs/events.md`, the overloads of `Transition.emit` beside them, and the types of the
front end. A test holds all three to the classes.

The classes say what is *emitted*. A log on a disk may be older: who reads an event takes what was
added later with `get`.
"""
