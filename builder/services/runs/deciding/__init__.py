"""Decisions of people: held for a while, confirmed by a gesture, after a look or a question back."""
