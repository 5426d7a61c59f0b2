"""Who sent a call, proven by what it carries: one module a way of signing, none knows the web."""
