"""Publishing that needs another person's approval."""
