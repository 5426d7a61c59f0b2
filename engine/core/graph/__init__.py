"""The graph document, its compiled form and the tokens that move through it."""
