"""Rules: which events are told where, and to whom of them."""
