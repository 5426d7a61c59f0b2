"""Many runs at once: what it would do, and doing it."""
