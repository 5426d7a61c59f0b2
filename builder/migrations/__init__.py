"""The tables of the builder app."""
