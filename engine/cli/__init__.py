"""Commands that need no browser, no server and no framework."""
