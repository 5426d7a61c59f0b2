"""What comes in from outside: triggers, and signatures by which callers prove who they are."""
