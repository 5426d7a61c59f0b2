"""How long runs are kept, and what becomes of them after that."""
