"""How an activation begins without an executor: held at a breakpoint, pinned, or evaluated at once."""
