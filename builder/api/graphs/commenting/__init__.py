"""Comments on the cards of a draft, as resources."""
