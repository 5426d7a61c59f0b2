"""The audit chain, and what is entered into it."""
